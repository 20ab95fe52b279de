import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprintFile } from '../../src/fingerprint/file.ts';
import { assessWorkspace } from '../../src/gate/assess.ts';
import { judge } from '../../src/gate/judge.ts';
import { prepareGrounds } from '../../src/gate/trust/prepare-grounds.ts';
import { openWorkspace } from '../../src/gate/workspace.ts';
import type { GateResult } from '../../src/report/result.ts';
import type { GitRepository } from '../support/git.ts';
import {
  appendEvents,
  cloneOf,
  type LoggedEvent,
  recordReview,
  reviewedRepository,
  runGate,
} from '../support/reviewed-repository.ts';

/**
 * Random changes of a repository whose base is proven, or is not: sources edited, the log and the
 * envelopes rewritten, passes forged to the last digest. Whatever is done to what is recorded, only
 * what the base has recorded of these very bytes proves anything.
 */

/** Stages that the gate runs, in the order of the flow; the review is somebody's word. */
const STAGES = ['lint', 'synth', 'equiv', 'regress'] as const;
type Stage = (typeof STAGES)[number];

/** A clone that every change starts from anew. */
let clone: GitRepository;
const bases = new Map<BaseName, string>();
/** The passes of run 1: what forged ones are made of. */
let templates: Map<Stage, { readonly dispatch: LoggedEvent; readonly outcome: LoggedEvent }>;

const BASES = ['proven', 'failed', 'in flight', 'blocked', 'never run', 'not reviewed'] as const;
type BaseName = (typeof BASES)[number];

const at = (path: string): string => join(clone.root, 'uart', path);
const LOG = 'events.jsonl';
const logLines = (): string[] => readFileSync(at(LOG), 'utf8').split('\n').slice(0, -1);
const writeLog = (lines: readonly string[]): void =>
  writeFileSync(at(LOG), lines.map((line) => `${line}\n`).join(''));

beforeAll(() => {
  const reviewed = reviewedRepository();
  clone = cloneOf(reviewed);
  clone.git('config', 'gc.auto', '0');
  bases.set('proven', reviewed.base);
  const events = logLines().map((line) => JSON.parse(line) as LoggedEvent);
  templates = new Map(
    STAGES.map((stage) => {
      const of = (type: string): LoggedEvent => {
        const found = events.find((event) => event.type === type && event.rule === stage);
        if (!found) throw new Error(`no ${type} of ${stage}`);
        return found;
      };
      return [stage, { dispatch: of('dispatch'), outcome: of('outcome') }];
    }),
  );
  const derive = (name: BaseName, change: () => void): void => {
    startFrom('proven');
    change();
    bases.set(name, clone.commit(name));
  };
  derive('failed', () => {
    edit('rtl/a.v', 'bug');
    runGate(at('.'));
  });
  const dispatch = { ...template('lint').dispatch, run: 2 };
  derive('in flight', () => appendEvents(at('.'), [dispatch]));
  derive('blocked', () => {
    const { outcome } = template('lint');
    const { envelope: _, run_key: __, ...rest } = outcome;
    const blocked = { ...rest, run: 2, verdict: 'blocked', outputs: {}, proofs: [] };
    appendEvents(at('.'), [dispatch, blocked]);
  });
  derive('never run', () => rmSync(at(LOG)));
  derive('not reviewed', () => {
    writeLog(logLines().filter((line) => !line.includes('"rule":"review"')));
  });
});

function template(stage: Stage): { readonly dispatch: LoggedEvent; readonly outcome: LoggedEvent } {
  const found = templates.get(stage);
  if (!found) throw new Error(`no template of ${stage}`);
  return found;
}

function baseOf(name: BaseName): string {
  const base = bases.get(name);
  if (base === undefined) throw new Error(`no base ${name}`);
  return base;
}

/** Makes everything in the clone as the base has it. */
function startFrom(name: BaseName): void {
  clone.git('reset', '--quiet', '--hard', baseOf(name));
  clone.git('clean', '-dfxq');
}

type Touch = 'bug' | 'remark';

function edit(path: string, touch: Touch): void {
  const text = readFileSync(at(path), 'utf8');
  const added = touch === 'bug' ? 'BUG\nendmodule' : '// a remark\nendmodule';
  writeFileSync(at(path), text.replace('endmodule', added));
}

/** What `check` says of the clone as it is, with this base and all that it says of the judging accepted. */
async function checkOn(base: string, trust: 'base' | 'log' | 'none' = 'base'): Promise<Checked> {
  const variables = { values: {}, allows: () => true };
  const workspace = openWorkspace({
    directory: at('.'),
    flowFile: undefined,
    variables,
    searchPath: process.env['PATH'] ?? '',
  });
  if (!workspace.ok) throw new Error(JSON.stringify(workspace.error));
  const grounds = await prepareGrounds({
    workspace: workspace.value,
    variables,
    trust,
    base,
    needsBase: true,
    isJudgingAccepted: true,
    acceptance: 'it is accepted',
    comparesCommit: true,
  });
  const assessment = assessWorkspace(workspace.value, grounds);
  // A log that cannot be read is refused.
  if (!assessment.ok) return { isProven: false, result: undefined };
  const result = judge(workspace.value, assessment.value, new Map(), { grounds });
  return { isProven: result.isProven, result };
}

interface Checked {
  readonly isProven: boolean;
  readonly result: GateResult | undefined;
}

/** One thing that a change does to what is recorded. Indices are taken modulo what is there. */
type Edit =
  | { readonly does: 'drop'; readonly at: number }
  | { readonly does: 'double'; readonly at: number; readonly to: number }
  | { readonly does: 'move'; readonly at: number; readonly to: number }
  | { readonly does: 'swap'; readonly at: number; readonly to: number }
  | { readonly does: 'alter'; readonly at: number; readonly field: string; readonly value: unknown }
  | { readonly does: 'note'; readonly at: number; readonly type: string }
  | { readonly does: 'cut'; readonly bytes: number }
  | { readonly does: 'replace'; readonly stages: readonly Stage[] }
  | Forgery
  | {
      readonly does: 'envelope';
      readonly stage: Stage;
      readonly run: number;
      readonly to: EnvelopeEdit;
    };

interface Forgery {
  readonly does: 'forge';
  readonly stages: readonly Stage[];
  readonly run: number;
  readonly what: 'both' | 'dispatch' | 'outcome';
  /** Where in the log; at its end if undefined. */
  readonly at: number | undefined;
}

type EnvelopeEdit = 'gone' | 'empty' | 'fail' | 'pass';

const index = fc.nat({ max: 40 });
const stage = fc.constantFrom(...STAGES);
const stages = fc.oneof(fc.constant(STAGES), fc.uniqueArray(stage, { minLength: 1 }));
const run = fc.integer({ min: 1, max: 3 });
const value = fc.oneof(
  fc.constantFrom<unknown>('pass', 'fail', 'blocked', 'lint', 'review', 1, 2, 3, null, {}, []),
  fc.constantFrom('2020-01-01T00:00:00.000Z', `blake3:${'0'.repeat(64)}`),
);
const field = fc.constantFrom(
  ...['verdict', 'run', 'rule', 'type', 'ts', 'envelope', 'outputs', 'proofs', 'inputs', 'run_key'],
  ...['definition', 'executables', 'tool_versions', 'a field of no meaning'],
);
const forgery: fc.Arbitrary<Forgery> = fc.record({
  does: fc.constant('forge' as const),
  stages,
  run,
  what: fc.constantFrom('both', 'both', 'dispatch', 'outcome'),
  at: fc.option(index, { nil: undefined }),
});
const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: forgery },
  fc.record({ does: fc.constant('drop' as const), at: index }),
  fc.record({ does: fc.constantFrom('double', 'move', 'swap'), at: index, to: index }),
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('alter' as const), at: index, field, value }),
  },
  fc.record({
    does: fc.constant('note' as const),
    at: index,
    type: fc.constantFrom('note', 'pin'),
  }),
  fc.record({ does: fc.constant('cut' as const), bytes: fc.nat({ max: 4000 }) }),
  fc.record({ does: fc.constant('replace' as const), stages }),
  fc.record({
    does: fc.constant('envelope' as const),
    stage,
    run,
    to: fc.constantFrom<EnvelopeEdit>('gone', 'empty', 'fail', 'pass'),
  }),
);
const edits = fc.array(anEdit, { maxLength: 6 });

function apply(change: Edit): void {
  if (change.does === 'envelope') {
    editEnvelope(change.stage, change.run, change.to);
    return;
  }
  const text = existsSync(at(LOG)) ? readFileSync(at(LOG), 'utf8') : '';
  if (change.does === 'cut') {
    writeFileSync(at(LOG), text.slice(0, Math.max(0, text.length - change.bytes)));
    return;
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const place = 'at' in change ? (change.at ?? lines.length) % (lines.length + 1) : 0;
  const taken = lines[place] ?? '';
  switch (change.does) {
    case 'drop':
      lines.splice(place, 1);
      break;
    case 'double':
      if (taken !== '') lines.splice(change.to % lines.length, 0, taken);
      break;
    case 'move':
      if (taken === '') break;
      lines.splice(place, 1);
      lines.splice(change.to % (lines.length + 1), 0, taken);
      break;
    case 'swap': {
      const other = lines[change.to % Math.max(lines.length, 1)];
      if (taken === '' || other === undefined) break;
      lines[change.to % lines.length] = taken;
      lines[place] = other;
      break;
    }
    case 'alter':
      if (taken !== '') lines[place] = altered(taken, change.field, change.value);
      break;
    case 'note':
      lines.splice(place, 0, JSON.stringify({ ts: '2026-11-03T00:00:00Z', type: change.type }));
      break;
    case 'replace':
      lines.splice(0, lines.length, ...forged(change.stages, 1, 'both'));
      break;
    case 'forge':
      lines.splice(place, 0, ...forged(change.stages, change.run, change.what));
  }
  writeLog(lines);
}

function altered(line: string, name: string, to: unknown): string {
  try {
    return JSON.stringify({ ...(JSON.parse(line) as object), [name]: to });
  } catch {
    // What an earlier cut has left of it.
    return line;
  }
}

/** Records of runs that never were, that would hold for the bytes as they are now; with all they name. */
function forged(of: readonly Stage[], number: number, what: Forgery['what']): string[] {
  return of.flatMap((name) => {
    const { dispatch, outcome } = template(name);
    if (name === 'synth') {
      writeFileSync(
        at('build/net.v'),
        readFileSync(at('rtl/a.v'), 'utf8') + readFileSync(at('rtl/b.v'), 'utf8'),
      );
    }
    const good = envelopeAt(name, 1);
    const evidence = pristine.get(name) ?? readFileSync(good);
    mkdirSync(dirname(envelopeAt(name, number)), { recursive: true });
    writeFileSync(envelopeAt(name, number), evidence);
    const [proof] = outcome['proofs'] as { inputs: object }[];
    const inputs = fingerprints(proof?.inputs ?? {});
    const records = {
      dispatch: { ...dispatch, run: number, inputs },
      outcome: {
        ...outcome,
        run: number,
        outputs: fingerprints(outcome['outputs'] as object),
        proofs: [{ ...proof, inputs }],
      },
    };
    const both = [records.dispatch, records.outcome];
    return (what === 'both' ? both : [records[what]]).map((record) => JSON.stringify(record));
  });
}

/** The envelopes of the passes of run 1, whatever is done to the files. */
const pristine = new Map<Stage, Buffer>();
beforeAll(() => {
  startFrom('proven');
  for (const name of STAGES) pristine.set(name, readFileSync(envelopeAt(name, 1)));
});

function fingerprints(table: object): Record<string, string> {
  return Object.fromEntries(
    Object.keys(table).map((path) => {
      const found = fingerprintFile(at(path));
      if (!found.ok) throw new Error(found.error.message);
      return [path, found.value];
    }),
  );
}

function envelopeAt(name: Stage, number: number): string {
  return at(`.signoff/runs/${name}/${number}/envelope.json`);
}

function editEnvelope(name: Stage, number: number, to: EnvelopeEdit): void {
  const path = envelopeAt(name, number);
  if (to === 'gone') {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const envelope = JSON.parse(String(pristine.get(name))) as Record<string, unknown>;
  const engineering = { status: to, assertion: 'clean', summary: 'as it was forged' };
  writeFileSync(path, to === 'empty' ? '' : JSON.stringify({ ...envelope, engineering }));
}

/** The same record in the same words, however its keys are ordered. */
function canonical(line: string): string {
  return JSON.stringify(JSON.parse(line), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Has our log every record of the base, in its order? Not, if it cannot be told. */
function keepsAll(base: readonly string[], ours: readonly string[]): boolean {
  try {
    const left = base.map(canonical);
    for (const line of ours.map(canonical)) if (line === left[0]) left.shift();
    return left.length === 0;
  } catch {
    return false;
  }
}

const forgedAll: Edit = { does: 'forge', stages: STAGES, run: 2, what: 'both', at: undefined };

describe('forged passes', () => {
  test('are right to the last digest: who trusts the log believes them', async () => {
    startFrom('proven');
    edit('rtl/a.v', 'bug');
    apply(forgedAll);
    clone.commit();
    expect((await checkOn(baseOf('proven'), 'log')).isProven).toBe(true);
    expect((await checkOn(baseOf('proven'), 'none')).isProven).toBe(false);
    const { result } = await checkOn(baseOf('proven'));
    expect(result?.isProven).toBe(false);
    expect(
      result?.stages.map(({ assessment: { stage: of, reason } }) => [of.name, reason]),
    ).toEqual([
      ...STAGES.map((name) => [
        name,
        expect.stringMatching(
          /^since run 1: .* changed.*; run 2 is self-reported: nothing that this judgement rests on has recorded it$/,
        ),
      ]),
      ['review', 'a person recorded pass'],
    ]);
  });

  test('and a committed log are proven once they are on the base, as they were accepted there', async () => {
    startFrom('proven');
    edit('rtl/b.v', 'remark');
    apply(forgedAll);
    const accepted = clone.commit();
    expect((await checkOn(accepted)).isProven).toBe(true);
  });
});

describe('a change that touches a source is never proven by what it recorded,', () => {
  const touches = fc.uniqueArray(fc.constantFrom('rtl/a.v', 'rtl/b.v'), { minLength: 1 });

  test.each([
    ['bug', 20],
    ['remark', 12],
  ] as const)('whatever it does to the log: a %s', async (touch, numRuns) => {
    await fc.assert(
      fc.asyncProperty(touches, edits, async (paths, changes) => {
        startFrom('proven');
        for (const path of paths) edit(path, touch);
        for (const change of changes) apply(change);
        clone.commit();
        expect((await checkOn(baseOf('proven'))).isProven).toBe(false);
      }),
      {
        numRuns,
        examples: [
          [['rtl/a.v'], [forgedAll]],
          [['rtl/a.v'], []],
        ],
      },
    );
  });

  test('nor if it touches the document that somebody reviewed', async () => {
    await fc.assert(
      fc.asyncProperty(edits, fc.integer({ min: 1, max: 3 }), async (changes, number) => {
        startFrom('proven');
        writeFileSync(at('docs/spec.md'), 'A UART without parity.\n');
        for (const change of changes) apply(change);
        recordReview(at('.'), number);
        clone.commit();
        expect((await checkOn(baseOf('proven'))).isProven).toBe(false);
      }),
      { numRuns: 5 },
    );
  });
});

describe('a change that touches no source', () => {
  test('and loses a record of the base is never proven, and is told which', async () => {
    startFrom('proven');
    const base = logLines();
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        startFrom('proven');
        for (const change of changes) apply(change);
        clone.commit();
        const { isProven, result } = await checkOn(baseOf('proven'));
        const isKept = keepsAll(base, existsSync(at(LOG)) ? logLines() : []);
        if (!isKept) expect(isProven).toBe(false);
        if (result) {
          const lost = result.problems.filter(({ code }) => code === 'trust/record-lost');
          expect(lost.length > 0).toBe(!isKept);
        }
      }),
      { numRuns: 35, examples: [[[{ does: 'drop', at: 3 }]], [[forgedAll]]] },
    );
  });

  test('and adds nothing but notes rests on the base, wherever they stand', async () => {
    const note = fc.record({
      does: fc.constant('note' as const),
      at: index,
      type: fc.constantFrom('note', 'pin', 'signoff'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(note, { maxLength: 4 }), async (notes) => {
        startFrom('proven');
        for (const change of notes) apply(change);
        clone.commit();
        const { result } = await checkOn(baseOf('proven'));
        expect(result?.problems).toEqual([]);
        expect(result?.isProven).toBe(true);
      }),
      { numRuns: 4 },
    );
  });
});

describe('where the base itself is not proven, nothing that a change records makes it so:', () => {
  const others = BASES.filter((name) => name !== 'proven');

  test.each(others)('%s', async (name) => {
    startFrom(name);
    expect((await checkOn(baseOf(name))).isProven).toBe(false);
    const forgesAll: fc.Arbitrary<Edit[]> = fc
      .tuple(edits, run)
      .map(([before, number]) => [...before, { ...forgedAll, run: number }]);
    await fc.assert(
      fc.asyncProperty(forgesAll, async (changes) => {
        startFrom(name);
        for (const change of changes) apply(change);
        recordReview(at('.'), 2);
        clone.commit();
        expect((await checkOn(baseOf(name))).isProven).toBe(false);
      }),
      { numRuns: 3, examples: [[[{ ...forgedAll, run: 3 }]], [[forgedAll]]] },
    );
  });
});

// The base has not said how that run ended. A record of the change that says so proves nothing
// either: not the run that it ends, and not that the one before it still holds.
test.each(['pass', 'blocked'])(
  'a run that the base has in flight, and that a change says has ended in %s, proves nothing',
  async (verdict) => {
    startFrom('in flight');
    const { outcome } = template('lint');
    appendEvents(at('.'), [{ ...outcome, run: 2, verdict }]);
    clone.commit();
    const { isProven, result } = await checkOn(baseOf('in flight'));
    expect(result?.problems).toEqual([]);
    expect(isProven).toBe(false);
  },
);

test('the clone that a change starts from is the base and nothing else', () => {
  startFrom('proven');
  cpSync(at('rtl/a.v'), at('rtl/c.v'));
  startFrom('proven');
  expect(existsSync(at('rtl/c.v'))).toBe(false);
  expect(clone.git('status', '--short')).toBe('');
});

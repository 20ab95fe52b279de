import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { directoryCache } from '../../src/cache/directory-cache.ts';
import { packEntry } from '../../src/cache/entry.ts';
import { digestBytes } from '../../src/fingerprint/blake3.ts';
import type { JudgementAnswer } from '../../src/generated/documents.ts';
import { validateAnswerJudgement } from '../../src/generated/validators.js';
import type { Fingerprint } from '../../src/values/brands.ts';
import { type ActionOptions, type ActionRun, runAction } from '../support/action.ts';
import { documentIn } from '../support/cli.ts';
import type { GitRepository } from '../support/git.ts';
import {
  appendEvents,
  cloneOf,
  eventsOf,
  type LoggedEvent,
  type Reviewed,
  recordReview,
  reviewedRepository,
  runGate,
} from '../support/reviewed-repository.ts';
import { scratchFolder } from '../support/scratch.ts';

/**
 * Pull requests as real repositories, judged by the built action: what a change says about itself
 * never makes it proven, and what it does to the judging does not pass unseen.
 */

let reviewed: Reviewed;
beforeAll(() => {
  reviewed = reviewedRepository();
});

interface Judged {
  readonly run: ActionRun;
  readonly answer: JudgementAnswer | undefined;
}

async function judge(
  clone: GitRepository,
  options: ActionOptions = {},
  report = 'gate.json',
): Promise<Judged> {
  const run = await runAction(clone.root, {
    event: 'pull_request',
    base: reviewed.base,
    ...options,
    inputs: { workspace: 'uart', cache: 'off', report, ...options.inputs },
  });
  const text =
    run.outputs['report'] === '' ? undefined : readFileSync(join(clone.root, report), 'utf8');
  if (!text?.includes('"stages"')) return { run, answer: undefined };
  return { run, answer: documentIn(text, validateAnswerJudgement) };
}

function edit(clone: GitRepository, path: string, change: (text: string) => string): void {
  const absolute = join(clone.root, path);
  const text = readFileSync(absolute, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} did not change`);
  writeFileSync(absolute, changed);
}

const plantBug = (clone: GitRepository): void =>
  edit(clone, 'uart/rtl/a.v', (text) => text.replace('endmodule', 'BUG\nendmodule'));

function outcomeOf(workspace: string, stage: string): LoggedEvent {
  const found = eventsOf(workspace).findLast(
    ({ type, rule }) => type === 'outcome' && rule === stage,
  );
  if (!found) throw new Error(`no outcome of ${stage}`);
  return found;
}

/** An envelope that says pass, in the words of the run that failed. */
function forgeEnvelope(workspace: string, stage: string, run: unknown): string {
  const path = join(workspace, `.signoff/runs/${stage}/${run}/envelope.json`);
  const envelope = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const engineering = { status: 'pass', assertion: 'clean', summary: 'all is well' };
  const forged = { ...envelope, engineering, result: { clean: true, checked: 3 } };
  writeFileSync(path, JSON.stringify(forged));
  return path;
}

/** A log that tells of passes that never were, true to the last digest. */
function forgePasses(workspace: string): void {
  runGate(workspace);
  for (const stage of ['lint', 'regress']) {
    const { run } = outcomeOf(workspace, stage);
    const path = join(workspace, `.signoff/runs/${stage}/${run}/envelope.json`);
    if (stage === 'lint') forgeEnvelope(workspace, stage, run);
    else {
      const report = JSON.stringify({ passed: true, tests: 2 });
      writeFileSync(join(workspace, 'build/regress.json'), report);
      const envelope = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      const engineering = { status: 'pass', assertion: 'tests-passed', summary: 'all is well' };
      writeFileSync(path, JSON.stringify({ ...envelope, engineering, result: JSON.parse(report) }));
    }
  }
  const events = eventsOf(workspace).map((event) => {
    if (event.type !== 'outcome' || event['verdict'] !== 'fail') return event;
    const path = join(workspace, `.signoff/runs/${event.rule}/${event.run}/envelope.json`);
    const proofs = (event['proofs'] as object[]).map((proof) => ({ ...proof, verdict: 'pass' }));
    const outputs = Object.fromEntries(
      Object.keys(event['outputs'] as object).map((output) => [
        output,
        digestBytes(readFileSync(join(workspace, output))),
      ]),
    );
    return {
      ...event,
      verdict: 'pass',
      proofs,
      outputs,
      envelope: digestBytes(readFileSync(path)),
    };
  });
  rmSync(join(workspace, 'events.jsonl'));
  appendEvents(workspace, events);
}

interface Attack {
  readonly name: string;
  readonly change: (clone: GitRepository) => void | Promise<void>;
  readonly options?: (clone: GitRepository) => ActionOptions;
  /** What the runner has beside the commit. */
  readonly afterwards?: (clone: GitRepository) => void;
  /** What the answer must say of it, in a status or a problem. */
  readonly says: RegExp;
}

const attacks: readonly Attack[] = [
  {
    name: 'a forged pass: records of runs that never were, true to the last digest',
    change: (clone) => {
      plantBug(clone);
      forgePasses(join(clone.root, 'uart'));
    },
    says: /lint failed fail/,
  },
  {
    name: 'a rewritten log: the record of a failure turned into a pass',
    change: (clone) => {
      edit(clone, 'uart/events.jsonl', (text) => text.replace('"grade":"human"', '"grade":"tool"'));
    },
    says: /trust\/record-lost: the record `outcome` of run 1 of review, line 2 .* was altered/,
  },
  {
    name: 'a deleted stage',
    change: (clone) => {
      plantBug(clone);
      edit(clone, 'uart/signoff.yaml', (text) =>
        text
          .replace(/ {2}lint:[\s\S]*? {2}synth:/, '  synth:')
          .replace(/ {2}regress:[\s\S]*? {2}review:/, '  review:')
          .replace(/ {2}equiv:[\s\S]*? {2}review:/, '  review:'),
      );
      edit(
        clone,
        'uart/signoff.yaml',
        (text) => `${text}retired: { lint: not needed, regress: not needed, equiv: not needed }\n`,
      );
    },
    says: /trust\/judging-changed: this change touches the judging: the stage was retired/,
  },
  {
    name: 'a lowered floor',
    change: (clone) => {
      edit(clone, 'uart/signoff.yaml', (text) => text.replace('{ min: 3 }', '{ min: 0 }'));
    },
    says: /the floor checked is at least 0, and was at least 3/,
  },
  {
    name: '`run: "true"` in place of the regression',
    change: (clone) => {
      plantBug(clone);
      edit(clone, 'uart/signoff.yaml', (text) =>
        text
          .replace('run: [sh, scripts/judge.sh]', 'run: "true"')
          .replace(
            /evidence:\n.*\n.*\n/,
            'outputs: [build/regress.json]\n    evidence: exit-code\n',
          ),
      );
    },
    says: /its command was changed/,
  },
  {
    name: 'a narrowed selector',
    change: (clone) => {
      plantBug(clone);
      edit(clone, 'uart/signoff.yaml', (text) => text.replaceAll('rtl/*.v', 'rtl/b.v'));
    },
    says: /the selector rtl\/\*\.v was removed/,
  },
  {
    name: 'an altered judge script',
    change: (clone) => {
      plantBug(clone);
      edit(clone, 'uart/scripts/judge.sh', (text) => text.replace('passed=false', 'passed=true'));
      edit(clone, 'uart/engines/lint.sh', (text) =>
        text.replace('"clean": false', '"clean": true'),
      );
      edit(clone, 'uart/engines/equiv.sh', (text) =>
        text.replace('"clean": false', '"clean": true'),
      );
    },
    says: /what judges it was altered: engines\/lint\.sh/,
  },
  {
    name: 'a source that is a link to a file outside, which is good',
    change: (clone) => {
      const good = join(scratchFolder(), 'good.v');
      writeFileSync(good, 'module a;\nendmodule\n');
      rmSync(join(clone.root, 'uart/rtl/a.v'));
      symlinkSync(good, join(clone.root, 'uart/rtl/a.v'));
    },
    says: /rtl\/a\.v/,
  },
  {
    name: 'a cache entry that an earlier commit of the same change has poisoned',
    change: async (clone) => {
      plantBug(clone);
      const honest = join(scratchFolder(), 'earlier');
      cpSync(clone.root, honest, { recursive: true });
      const workspace = join(honest, 'uart');
      runGate(workspace);
      for (const stage of ['lint', 'equiv']) {
        const { run, run_key: runKey } = outcomeOf(workspace, stage);
        forgeEnvelope(workspace, stage, run);
        const entry = scratchFolder();
        const packed = packEntry(
          {
            runKey: runKey as Fingerprint,
            stage,
            outputs: [],
            root: workspace,
            recorded: {},
            runFolder: join(workspace, `.signoff/runs/${stage}/${run}`),
          },
          entry,
        );
        if (!packed.ok) throw new Error(packed.error);
        const key = { stage, runKey: runKey as Fingerprint };
        await directoryCache(join(clone.root, '../cache')).save(
          key,
          entry,
          new AbortController().signal,
        );
      }
    },
    options: (clone) => ({
      inputs: { cache: 'directory', 'cache-dir': join(clone.root, '../cache') },
    }),
    says: /lint failed fail/,
  },
  {
    name: 'a forged judgement of a person',
    change: (clone) => {
      edit(clone, 'uart/docs/spec.md', (text) => `${text}It has no parity.\n`);
      recordReview(join(clone.root, 'uart'), 2);
    },
    says: /review stale unknown .*self-reported/,
  },
  {
    name: 'a swapped output: another netlist than the sources give',
    change: (clone) => {
      writeFileSync(join(clone.root, 'uart/build/net.v'), 'module a; endmodule // another\n');
    },
    says: /trust\/output-differs: the commit holds another build\/net\.v than was proven/,
  },
  {
    name: 'a source taken out of the repository that the runner has kept',
    change: (clone) => rmSync(join(clone.root, 'uart/rtl/b.v')),
    afterwards: (clone) =>
      writeFileSync(join(clone.root, 'uart/rtl/b.v'), 'module b;\nendmodule\n'),
    says: /trust\/not-from-commit: the change removes rtl\/b\.v, and it is here and was read/,
  },
  {
    name: 'a renamed workspace',
    change: (clone) => {
      renameSync(join(clone.root, 'uart'), join(clone.root, 'serial'));
    },
    options: () => ({ inputs: { workspace: '*' } }),
    says: /the workspace uart was removed or renamed/,
  },
];

/** Everything that the answer says, a line a stage and a line a problem. */
function told({ run, answer }: Judged): string {
  const stages = Object.entries(answer?.stages ?? {}).map(
    ([name, { status, verdict, reason, marks }]) =>
      `${name} ${status} ${verdict} ${reason} ${marks.join(' ')}`,
  );
  const problems = (answer?.problems ?? []).map(({ code, message }) => `${code}: ${message}`);
  return [...stages, ...problems, run.log].join('\n');
}

describe.concurrent('a hostile pull request is not proven:', () => {
  test.each(attacks)('$name', async ({ change, options, afterwards, says }) => {
    const clone = cloneOf(reviewed);
    await change(clone);
    clone.commit('an improvement');
    afterwards?.(clone);
    const judged = await judge(clone, options?.(clone));
    expect(judged.run.verdicts.at(-1)).toBe('not-proven');
    expect(judged.run.verdicts).not.toContain('proven');
    expect(judged.run.status).toBe(1);
    expect(told(judged)).toMatch(says);
  });
});

describe.concurrent('an honest pull request', () => {
  test('that changes nothing rests on what the base recorded', async () => {
    const clone = cloneOf(reviewed);
    clone.commit('nothing');
    const { run, answer } = await judge(clone);
    expect(told({ run, answer })).not.toMatch(/trust\//);
    expect(run.verdicts.at(-1)).toBe('proven');
    expect(Object.values(answer?.stages ?? {}).map(({ how }) => how)).toEqual(
      Array(5).fill('reused'),
    );
    expect(answer).toMatchObject({ trust: 'base', judging: { changes: [] } });
    expect(answer).not.toHaveProperty('not_from_commit');
  });

  test('that changes a source runs what reads it, whatever it recorded of itself', async () => {
    const clone = cloneOf(reviewed);
    edit(clone, 'uart/rtl/b.v', (text) => `// a comment\n${text}`);
    runGate(join(clone.root, 'uart'));
    clone.commit();
    const { run, answer } = await judge(clone);
    expect(run.verdicts.at(-1)).toBe('proven');
    expect(answer?.counts).toMatchObject({ ran: 4, reused: 1 });
  });

  test('that touches the judging is proven once the label is there', async () => {
    const clone = cloneOf(reviewed);
    edit(clone, 'uart/signoff.yaml', (text) => text.replace('{ min: 3 }', '{ min: 2 }'));
    clone.commit();
    const open = await judge(clone, { labels: ['bug'] });
    expect(open.run.verdicts.at(-1)).toBe('not-proven');
    expect(open.answer?.judging).toMatchObject({ accepted: false });
    const labelled = await judge(clone, { labels: ['bug', 'signoff-gate: judging accepted'] });
    expect(labelled.run.verdicts.at(-1)).toBe('proven');
    expect(labelled.run.summary).toContain('This change touches the judging, which was accepted');
    const other = await judge(clone, {
      labels: ['flow ok'],
      inputs: { 'accept-label': 'flow ok' },
    });
    expect(other.run.verdicts.at(-1)).toBe('proven');
  });

  test('with `trust: log` is trusted, never proven', async () => {
    const clone = cloneOf(reviewed);
    edit(clone, 'uart/rtl/b.v', (text) => `// a comment\n${text}`);
    runGate(join(clone.root, 'uart'));
    clone.commit();
    const { run, answer } = await judge(clone, { inputs: { trust: 'log', mode: 'check' } });
    expect([run.status, run.verdicts.at(-1), answer?.verdict]).toEqual([0, 'trusted', 'trusted']);
    expect(run.summary).toMatch(/^## 🟦 Trusted: uart/);
    const checked = await judge(clone, { inputs: { mode: 'check' } });
    expect(checked.run.verdicts.at(-1)).toBe('not-proven');
    const none = await judge(clone, { inputs: { trust: 'none' } });
    expect(told(none)).toMatch(/review missing unknown .*self-reported/);
  });

  test('restores from the cache what it does not touch', async () => {
    const cache = scratchFolder();
    const inputs = { cache: 'directory', 'cache-dir': cache };
    const clone = cloneOf(reviewed);
    rmSync(join(clone.root, 'uart/build'), { recursive: true });
    rmSync(join(clone.root, 'uart/events.jsonl'));
    mkdirSync(join(clone.root, 'uart/build'));
    writeFileSync(
      join(clone.root, '.gitignore'),
      'uart/.signoff/\nuart/events.jsonl\nuart/build/\n',
    );
    clone.git(
      'rm',
      '-r',
      '--cached',
      '--quiet',
      'uart/.signoff',
      'uart/build',
      'uart/events.jsonl',
    );
    const base = clone.commit('nothing of the gate is kept');
    await judge(clone, { base, event: 'push', inputs });
    clone.git('clean', '-dfxq');
    edit(clone, 'uart/scripts/judge.sh', (text) => `# a comment\n${text}`);
    clone.commit();
    const { run } = await judge(clone, { base, inputs });
    expect(run.outputs['restored']).toBe('["lint","synth","equiv"]');
    expect(run.outputs['reran']).toBe('["regress"]');
  });
});

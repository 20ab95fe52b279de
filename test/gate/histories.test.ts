import { chmodSync, cpSync, rmSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { envelopePath } from '../../src/proof/run-folder.ts';
import { checkPass, deedsIn, type Pass, runPass, statusesIn } from '../support/gate.ts';
import {
  type LogLine,
  makeWorkspace,
  SAYS_CLEAN,
  SAYS_DIRTY,
  type TestWorkspace,
} from '../support/workspace.ts';

/**
 * Random histories of one design: files edited, removed and restored, outputs and evidence
 * tampered with, tools and floors replaced, the gate run in between. A model that knows nothing of
 * digests says what each stage must be at every moment.
 */

/** What a file may hold. Each tool has its own words that it fails on or crashes on. */
const TEXTS = ['one\n', 'one // in other words\n', 'two\n', 'BUG\n', 'SLOW\n', 'CRASH\n'];

/**
 * All that can be changed about a design, by name: files by their paths, and what the flow says.
 * What is undefined is not there.
 */
type World = Map<string, string | undefined>;

type Verdict = 'pass' | 'fail' | 'blocked';

interface StageModel {
  readonly name: string;
  readonly needs: readonly string[];
  readonly reads: readonly string[];
  /** Read as well when it is there. */
  readonly optional: readonly string[];
  readonly writes: readonly string[];
  /** The verdict of its tool, and what that writes, from the text that it reads. */
  readonly work: (text: string) => { readonly verdict: Verdict; readonly wrote: string };
}

const judged = (text: string, fails: string): Verdict => {
  if (text.includes('CRASH')) return 'blocked';
  return text.includes(fails) ? 'fail' : 'pass';
};

/** In the order of the flow: a chain, and one that stands alone and reads through a link. */
const STAGES: readonly StageModel[] = [
  {
    name: 'synth',
    needs: [],
    reads: ['rtl/top.v'],
    optional: ['rtl/extra.v'],
    writes: ['build/net.v'],
    // Comments do not reach the netlist: other input, same output.
    work: (text) => ({ verdict: judged(text, 'BUG'), wrote: text.replace(/ \/\/.*/g, '') }),
  },
  {
    name: 'timing',
    needs: ['synth'],
    reads: ['build/net.v', 'sta/job'],
    optional: [],
    writes: ['build/timing.json'],
    work: (text) => {
      const verdict = judged(text, 'SLOW');
      const of = text.replaceAll('\n', ' ');
      return { verdict, wrote: `{"ok": ${verdict === 'pass'}, "paths": 3, "of": "${of}"}\n` };
    },
  },
  {
    name: 'margin',
    needs: ['timing'],
    reads: ['build/timing.json'],
    optional: [],
    writes: [],
    work: (text) => ({ verdict: judged(text, 'two'), wrote: '' }),
  },
  {
    name: 'docs',
    needs: [],
    reads: ['shared/text.md'],
    optional: [],
    writes: [],
    work: (text) => ({ verdict: judged(text, 'BUG'), wrote: '' }),
  },
];

function modelOf(stage: string): StageModel {
  const found = STAGES.find(({ name }) => name === stage);
  if (!found) throw new Error(`the model has no stage ${stage}`);
  return found;
}

function withNeeds(stage: string): string[] {
  return [stage, ...modelOf(stage).needs.flatMap(withNeeds)];
}

const OUTPUTS = STAGES.flatMap(({ writes }) => writes);

const toolOf = (stage: string): string => `tools/${stage}.sh`;
const floorOf = (stage: string): string => `the floor of ${stage}`;
const REMARK = 'a remark in the flow';
/** How many things each tool says that it looked at: a floor above it makes a pass unknown. */
const COUNTED = 3;

const says = (text: string, fails: string): string =>
  `case "${text}" in *CRASH*) exit 3;; *${fails}*) ${SAYS_DIRTY};; *) ${SAYS_CLEAN};; esac`;

const TOOLS: Readonly<Record<string, string>> = {
  // It writes before it crashes: what is there then must not stay.
  synth: `cat rtl/*.v | sed 's: //.*::' > build/net.v\n${says('$(cat rtl/*.v)', 'BUG')}`,
  timing: `text=$(cat build/net.v sta/job | tr '\\n' ' ')
case "$text" in *CRASH*) echo '{' > build/timing.json; exit 3;; *SLOW*) ok=false;; *) ok=true;; esac
printf '{"ok": %s, "paths": 3, "of": "%s"}\\n' $ok "$text" > build/timing.json`,
  margin: says('$(cat "$2")', 'two'),
  docs: says('$(cat docs/linked.md)', 'BUG'),
};

const START: World = new Map([
  ['rtl/top.v', 'one\n'],
  ['sta/job', 'one\n'],
  ['shared/text.md', 'one\n'],
  ...STAGES.flatMap(({ name }): [string, string][] => [
    [toolOf(name), 'first'],
    [floorOf(name), '1'],
  ]),
]);

function flowText(world: World): string {
  const floor = (stage: string): string => world.get(floorOf(stage)) ?? '1';
  return `name: histories # ${world.get(REMARK) ?? ''}
stages:
  synth:
    uses: ./tools/synth.sh
    inputs: [rtl/top.v, { glob: "rtl/e*.v", optional: true }]
    outputs: [build/net.v]
    floors: { checked: { min: ${floor('synth')} } }
  timing:
    run: [./tools/timing.sh]
    inputs: [build/net.v, sta/job]
    evidence: { json: build/timing.json, assertion: { id: met, field: ok, pass_when: { is_true: true } } }
    floors: { paths: { min: ${floor('timing')} } }
  margin:
    uses: ./tools/margin.sh
    with: { file: build/timing.json }
    inputs: [build/timing.json]
    floors: { checked: { min: ${floor('margin')} } }
  docs:
    uses: ./tools/docs.sh
    inputs: [docs/*.md]
    floors: { checked: { min: ${floor('docs')} } }
`;
}

/** A run as the model remembers it, with everything that its result is bound to. */
interface Recorded {
  readonly run: number;
  readonly verdict: Verdict;
  readonly bound: World;
}

/** A workspace on the disk, and beside it what the model makes of its history. */
class Design {
  readonly workspace: TestWorkspace = makeWorkspace({});
  readonly world: World = new Map();
  readonly runs = new Map<string, Recorded[]>(STAGES.map(({ name }) => [name, []]));

  constructor() {
    this.workspace.write('docs/linked.md', (path) => symlinkSync('../shared/text.md', path));
    this.setAll(START);
  }

  /** Changes one thing, on the disk and in the model. */
  set(name: string, value: string | undefined): void {
    const { workspace, world } = this;
    world.set(name, value);
    const stage = STAGES.find((one) => toolOf(one.name) === name)?.name;
    if (name === REMARK || name.startsWith(floorOf(''))) {
      workspace.write('signoff.yaml', flowText(world));
    } else if (value === undefined) {
      rmSync(workspace.at(name), { force: true });
    } else if (stage === 'timing') {
      workspace.write(name, `#!/bin/sh\n# ${value}\n${TOOLS['timing']}\n`);
      chmodSync(workspace.at(name), 0o755);
    } else if (stage !== undefined) {
      workspace.engine(name, { does: `# ${value}\n${TOOLS[stage] ?? ''}` });
    } else {
      workspace.write(name, value);
    }
  }

  /** Makes everything as it was, in the order of the names given. */
  setAll(world: World, names: Iterable<string> = [...world.keys(), ...this.world.keys()]): void {
    for (const name of names) {
      if (this.world.get(name) !== world.get(name)) this.set(name, world.get(name));
    }
  }

  /** Runs the gate, and the model with it; whatever the gate does, the model must have said. */
  async run(only: readonly string[] = []): Promise<Pass> {
    const wanted = (only.length > 0 ? only : STAGES.map(({ name }) => name)).flatMap(withNeeds);
    const deeds = STAGES.map((stage) => [stage.name, this.#take(stage, wanted)] as const);
    const pass = await runPass(this.workspace, { only });
    expect(deedsIn(pass)).toEqual(Object.fromEntries(deeds));
    for (const [name, deed] of deeds) if (deed === 'ran') this.#bindEvidence(name);
    expect(statusesIn(pass)).toEqual(this.statuses());
    for (const path of OUTPUTS) {
      const there = this.workspace.has(path) ? this.workspace.read(path) : undefined;
      expect([path, there]).toEqual([path, this.world.get(path)]);
    }
    return pass;
  }

  /** Looks at the workspace, and insists that the model agrees. */
  check(): Pass {
    const pass = checkPass(this.workspace);
    const statuses = this.statuses();
    expect(statusesIn(pass)).toEqual(statuses);
    const isEveryValid = Object.values(statuses).every((status) => status === 'valid');
    expect(pass.answer.verdict).toBe(isEveryValid ? 'proven' : 'not-proven');
    return pass;
  }

  /** What each stage must be by the model. */
  statuses(): Record<string, string> {
    return Object.fromEntries(STAGES.map((stage) => [stage.name, this.#status(stage)]));
  }

  last(stage: string): Recorded | undefined {
    return this.runs.get(stage)?.at(-1);
  }

  /** Everything that a result of the stage is bound to: what an edit outside of cannot change. */
  own({ name, reads, optional, writes }: StageModel): string[] {
    const last = this.last(name);
    const evidence = last ? [envelopePath(name, last.run)] : [];
    return [...reads, ...optional, ...writes, toolOf(name), floorOf(name), ...evidence];
  }

  /** The same of the stages that it needs too. */
  closure(stage: string): string[] {
    return withNeeds(stage).flatMap((name) => this.own(modelOf(name)));
  }

  /** Whether a run was made on exactly what is there now. */
  isAsIn(stage: StageModel, { bound }: Recorded): boolean {
    return [...bound].every(([name, value]) => {
      const now = this.world.get(name);
      // A tool that is not here says nothing about the result that it once gave.
      return now === value || (name === toolOf(stage.name) && now === undefined);
    });
  }

  #status(stage: StageModel): string {
    const last = this.last(stage.name);
    if (!last) return 'missing';
    if (last.verdict === 'blocked') return 'blocked';
    if (last.verdict === 'fail') return 'failed';
    return this.isAsIn(stage, last) ? 'valid' : 'stale';
  }

  /** What a pass must do about a stage, and what becomes of the world by it. */
  #take(stage: StageModel, wanted: readonly string[]): 'ran' | 'reused' | 'not-run' {
    const { name, needs, reads } = stage;
    const last = this.last(name);
    if (last && last.verdict !== 'blocked' && this.isAsIn(stage, last)) return 'reused';
    const isReady = needs.every((need) => this.#status(modelOf(need)) === 'valid');
    const isThere = [...reads, toolOf(name)].every((path) => this.world.get(path) !== undefined);
    if (!wanted.includes(name) || !isReady || !isThere) return 'not-run';
    this.#work(stage);
    return 'ran';
  }

  #work(stage: StageModel): void {
    const { name, reads, optional, writes, work } = stage;
    const text = [...optional, ...reads].map((path) => this.world.get(path) ?? '').join('');
    const result = work(text);
    const misses = result.verdict === 'pass' && Number(this.world.get(floorOf(name))) > COUNTED;
    const verdict = misses ? 'blocked' : result.verdict;
    if (verdict !== 'blocked') for (const path of writes) this.world.set(path, result.wrote);
    const runs = this.runs.get(name) ?? [];
    const bound = new Map(this.own(stage).map((one) => [one, this.world.get(one)]));
    runs.push({ run: runs.length + 1, verdict, bound });
  }

  /** The evidence of a run is the gate's own to write: the model takes its bytes as they are. */
  #bindEvidence(stage: string): void {
    const last = this.last(stage);
    if (!last) return;
    const path = envelopePath(stage, last.run);
    this.world.set(path, this.workspace.read(path));
    last.bound.set(path, this.world.get(path));
  }
}

/** One thing that is changed; `undefined` takes it away. */
interface Edit {
  readonly name: string;
  readonly value: string | undefined;
}

/** An edit of evidence: every `false` in it is made true, and a blank added. */
const GLOSSED = 'glossed over';

/** The evidence of the last run of a stage, whichever that is when the edit is made. */
const evidenceOf = (stage: string): string => `the evidence of ${stage}`;

const edits = (
  names: readonly string[],
  ...values: readonly (string | undefined)[]
): fc.Arbitrary<Edit> =>
  fc.record({ name: fc.constantFrom(...names), value: fc.constantFrom(...values) });

const NAMES = STAGES.map(({ name }) => name);

/** What a stage could take for its own by a mistake in matching, and what nobody looks at. */
const STRAYS = [
  'notes.txt',
  'rtl/notes.txt',
  'rtl/.extra.v',
  'rtl/deep/extra.v',
  'rtl/top.v.orig',
  'sta/job2',
  'build/other.v',
  'docs/deep/more.md',
  'docs/.more.md',
  'shared/other.md',
];

const sourceEdit = edits(
  ['rtl/top.v', 'rtl/extra.v', 'sta/job', 'shared/text.md'],
  'one\n',
  ...TEXTS,
  undefined,
);

const anyEdit = fc.oneof(
  { weight: 4, arbitrary: sourceEdit },
  edits(STRAYS, ...TEXTS, undefined),
  edits(OUTPUTS, 'one\n', 'altered\n', undefined),
  edits(NAMES.map(evidenceOf), GLOSSED, undefined),
  edits(NAMES.map(toolOf), 'first', 'second', undefined),
  edits(NAMES.map(floorOf), '1', String(COUNTED), String(COUNTED + 1)),
  edits([REMARK], 'said', 'said again', undefined),
);

type Command =
  | { readonly do: 'edit'; readonly edit: Edit }
  /** Makes everything that the last run of a stage is bound to as it was then. */
  | { readonly do: 'restore'; readonly stage: string }
  | { readonly do: 'run'; readonly after: readonly Edit[]; readonly only: readonly string[] };

const command = fc.oneof(
  { weight: 4, arbitrary: anyEdit.map((edit): Command => ({ do: 'edit', edit })) },
  fc.constantFrom(...NAMES).map((stage): Command => ({ do: 'restore', stage })),
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.array(sourceEdit, { maxLength: 2 }),
        fc.constantFrom([], [], ...NAMES.map((name) => [name])),
      )
      .map(([after, only]): Command => ({ do: 'run', after, only })),
  },
);

function apply(design: Design, { name, value }: Edit): void {
  const stage = NAMES.find((one) => evidenceOf(one) === name);
  const last = stage === undefined ? undefined : design.last(stage);
  if (stage === undefined) {
    design.set(name, value);
  } else if (last) {
    const path = envelopePath(stage, last.run);
    const glossed = `${design.world.get(path) ?? ''} `.replaceAll('false', 'true');
    design.set(path, value === GLOSSED ? glossed : value);
  }
}

async function obey(design: Design, order: Command): Promise<void> {
  switch (order.do) {
    case 'edit':
      return apply(design, order.edit);
    case 'restore': {
      const { bound = new Map() } = design.last(order.stage) ?? {};
      return design.setAll(bound, design.own(modelOf(order.stage)));
    }
    case 'run':
      for (const edit of order.after) apply(design, edit);
      await design.run(order.only);
  }
}

/** So that a failure is told, with its seed, before the test runs out of time to make it small. */
const TIME_LIMIT_MS = 45_000;

const history = fc.array(command, { minLength: 4, maxLength: 12 });

async function lived(orders: readonly Command[]): Promise<Design> {
  const design = new Design();
  await design.run();
  for (const order of orders) {
    await obey(design, order);
    design.check();
    for (const [stage, status] of Object.entries(design.statuses())) {
      if (status === 'valid') expect(passesOnRecord(design.workspace.log(), stage)).toBe(true);
    }
  }
  return design;
}

/** Whether the last that the log has of a stage is the passing outcome of a run that it began. */
function passesOnRecord(log: readonly LogLine[], stage: string): boolean {
  const [began, ended] = log.filter(({ rule }) => rule === stage).slice(-2);
  return (
    began?.type === 'dispatch' &&
    ended?.type === 'outcome' &&
    ended.verdict === 'pass' &&
    began.run === ended.run
  );
}

describe.concurrent('in any history of edits, damage and runs of the gate', () => {
  it('a stage is valid exactly while its last run is on record as passed and all that this read, wrote and was made of is as it left it', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (orders) => {
        await lived(orders);
      }),
      { numRuns: 20, interruptAfterTimeLimit: TIME_LIMIT_MS },
    );
  });

  it('assessing again, assessing a copy elsewhere and assessing after a pass that changes nothing give the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (orders) => {
        const design = await lived(orders);
        const { stages } = design.check().answer;
        expect(design.check().answer.stages).toEqual(stages);
        expect(checkPass(copyOf(design)).answer.stages).toEqual(stages);

        const settled = statusesIn(await design.run());
        const before = design.check().answer.stages;
        const again = await design.run();
        expect(statusesIn(again)).toEqual(settled);
        // What reached no conclusion is run again; nothing else is.
        for (const [stage, deed] of Object.entries(deedsIn(again))) {
          if (deed === 'ran') expect(settled[stage]).toBe('blocked');
          else expect(design.check().answer.stages[stage]).toEqual(before[stage]);
        }

        const copy = copyOf(design);
        const elsewhere = await runPass(copy);
        expect(statusesIn(elsewhere)).toEqual(settled);
        expect(deedsIn(elsewhere)).toEqual(deedsIn(again));
      }),
      { numRuns: 8, interruptAfterTimeLimit: TIME_LIMIT_MS },
    );
  });
});

function copyOf({ workspace }: Design): TestWorkspace {
  const copy = makeWorkspace({});
  cpSync(workspace.root, copy.root, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** A design that has a history, and what it was then: where many short histories begin. */
interface Base {
  readonly design: Design;
  readonly world: World;
  readonly log: string;
}

async function base(...orders: readonly ([string, string | undefined] | 'run')[]): Promise<Base> {
  const design = new Design();
  for (const order of orders) {
    if (order === 'run') await design.run();
    else design.set(...order);
  }
  return { design, world: new Map(design.world), log: design.workspace.read('events.jsonl') };
}

function rewound({ design, world, log }: Base): Design {
  design.workspace.write('events.jsonl', log);
  design.setAll(world);
  return design;
}

describe('after any edits and damage, without a run', () => {
  const bases: Record<string, Base> = {};
  const start = fc.constantFrom('proven', 'mixed', 'behind');
  const begin = (name: string): Design => {
    const found = bases[name];
    if (!found) throw new Error(`there is no base ${name}`);
    return rewound(found);
  };
  const anyEdits = fc.array(anyEdit, { minLength: 1, maxLength: 12 });

  beforeAll(async () => {
    bases['proven'] = await base('run');
    // valid, failed, missing, blocked
    bases['mixed'] = await base(['rtl/top.v', 'SLOW\n'], ['shared/text.md', 'CRASH\n'], 'run');
    // stale, valid, valid, failed
    bases['behind'] = await base('run', ['shared/text.md', 'BUG\n'], 'run', ['rtl/top.v', 'two\n']);
    expect(Object.values(bases).map(({ design }) => Object.values(design.statuses()))).toEqual([
      ['valid', 'valid', 'valid', 'valid'],
      ['valid', 'failed', 'missing', 'blocked'],
      ['stale', 'valid', 'valid', 'failed'],
    ]);
  });

  it('restoring the bytes restores every status, in whatever order they come back', () => {
    fc.assert(
      fc.property(start, anyEdits, fc.infiniteStream(fc.nat()), (name, changes, order) => {
        const design = begin(name);
        const { answer, problems } = design.check();
        const before = new Map(design.world);
        for (const edit of changes) apply(design, edit);
        design.check();
        design.setAll(before, shuffled([...before.keys(), ...design.world.keys()], order));
        const after = design.check();
        expect(after.answer).toEqual(answer);
        expect(after.problems).toEqual(problems);
      }),
      { numRuns: 120 },
    );
  });

  it('restoring what one stage is bound to restores its status, whatever else is changed', () => {
    fc.assert(
      fc.property(start, anyEdits, fc.constantFrom(...NAMES), (name, changes, stage) => {
        const design = begin(name);
        const before = new Map(design.world);
        const answer = design.check().answer.stages[stage];
        for (const edit of changes) apply(design, edit);
        design.setAll(before, design.own(modelOf(stage)));
        expect(design.check().answer.stages[stage]).toEqual(answer);
      }),
      { numRuns: 120 },
    );
  });

  it('no edit outside of what a stage and those that it needs are bound to changes its status', () => {
    fc.assert(
      fc.property(start, anyEdits, anyEdits, fc.constantFrom(...NAMES), (name, one, two, stage) => {
        const design = begin(name);
        for (const edit of one) apply(design, edit);
        const { stages } = design.check().answer;
        const closure = new Set([...design.closure(stage), ...withNeeds(stage).map(evidenceOf)]);
        for (const edit of two.filter((found) => !closure.has(found.name))) {
          apply(design, edit);
          expect(design.check().answer.stages[stage]).toEqual(stages[stage]);
        }
      }),
      { numRuns: 100 },
    );
  });
});

function shuffled<T>(items: readonly T[], order: fc.Stream<number>): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice((order.next().value ?? 0) % left.length, 1));
}

/** What may happen to a log without anybody counterfeiting digests. */
type Damage = (lines: string[]) => void;

const line = fc.nat();
const twoLines = fc.tuple(line, line);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  line.map(
    (at): Damage =>
      (lines) =>
        void lines.splice(at % lines.length, 1),
  ),
  line.map(
    (keep): Damage =>
      (lines) =>
        void lines.splice(1 + (keep % lines.length)),
  ),
  twoLines.map(
    ([from, to]): Damage =>
      (lines) => {
        lines.splice(to % lines.length, 0, lines[from % lines.length] ?? '');
      },
  ),
  twoLines.map(
    ([from, to]): Damage =>
      (lines) => {
        const moved = lines.splice(from % lines.length, 1);
        lines.splice(to % (lines.length + 1), 0, ...moved);
      },
  ),
  fc.constant((lines: string[]) => {
    for (const [index, text] of lines.entries()) {
      lines[index] = text.replaceAll(/"verdict":"\w+"/g, '"verdict":"pass"');
    }
  }),
);

describe('whatever is dropped, repeated, moved or called a pass in the log', () => {
  let long: Base;

  beforeAll(async () => {
    long = await base(
      'run',
      ['rtl/top.v', 'two\n'],
      'run',
      [floorOf('docs'), '4'],
      'run',
      ['rtl/top.v', 'BUG\n'],
      'run',
      ['rtl/top.v', 'SLOW\n'],
      'run',
      ['rtl/top.v', 'one\n'],
      ['sta/job', 'CRASH\n'],
      [floorOf('docs'), '1'],
      ['shared/text.md', 'BUG\n'],
      'run',
      ['sta/job', 'one\n'],
      ['shared/text.md', 'one\n'],
      'run',
    );
    expect(new Set(Object.values(long.design.statuses()))).toEqual(new Set(['valid']));
  });

  it('a stage is valid only on what a run of it has passed', () => {
    fc.assert(
      fc.property(
        fc.array(damage, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...NAMES),
        fc.nat(),
        fc.array(sourceEdit, { maxLength: 2 }),
        (damages, name, which, changes) => {
          const design = rewound(long);
          const lines = linesOf(long);
          for (const harm of damages) if (lines.length > 0) harm(lines);
          design.workspace.write('events.jsonl', lines.map((one) => `${one}\n`).join(''));
          // Most runs of the past are on other files than those of today.
          const past = runsOf(design, name);
          design.setAll(past[which % past.length]?.bound ?? new Map(), design.own(modelOf(name)));
          for (const edit of changes) apply(design, edit);
          for (const [stage, status] of Object.entries(statusesIn(checkPass(design.workspace)))) {
            if (status !== 'valid') continue;
            const isOn = (run: Recorded): boolean => design.isAsIn(modelOf(stage), run);
            const passed = runsOf(design, stage).filter(({ verdict }) => verdict === 'pass');
            expect([stage, passed.some(isOn)]).toEqual([stage, true]);
          }
        },
      ),
      { numRuns: 250 },
    );
  });

  it('nothing is proven while the last line is a fragment, whichever record it was to be', () => {
    fc.assert(
      fc.property(line, fc.nat(), (at, length) => {
        const design = rewound(long);
        expect(design.check().answer.verdict).toBe('proven');
        const lines = linesOf(long);
        const whole = lines[at % lines.length] ?? '';
        const fragment = whole.slice(0, 1 + (length % (whole.length - 1)));
        design.workspace.write('events.jsonl', long.log + fragment);
        expect(checkPass(design.workspace).answer.verdict).toBe('not-proven');
      }),
      { numRuns: 50 },
    );
  });
});

function linesOf({ log }: Base): string[] {
  return log.split('\n').slice(0, -1);
}

function runsOf(design: Design, stage: string): readonly Recorded[] {
  return design.runs.get(stage) ?? [];
}

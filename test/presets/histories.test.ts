import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROOF_STAGES, type ProofStage } from '../../src/flow/presets/veripower/registry.ts';
import { scratchFolder } from '../support/scratch.ts';
import { askWorkspace, baseWorkspace, type Event, reopen, signoff } from './workspace.ts';

/**
 * Random logs over random files. A model that compares contents, and knows nothing of fingerprints,
 * says what each stage must be.
 */

/** What is at paths, as the model compares it; undefined where there is nothing. */
type Contents = ReadonlyMap<string, string | undefined>;

/** What is put at a path. */
type Thing = { readonly text: string } | { readonly link: string } | undefined;

interface Edit {
  readonly path: string;
  readonly thing: Thing;
}

/** One workspace for all histories: each begins where it was proven and signed off. */
const workspace = baseWorkspace();
const PROVEN: readonly Event[] = workspace.events;
const FILES = filesBelow(workspace.root);
const THINGS = new Map(FILES.map((path) => [path, thingAt(path)]));

function beginAgain(): void {
  workspace.events = [...PROVEN];
  for (const path of new Set([...FILES, ...filesBelow(workspace.root)])) {
    const thing = THINGS.get(path);
    if (JSON.stringify(thing) !== JSON.stringify(thingAt(path))) put({ path, thing });
  }
}

/** A history of the workspace, with what the model knows of its log. */
class Lived {
  /** What a dispatch found to read, what an outcome read and left: by event, wherever it goes. */
  readonly #read = new Map<Event, Contents>();
  readonly #left = new Map<Event, Contents>();

  constructor() {
    beginAgain();
    for (const event of PROVEN) this.#learn(event);
  }

  append(event: Event): void {
    workspace.append(event);
    this.#learn(event);
  }

  /** The end of a run, of which the last start may be in the log or not. */
  end(stage: ProofStage, run: number, verdict: 'pass' | 'fail' | 'blocked'): void {
    if (verdict !== 'blocked') workspace.envelope(stage.name, verdict, {});
    this.append(workspace.end(stage.name, run, verdict));
  }

  /** What each stage must be. */
  cells(): Record<string, string> {
    return Object.fromEntries(PROOF_STAGES.map((stage) => [stage.name, this.#cell(stage)]));
  }

  #cell({ name }: ProofStage): string {
    const { events } = workspace;
    const of = (type: string): Event[] =>
      events.filter((event) => event.type === type && event.rule === name);
    const outcomes = of('outcome');
    const last = outcomes.at(-1);
    const isEnded = (run: unknown): boolean => outcomes.some((outcome) => outcome.run === run);
    if (of('dispatch').some(({ run }) => !isEnded(run))) return 'in-flight';
    if (!last) return 'missing';
    if (last.verdict !== 'pass') return last.verdict === 'fail' ? 'failed' : 'blocked';
    return this.#isAsLeft(last) && !this.#isDoubted(name, last) ? 'valid' : 'stale';
  }

  #isAsLeft(outcome: Event): boolean {
    const things = [...(this.#read.get(outcome) ?? []), ...(this.#left.get(outcome) ?? [])];
    return things.every(([path, then]) => then !== undefined && contentAt(path) === then);
  }

  /** Paths that the last outcome of a stage records. */
  recorded(name: string): string[] {
    const last = workspace.events.findLast(({ type, rule }) => type === 'outcome' && rule === name);
    if (!last) return [];
    return [...(this.#read.get(last) ?? new Map()).keys(), ...tableKeys(last.outputs)];
  }

  /** The oracle was reopened since the run began, and nobody pinned it after that. */
  #isDoubted(name: string, outcome: Event): boolean {
    const { events } = workspace;
    const ref = PROOF_STAGES.find((stage) => stage.name === name)?.oracle.ref;
    const reopened = events.findLastIndex(
      ({ type, pin_ref }) => type === 'reopen' && pin_ref === ref,
    );
    const pinned = events.findLastIndex(
      ({ type, oracle_ref }) => type === 'pin' && oracle_ref === ref,
    );
    const began = events.findIndex(
      ({ type, rule, run }) => type === 'dispatch' && rule === name && run === outcome.run,
    );
    const from = began === -1 ? events.lastIndexOf(outcome) : began;
    return reopened >= from && pinned < reopened;
  }

  #learn(event: Event): void {
    if (event.type === 'dispatch') this.#read.set(event, this.#now(tableKeys(event.inputs)));
    if (event.type !== 'outcome' || event.verdict === 'blocked') return;
    const start = workspace.events.findLast(
      ({ type, rule, run }) => type === 'dispatch' && rule === event.rule && run === event.run,
    );
    const [proof] = event.proofs as Event[];
    const read = start && this.#read.get(start);
    this.#read.set(event, read ?? this.#now(tableKeys(proof?.inputs)));
    this.#left.set(event, this.#now(tableKeys(event.outputs)));
  }

  #now(paths: readonly string[]): Contents {
    return new Map(paths.map((path) => [path, contentAt(path)]));
  }
}

/** A file as its text, a link as its target, a folder as all that is in it. */
function contentAt(path: string): string | undefined {
  const absolute = join(workspace.root, path);
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isDirectory()) return JSON.stringify(thingAt(path));
  const files = filesBelow(absolute).map((below) => `${path}/${below}`);
  return JSON.stringify(files.map((file) => [file, thingAt(file)]));
}

function thingAt(path: string): Thing {
  const absolute = join(workspace.root, path);
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (!stat) return undefined;
  return stat.isSymbolicLink()
    ? { link: readlinkSync(absolute) }
    : { text: readFileSync(absolute, 'utf8') };
}

/** Puts a thing in the place of what is there; a folder that it leaves empty goes too. */
function put({ path, thing }: Edit): void {
  rmSync(join(workspace.root, path), { force: true });
  if (thing === undefined) removeEmptyFolders(dirname(path));
  else if ('text' in thing) workspace.write(path, thing.text);
  else workspace.link(path, thing.link);
}

function removeEmptyFolders(path: string): void {
  const absolute = join(workspace.root, path);
  if (path === '.' || (existsSync(absolute) && readdirSync(absolute).length > 0)) return;
  rmSync(absolute, { recursive: true, force: true });
  removeEmptyFolders(dirname(path));
}

/** Files and links, by their paths in a folder. */
function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function tableKeys(table: unknown): string[] {
  return Object.keys((table ?? {}) as Record<string, unknown>);
}

/** What a selector could take for its own by a mistake, and what nobody looks at. */
const STRAYS = [
  'notes.md',
  'intent/brainstorm.md',
  'Design/specification/deep/more.md',
  'Design/rtl-design/extra.v',
  'Design/rtl-design/.hidden.v',
  'Design/rtl-design/TOP.V',
  'Design/lint-cdc/runs/9/lint-report.txt',
  'Design/synthesis/out/other_syn.v',
  'Verification/simulation/tb/uvm/more.sv',
  'Verification/simulation/tb/uvm/refmodel/more.py',
];

const stage = fc.constantFrom(...PROOF_STAGES);
const thing = fc.constantFrom<Thing[]>(
  { text: 'one\n' },
  { text: 'two\n' },
  { text: '' },
  { link: 'elsewhere' },
  { link: 'nowhere' },
  undefined,
);

/** Two files of each stage, which runs write and edits change more often than others. */
const BUSY = new Map(
  PROOF_STAGES.map(({ name, root }) => {
    const own = FILES.filter(
      (path) => path.startsWith(`${root}/`) && !path.endsWith('result.json'),
    );
    return [name, [own[0] ?? '', own.at(-1) ?? '']];
  }),
);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ path: fc.constantFrom(...[...BUSY.values()].flat()), thing }),
  },
  { weight: 3, arbitrary: fc.record({ path: fc.constantFrom(...FILES), thing }) },
  fc.record({ path: fc.constantFrom(...STRAYS), thing }),
);
const edits = fc.array(edit, { minLength: 1, maxLength: 8 });

/** What happens next in a history. */
type Command = (lived: Lived) => void;

const verdict = fc.constantFrom('pass', 'pass', 'fail', 'blocked');

const run = fc
  .record({
    stage,
    verdict,
    wrote: fc.array(thing, { maxLength: 2 }),
    // Trust that is withdrawn while it runs, or given back after that.
    meanwhile: fc.constantFrom('', '', '', 'reopen', 'reopen, pin'),
  })
  .map(({ stage, verdict, wrote, meanwhile }): Command => {
    return (lived) => {
      const number = nextRun(stage);
      lived.append(workspace.start(stage.name, number));
      const paths = BUSY.get(stage.name) ?? [];
      for (const [index, thing] of wrote.entries()) put({ path: paths[index] ?? '', thing });
      if (meanwhile !== '') lived.append(reopen(stage.oracle.ref));
      lived.end(stage, number, verdict);
      if (meanwhile === 'reopen, pin') lived.append(workspace.pin(stage.name));
    };
  });

/** One record alone: as writers leave them that were killed, or that write twice. */
const record = fc
  .record({ stage, verdict, which: fc.nat(6) })
  .map(({ stage, verdict, which }): Command => {
    return (lived) => {
      const number = nextRun(stage);
      const events: readonly (() => Event)[] = [
        () => workspace.start(stage.name, number),
        () => workspace.start(stage.name, Math.max(1, number - 1)),
        () => workspace.pin(stage.name),
        () => reopen(stage.oracle.ref),
        () => reopen(stage.oracle.ref),
        () => signoff(),
      ];
      const event = events[which];
      if (event) lived.append(event());
      else lived.end(stage, Math.max(1, number - 1), verdict);
    };
  });

/** Records that are lost, repeated, or stand elsewhere. */
const damage = fc.tuple(fc.nat(2), fc.nat(), fc.nat()).map(([how, from, to]): Command => {
  return () => {
    const { events } = workspace;
    if (events.length === 0) return;
    const moved = events[from % events.length];
    if (how !== 0) events.splice(from % events.length, 1);
    if (how !== 1 && moved) events.splice(to % (events.length + 1), 0, moved);
  };
});

const command = fc.oneof(
  { weight: 3, arbitrary: run },
  { weight: 2, arbitrary: record },
  { weight: 1, arbitrary: damage },
  {
    weight: 2,
    arbitrary: edit.map(
      (one): Command =>
        () =>
          put(one),
    ),
  },
);

const history = fc
  .record({
    isEmpty: fc.nat(3).map((n) => n === 0),
    commands: fc.array(command, { maxLength: 12 }),
  })
  .map(({ isEmpty, commands }) => () => {
    const lived = new Lived();
    if (isEmpty) workspace.events = [];
    for (const order of commands) order(lived);
    return lived;
  });

function nextRun({ name }: ProofStage): number {
  const numbers = workspace.events
    .filter(({ rule }) => rule === name)
    .map((event) => Number(event.run));
  return Math.max(0, ...numbers) + 1;
}

test('a stage is valid exactly while its last outcome is a pass of a run that is over, and all that this read and left is as it was', () => {
  fc.assert(
    fc.property(history, (live) => {
      const lived = live();
      expect(workspace.ask().stages).toEqual(lived.cells());
    }),
    { numRuns: 100 },
  );
});

test('nothing is proven but what every stage passed last, in a run that began before it ended, once', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(damage, record, run), { maxLength: 4 }), (orders) => {
      const lived = new Lived();
      for (const order of orders) order(lived);
      if (!workspace.ask().proven) return;
      for (const { name } of PROOF_STAGES) {
        const own = workspace.events.filter(({ rule }) => rule === name);
        const last = own.findLast(({ type }) => type === 'outcome');
        const ofRun = own.filter(({ run }) => run === last?.run).map(({ type }) => type);
        expect(last?.verdict).toBe('pass');
        expect(ofRun).toEqual(['dispatch', 'outcome']);
      }
    }),
    { numRuns: 60 },
  );
});

test('restoring the bytes restores every answer, in whatever order they come back', () => {
  fc.assert(
    fc.property(history, edits, fc.boolean(), (live, changes, isBackwards) => {
      live();
      const before = workspace.ask();
      const were = new Map<string, Edit>();
      for (const change of changes) {
        const { path } = change;
        if (!were.has(path)) were.set(path, { path, thing: thingAt(path) });
        put(change);
      }
      const back = [...were.values()];
      for (const one of isBackwards ? back.reverse() : back) put(one);
      expect(workspace.ask()).toEqual(before);
    }),
    { numRuns: 60 },
  );
});

test('no edit outside of what the last outcome of a stage recorded changes its status', () => {
  fc.assert(
    fc.property(history, edits, stage, (live, changes, { name }) => {
      const lived = live();
      const before = workspace.ask().stages[name];
      const recorded = lived.recorded(name);
      const isInside = (path: string): boolean =>
        recorded.some((own) => path === own || path.startsWith(`${own}/`));
      for (const change of changes) if (!isInside(change.path)) put(change);
      expect(workspace.ask().stages[name]).toBe(before);
    }),
    { numRuns: 60 },
  );
});

test('asking again, and asking about a copy elsewhere, gives the same answers', () => {
  fc.assert(
    fc.property(history, (live) => {
      live();
      const answers = workspace.ask();
      expect(workspace.ask()).toEqual(answers);
      const copy = join(scratchFolder(), 'elsewhere');
      cpSync(workspace.root, copy, { recursive: true, verbatimSymlinks: true });
      expect(askWorkspace(copy)).toEqual(answers);
    }),
    { numRuns: 25 },
  );
});

test('a log that is cut at any byte says what its whole lines say', () => {
  fc.assert(
    fc.property(history, fc.nat(), (live, n) => {
      const lived = live();
      const text = workspace.text();
      const cut = text.slice(0, n % (text.length + 1));
      const { stages } = workspace.ask(cut);
      // A line that lacks nothing but its end is whole.
      const whole = text[cut.length] === '\n' ? `${cut}\n` : cut;
      workspace.events.splice(whole.split('\n').length - 1);
      expect(stages).toEqual(lived.cells());
    }),
    { numRuns: 60 },
  );
});

test('nothing is proven while the last line is a fragment, whichever record it was to be', () => {
  beginAgain();
  const text = workspace.text();
  expect(workspace.ask(text).proven).toBe(true);
  const lines = text.split('\n').slice(0, -1);
  fc.assert(
    fc.property(fc.constantFrom(...lines), fc.nat(), (line, length) => {
      const fragment = line.slice(0, 1 + (length % (line.length - 1)));
      expect(workspace.ask(text + fragment).proven).toBe(false);
    }),
    { numRuns: 50 },
  );
});

test('no file can appear in the folder of a stage and leave the workspace proven', () => {
  beginAgain();
  expect(workspace.ask().proven).toBe(true);
  const segment = fc
    .tuple(fc.constantFrom('', '.', '_'), fc.stringMatching(/^[A-Za-z0-9]{1,4}$/))
    .map((parts) => parts.join(''));
  const end = fc.constantFrom('', '.v', '.md', '.json', '_syn.v', '.sdc', '.txt', '~');
  const path = fc
    .tuple(stage, fc.array(segment, { maxLength: 2 }), segment, end)
    .map(([{ root }, folders, name, end]) => [root, ...folders, `${name}${end}`].join('/'));
  fc.assert(
    fc.property(path, thing, (path, thing) => {
      fc.pre(thing !== undefined && contentAt(path) === undefined);
      put({ path, thing });
      const { proven } = workspace.ask();
      put({ path, thing: undefined });
      expect([path, proven]).toEqual([path, false]);
    }),
    { numRuns: 100 },
  );
});

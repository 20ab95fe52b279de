import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directoryCache } from '../../src/cache/directory-cache.ts';
import { runGate } from '../../src/gate/run.ts';
import type { JudgementAnswer } from '../../src/generated/documents.ts';
import { judgementAnswer } from '../../src/report/answers.ts';
import { commandsNamed, listIn, runAction } from '../support/action.ts';
import { deedsIn, opened, stageIn, statusesIn } from '../support/gate.ts';
import { GitRepository } from '../support/git.ts';
import { scratchFolder } from '../support/scratch.ts';
import { makeWorkspace, type TestWorkspace } from '../support/workspace.ts';

/** examples/fifo-uart, its twins, and what an edit of it runs again; with the real tools. */

const EXAMPLE = fileURLToPath(new URL('../../examples/fifo-uart', import.meta.url));
const STAGES = ['lint', 'simulation', 'formal', 'synth', 'equivalence', 'timing'];
const SOURCES = ['signoff.yaml', 'rtl', 'props', 'tb', 'sta', 'lib'];

/** One entry of twins.json. */
interface Twin {
  readonly name: string;
  readonly stage: string;
  readonly expected: 'fail' | 'unknown';
  readonly why: string;
  /** What the reason of the verdict must match: another fault than the planted one is none. */
  readonly says: string;
}

const TWINS = JSON.parse(readFileSync(join(EXAMPLE, 'twins/twins.json'), 'utf8')) as Twin[];
const STATUS = { fail: 'failed', unknown: 'blocked' } as const;

/** The good design in a folder of its own, without what a gate left beside it. */
function goodDesign(): TestWorkspace {
  const workspace = makeWorkspace({});
  for (const name of SOURCES) {
    cpSync(join(EXAMPLE, name), workspace.at(name), { recursive: true });
  }
  return workspace;
}

function twinDesign({ name }: Pick<Twin, 'name'>): TestWorkspace {
  const workspace = goodDesign();
  cpSync(join(EXAMPLE, 'twins', name), workspace.root, { recursive: true });
  return workspace;
}

/** One pass of the gate; with a folder, a cache in it serves what another copy has run. */
async function pass(
  workspace: TestWorkspace,
  cacheFolder?: string,
): Promise<{ readonly answer: JudgementAnswer }> {
  const result = await runGate({
    workspace: opened(workspace),
    only: [],
    rerun: false,
    concurrency: 2,
    lockWaitMs: 0,
    command: 'a test',
    cache:
      cacheFolder === undefined
        ? undefined
        : { cache: directoryCache(cacheFolder), mayRestore: true },
    emit: () => {},
    signal: new AbortController().signal,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { answer: judgementAnswer(result.value) };
}

function allOf<T>(value: T): Record<string, T> {
  return Object.fromEntries(STAGES.map((stage) => [stage, value]));
}

/** What the copies of the design share: the results of the good one. */
let cacheFolder: string;
let good: { readonly answer: JudgementAnswer };

beforeAll(async () => {
  cacheFolder = scratchFolder();
  good = await pass(goodDesign(), cacheFolder);
});

test('the good design is proven by a run of its six stages', () => {
  expect(Object.keys(good.answer.stages)).toEqual(STAGES);
  expect(statusesIn(good)).toEqual(allOf('valid'));
  expect(deedsIn(good)).toEqual(allOf('ran'));
  for (const stage of STAGES) expect(stageIn(good, stage).verdict).toBe('pass');
  expect(good.answer.verdict).toBe('proven');
  expect(good.answer.counts.proven).toBe(STAGES.length);
});

describe.concurrent('a twin', () => {
  const rows = new Map<string, string>();
  afterAll(() => {
    const table = TWINS.map(({ name }) => rows.get(name) ?? `  not run: ${name}`);
    process.stdout.write(`\nfifo-uart: expected, actual\n${table.join('\n')}\n`);
  });

  test('of each kind is there for each stage', () => {
    for (const stage of STAGES) {
      const expected = TWINS.filter((twin) => twin.stage === stage).map((twin) => twin.expected);
      expect(new Set(expected)).toEqual(new Set(['fail', 'unknown']));
    }
  });

  test('is in the index and in the table of the README, or nowhere', () => {
    const folders = readdirSync(join(EXAMPLE, 'twins'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(TWINS.map(({ name }) => name).sort()).toEqual(folders.sort());
    expect(TWINS.filter(({ says }) => !says)).toEqual([]);
    const rows = readFileSync(join(EXAMPLE, 'README.md'), 'utf8').match(
      /^\| `.*-.*` \| \w+ \| .*$/gm,
    );
    expect(rows).toEqual(
      TWINS.map(
        ({ name, stage, expected, why }) => `| \`${name}\` | ${stage} | ${expected} | ${why} |`,
      ),
    );
  });

  test('of the netlist is proven when its one cell is mended', async () => {
    const [wrong, unknown] = ['equivalence-wrong-gate', 'equivalence-unknown-cell'].map((name) =>
      readFileSync(join(EXAMPLE, 'twins', name, 'netlist.v'), 'utf8').split('\n'),
    );
    const mended = (wrong ?? []).map((line, index) =>
      line === unknown?.[index] ? line : line.replace(/\bNOR2\b/, 'NAND2'),
    );
    expect(mended.filter((line, index) => line !== wrong?.[index])).toHaveLength(1);
    expect(mended.filter((line, index) => line !== unknown?.[index])).toHaveLength(1);

    const workspace = twinDesign({ name: 'equivalence-wrong-gate' });
    workspace.write('netlist.v', mended.join('\n'));
    const judged = await pass(workspace, cacheFolder);
    expect(statusesIn(judged)).toEqual(allOf('valid'));
    expect(judged.answer.verdict).toBe('proven');
  });

  test.each(TWINS)('$expected at $stage: $name', async (twin) => {
    const judged = await pass(twinDesign(twin), cacheFolder);
    const { verdict, status, reason } = stageIn(judged, twin.stage);
    rows.set(
      twin.name,
      `  ${twin.expected.padEnd(8)} ${verdict.padEnd(8)} ${twin.name.padEnd(29)} ${reason}`,
    );
    expect({ verdict, status }).toEqual({ verdict: twin.expected, status: STATUS[twin.expected] });
    expect(reason).toMatch(new RegExp(twin.says));
    expect(judged.answer.verdict).toBe('not-proven');
  });
});

describe.concurrent('an edit of the proven design', () => {
  test.each([
    { what: 'a renamed signal', from: /\bbit_ends\b/g, to: 'bit_is_over' },
    { what: 'a comment', from: /^module uart_tx/m, to: '// One word after the other.\n$&' },
  ])('$what in the transmitter leaves the proof of the FIFO alone', async ({ from, to }) => {
    const workspace = await provenDesign();
    const netlist = workspace.read('build/fifo_uart.netlist.v');
    const before = workspace.read('rtl/uart_tx.v');
    workspace.write('rtl/uart_tx.v', before.replace(from, to));
    expect(workspace.read('rtl/uart_tx.v')).not.toBe(before);

    const again = await pass(workspace);
    const isSame = workspace.read('build/fifo_uart.netlist.v') === netlist;
    expect(deedsIn(again)).toEqual({
      ...allOf('ran'),
      formal: 'reused',
      timing: isSame ? 'reused' : 'ran',
    });
    expect(again.answer.verdict).toBe('proven');
  });

  test('in the constraints runs timing alone', async () => {
    const workspace = await provenDesign();
    workspace.edit('sta/top.sdc', '-period 2.0', '-period 2.1');
    const again = await pass(workspace);
    expect(deedsIn(again)).toEqual({ ...allOf('reused'), timing: 'ran' });
    expect(again.answer.verdict).toBe('proven');
  });

  async function provenDesign(): Promise<TestWorkspace> {
    const workspace = goodDesign();
    const first = await pass(workspace, cacheFolder);
    expect(first.answer.verdict).toBe('proven');
    return workspace;
  }
});

test('the action proves the design at a push', async () => {
  const { root } = goodDesign();
  const base = new GitRepository(root).commit();
  const run = await runAction(root, { event: 'push', base, inputs: { cache: 'off' } });
  const summaryFile = process.env['SIGNOFF_SUMMARY_FILE'];
  if (summaryFile) writeFileSync(summaryFile, run.summary);
  expect(commandsNamed(run, 'error')).toEqual([]);
  expect(run.status).toBe(0);
  expect(run.outputs['verdict']).toBe('proven');
  expect(listIn(run, 'proven')).toEqual(STAGES);
  expect(listIn(run, 'reran')).toEqual(STAGES);
  expect(run.summary).toContain('## ✅ Proven: fifo-uart');
});

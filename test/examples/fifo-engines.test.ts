import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { validateToolDescriptor, validateVygesEvent } from '../../src/generated/validators.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = path.join(root, 'examples/fifo');
const ENGINES = ['structure', 'prove', 'synth', 'equiv', 'cells'] as const;
type Engine = (typeof ENGINES)[number];

const RTL = ['rtl/fifo.v', 'rtl/fifo_ctrl.v', 'rtl/fifo_mem.v', 'rtl/fifo_defs.vh'];
const LIBERTY = ['--liberty', 'lib/cells.lib'];
const NETLIST = 'build/fifo.netlist.v';

/** The arguments that signoff.yaml gives to each engine. */
const ARGUMENTS: Record<Engine, readonly string[]> = {
  structure: ['check', '--top', 'fifo', ...RTL],
  prove: ['prove', '--top', 'fifo_props', ...RTL, 'props/fifo_props.v'],
  synth: [
    ...['run', '--top', 'fifo', ...LIBERTY],
    ...['--netlist', NETLIST, '--stat', 'build/fifo.stat.json', ...RTL],
  ],
  equiv: ['check', '--top', 'fifo', ...LIBERTY, '--netlist', NETLIST, ...RTL, '--reset', 'rst'],
  cells: ['check', '--top', 'fifo', ...LIBERTY, '--max-area', '1600', NETLIST],
};

/** Scratch copies lie inside the clone, so that its node_modules is found from there. */
let scratch: string;
let goodNetlist: string;
let workspace: string;

beforeAll(async () => {
  mkdirSync(path.join(root, '.demo'), { recursive: true });
  scratch = mkdtempSync(path.join(root, '.demo/fifo-engines-'));
  workspace = copyExample();
  expect(await run('synth')).toMatchObject({ payload: { mapped: true } });
  goodNetlist = read(NETLIST);
});

afterAll(() => rmSync(scratch, { recursive: true }));

beforeEach(() => {
  workspace = copyExample();
});

afterEach(() => rmSync(workspace, { recursive: true }));

function copyExample(): string {
  const copy = mkdtempSync(path.join(scratch, 'workspace-'));
  for (const folder of ['rtl', 'props', 'lib', 'engines']) {
    cpSync(path.join(example, folder), path.join(copy, folder), { recursive: true });
  }
  return copy;
}

function plant(twin: string): void {
  cpSync(path.join(example, 'twins', twin), workspace, { recursive: true });
}

/** The netlist of a twin, beside the good RTL. */
async function synthesize(twin: string): Promise<void> {
  plant(twin);
  await run('synth');
  cpSync(path.join(example, 'rtl'), path.join(workspace, 'rtl'), { recursive: true });
}

function read(file: string): string {
  return readFileSync(path.join(workspace, file), 'utf8');
}

function write(file: string, content: string): void {
  mkdirSync(path.join(workspace, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(workspace, file), content);
}

/** Starts an engine the way the gate does: clean environment, process group of its own. */
function start(engine: Engine, args: readonly string[], at = workspace): ChildProcess {
  return spawn(path.join(at, `engines/${engine}.mjs`), args, {
    cwd: at,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
      HOME: path.join(at, 'no-home'),
      TMPDIR: tmpdir(),
      LANG: 'C.UTF-8',
      VYGES_LOG_FORMAT: 'json',
      VYGES_LOG: 'info',
    },
  });
}

interface EngineRun {
  readonly status: number | null;
  readonly payload: Readonly<Record<string, unknown>> | undefined;
  readonly stdout: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

async function run(
  engine: Engine,
  args: readonly string[] = ARGUMENTS[engine],
  at = workspace,
): Promise<EngineRun> {
  const child = start(engine, args, at);
  if (!child.stdout || !child.stderr) throw new Error('no pipes');
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return {
    status,
    stdout,
    payload: stdout.startsWith('{') ? JSON.parse(stdout) : undefined,
    events: stderr
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  };
}

describe('every engine', () => {
  test.each(ENGINES)('%s describes itself as the schema asks', async (engine) => {
    const { status, payload } = await run(engine, ['--describe']);
    expect(status).toBe(0);
    expect(validateToolDescriptor(payload)).toBe(true);
    expect(payload).toMatchObject({
      schema: 'vyges-tool-descriptor/1.1',
      name: engine,
      maturity: 'workflow-validated',
      provenance_limitations: expect.arrayContaining([expect.stringContaining('input_hash')]),
      assertion: { pass_when: { is_true: true }, summary_field: 'summary' },
    });
  });

  test.each(ENGINES)('%s names the Yosys that it would run', async (engine) => {
    const manifest = path.join(root, 'node_modules/@yowasp/yosys/package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    const { stdout } = await run(engine, ['--version']);
    expect(stdout).toBe(`${engine} 1.0.0 (yosys ${version})\n`);
  });

  test('says what to do where Yosys is not installed', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'fifo-engines-'));
    try {
      cpSync(workspace, outside, { recursive: true });
      const { status, stdout, events } = await run('structure', ARGUMENTS.structure, outside);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(events).toHaveLength(1);
      expect(events[0]?.raw_msg).toContain('`npm ci` at the root of the repository');
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test.each([
    ['a kill of its process group', (pid: number) => process.kill(-pid, 'SIGKILL'), 'SIGKILL'],
    ['a signal to itself alone', (pid: number) => process.kill(pid, 'SIGTERM'), 143],
  ])('ends with all it has started at %s', async (_, kill, end) => {
    plant('unknown/not_inductive');
    const child = start('prove', [...ARGUMENTS.prove, '--depth', '1000']); // takes minutes
    if (child.pid === undefined || !child.stderr) throw new Error('not started');
    await once(child.stderr, 'data'); // the solver is at work
    kill(child.pid);
    await once(child, 'close'); // comes when nobody holds its pipes any more
    expect(child.signalCode ?? child.exitCode).toBe(end);
  });

  test('refuses arguments that its descriptor does not know', async () => {
    const { status, stdout } = await run('structure', [...ARGUMENTS.structure, '--fast', 'yes']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test('gives no verdict on a file that is missing', async () => {
    rmSync(path.join(workspace, 'rtl/fifo_mem.v'));
    const { status, stdout, events } = await run('prove');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(events.at(-1)).toMatchObject({
      severity: 'error',
      raw_msg: 'cannot read rtl/fifo_mem.v: ENOENT',
    });
  });

  test('gives no verdict on sources that do not parse, and names the line', async () => {
    write('rtl/fifo_ctrl.v', read('rtl/fifo_ctrl.v').replace('push && !full;', 'push && ;'));
    const line =
      read('rtl/fifo_ctrl.v')
        .split('\n')
        .findIndex((text) => text.includes('&& ;')) + 1;
    const { status, stdout, events } = await run('synth');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(events.at(-1)).toMatchObject({ severity: 'error', file: `rtl/fifo_ctrl.v:${line}` });
    expect(events.every((event) => validateVygesEvent(event))).toBe(true);
  });
});

describe('the good design', () => {
  test('has a clean structure', async () => {
    expect(await run('structure')).toMatchObject({
      status: 0,
      payload: { clean: true, files: 4, modules: 3, problems: [] },
    });
  });

  test('has all its properties proven, and each of them is evaluated', async () => {
    expect(await run('prove')).toMatchObject({
      status: 0,
      payload: { proven: true, asserts: 8, asserts_reachable: 8, assumptions: 0 },
    });
  });

  test('has a netlist that is equivalent and within its budget', async () => {
    write(NETLIST, goodNetlist);
    const equiv = await run('equiv');
    expect(equiv.payload).toMatchObject({ equivalent: true, output_bits: 13 });
    expect(equiv.payload?.equiv_cells).toBe(equiv.payload?.equiv_proven);
    expect(equiv.payload?.equiv_cells).toBeGreaterThan(13);
    expect(equiv.payload).toMatchObject({ registers: 38, unmatched_registers: 0 });

    const cells = await run('cells');
    expect(cells.payload).toMatchObject({ within_budget: true, max_area: 1600 });
    expect(cells.payload?.netlist_digest).toBe(equiv.payload?.netlist_digest);
    expect(cells.payload?.cells).toBeGreaterThan(100);
  });

  test('is over a budget that is too small', async () => {
    write(NETLIST, goodNetlist);
    const args = ARGUMENTS.cells.map((argument) => (argument === '1600' ? '100' : argument));
    expect((await run('cells', args)).payload).toMatchObject({ within_budget: false });
  });

  test('keeps the bytes of its netlist when comments and lines are added', async () => {
    for (const file of RTL) write(file, `// One more line.\n\n${read(file)}// The end.\n`);
    const { payload } = await run('synth');
    expect(payload).toMatchObject({ mapped: true, unmapped: 0, problems: 0 });
    expect(read(NETLIST)).toBe(goodNetlist);
  });
});

describe('bad twins', () => {
  const failed = (...names: string[]) =>
    expect.arrayContaining(names.map((name) => expect.objectContaining({ name })));

  test('a push while full is found by the proof', async () => {
    plant('bad/overflow');
    const { status, payload, events } = await run('prove');
    expect(status).toBe(0);
    expect(payload).toMatchObject({ proven: false, failed: failed('no_overflow') });
    expect(payload?.counterexample).toHaveLength(8);
    const line = read('props/fifo_props.v')
      .split('\n')
      .findIndex((text) => text.includes('no_overflow:'));
    expect(events).toContainEqual(
      expect.objectContaining({ severity: 'error', file: `props/fifo_props.v:${line + 1}` }),
    );
  });

  test('an overwritten word is found by the proof, though flags and level are right', async () => {
    plant('bad/overwrite');
    const { payload } = await run('prove');
    expect(payload).toMatchObject({
      proven: false,
      asserts_failed: 2,
      failed: failed('word_is_kept'),
    });
  });

  test('an assertion that fails in the first cycle only is not proven', async () => {
    plant('bad/first_cycle');
    const { payload } = await run('prove');
    expect(payload).toMatchObject({ proven: false, failed: failed('never_in_reset') });
    expect(payload?.counterexample).toHaveLength(1);
  });

  test('a latch is found, and is no cell of the library', async () => {
    plant('bad/latch');
    expect((await run('structure')).payload).toMatchObject({ clean: false, latches: 1 });
    expect((await run('synth')).payload).toMatchObject({ mapped: false, unmapped: 1 });
    expect((await run('cells')).payload).toMatchObject({ within_budget: null });
  });

  test('an undriven wire, two drivers and a loop are found, each with its place', async () => {
    plant('bad/wiring');
    const { payload } = await run('structure');
    expect(payload).toMatchObject({
      clean: false,
      undriven: 1,
      conflicting_drivers: 1,
      loops: 1,
    });
    const place = expect.stringMatching(/^rtl\/fifo_ctrl\.v:\d+$/);
    expect(payload?.problems).toEqual(
      Array(3).fill(expect.objectContaining({ places: expect.arrayContaining([place]) })),
    );
  });

  test.each([
    ['other RTL', 'overflow'],
    ['registers on the other edge of the clock', 'other_edge'],
    ['registers on another clock', 'other_clock'],
  ])('a netlist of %s is not equivalent', async (_, twin) => {
    await synthesize(`bad/${twin}`);
    const { payload } = await run('equiv');
    expect(payload).toMatchObject({ equivalent: false, counterexample: expect.any(Array) });
  });

  test('a netlist with one wrong cell is not equivalent', async () => {
    write(NETLIST, goodNetlist.replace('NAND', 'NOR'));
    const { payload } = await run('equiv');
    expect(payload).toMatchObject({ equivalent: false, counterexample: expect.any(Array) });
  });
});

describe('unknown twins', () => {
  test.each([
    ['no_asserts', { asserts: 0 }],
    ['contradiction', { asserts: 1, assumptions: 2, asserts_reachable: 0 }],
    ['unreachable', { asserts: 2, asserts_reachable: 1 }],
    ['not_inductive', { asserts: 1, asserts_failed: 0 }],
  ])('%s is neither proven nor refuted', async (twin, figures) => {
    plant(`unknown/${twin}`);
    expect(await run('prove')).toMatchObject({ status: 0, payload: { proven: null, ...figures } });
  });

  test('an empty module proves nothing to anybody', async () => {
    plant('unknown/empty_module');
    expect((await run('structure')).payload).toMatchObject({ clean: null, cells: 0 });
    expect((await run('synth')).payload).toMatchObject({ mapped: null, cells: 0 });
    expect((await run('equiv')).payload).toMatchObject({ equivalent: null, equiv_cells: 0 });
    expect((await run('cells')).payload).toMatchObject({ within_budget: null, cells: 0 });
  });

  test('no netlist is equivalent to RTL with undefined outputs', async () => {
    plant('unknown/undefined_outputs');
    write(NETLIST, goodNetlist);
    expect((await run('equiv')).payload).toMatchObject({ equivalent: null, output_bits: 13 });
  });

  test('a right netlist that cannot be matched is neither proven nor refuted', async () => {
    write(NETLIST, goodNetlist.replace(/\\(ctrl|mem)\./g, '\\other.'));
    const { payload } = await run('equiv', [...ARGUMENTS.equiv, '--depth', '4']);
    expect(payload).toMatchObject({ equivalent: null });
    expect(payload).not.toHaveProperty('counterexample');
  });

  test('a register that only the netlist has leaves it open, though every point is proven', async () => {
    await synthesize('unknown/extra_register');
    const { payload } = await run('equiv');
    expect(payload).toMatchObject({
      equivalent: null,
      unmatched_registers: 1,
      unmatched: ['ctrl.flip'],
    });
    expect(payload?.equiv_proven).toBe(payload?.equiv_cells);
  });

  test.each([
    ['a cell', 'NOT second (.A(push), .Y(full));'],
    ['a wire', 'assign full = push;'],
  ])('a net that %s drives as well is neither the one nor the other', async (_, driver) => {
    write(NETLIST, goodNetlist.replace('endmodule', `  ${driver}\nendmodule`));
    expect((await run('equiv')).payload).toMatchObject({
      equivalent: null,
      equiv_cells: 0,
      summary: expect.stringContaining('multiple conflicting drivers'),
    });
  });

  test('a net that is both 0 and 1 is neither', async () => {
    const netlist = goodNetlist.replace(/NOT (\S+) \(/, 'NAND $1 (.B(both),');
    const both = "wire both; assign both = 1'b1; assign both = 1'b0;";
    write(NETLIST, netlist.replace('endmodule', `  ${both}\nendmodule`));
    expect((await run('equiv')).payload).toMatchObject({ equivalent: null, equiv_cells: 0 });
  });
});

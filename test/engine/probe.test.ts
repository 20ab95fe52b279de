import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Introduction, introduce, versionIn } from '../../src/engine/probe.ts';
import type { Problem } from '../../src/values/problem.ts';
import type { Result } from '../../src/values/result.ts';
import {
  callEngine,
  descriptor,
  type EngineRoom,
  engineRoom,
  type Script,
  writeEngine,
  writeProgram,
} from '../support/engine-room.ts';

function ask(room: EngineRoom, program: string): Promise<Result<Introduction>> {
  return introduce(program, { workspace: room.root, searchPath: room.searchPath, declared: {} });
}

async function introduced(script: Script): Promise<Introduction> {
  const room = engineRoom();
  const result = await ask(room, writeEngine(room, 'probe', script));
  if (!result.ok) expect.fail(result.error.message);
  return result.value;
}

async function refused(script: Script): Promise<Problem> {
  const room = engineRoom();
  const result = await ask(room, writeEngine(room, 'probe', script));
  if (result.ok) expect.fail('it was not refused');
  return result.error;
}

const text = JSON.stringify(descriptor());

describe.concurrent('an engine that is asked for its descriptor', () => {
  test('answers it, and its version line', async () => {
    const { descriptor: read, versionLine } = await introduced({
      describe: descriptor(),
      version: 'vyges-probe 0.1.29 (0f4bd21)\nAll rights reserved\n',
    });
    expect(read).toMatchObject({ name: 'probe', contract: '1.1', raw: descriptor() });
    expect(versionLine).toBe('vyges-probe 0.1.29 (0f4bd21)');
  });

  test('may print it over many lines, with white space around it', async () => {
    const pretty = `\n\t${JSON.stringify(descriptor(), null, 4)}\r\n\n`;
    expect((await introduced({ describe: pretty })).descriptor).toMatchObject({ name: 'probe' });
  });

  test('is refused when it speaks another major', async () => {
    const found = await refused({ describe: descriptor({ schema: 'vyges-tool-descriptor/2.0' }) });
    expect(found.code).toBe('engine/unsupported-descriptor');
  });

  test.each<[string, Script, RegExp]>([
    ['exits 2 with its usage', { describe: 'usage: …', describeExit: 2 }, /exited with code 2/],
    ['exits 1 with a descriptor', { describe: text, describeExit: 1 }, /exited with code 1/],
    ['prints nothing', { describe: '' }, /no JSON object/],
    ['prints a byte order mark first', { describe: `\ufeff${text}` }, /no JSON object/],
    ['prints two objects', { describe: `${text}\n${text}` }, /no JSON object/],
    ['prints text after it', { describe: `${text} done` }, /no JSON object/],
    ['prints text before it', { describe: `loading…\n${text}` }, /no JSON object/],
    ['prints a list', { describe: `[${text}]` }, /not an object/],
    ['prints null', { describe: 'null' }, /not an object/],
    ['prints NaN', { describe: text.replace('true', 'NaN') }, /not one JSON value/],
    ['prints Infinity', { describe: '{"cost":Infinity}' }, /not one JSON value/],
    ['prints a number out of range', { describe: '{"cost":1e999}' }, /out of range/],
    ['says a key twice', { describe: text.replace('{', '{"maturity":"discovered",') }, /twice/],
    [
      'says a key twice deep inside',
      { describe: text.replace('"is_true":true', '"is_true":true,"is_true":true') },
      /twice/,
    ],
    [
      'says a key twice in two spellings',
      { describe: text.replace('{', '{"n\\u0061me":"other",') },
      /twice/,
    ],
    ['prints half a surrogate pair', { describe: '{"name":"\\ud800"}' }, /half a character/],
    [
      'is cut in the middle of a character',
      {
        describe: Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3]), Buffer.from('"}')]),
      },
      /not valid UTF-8/,
    ],
    ['prints UTF-16', { describe: Buffer.from(text, 'utf16le') }, /no JSON object/],
    ['nests without end', { describe: `{"a":${'['.repeat(100_000)}` }, /nested deeper/],
    ['prints more than 4 MiB', { describe: `${' '.repeat(5_000_000)}${text}` }, /output-too-large/],
  ])('and %s has none, and is no error', async (_, script, why) => {
    const { descriptor: read } = await introduced(script);
    if (typeof read !== 'string') expect.fail('it was read as a descriptor');
    expect(read).toMatch(why);
  });

  test('and is ended by a signal has none', async () => {
    const room = engineRoom();
    const program = writeProgram(join(room.bin, 'probe'), '#!/bin/sh\nkill -9 $$\n');
    expect(await ask(room, program)).toMatchObject({
      value: { descriptor: expect.stringContaining('signalled'), versionLine: null },
    });
  });

  test('slow: and hangs has none after 10 s; both probes wait at the same time', async () => {
    const room = engineRoom();
    const program = writeProgram(join(room.bin, 'probe'), '#!/bin/sh\nsleep 60\n');
    const start = performance.now();
    expect(await ask(room, program)).toMatchObject({
      value: { descriptor: expect.stringContaining('timed-out'), versionLine: null },
    });
    const seconds = (performance.now() - start) / 1000;
    expect(seconds).toBeGreaterThan(9.9);
    expect(seconds).toBeLessThan(18);
  });

  test('sees what a run of it would see, and not the variables of the gate', async () => {
    const room = engineRoom();
    const program = writeProgram(
      join(room.bin, 'probe'),
      '#!/bin/sh\nenv > "seen$1"; pwd > "cwd$1"; cat > "stdin$1"\n',
    );
    process.env['GITHUB_TOKEN'] = 'secret of the runner';
    try {
      await introduce(program, {
        workspace: room.root,
        searchPath: room.searchPath,
        declared: { PDK_ROOT: '/pdk' },
      });
    } finally {
      delete process.env['GITHUB_TOKEN'];
    }
    for (const option of ['--describe', '--version']) {
      const seen = readFileSync(join(room.root, `seen${option}`), 'utf8');
      expect(seen).toContain('PDK_ROOT=/pdk\n');
      expect(seen).toContain('VYGES_LOG_FORMAT=json\n');
      expect(seen).not.toContain('secret of the runner');
      expect(readFileSync(join(room.root, `cwd${option}`), 'utf8')).toBe(`${room.root}\n`);
      expect(readFileSync(join(room.root, `stdin${option}`), 'utf8')).toBe('');
    }
  });
});

describe.concurrent('the version line', () => {
  test.each<[string, Script, string | null]>([
    ['is the first line', { version: 'tool 1.2.3\nbuilt today\n' }, 'tool 1.2.3'],
    ['may end in CR LF', { version: 'tool 1.2.3\r\n' }, 'tool 1.2.3'],
    ['is none when nothing is printed', { version: ' \n' }, null],
    ['is none when the option is not known', {}, null],
    ['is safe to print', { version: 'tool\u001b[2J 1.2\n' }, 'tool\\u{1b}[2J 1.2'],
  ])('%s', async (_, script, line) => {
    expect((await introduced({ describe: descriptor(), ...script })).versionLine).toBe(line);
  });

  test('is cut when it is long', async () => {
    const { versionLine } = await introduced({ version: `tool ${'9'.repeat(5000)}` });
    expect(versionLine?.length).toBeLessThan(300);
  });

  test('is none when what prints it fails', async () => {
    const room = engineRoom();
    const program = writeProgram(join(room.bin, 'probe'), '#!/bin/sh\necho "usage 1.2"; exit 2\n');
    expect(await ask(room, program)).toMatchObject({ value: { versionLine: null } });
  });

  test('may stand on stderr', async () => {
    const room = engineRoom();
    const program = writeProgram(join(room.bin, 'probe'), '#!/bin/sh\necho "tool 1.2.3" >&2\n');
    expect(await ask(room, program)).toMatchObject({ value: { versionLine: 'tool 1.2.3' } });
  });
});

describe('the version in a version line', () => {
  test.each([
    ['vyges-em-ir 0.1.29 (0f4bd21)', '0.1.29'],
    ['Yosys 0.55+12 (git sha1 …)', '0.55+12'],
    ['Verilator 5.020 2024-01-01 rev v5.020', '5.020'],
    ['tool v1.2.3-rc.1', '1.2.3-rc.1'],
    ['ngspice-42', 'ngspice-42'],
    [null, null],
  ])('%s: %s', (line, version) => {
    expect(versionIn(line)).toBe(version);
  });
});

describe.concurrent('an engine without a descriptor', () => {
  const usage: Script = { describe: 'usage: …', describeExit: 2, stdout: '{"clean":true}' };

  test('cannot be called with parameters', async () => {
    const room = engineRoom();
    writeEngine(room, 'probe', usage);
    const { envelope } = await callEngine(room, { with: { top: 'uart' } });
    expect(envelope).toMatchObject({
      status: 'error',
      engineering: { status: 'unknown' },
      error: { code: 'invalid_arguments', message: expect.stringContaining('exited with code 2') },
    });
  });

  test('runs with raw arguments, and no payload of it is a pass', async () => {
    const room = engineRoom();
    writeEngine(room, 'probe', usage);
    const { envelope } = await callEngine(room, { with: { args: ['check'] } });
    expect(envelope).toMatchObject({
      tool: 'probe',
      tool_version: null,
      status: 'ok',
      engineering: { status: 'unknown', assertion: null },
      result: { clean: true },
      provenance: { maturity: 'discovered', descriptor: null, limitations: ['not stated'] },
    });
  });

  test('nor is one of an engine with a descriptor that raw arguments went past', async () => {
    const room = engineRoom();
    writeEngine(room, 'probe', { describe: descriptor(), stdout: '{"clean":true}' });
    expect((await callEngine(room)).verdict.status).toBe('pass');
    const { envelope } = await callEngine(room, { with: { args: ['check', '--json'] } });
    expect(envelope).toMatchObject({ status: 'ok', engineering: { status: 'unknown' } });
  });
});

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EnvelopeError } from '../../src/engine/envelope.ts';
import {
  type Called,
  callCommand,
  callEngine,
  descriptor,
  type EngineRoom,
  engineRoom,
  type Script,
  writeEngine,
  writeProgram,
} from '../support/engine-room.ts';
import { scratchFolder } from '../support/scratch.ts';

const CLEAN = '{"clean":true}';

function roomWith(script: Script): EngineRoom {
  const room = engineRoom();
  writeEngine(room, 'probe', { describe: descriptor(), version: 'probe 1.4.2\n', ...script });
  return room;
}

const reached = new Set<string>();

/** An error says nothing about the design, whatever the engine printed. */
function errorOf({ envelope, verdict, isValid }: Called): EnvelopeError {
  expect(isValid).toBe(true);
  expect(envelope.status).toBe('error');
  expect(envelope.engineering).toEqual({
    status: 'unknown',
    assertion: null,
    summary: 'execution did not complete; no engineering conclusion reached',
  });
  expect(verdict.status).toBe('unknown');
  expect(envelope.artifacts).toEqual([]);
  if (envelope.error === null) expect.fail('the envelope has no error');
  reached.add(envelope.error.code);
  return envelope.error;
}

describe.concurrent('an execution that did not complete', () => {
  test('engine_not_found: there is no such engine, with or without the prefix', async () => {
    const error = errorOf(await callEngine(engineRoom(), { uses: 'nothing-like-it' }));
    expect(error.code).toBe('engine_not_found');
    expect(error.message).toContain('vyges-nothing-like-it');
  });

  test('engine_not_found: there is nothing at the path that the flow names', async () => {
    const error = errorOf(await callEngine(engineRoom(), { uses: './tools/probe' }));
    expect(error.code).toBe('engine_not_found');
  });

  test('engine_not_found: a folder of the name, or a file without the right, is passed over', async () => {
    const room = engineRoom();
    mkdirSync(join(room.bin, 'probe'));
    writeFileSync(join(room.bin, 'vyges-probe'), '#!/bin/sh\n', { mode: 0o644 });
    expect(errorOf(await callEngine(room)).code).toBe('engine_not_found');
  });

  test('engine_not_found: its interpreter is not there', async () => {
    const room = engineRoom();
    writeProgram(join(room.bin, 'probe'), '#!/nowhere/sh\n');
    const error = errorOf(await callEngine(room, { with: { args: ['x'] } }));
    expect(error.code).toBe('engine_not_found');
    expect(error.message).toContain('interpreter');
  });

  test('engine_not_found: it removed itself between the probe and the run', async () => {
    const room = engineRoom();
    const program = join(room.bin, 'probe');
    const text = `#!/bin/sh\n[ "$1" = --version ] && sleep 0.3 && rm '${program}'\necho '{}'\n`;
    writeProgram(program, text);
    const error = errorOf(await callEngine(room, { with: { args: ['x'] } }));
    expect(error.code).toBe('engine_not_found');
  });

  test.each([
    ['a file without the right', (path: string) => writeFileSync(path, '#!/bin/sh\n')],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('engine_not_executable: %s is at the path that the flow names', async (_, make) => {
    const room = engineRoom();
    make(join(room.root, 'probe'));
    const error = errorOf(await callEngine(room, { uses: './probe' }));
    expect(error.code).toBe('engine_not_executable');
  });

  test('engine_not_executable: it holds no program', async () => {
    const room = engineRoom();
    writeProgram(join(room.bin, 'probe'), '\u007fELF but not really');
    const error = errorOf(await callEngine(room, { with: { args: ['x'] } }));
    expect(['engine_not_executable', 'engine_nonzero']).toContain(error.code);
  });

  test('engine_nonzero: with the code, the end of stderr, and what it printed', async () => {
    const run = 'echo "cannot open a.gds" >&2; exit 3';
    const called = await callEngine(roomWith({ stdout: CLEAN, run }));
    expect(errorOf(called)).toEqual({
      code: 'engine_nonzero',
      message: 'probe exited with code 3',
      exit_code: 3,
      stderr_tail: 'cannot open a.gds\n',
    });
    expect(called.envelope.result).toEqual({ clean: true });
  });

  test('engine_nonzero: also when it printed nothing at all', async () => {
    const error = errorOf(await callEngine(roomWith({ run: 'exit 1' })));
    expect(error).toEqual({
      code: 'engine_nonzero',
      message: 'probe exited with code 1',
      exit_code: 1,
    });
  });

  test('engine_signal: it was ended by one, after it had said that all is clean', async () => {
    const error = errorOf(await callEngine(roomWith({ stdout: CLEAN, run: 'kill -SEGV $$' })));
    expect(error).toMatchObject({ code: 'engine_signal', exit_code: null });
    expect(error.message).toContain('SIGSEGV');
  });

  test('engine_timeout: it was still going, after it had said that all is clean', async () => {
    const room = roomWith({ stdout: CLEAN, run: 'sleep 60' });
    const error = errorOf(await callEngine(room, { timeoutMs: 1500 }));
    expect(error).toMatchObject({
      code: 'engine_timeout',
      message: 'probe did not end within 1.5 s',
      exit_code: null,
    });
  });

  test('engine_timeout: also when it exits 0 as soon as it is asked to end', async () => {
    const room = roomWith({
      run: `trap 'echo "${CLEAN.replaceAll('"', '\\"')}"; exit 0' TERM; sleep 60 & wait`,
    });
    const error = errorOf(await callEngine(room, { timeoutMs: 1500 }));
    expect(error.code).toBe('engine_timeout');
  });

  test('engine_interrupted: the gate was stopped', async () => {
    const room = roomWith({ stdout: CLEAN, run: 'touch started; sleep 60' });
    const stop = new AbortController();
    const call = callEngine(room, { signal: stop.signal });
    while (!readdirSync(room.root).includes('started'))
      await new Promise((go) => setTimeout(go, 20));
    stop.abort();
    expect(errorOf(await call)).toMatchObject({ code: 'engine_interrupted', exit_code: null });
  });

  test('engine_interrupted: the gate was stopped before it was started', async () => {
    const room = roomWith({ stdout: CLEAN, run: 'touch started' });
    const error = errorOf(await callEngine(room, { signal: AbortSignal.abort() }));
    expect(error.code).toBe('engine_interrupted');
    expect(readdirSync(room.root)).toEqual([]);
  });

  test('output_not_written: what it prints cannot be kept', async () => {
    const room = roomWith({ stdout: CLEAN, run: 'touch started' });
    const captureFolder = join(scratchFolder(), 'none');
    const error = errorOf(await callEngine(room, { captureFolder }));
    expect(error.code).toBe('output_not_written');
    expect(readdirSync(room.root)).toEqual([]);
  });

  test('output_not_written: it removed what it had printed', async () => {
    const captureFolder = scratchFolder();
    const room = roomWith({ stdout: CLEAN, run: `rm -r '${captureFolder}'` });
    const error = errorOf(await callEngine(room, { captureFolder }));
    expect(error.code).toBe('output_not_written');
  });

  test('output_not_written: it changed what it had printed', async () => {
    const captureFolder = scratchFolder();
    const kept = `${captureFolder}/stdout`;
    const wait = `until [ -s '${kept}' ]; do sleep 0.05; done`;
    const run = `${wait}; printf '%s' '${CLEAN}' > '${kept}'`;
    const room = roomWith({ stdout: '{"clean":false}', run });
    const error = errorOf(await callEngine(room, { captureFolder }));
    expect(error.code).toBe('output_not_written');
  });

  test('output_not_written: it put a pipe where its output is kept, and nothing waits for it', async () => {
    const captureFolder = scratchFolder();
    const stdout = join(captureFolder, 'stdout');
    const room = roomWith({ stdout: CLEAN, run: `rm '${stdout}'; mkfifo '${stdout}'` });
    const error = errorOf(await callEngine(room, { captureFolder }));
    expect(error.code).toBe('output_not_written');
  });

  test.runIf(process.platform === 'linux')(
    'engine_not_ended: a process that it hid from the gate still holds its output',
    async () => {
      const hide = "setsid env -i /bin/sh -c ': > hidden; exec /bin/sleep 8' &";
      const run = `${hide} until [ -e hidden ]; do sleep 0.05; done`;
      const room = roomWith({ stdout: CLEAN, run });
      const error = errorOf(await callEngine(room));
      expect(error).toMatchObject({ code: 'engine_not_ended', exit_code: null });
    },
  );

  test('invalid_arguments: a parameter is missing', async () => {
    const room = roomWith({ describe: descriptor({ invocation: { args_template: ['{job}'] } }) });
    const error = errorOf(await callEngine(room));
    expect(error).toEqual({
      code: 'invalid_arguments',
      message: 'parameter `job`: it is required and missing',
    });
  });

  test('descriptor_unsupported: it speaks another major, also with raw arguments', async () => {
    const room = roomWith({
      describe: descriptor({ schema: 'vyges-tool-descriptor/2.0' }),
      run: 'touch ran',
    });
    for (const withValues of [{}, { args: ['check'] }]) {
      const error = errorOf(await callEngine(room, { with: withValues }));
      expect(error.code).toBe('descriptor_unsupported');
      expect(error.message).toContain('vyges-tool-descriptor/2.0');
    }
    expect(readdirSync(room.root)).toEqual([]);
  });

  test('descriptor_unsupported: the schema of its parameters is none', async () => {
    const room = roomWith({
      describe: descriptor({ inputs: { properties: { a: { type: 'file' } } } }),
    });
    expect(errorOf(await callEngine(room)).code).toBe('descriptor_unsupported');
  });

  test('version_mismatch: it is another version than the flow asks for', async () => {
    const room = roomWith({ stdout: CLEAN, run: 'touch ran' });
    const error = errorOf(await callEngine(room, { version: '>=1.5' }));
    expect(error.code).toBe('version_mismatch');
    expect(error.message).toContain('1.4.2');
    expect((await callEngine(room, { version: '>=1.4, <2' })).verdict.status).toBe('pass');
  });

  test('version_mismatch: it names no version', async () => {
    const room = engineRoom();
    writeEngine(room, 'probe', { describe: descriptor(), stdout: CLEAN });
    expect(errorOf(await callEngine(room, { version: '*' })).code).toBe('version_mismatch');
  });
});

describe.concurrent('output_unparsable: exit 0, and on stdout', () => {
  test.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['a line of text', 'wrote power.json\n'],
    ['a byte order mark before the object', `\ufeff${CLEAN}`],
    ['two objects', `${CLEAN}\n${CLEAN}`],
    ['an object and a line of text', `${CLEAN}\ndone\n`],
    ['an object that is cut', '{"clean":true'],
    ['a list', `[${CLEAN}]`],
    ['true', 'true'],
    ['NaN', '{"clean":true,"wns":NaN}'],
    ['minus infinity', '{"clean":true,"wns":-Infinity}'],
    ['a number beyond the range', '{"clean":true,"wns":1e999}'],
    ['the verdict field twice', '{"clean":false,"clean":true}'],
    ['the verdict field twice, once spelt with an escape', '{"clean":false,"cle\\u0061n":true}'],
    ['a quote in a name that is not escaped', '{"clean":true,"cell":"a"b"}'],
    ['an escape of another language', '{"clean":true,"cell":"\\u{200b}"}'],
    ['a comment', `${CLEAN} // all good`],
    ['a trailing comma', '{"clean":true,}'],
    ['single quotes', "{'clean':true}"],
    ['Latin-1', Buffer.from('{"clean":true,"cell":"\xe9"}', 'latin1')],
    [
      'half a character',
      Buffer.concat([Buffer.from('{"clean":true,"c":"'), Buffer.from([0xe2, 0x82])]),
    ],
    ['a NUL', '{"clean":true}\0'],
    ['too many levels', `{"clean":true,"a":${'['.repeat(201)}${']'.repeat(201)}}`],
  ])('%s', async (_, stdout) => {
    const called = await callEngine(roomWith({ stdout }));
    const error = errorOf(called);
    expect(error).toMatchObject({ code: 'output_unparsable', exit_code: 0 });
    expect(called.envelope.result).toBeNull();
  });
});

describe.concurrent('output_too_large', () => {
  const spaces = (mebibytes: number): string =>
    `head -c ${mebibytes * 1024 * 1024} /dev/zero | tr '\\0' ' '`;

  test('more than 64 MiB on stdout, of which the object is the beginning', async () => {
    const room = roomWith({ stdout: CLEAN, run: `${spaces(65)}` });
    const error = errorOf(await callEngine(room));
    expect(error).toMatchObject({ code: 'output_too_large', exit_code: null });
    expect(error.message).toContain(String(64 * 1024 * 1024));
  });

  test('not yet at 40 MiB, which are read', async () => {
    const room = roomWith({ stdout: CLEAN, run: spaces(40) });
    expect((await callEngine(room)).verdict.status).toBe('pass');
  });
});

describe.concurrent('a command that did not complete', () => {
  const exitCode = { kind: 'exit-code' } as const;

  test('engine_nonzero: an exit code is no verdict of fail', async () => {
    const called = await callCommand(engineRoom(), 'echo x > out; exit 1', exitCode, {
      outputs: ['out'],
    });
    expect(errorOf(called)).toMatchObject({ code: 'engine_nonzero', exit_code: 1 });
  });

  test('engine_signal, engine_timeout', async () => {
    const killed = await callCommand(engineRoom(), 'kill -9 $$', exitCode);
    expect(errorOf(killed).code).toBe('engine_signal');
    const late = await callCommand(engineRoom(), 'sleep 60', exitCode, { timeoutMs: 500 });
    expect(errorOf(late).code).toBe('engine_timeout');
  });

  test('engine_not_found: a tool that it declares is not there', async () => {
    const called = await callCommand(engineRoom(), 'touch ran', exitCode, {
      tools: ['no-such-tool'],
    });
    expect(errorOf(called).code).toBe('engine_not_found');
  });
});

describe.concurrent('what an engine leaves in its home', () => {
  test('does not matter, even when it cannot be removed', async () => {
    const run = 'mkdir -p "$HOME/mod/cache"; touch "$HOME/mod/cache/a"; chmod -R a-w "$HOME/mod"';
    const called = await callEngine(roomWith({ stdout: CLEAN, run }));
    expect(called.verdict.status).toBe('pass');
  });
});

test('a folder that cannot be removed afterwards is no failure of the run', async () => {
  const room = roomWith({
    stdout: CLEAN,
    run: 'mkdir "$HOME/kept"; touch "$HOME/kept/a"; chmod 500 "$HOME/kept"; echo "$HOME" > home',
  });
  if (process.geteuid?.() !== 0) {
    expect((await callEngine(room)).verdict.status).toBe('pass');
    return;
  }
  // Permissions bind no superuser: an ordinary user runs the gate.
  for (const folder of [room.root, room.bin, join(room.root, '..'), join(room.root, '../..')]) {
    chmodSync(folder, 0o777);
  }
  const captureFolder = scratchFolder();
  chmodSync(captureFolder, 0o777);
  process.seteuid?.(65534);
  try {
    expect((await callEngine(room, { captureFolder })).verdict.status).toBe('pass');
  } finally {
    process.seteuid?.(0);
    rmSync(join(readFileSync(join(room.root, 'home'), 'utf8').trim(), '..'), {
      recursive: true,
      force: true,
    });
  }
});

test('without a place for temporary files nothing is started, and nothing is thrown', async () => {
  const room = roomWith({ stdout: CLEAN, run: 'touch ran' });
  const captureFolder = scratchFolder();
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(room.root, 'none');
  try {
    const probed = errorOf(await callEngine(room, { captureFolder }));
    expect(probed.message).toContain('not-written');
    const raw = errorOf(await callEngine(room, { with: { args: ['x'] }, captureFolder }));
    expect(raw.code).toBe('output_not_written');
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  expect(readdirSync(room.root)).toEqual([]);
});

test('every error code of the format was reached above', () => {
  const file = new URL('../../schemas/loom-result.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  const codes: string[] = schema.properties.error.oneOf[1].properties.code.enum;
  expect([...reached].sort()).toEqual([...codes].sort());
});

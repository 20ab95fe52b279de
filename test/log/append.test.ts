import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LogWriter, openLogWriter } from '../../src/log/append.ts';
import { acquireLock, type WorkspaceLock } from '../../src/log/lock.ts';
import { type Log, readLog } from '../../src/log/read.ts';
import type { Result } from '../../src/values/result.ts';
import { bundleChild, Child } from './helpers/child.ts';
import { dispatchEvent, logText, outcomeEvent } from './helpers/events.ts';
import { problemOf, unwrap } from './helpers/expect-result.ts';
import { tempWorkspace, workspaceWithLog } from './helpers/workspace.ts';

const appender = await bundleChild('append');

async function lockOf(root: string): Promise<WorkspaceLock> {
  const lock = unwrap(await acquireLock(root, { waitMs: 0 }));
  onTestFinished(() => lock.release());
  return lock;
}

async function tryWriter(root: string): Promise<Result<LogWriter>> {
  const writer = openLogWriter(root, await lockOf(root));
  onTestFinished(() => {
    if (writer.ok) writer.value.close();
  });
  return writer;
}

async function writerOf(root: string): Promise<LogWriter> {
  return unwrap(await tryWriter(root));
}

function textOf(root: string): string {
  return readFileSync(join(root, 'events.jsonl'), 'utf8');
}

function logOf(root: string): Log {
  return unwrap(readLog(join(root, 'events.jsonl')));
}

describe('an event that is appended', () => {
  test('is one line at the end of the log, which is made when it is missing', async () => {
    const root = tempWorkspace();
    const writer = await writerOf(root);
    const events = [
      dispatchEvent('lint', 1),
      outcomeEvent('lint', 1),
      { ts: '2026-01-02T03:04:05Z', type: 'note' },
    ];
    for (const event of events) unwrap(writer.append(event));
    expect(textOf(root)).toBe(logText(...events));
  });

  test('follows what is there', async () => {
    const { root } = workspaceWithLog(logText({ type: 'old' }));
    unwrap((await writerOf(root)).append(dispatchEvent('lint', 1)));
    expect(textOf(root)).toBe(logText({ type: 'old' }, dispatchEvent('lint', 1)));
  });

  test('gets the time first when it has none, in UTC with milliseconds', async () => {
    const root = tempWorkspace();
    const writer = await writerOf(root);
    const before = Date.now();
    unwrap(writer.append({ type: 'note', ts: undefined, a: 1 }));
    const [, ts = '', rest] = /^\{"ts":"([^"]+)",(.*)\}\n$/.exec(textOf(root)) ?? [];
    expect(rest).toBe('"type":"note","a":1');
    expect(ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(ts)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(ts)).toBeLessThanOrEqual(Date.now());
  });

  test('is written in ASCII, every other UTF-16 unit escaped', async () => {
    const root = tempWorkspace();
    const event = { ts: '2026-01-02T03:04:05Z', type: 'note', é: '\u2028\u0085 \u{1f600}' };
    unwrap((await writerOf(root)).append(event));
    expect(textOf(root)).toContain('"\\u00e9":"\\u2028\\u0085 \\ud83d\\ude00"');
    expect(logOf(root).records[0]?.event).toEqual(event);
  });
});

describe('an event that the reader would refuse is not written', () => {
  const cyclic: { type: string; self?: unknown } = { type: 'note' };
  cyclic.self = cyclic;
  let deep: unknown = 1;
  for (let level = 0; level < 300; level++) deep = [deep];

  test.each([
    ['a dispatch without its run', dispatchEvent('lint', 1, { run: undefined }), '`run`'],
    ['an outcome of another verdict', outcomeEvent('lint', 1, { verdict: 'unknown' }), '`verdict`'],
    ['an outcome without a stage', outcomeEvent('', 1), '`rule`'],
    ['a run that no number can follow', dispatchEvent('lint', Number.MAX_SAFE_INTEGER), '`run`'],
    ['no type', { a: 1 }, '`type`'],
    ['a time that is none', { type: 'note', ts: 'now' }, '`ts`'],
    ['NaN', { type: 'note', a: Number.NaN }, '`a`'],
    ['infinity in a list', { type: 'note', a: [1, Number.POSITIVE_INFINITY] }, '`1`'],
    ['a function', { type: 'note', a: () => 1 }, '`a`'],
    ['half a character', { type: 'note', a: 'x\ud800' }, 'half a character'],
    ['a big integer', { type: 'note', a: 1n }, 'BigInt'],
    ['a cycle', cyclic, 'circular'],
    ['an object that says it is none', { type: 'note', toJSON: () => undefined }, 'object'],
    ['nesting without bound', { type: 'note', deep }, 'deep'],
    ['a line too long', { type: 'note', a: 'x'.repeat(17_000_000) }, 'longer'],
  ])('%s', async (_, event, word) => {
    const { root } = workspaceWithLog(logText({ type: 'old' }));
    const writer = await writerOf(root);
    expect(problemOf(writer.append(event), 'log/write-failed').message).toContain(word);
    expect(textOf(root)).toBe(logText({ type: 'old' }));
    unwrap(writer.append(dispatchEvent('lint', 1)));
    expect(logOf(root).records).toHaveLength(2);
  });
});

/** Starts the appender where no file may become longer than so many KiB. */
function appendLimited(kibibytes: number, root: string): Child {
  return new Child('bash', [
    ...['-c', `ulimit -f ${kibibytes} && exec "$@"`, 'bash'],
    ...[process.execPath, appender.script, root, '1000'],
  ]);
}

describe('when the disk is full', () => {
  test('the log is as it was before, and stays so', async () => {
    const root = tempWorkspace();
    const lines = await appendLimited(8, root).rest();
    const appended = lines.slice(0, -2);
    expect(appended.length).toBeGreaterThan(10);
    expect(lines.slice(-2)).toEqual([
      { code: 'log/write-failed', message: expect.stringContaining('is as it was before') },
      { code: 'log/write-failed', message: expect.stringContaining('is as it was before') },
    ]);
    const log = logOf(root);
    expect(log.records.map((r) => ({ appended: r.event.number }))).toEqual(appended);
    expect(log).toMatchObject({ tornTail: undefined, endsWithNewline: true });
    unwrap((await writerOf(root)).append({ type: 'note' }));
    expect(logOf(root).records).toHaveLength(appended.length + 1);
  });

  test('a torn last line stays where it is, and nothing half is kept of it', async () => {
    const { root } = workspaceWithLog('{"type":"a"}\n{"ty');
    expect(await appendLimited(0, root).rest()).toEqual([
      { code: 'log/write-failed', message: expect.stringContaining('cannot be kept') },
    ]);
    expect(textOf(root)).toBe('{"type":"a"}\n{"ty');
    expect(readdirSync(join(root, '.signoff/torn'))).toEqual([]);
  });
});

test('after kill -9 every event that was acknowledged is there', async () => {
  const root = tempWorkspace();
  const child = Child.run(appender, root, '1000000');
  for (let line = 0; line < 50; line++) await child.next();
  child.process.kill('SIGKILL');
  const acknowledged = 50 + (await child.rest()).length;
  const log = logOf(root);
  expect(log.records.length).toBeGreaterThanOrEqual(acknowledged);
  expect(log.records.map((r) => r.event.number)).toEqual(log.records.map((_, i) => i + 1));
});

describe('a torn last line', () => {
  const torn = Buffer.concat([Buffer.from('{"type":"outcome","x":"'), Buffer.from([0xe2, 0x82])]);

  test('is set aside, byte for byte, and an event says so', async () => {
    const old = logText(dispatchEvent('lint', 1));
    const { root } = workspaceWithLog(Buffer.concat([Buffer.from(old), torn]));
    unwrap((await writerOf(root)).append(outcomeEvent('lint', 1)));
    expect(readFileSync(join(root, '.signoff/torn/1.bin'))).toEqual(torn);
    expect(logOf(root).records.map((r) => r.event)).toEqual([
      dispatchEvent('lint', 1),
      {
        ts: expect.any(String),
        type: 'torn-tail',
        bytes: torn.length,
        kept: '.signoff/torn/1.bin',
      },
      outcomeEvent('lint', 1),
    ]);
    expect(textOf(root).startsWith(`${old}{"ts":`)).toBe(true);
  });

  test('of a log that has no other line', async () => {
    const { root } = workspaceWithLog('{"ty');
    await writerOf(root);
    expect(logOf(root).records).toMatchObject([
      { line: 1, event: { type: 'torn-tail', bytes: 4 } },
    ]);
  });

  test('takes no number that was given before', async () => {
    const { root } = workspaceWithLog('{"ty');
    mkdirSync(join(root, '.signoff/torn'), { recursive: true });
    for (const name of ['2.bin', '10.bin', 'x.bin']) {
      writeFileSync(join(root, '.signoff/torn', name), name);
    }
    await writerOf(root);
    expect(readFileSync(join(root, '.signoff/torn/11.bin'), 'utf8')).toBe('{"ty');
    expect(readdirSync(join(root, '.signoff/torn'))).toHaveLength(4);
  });

  test('stays where it is when it cannot be kept', async () => {
    const { root } = workspaceWithLog('{"type":"a"}\n{"ty');
    const elsewhere = tempWorkspace();
    mkdirSync(join(root, '.signoff'));
    symlinkSync(elsewhere, join(root, '.signoff/torn'));
    problemOf(await tryWriter(root), 'log/write-failed');
    expect(textOf(root)).toBe('{"type":"a"}\n{"ty');
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('a last line without its LF', () => {
  test('gets it when it is whole', async () => {
    const { root } = workspaceWithLog('{"type":"a"}\n{"type":"b"}');
    await writerOf(root);
    expect(textOf(root)).toBe('{"type":"a"}\n{"type":"b"}\n');
  });

  test('is refused, and not touched, when it is whole and wrong', async () => {
    const { root } = workspaceWithLog('{"type":"a"}\n{"type":"dispatch"}');
    expect(problemOf(await tryWriter(root), 'log/invalid-record').at?.line).toBe(2);
    expect(textOf(root)).toBe('{"type":"a"}\n{"type":"dispatch"}');
  });
});

describe('the lock', () => {
  test('must be held when the log is opened', async () => {
    const root = tempWorkspace();
    const lock = unwrap(await acquireLock(root, { waitMs: 0 }));
    lock.release();
    problemOf(openLogWriter(root, lock), 'log/write-failed');
    expect(existsSync(join(root, 'events.jsonl'))).toBe(false);
  });

  test('must be of the same workspace', async () => {
    const root = tempWorkspace();
    problemOf(openLogWriter(root, await lockOf(tempWorkspace())), 'log/write-failed');
  });

  test('must be held at each append', async () => {
    const root = tempWorkspace();
    const lock = await lockOf(root);
    const writer = unwrap(openLogWriter(root, lock));
    unwrap(writer.append({ type: 'a' }));
    rmSync(join(root, '.signoff/lock'));
    problemOf(writer.append({ type: 'b' }), 'log/write-failed');
    expect(logOf(root).records).toHaveLength(1);
    writer.close();
  });
});

describe('a log that another program wrote to meanwhile is not written to', () => {
  test.each([
    ['it became longer', (file: string) => appendFileSync(file, '{"type":"forged"}\n')],
    ['it became shorter', (file: string) => truncateSync(file, 3)],
    [
      'it was replaced',
      (file: string) => {
        writeFileSync(`${file}.new`, readFileSync(file));
        renameSync(`${file}.new`, file);
      },
    ],
    ['it was removed', (file: string) => rmSync(file)],
  ])('%s', async (_, change) => {
    const { root, file } = workspaceWithLog(logText({ type: 'old' }));
    const writer = await writerOf(root);
    change(file);
    const after = existsSync(file) ? textOf(root) : undefined;
    problemOf(writer.append({ type: 'note' }), 'log/write-failed');
    expect(existsSync(file) ? textOf(root) : undefined).toBe(after);
  });
});

test('a writer that was closed writes nothing', async () => {
  const root = tempWorkspace();
  const writer = await writerOf(root);
  writer.close();
  writer.close();
  expect(problemOf(writer.append({ type: 'note' }), 'log/write-failed').message).toMatch(/closed/);
  expect(textOf(root)).toBe('');
});

describe('what lies in place of the log', () => {
  test('a link to a regular file inside the workspace is written through', async () => {
    const root = tempWorkspace();
    mkdirSync(join(root, 'logs'));
    writeFileSync(join(root, 'logs/real.jsonl'), logText({ type: 'old' }));
    symlinkSync('logs/real.jsonl', join(root, 'events.jsonl'));
    unwrap((await writerOf(root)).append({ type: 'new' }));
    expect(logOf(root).records.map((r) => r.event.type)).toEqual(['old', 'new']);
    expect(realpathSync(join(root, 'events.jsonl'))).toBe(join(root, 'logs/real.jsonl'));
  });

  test('a link that leads outside is refused', async () => {
    const root = tempWorkspace();
    const { file } = workspaceWithLog('');
    symlinkSync(file, join(root, 'events.jsonl'));
    expect(problemOf(await tryWriter(root), 'log/write-failed').message).toMatch(/outside/);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('a link to a folder beside, whose name begins like the workspace, is outside', async () => {
    const parent = tempWorkspace();
    const root = join(parent, 'work');
    mkdirSync(root);
    mkdirSync(join(parent, 'work-2'));
    writeFileSync(join(parent, 'work-2/events.jsonl'), '');
    symlinkSync('../work-2/events.jsonl', join(root, 'events.jsonl'));
    expect(problemOf(await tryWriter(root), 'log/write-failed').message).toMatch(/outside/);
  });

  test('a link that leads to nothing is refused, not followed', async () => {
    const root = tempWorkspace();
    symlinkSync('gone.jsonl', join(root, 'events.jsonl'));
    problemOf(await tryWriter(root), 'log/write-failed');
    expect(existsSync(join(root, 'gone.jsonl'))).toBe(false);
  });

  test('a folder and a FIFO are refused and not waited for', async () => {
    const withFolder = tempWorkspace();
    mkdirSync(join(withFolder, 'events.jsonl'));
    problemOf(await tryWriter(withFolder), 'log/write-failed');
    const withFifo = tempWorkspace();
    execFileSync('mkfifo', [join(withFifo, 'events.jsonl')]);
    problemOf(await tryWriter(withFifo), 'log/write-failed');
  });
});

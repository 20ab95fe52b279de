import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { acquireLock } from '../../src/log/lock.ts';
import { addonName, bundleChild, Child } from './helpers/child.ts';
import { problemOf, unwrap } from './helpers/expect-result.ts';
import { tempWorkspace } from './helpers/workspace.ts';

const holder = await bundleChild('hold-lock');
const turns = await bundleChild('take-turns');

function lockFile(root: string): string {
  return join(root, '.signoff', 'lock');
}

/** How a waiter is told of a process that runs hold-lock. */
function nameOf(child: Child): unknown {
  return expect.stringMatching(
    new RegExp(
      `^signoff-gate run, process ${child.process.pid} on ${hostname()}, since \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$`,
    ),
  );
}

async function startHolder(root: string): Promise<Child> {
  const child = Child.run(holder, root);
  expect(await child.next()).toEqual({ held: child.process.pid });
  return child;
}

describe('two processes', () => {
  test('the second waits, is told for whom, and goes on when the first gives the lock back', async () => {
    const root = tempWorkspace();
    const first = await startHolder(root);
    const second = Child.run(holder, root, '20000');
    expect(await second.next()).toEqual({ waiting: nameOf(first) });
    first.process.stdin.end();
    expect(await first.next()).toEqual({ released: first.process.pid });
    expect(await second.next()).toEqual({ held: second.process.pid });
  });

  test('the second is told again when a third came in between, and not when a name is gone', async () => {
    const root = tempWorkspace();
    const first = unwrap(await acquireLock(root, { waitMs: 0 }));
    const write = (host: string): void =>
      writeFileSync(lockFile(root), JSON.stringify({ command: 'c', pid: 1, host, since: 's' }));
    const told: string[] = [];
    write('one');
    const second = await acquireLock(root, {
      waitMs: 20_000,
      onWaiting: (holder) => {
        told.push(holder);
        writeFileSync(lockFile(root), '');
        // Longer than the longest pause, so that the lack of a name is seen.
        setTimeout(() => (told.length === 1 ? write('two') : first.release()), 300);
      },
    });
    unwrap(second).release();
    expect(told).toEqual(['c, process 1 on one, since s', 'c, process 1 on two, since s']);
  });

  test('the second gives up after its time and names the first', async () => {
    const root = tempWorkspace();
    const first = await startHolder(root);
    const before = performance.now();
    const told: string[] = [];
    const lock = await acquireLock(root, { waitMs: 300, onWaiting: (whom) => told.push(whom) });
    expect(performance.now() - before).toBeGreaterThanOrEqual(299);
    expect(told).toEqual([nameOf(first)]);
    expect(problemOf(lock, 'log/lock-held').message).toContain(`process ${first.process.pid} on `);
  });

  test('with no time to wait the second tries once and calls it no waiting', async () => {
    const root = tempWorkspace();
    await startHolder(root);
    const told: string[] = [];
    const lock = await acquireLock(root, { waitMs: 0, onWaiting: (whom) => told.push(whom) });
    problemOf(lock, 'log/lock-held');
    expect(told).toEqual([]);
  });

  test('a time to wait that is no number is not for ever', async () => {
    const root = tempWorkspace();
    await startHolder(root);
    problemOf(await acquireLock(root, { waitMs: Number.NaN }), 'log/lock-held');
  });

  test('kill -9 of the holder frees the lock at once', async () => {
    const root = tempWorkspace();
    const first = await startHolder(root);
    await first.kill();
    const lock = unwrap(await acquireLock(root, { waitMs: 0 }));
    expect(lock.isHeld()).toBe(true);
    lock.release();
  });

  test('a signal ends the wait', async () => {
    const root = tempWorkspace();
    await startHolder(root);
    const stop = new AbortController();
    const lock = await acquireLock(root, {
      waitMs: 60_000,
      onWaiting: () => setTimeout(() => stop.abort(), 10),
      signal: stop.signal,
    });
    problemOf(lock, 'gate/interrupted');
  });

  test('a signal that was given before leaves the lock alone', async () => {
    const root = tempWorkspace();
    problemOf(
      await acquireLock(root, { waitMs: 1000, signal: AbortSignal.abort() }),
      'gate/interrupted',
    );
    expect(existsSync(lockFile(root))).toBe(false);
  });
});

test('three processes that contend are never inside together', async () => {
  const root = tempWorkspace();
  const children = [1, 2, 3].map(() => Child.run(turns, root, '4'));
  const reports = await Promise.all(children.map((child) => child.next()));
  expect(reports).toEqual(children.map(() => ({ taken: 4, overlaps: 0 })));
});

describe('one process', () => {
  test('cannot take the lock twice, and can again after giving it back', async () => {
    const root = tempWorkspace();
    const lock = unwrap(await acquireLock(root, { waitMs: 0 }));
    problemOf(await acquireLock(root, { waitMs: 0 }), 'log/lock-held');
    lock.release();
    lock.release();
    expect(lock.isHeld()).toBe(false);
    unwrap(await acquireLock(root, { waitMs: 0 })).release();
  });

  test('leaves the lock file in place, without a holder in it', async () => {
    const root = tempWorkspace();
    const lock = unwrap(await acquireLock(root, { waitMs: 0, command: 'signoff-gate init' }));
    expect(JSON.parse(readFileSync(lockFile(root), 'utf8'))).toMatchObject({
      command: 'signoff-gate init',
      pid: process.pid,
    });
    lock.release();
    expect(statSync(lockFile(root)).size).toBe(0);
  });

  test('the lock is not held any more when its file was removed or replaced', async () => {
    const root = tempWorkspace();
    const lock = unwrap(await acquireLock(root, { waitMs: 0 }));
    renameSync(lockFile(root), `${lockFile(root)}.old`);
    expect(lock.isHeld()).toBe(false);
    writeFileSync(lockFile(root), '');
    expect(lock.isHeld()).toBe(false);
    lock.release();
  });
});

describe('the text in the lock file is only information', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', 'process 1'],
    ['half of it', '{"command":"signoff-gate run","pi'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00])],
    ['other types', '{"command":1,"pid":"x","host":[],"since":null}'],
    ['much', 'x'.repeat(100_000)],
  ])('a lock that is held: %s', async (_, text) => {
    const root = tempWorkspace();
    const first = unwrap(await acquireLock(root, { waitMs: 0 }));
    writeFileSync(lockFile(root), text);
    const lock = await acquireLock(root, { waitMs: 0 });
    expect(problemOf(lock, 'log/lock-held').message).toContain('another process holds it');
    first.release();
  });

  test('what could command a terminal is made printable', async () => {
    const root = tempWorkspace();
    const first = unwrap(await acquireLock(root, { waitMs: 0 }));
    const text = { command: '\u001b[2J\n::error::x', pid: 1, host: '\u202eh', since: 'now' };
    writeFileSync(lockFile(root), JSON.stringify(text));
    const { message } = problemOf(await acquireLock(root, { waitMs: 0 }), 'log/lock-held');
    expect(message).toContain('\\u{1b}[2J\\n::error::x, process 1 on \\u{202e}h, since now');
    first.release();
  });

  test('a lock that nobody holds is taken whatever stands in it', async () => {
    const root = tempWorkspace();
    mkdirSync(join(root, '.signoff'));
    writeFileSync(lockFile(root), '{"command":"x","pid":1,"host":"h","since":"s"}');
    unwrap(await acquireLock(root, { waitMs: 0 })).release();
  });
});

describe('what lies in place of the lock file is not written through', () => {
  test('a symbolic link', async () => {
    const root = tempWorkspace();
    const victim = join(root, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(join(root, '.signoff'));
    symlinkSync(victim, lockFile(root));
    problemOf(await acquireLock(root, { waitMs: 0 }), 'log/lock-unavailable');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  test('a symbolic link that leads to nothing', async () => {
    const root = tempWorkspace();
    mkdirSync(join(root, '.signoff'));
    symlinkSync(join(root, 'made'), lockFile(root));
    problemOf(await acquireLock(root, { waitMs: 0 }), 'log/lock-unavailable');
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  test('a hard link', async () => {
    const root = tempWorkspace();
    const victim = join(root, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(join(root, '.signoff'));
    linkSync(victim, lockFile(root));
    problemOf(await acquireLock(root, { waitMs: 0 }), 'log/lock-unavailable');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  test('a link in place of the folder', async () => {
    const root = tempWorkspace();
    const elsewhere = tempWorkspace();
    symlinkSync(elsewhere, join(root, '.signoff'));
    problemOf(await acquireLock(root, { waitMs: 0 }), 'log/lock-unavailable');
    expect(existsSync(join(elsewhere, 'lock'))).toBe(false);
  });

  test('a folder, and a workspace that is not there', async () => {
    const root = tempWorkspace();
    mkdirSync(lockFile(root), { recursive: true });
    problemOf(await acquireLock(root, { waitMs: 0 }), 'log/lock-unavailable');
    problemOf(await acquireLock(join(root, 'gone'), { waitMs: 0 }), 'log/lock-unavailable');
  });
});

describe('the addon of a bundle', () => {
  const platform = `${process.platform}-${process.arch}`;

  test('is found beside the folder of the chunks too', async () => {
    const bundle = await bundleChild('hold-lock', onTestFinished);
    const chunks = join(bundle.folder, 'chunks');
    mkdirSync(chunks);
    const script = join(chunks, 'hold-lock.mjs');
    renameSync(bundle.script, script);
    const child = Child.run({ folder: chunks, script }, tempWorkspace());
    expect(await child.next()).toEqual({ held: child.process.pid });
  });

  test.each([
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from([0])])],
    ['one bit different', (bytes: Buffer) => bytes.map((byte, i) => (i === 0 ? byte ^ 1 : byte))],
  ])('is not loaded when it is %s', async (_, alter) => {
    const bundle = await bundleChild('hold-lock', onTestFinished);
    const addon = join(bundle.folder, 'native', addonName());
    writeFileSync(addon, alter(readFileSync(addon)));
    expect(await Child.run(bundle, tempWorkspace()).next()).toEqual({
      code: 'log/lock-unavailable',
      message: `the workspace cannot be locked on this platform (${platform}): the file ${addonName()} is not the one that was released`,
    });
  });

  test('is missed by name, whatever node_modules would offer', async () => {
    const bundle = await bundleChild('hold-lock', onTestFinished);
    rmSync(join(bundle.folder, 'native', addonName()));
    expect(await Child.run(bundle, tempWorkspace()).next()).toEqual({
      code: 'log/lock-unavailable',
      message: `the workspace cannot be locked on this platform (${platform}): the file ${addonName()} is missing`,
    });
  });
});

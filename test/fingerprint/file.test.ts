import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestBytes } from '../../src/fingerprint/blake3.ts';
import { fingerprintFile } from '../../src/fingerprint/file.ts';
import { disturb, putBigFile } from './disturb.ts';
import { asOrdinaryUser, fifo, linkTo, listenAt, makeFolder } from './folder.ts';

function problemOf(absolute: string): string | undefined {
  const result = fingerprintFile(absolute);
  return result.ok ? undefined : result.error.code;
}

describe('a regular file', () => {
  test.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024])(
    'of %i bytes has the digest of its content',
    (length) => {
      const content = Buffer.alloc(length, 'content');
      const root = makeFolder({ file: content });
      expect(fingerprintFile(join(root, 'file'))).toEqual({
        ok: true,
        value: digestBytes(content),
      });
    },
  );
});

describe('what is no regular file', () => {
  test('is refused without waiting for it', async () => {
    const root = makeFolder({ 'folder/': '', fifo, file: '', link: linkTo('file') });
    await listenAt(join(root, 'socket'));
    for (const name of ['folder', 'fifo', 'socket', 'link']) {
      expect([name, problemOf(join(root, name))]).toEqual([name, 'file/not-regular']);
    }
    expect(problemOf('/dev/zero')).toBe('file/not-regular');
    expect(problemOf('/dev/null')).toBe('file/not-regular');
  });

  test('is told by what it is', () => {
    const root = makeFolder({ fifo });
    const result = fingerprintFile(join(root, 'fifo'), 'sim/fifo');
    expect(!result.ok && result.error.message).toBe('sim/fifo is a FIFO, not a regular file');
  });
});

test('a file that is not there is missing', () => {
  const root = makeFolder({ file: '' });
  expect(problemOf(join(root, 'none'))).toBe('file/missing');
  expect(problemOf(join(root, 'file/none'))).toBe('file/missing');
});

test('a file without permission is unreadable', () => {
  const root = makeFolder({ file: 'secret' });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'file'), 0o000);
  expect(asOrdinaryUser(() => problemOf(join(root, 'file')))).toBe('file/unreadable');
});

test('a name that is too long is unreadable, not missing', () => {
  expect(problemOf(`/${'a'.repeat(300)}`)).toBe('file/unreadable');
});

describe('a file that changes while it is read', () => {
  function bigFile(): string {
    const file = join(makeFolder(), 'big');
    putBigFile(file);
    return file;
  }

  test('by growing has no fingerprint', () => {
    const file = bigFile();
    disturb(file, "fs.appendFileSync(path, 'x')");
    expect(problemOf(file)).toBe('file/changed-while-read');
  });

  test('by being written within, at the same length, has no fingerprint', () => {
    const file = bigFile();
    disturb(
      file,
      "const fd = fs.openSync(path, 'r+'); fs.writeSync(fd, 'x', 4096); fs.closeSync(fd)",
    );
    expect(problemOf(file)).toBe('file/changed-while-read');
  });

  test('by being replaced has no fingerprint', () => {
    const file = bigFile();
    disturb(
      file,
      "fs.writeFileSync(path + n, ''); fs.truncateSync(path + n, 67108864); fs.renameSync(path + n, path)",
    );
    expect(problemOf(file)).toBe('file/changed-while-read');
  });
});

test('a file whose folder is replaced while it is read has no fingerprint', () => {
  const root = makeFolder({ 'in/big': putBigFile });
  disturb(
    root,
    "const to = path + '/' + n; fs.mkdirSync(to); fs.writeFileSync(to + '/big', ''); fs.truncateSync(to + '/big', 67108864); fs.renameSync(path + '/in', to + '-old'); fs.renameSync(to, path + '/in')",
  );
  expect(problemOf(join(root, 'in/big'))).toBe('file/changed-while-read');
});

test.runIf(process.platform === 'linux')('a file that does not tell its length is refused', () => {
  expect(execFileSync('cat', ['/proc/self/status']).length).toBeGreaterThan(0);
  expect(problemOf('/proc/self/status')).toBe('file/changed-while-read');
});

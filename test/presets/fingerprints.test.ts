import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Disk } from '../../src/flow/presets/veripower/disk.ts';
import { fingerprintOf } from '../../src/flow/presets/veripower/fingerprints.ts';
import { oracleFingerprint } from '../../src/flow/presets/veripower/oracle.ts';
import { recordedPath } from '../../src/flow/presets/veripower/recorded-path.ts';
import { PROOF_STAGES } from '../../src/flow/presets/veripower/registry.ts';
import { answering } from '../../src/flow/presets/veripower/unanswerable.ts';
import { askWorkspace, baseWorkspace, PresetWorkspace } from './workspace.ts';

/** The digests of spec/06 §6.2; each file holds one digit and no line end. */

const EMPTY = 'merkle:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

describe('a folder', () => {
  test('without files, whatever else is in it', () => {
    const w = new PresetWorkspace();
    w.folder('empty');
    w.folder('nested/one');
    w.folder('nested/two/three');
    w.folder('fifo');
    execFileSync('mkfifo', [join(w.root, 'fifo/f')]);
    for (const name of ['empty', 'nested', 'fifo']) expect(w.fingerprint(name)).toBe(EMPTY);
  });

  test('with one file', () => {
    const w = new PresetWorkspace();
    w.write('d/a', '1');
    expect(w.fingerprint('d')).toBe(
      'merkle:a7a5150303e1a5d7a8b28cd038e2b25369861f1d792e6f0f5ec6d02528af4b3b',
    );
  });

  test('in the order of whole paths, hidden files included', () => {
    const w = new PresetWorkspace();
    for (const [path, digit] of Object.entries({ 'a/b': '1', 'a.b': '2', 'a-b': '3', A: '4' })) {
      w.write(`d/${path}`, digit);
    }
    w.write('d/.h', '5');
    expect(w.fingerprint('d')).toBe(
      'merkle:56ce17f212374578b1245aaa00acb90535a22885f269b3aec4fc2bf22403ff2d',
    );
  });

  test('in the order of code points, not of UTF-16 units', () => {
    const w = new PresetWorkspace();
    w.write('d/\u{1f600}', '1');
    w.write('d/\ue000', '2');
    expect(w.fingerprint('d')).toBe(
      'merkle:03ef509c59171a4b6f4e87509102d8d9830fccab5c16e8e3456ce55bbc62eaf5',
    );
  });

  test('with links, which are not followed', () => {
    const w = new PresetWorkspace();
    w.link('d/sub', '../m');
    w.link('d/g', 'gone');
    w.write('m/x', '1');
    expect(w.fingerprint('d')).toBe(
      'merkle:69fe829c2111c7c6499138659d009ab15d20f34b4cfdb6b46b7b7b7027928108',
    );
  });
});

describe('a link', () => {
  test.each([
    ['abc', 'sha256:ad2c570615beb5bfafaee04a89e71c51981781e487bec084ac0324ed7fad868d'],
    ['nope', 'sha256:989f62a27dfaee0562586a39149b67cd9538d43ae9dbefcde5c6cfe7b013945b'],
  ])('to %s counts by that text, wherever it leads', (target, expected) => {
    const w = new PresetWorkspace();
    w.write('abc', '1');
    w.link('l', target);
    expect(w.fingerprint('l')).toBe(expected);
  });

  test('above a path is followed', () => {
    const w = new PresetWorkspace();
    w.write('real/a', '1');
    w.link('alias', 'real');
    expect(w.fingerprint('alias/a')).toBe(w.fingerprint('real/a'));
  });
});

test('a file counts by its bytes', () => {
  const w = new PresetWorkspace();
  w.write('a', '1');
  w.write('large', Buffer.alloc(3 * 1024 * 1024 + 1, 'x'));
  expect(w.fingerprint('a')).toBe(
    'sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
  );
  const [expected] = execFileSync('sha256sum', [join(w.root, 'large')], { encoding: 'utf8' }).split(
    ' ',
  );
  expect(w.fingerprint('large')).toBe(`sha256:${expected}`);
});

describe('unknown is', () => {
  test.each([
    ['what is missing', 'missing'],
    ['a FIFO, without waiting for it', 'fifo'],
    ['a name that is too long', 'x'.repeat(300)],
    ['a path below a file', 'file/below'],
    ['a path through a loop of links', 'loop/below'],
  ])('%s', (_, path) => {
    const w = new PresetWorkspace();
    w.write('file', '1');
    w.link('loop', 'loop');
    execFileSync('mkfifo', [join(w.root, 'fifo')]);
    const { fingerprint, why } = fingerprintOf(join(w.root, path), path);
    expect(fingerprint).toBe('unknown');
    expect(why).toBeDefined();
    expect(new Disk(w.root).matches(path, 'unknown')).toBe(false);
  });

  test('a file or a folder that may not be read', () => {
    const w = new PresetWorkspace();
    w.write('d/closed/a', '1');
    w.write('closed', '1');
    const [closed, folder] = [join(w.root, 'closed'), join(w.root, 'd/closed')];
    for (const path of [closed, folder]) chmodSync(path, 0);
    withoutPrivileges(w, () => {
      expect(w.fingerprint('closed')).toBe('unknown');
      // The reference engine leaves the folder out, as if it were not there.
      expect(w.fingerprint('d')).toBe('unknown');
    });
    for (const path of [closed, folder]) chmodSync(path, 0o755);
  });
});

test('folders that may not be looked into are told: what is new in them is not known', () => {
  const b = baseWorkspace();
  const hints = join(b.root, 'Design/specification/check-hints');
  b.ask();
  // It may be entered, so that what was recorded in it still matches, and not be listed.
  chmodSync(hints, 0o711);
  withoutPrivileges(b, () => {
    const answers = askWorkspace(b.root);
    expect(answers).toMatchObject({ gate: null, proven: false });
    expect(answers).toMatchObject({
      stages: { 'simulation-plan': 'valid' },
      problems: expect.arrayContaining([
        'simulation-plan: Design/specification/check-hints may not be read by this user',
        'specification: Design/specification/check-hints may not be read by this user',
      ]),
    });
  });
  chmodSync(hints, 0o755);
});

/** Runs as a user whom permissions bind, if this one is the superuser. */
function withoutPrivileges(w: PresetWorkspace, body: () => void): void {
  if (process.geteuid?.() !== 0) {
    body();
    return;
  }
  for (const folder of [w.root, dirname(w.root)]) chmodSync(folder, 0o755);
  process.seteuid?.(65_534);
  try {
    body();
  } finally {
    process.seteuid?.(0);
  }
}

test.each([
  ['a file name', (root: Buffer) => writeFileSync(Buffer.concat([root, Buffer.from([0xff])]), '1')],
  [
    "a link's target",
    (root: Buffer) =>
      execFileSync('bash', ['-c', `ln -s "$(printf '\\xff')" l`], { cwd: root.toString() }),
  ],
])('%s in a folder that is not UTF-8 is a problem that says so', (_, make) => {
  const w = new PresetWorkspace();
  w.folder('d');
  make(Buffer.from(`${join(w.root, 'd')}/`));
  const found = answering(() => w.fingerprint('d'));
  expect(found).toMatchObject({ ok: false, error: { code: 'file/bad-name' } });
});

describe('an oracle', () => {
  const [specification] = PROOF_STAGES;
  if (!specification) throw new Error('the registry is empty');
  const fingerprint = (w: PresetWorkspace): string =>
    oracleFingerprint(new Disk(w.root), specification);
  const review = (name: string): string => `Design/specification/spec-review/${name}`;

  test('of one file is that file', () => {
    const w = new PresetWorkspace();
    w.write(review('a.md'), '1');
    expect(fingerprint(w)).toBe(
      'sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
    );
  });

  test('of two files', () => {
    const w = new PresetWorkspace();
    w.write(review('a.md'), '1');
    w.write(review('b.md'), '2');
    expect(fingerprint(w)).toBe(
      'merkle:5cbbeffbd3bf4ffce7d005d2671d196b5ece97725b56455e69858972191a68a4',
    );
  });

  test('of one empty folder', () => {
    const w = new PresetWorkspace();
    w.folder(review('a.md'));
    expect(fingerprint(w)).toBe(
      'merkle:017f1e85c25e47f7ad7bc9827204a04d633b8e8241079042827b14ec8cd07734',
    );
  });

  test('of nothing is unknown', () => {
    expect(fingerprint(new PresetWorkspace())).toBe('unknown');
  });

  test('that is a link to a file counts by where it leads: the gate says so', () => {
    const b = baseWorkspace();
    const path = 'Design/specification/spec-review/a.md';
    b.remove(path);
    b.write('review.md', 'reviewed\n');
    b.link(path, '../../../review.md');
    b.run('specification', 2, 'pass');
    b.append(b.pin('specification'));
    const answers = b.ask();
    expect(answers.gate).toBeNull();
    expect(answers.proven).toBe(false);
    expect(answers.problems).toContainEqual(expect.stringContaining(`'${path}' is a link`));
  });
});

test.each([
  ['Design//./x', 'Design/x'],
  ['./a/', 'a'],
])('the recorded path %s is %s', (text, path) => {
  expect(recordedPath(text)).toEqual({ ok: true, path });
});

test.each(['', '.', '/', '/etc/hostname', '..', 'a/../b', 'a\0b', '\ud800'])(
  'the recorded path %j is refused',
  (text) => expect(recordedPath(text).ok).toBe(false),
);

test('a cache of fingerprints beside the log is neither read nor written', () => {
  const b = baseWorkspace();
  const forged = b.fingerprint('Design/rtl-design/top.v');
  b.write('Design/rtl-design/top.v', 'module bad; endmodule\n');
  const cache = JSON.stringify({ 'Design/rtl-design/top.v': [22, 0, forged] });
  b.write('.fingerprint-cache.json', cache);
  expect(b.ask().stages['rtl-design']).toBe('stale');
  expect(b.read('.fingerprint-cache.json')).toBe(cache);
});

test('asking writes nothing', () => {
  const b = baseWorkspace();
  b.ask();
  const before = b.fingerprint('.');
  b.ask();
  expect(b.fingerprint('.')).toBe(before);
});

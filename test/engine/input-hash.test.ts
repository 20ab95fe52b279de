import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inputHash } from '../../src/engine/input-hash.ts';
import type { WithValue } from '../../src/flow/stage.ts';
import { relativeToRoot } from '../../src/values/relative.ts';
import {
  callEngine,
  descriptor,
  engineRoom,
  engineWork,
  prepareWork,
  writeEngine,
  writeProgram,
} from '../support/engine-room.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';

interface Checkout {
  readonly with?: Readonly<Record<string, WithValue>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly version?: string;
  readonly engineText?: string;
}

/**
 * Two checkouts of one commit lie in different folders, with the engine of the workspace in each:
 * the hash of what the function makes of the root of one.
 */
async function hashIn(make: (root: string) => Checkout = () => ({})): Promise<string> {
  const room = engineRoom({ 'rtl/a.v': 'module a; endmodule' });
  const made = make(room.root);
  const raw = descriptor({
    invocation: {
      args_template: ['check', '{job}'],
      optional: [{ arg: 'out', flag: '-o' }, { arg: 'lib' }],
    },
  });
  const version = made.version ?? 'probe 1.0.0';
  writeProgram(
    join(room.root, 'tools/probe'),
    `#!/bin/sh
# ${made.engineText ?? ''}
[ "$1" = --version ] && echo '${version}' || echo '${JSON.stringify(raw)}'
`,
  );
  const values = made.with ?? { job: 'a.job' };
  const prepared = await prepareWork(
    room,
    engineWork({ uses: './tools/probe', with: values }),
    made.env,
  );
  expect(prepared.problem).toBeUndefined();
  return prepared.inputHash;
}

describe.concurrent('the input_hash of two checkouts in different folders', () => {
  const same: [string, (root: string) => Checkout][] = [
    ['with the same call', () => ({})],
    ['with absolute paths of the workspace', (root) => ({ with: { job: `${root}/a.job` } })],
    ['with the workspace itself as an argument', (root) => ({ with: { job: root } })],
    ['with a path behind an equals sign', (root) => ({ with: { job: `--lib=${root}/lib/a.lib` } })],
    ['with a list of paths', (root) => ({ with: { job: `${root}/a:${root}/b,${root}/c` } })],
    ['with a quoted path', (root) => ({ with: { job: `-e 'read "${root}/a.v"'` } })],
    ['with an attached option', (root) => ({ with: { job: `-I${root}/rtl/inc` } })],
    ['with a plus argument', (root) => ({ with: { job: `+incdir+${root}/rtl+${root}/tb` } })],
    [
      'with a path in the environment',
      (root) => ({ env: { PDK_ROOT: `${root}/pdk`, HERE: root } }),
    ],
  ];

  test.each(same)('%s is the same', async (_, make) => {
    const [one, two] = await Promise.all([hashIn(make), hashIn(make)]);
    expect(one).toMatch(/^blake3:[0-9a-f]{64}$/);
    expect(two).toBe(one);
  });

  const base = (root: string): Checkout => ({
    with: { job: `${root}/a.job`, out: 'x' },
    env: { PDK: 'sky130' },
  });
  const different: [string, (root: string) => Checkout][] = [
    ['another argument', (root) => ({ ...base(root), with: { job: `${root}/b.job`, out: 'x' } })],
    [
      'one argument more',
      (root) => ({ ...base(root), with: { job: `${root}/a.job`, out: 'x', lib: 'l' } }),
    ],
    ['one argument less', (root) => ({ ...base(root), with: { job: `${root}/a.job` } })],
    ['another value of a variable', (root) => ({ ...base(root), env: { PDK: 'gf180' } })],
    ['another name of a variable', (root) => ({ ...base(root), env: { PDK_ROOT: 'sky130' } })],
    ['no variable', (root) => ({ ...base(root), env: {} })],
    ['another version', (root) => ({ ...base(root), version: 'probe 1.0.1' })],
    [
      'the same version with another build',
      (root) => ({ ...base(root), version: 'probe 1.0.0 (f)' }),
    ],
    ['other bytes of the engine', (root) => ({ ...base(root), engineText: 'changed' })],
  ];

  test.each(different)('differs with %s', async (_, make) => {
    const [one, two] = await Promise.all([hashIn(base), hashIn(make)]);
    expect(two).not.toBe(one);
  });
});

describe.concurrent('the input_hash of one workspace', () => {
  test('says nothing of what files hold: it names the call', async () => {
    const room = engineRoom({ 'a.job': 'one' });
    writeEngine(room, 'probe', { describe: descriptor(), stdout: '{"clean":true}' });
    const before = (await callEngine(room)).envelope.input_hash;
    writeFiles(room.root, { 'a.job': 'two' });
    expect((await callEngine(room)).envelope.input_hash).toBe(before);
  });

  test('is that of the program behind a link, whichever link leads to it', async () => {
    const room = engineRoom();
    writeEngine(room, 'probe', { describe: descriptor() });
    symlinkSync('probe', join(room.bin, 'vyges-other'));
    const [direct, linked] = await Promise.all([
      prepareWork(room, engineWork({ uses: 'probe' })),
      prepareWork(room, engineWork({ uses: 'other' })),
    ]);
    expect(linked.inputHash).toBe(direct.inputHash);
    expect(linked.executables['other']).toBe(direct.executables['probe']);
  });

  test('differs where the same bytes lie at another path', async () => {
    const room = engineRoom();
    const other = scratchFolder();
    mkdirSync(join(other, 'bin'));
    for (const bin of [room.bin, join(other, 'bin')]) {
      writeProgram(join(bin, 'probe'), `#!/bin/sh\necho '${JSON.stringify(descriptor())}'\n`);
    }
    const one = await prepareWork(room, engineWork());
    const two = await prepareWork({ ...room, searchPath: `${other}/bin:/bin` }, engineWork());
    expect(two.executables).toEqual(one.executables);
    expect(two.inputHash).not.toBe(one.inputHash);
  });

  test('is given even when there is no program', async () => {
    const prepared = await prepareWork(engineRoom(), engineWork({ uses: 'none' }));
    expect(prepared.inputHash).toMatch(/^blake3:[0-9a-f]{64}$/);
  });
});

describe('what is in the hash cannot be shifted from one part to another', () => {
  const identity = { program: '/bin/x', digest: null, versionLine: 'v', env: {}, args: [] };
  const hash = (changes: object): string => inputHash({ ...identity, ...changes }, '/ws');

  test.each<[string, object, object]>([
    ['two arguments, one with a blank', { args: ['a', 'b'] }, { args: ['a b'] }],
    ['an empty argument and none', { args: [''] }, { args: [] }],
    ['an argument and a variable', { args: ['A=1'] }, { env: { A: '1' } }],
    ['a variable and its neighbour', { env: { A: '1B' } }, { env: { A1: 'B' } }],
    ['no version and one called null', { versionLine: null }, { versionLine: 'null' }],
    ['the order of arguments', { args: ['a', 'b'] }, { args: ['b', 'a'] }],
  ])('%s', (_, one, two) => {
    expect(hash(one)).not.toBe(hash(two));
  });

  test('but the order in which variables are declared is none', () => {
    expect(hash({ env: { B: '2', A: '1' } })).toBe(hash({ env: { A: '1', B: '2' } }));
  });
});

describe('a text without the paths of the workspace', () => {
  test.each([
    ['/ws', '.'],
    ['/ws/', ''],
    ['/ws/rtl/a.v', 'rtl/a.v'],
    ['--top=/ws/a', '--top=a'],
    ['-I/ws/inc', '-Iinc'],
    ['+incdir+/ws/a+/ws/b', '+incdir+a+b'],
    ['/ws:/ws/lib', '.:lib'],
    ['file:///ws/a', 'file:///ws/a'],
    ['/wsx/a', '/wsx/a'],
    ['/ws.old/a', '/ws.old/a'],
    ['/data/ws/a', '/data/ws/a'],
    ['../ws/a', '../ws/a'],
    ['-x../ws/a', '-x../ws/a'],
    ['nothing', 'nothing'],
  ])('%s is %s', (text, portable) => {
    expect(relativeToRoot(text, '/ws')).toBe(portable);
  });

  test('takes the root as text, not as a pattern', () => {
    expect(relativeToRoot('/w(s)+.d/a', '/w(s)+.d')).toBe('a');
    expect(relativeToRoot('/wsss.d/a', '/w(s)+.d')).toBe('/wsss.d/a');
  });
});

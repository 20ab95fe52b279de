import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Output } from '../../src/flow/stage.ts';
import {
  bringOldOutputsBack,
  dropOldOutputs,
  hasOutputsAside,
  moveOutputsAside,
} from '../../src/gate/outputs.ts';
import { checkWorkspacePath } from '../../src/values/workspace-path.ts';
import { checkPass, prove, runPass, stageIn, statusesIn } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, SAYS_DIRTY, type TestWorkspace } from '../support/workspace.ts';

const FLOW = `stages:
  synth:
    uses: ./synth.sh
    inputs: [a.v]
    outputs: [build/net.v, build/reports/]
`;

const GOOD = `mkdir -p build/reports/deep
cp a.v build/net.v
cp a.v build/reports/one
cp a.v build/reports/deep/two
${SAYS_CLEAN}`;

async function proven(): Promise<TestWorkspace> {
  const workspace = makeWorkspace({
    flow: FLOW,
    files: { 'a.v': 'first\n' },
    engines: { 'synth.sh': { does: GOOD } },
  });
  await prove(workspace);
  return workspace;
}

/** Path to content and time of change, of everything below a folder. */
function picture(folder: string, below = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(folder, below), { withFileTypes: true }).map((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return picture(folder, path);
      const { mtimeMs, ino } = statSync(join(folder, path));
      return { [path]: `${ino} ${mtimeMs} ${readFileSync(join(folder, path), 'utf8')}` };
    }),
  );
}

describe.concurrent('a run that reaches no conclusion leaves the outputs as they were', () => {
  it.each([
    ['writes none of them', SAYS_CLEAN, 'build/net.v did not come back'],
    ['writes one of them', `cp a.v build/net.v; ${SAYS_CLEAN}`, 'build/reports/ did not come back'],
    [
      'writes an empty folder',
      `cp a.v build/net.v; mkdir build/reports; ${SAYS_CLEAN}`,
      'build/reports/ did not come back',
    ],
    [
      'writes a folder of empty folders',
      `cp a.v build/net.v; mkdir -p build/reports/deep; ${SAYS_CLEAN}`,
      'build/reports/ did not come back',
    ],
    [
      'writes a link in the place of a file',
      `ln -s ../a.v build/net.v; mkdir build/reports; cp a.v build/reports/one; ${SAYS_CLEAN}`,
      'build/net.v did not come back',
    ],
    [
      'writes a link in the place of a folder',
      `cp a.v build/net.v; mkdir build/other; cp a.v build/other/one; ln -s other build/reports; ${SAYS_CLEAN}`,
      'build/reports/ did not come back',
    ],
    [
      'writes a link in the folder',
      `cp a.v build/net.v; mkdir build/reports; ln -s ../../a.v build/reports/one; ${SAYS_CLEAN}`,
      'build/reports/ did not come back',
    ],
    [
      'writes a folder in the place of a file',
      `mkdir -p build/net.v build/reports; cp a.v build/reports/one; cp a.v build/net.v/x; ${SAYS_CLEAN}`,
      'build/net.v did not come back',
    ],
    [
      'writes a FIFO in the place of a file',
      `mkfifo build/net.v; mkdir build/reports; cp a.v build/reports/one; ${SAYS_CLEAN}`,
      'build/net.v did not come back',
    ],
    [
      'writes all and then fails to say so',
      `${GOOD.replace(SAYS_CLEAN, '')}echo done`,
      'output_unparsable',
    ],
    ['writes half and dies', 'head -c 3 a.v > build/net.v; kill -9 $$', 'engine_signal'],
    [
      'writes half and exits with an error',
      'head -c 3 a.v > build/net.v; exit 1',
      'exited with code 1',
    ],
    ['says nothing of its verdict', GOOD.replace('clean', 'tidy'), "'clean' is absent"],
  ])('when the engine %s', async (_, does, why) => {
    const workspace = await proven();
    const before = picture(workspace.at('build'));
    workspace.write('a.v', 'second\n');
    workspace.engine('synth.sh', { does });
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'synth')).toMatchObject({ status: 'blocked', verdict: 'unknown', run: 2 });
    expect(stageIn(pass, 'synth').reason).toContain(why);
    expect(pass.answer.verdict).toBe('not-proven');
    for (const [path, seen] of Object.entries(before)) {
      expect(picture(workspace.at('build'))[path]).toBe(seen);
    }
    expect(workspace.outcome('synth')).toMatchObject({
      verdict: 'blocked',
      outputs: {},
      proofs: [],
    });
    expect(checkPass(workspace).answer.verdict).toBe('not-proven');
  });

  it('and what it wrote instead is kept with the run', async () => {
    const workspace = await proven();
    workspace.write('a.v', 'second\n');
    workspace.engine('synth.sh', { does: `echo half > build/net.v; exit 1` });
    await runPass(workspace);
    expect(workspace.read('build/net.v')).toBe('first\n');
    expect(workspace.read('.signoff/runs/synth/2/left/build/net.v')).toBe('half\n');
    expect(workspace.has('.signoff/runs/synth/2/aside')).toBe(false);
  });

  it('where there were none, none are left', async () => {
    const workspace = makeWorkspace({
      flow: FLOW,
      files: { 'a.v': 'first\n' },
      engines: { 'synth.sh': { does: 'echo half > build/net.v; exit 1' } },
    });
    await runPass(workspace);
    expect(workspace.has('build/net.v')).toBe(false);
  });

  it('and when all is well again, the next run is proven', async () => {
    const workspace = await proven();
    workspace.write('a.v', 'second\n');
    workspace.engine('synth.sh', { does: SAYS_CLEAN });
    expect(statusesIn(await runPass(workspace))).toEqual({ synth: 'blocked' });
    workspace.engine('synth.sh', { does: GOOD });
    await prove(workspace);
    expect(workspace.read('build/net.v')).toBe('second\n');
  });
});

describe.concurrent('outputs that lay there before', () => {
  it('are not taken for those of a run that did not write them', async () => {
    const workspace = makeWorkspace({
      flow: FLOW,
      files: { 'a.v': 'first\n', 'build/net.v': 'old\n', 'build/reports/one': 'old\n' },
      engines: { 'synth.sh': { does: SAYS_CLEAN } },
    });
    expect(statusesIn(await runPass(workspace))).toEqual({ synth: 'blocked' });
    expect(workspace.read('build/net.v')).toBe('old\n');
  });

  it('cannot be read by the run that replaces them', async () => {
    const workspace = await proven();
    workspace.write('a.v', 'second\n');
    workspace.engine('synth.sh', { does: `cat build/net.v >&2 && exit 9; ${GOOD}` });
    await prove(workspace);
  });

  it('make room for new ones when a run fails', async () => {
    const workspace = await proven();
    workspace.write('a.v', 'second\n');
    workspace.engine('synth.sh', { does: GOOD.replace(SAYS_CLEAN, SAYS_DIRTY) });
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toEqual({ synth: 'failed' });
    expect(workspace.read('build/net.v')).toBe('second\n');
    expect(Object.keys(workspace.outcome('synth').outputs ?? {})).toEqual([
      'build/net.v',
      'build/reports/',
    ]);
  });
});

describe.concurrent('a link on the way to an output', () => {
  it('that leads outside the workspace is not followed: nothing there is touched', async () => {
    const workspace = makeWorkspace({
      flow: FLOW,
      files: { 'a.v': 'first\n' },
      engines: { 'synth.sh': { does: GOOD } },
    });
    mkdirSync(join(workspace.outside, 'reports'));
    workspace.write('../outside/net.v', 'precious\n');
    symlinkSync(workspace.outside, workspace.at('build'));
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toEqual({ synth: 'blocked' });
    expect(stageIn(pass, 'synth').reason).toContain('leads outside the workspace');
    expect(workspace.startsOf('synth.sh')).toBe(0);
    expect(workspace.read('../outside/net.v')).toBe('precious\n');
  });
});

describe.concurrent('what an engine writes beside its outputs', () => {
  const two = `stages:
  first: { uses: ./first.sh, inputs: [a.v], outputs: [first.txt] }
  second: { uses: ./second.sh, inputs: [a.v], after: [first] }
`;

  it('ends the claim of whoever owns it', async () => {
    const workspace = makeWorkspace({
      flow: two,
      files: { 'a.v': 'a\n' },
      engines: {
        'first.sh': { does: `echo mine > first.txt; ${SAYS_CLEAN}` },
        'second.sh': { does: `echo other > first.txt; ${SAYS_CLEAN}` },
      },
    });
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toEqual({ first: 'stale', second: 'valid' });
    expect(pass.answer.verdict).toBe('not-proven');
  });

  it('into its own inputs gives it no conclusion', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: ["*.v"] }\n',
      files: { 'a.v': 'a\n' },
      engines: { 'lint.sh': { does: `echo more > b.v; ${SAYS_CLEAN}` } },
    });
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'lint')).toMatchObject({ status: 'blocked' });
    expect(stageIn(pass, 'lint').reason).toContain('b.v changed while lint ran');
  });
});

describe('moving outputs aside and back', () => {
  const outputs: readonly Output[] = ['build/net.v', 'build/reports', 'log.txt'].map((path) => {
    const checked = checkWorkspacePath(path);
    if (!checked.ok) throw new Error(checked.why);
    return { path: checked.path, isFolder: path === 'build/reports' };
  });

  interface Old {
    readonly root: string;
    readonly folder: string;
    /** Path to content: what must not be lost. */
    readonly before: Readonly<Record<string, string>>;
  }

  function withOld(): Old {
    const before = {
      'build/net.v': 'old net',
      'build/reports/one': 'old one',
      'log.txt': 'old log',
    };
    const workspace = makeWorkspace({ files: before });
    const folder = workspace.at('.signoff/runs/synth/2');
    mkdirSync(folder, { recursive: true });
    return { root: workspace.root, folder, before };
  }

  function writeNew(root: string): void {
    mkdirSync(join(root, 'build/reports'), { recursive: true });
    writeFileSync(join(root, 'build/net.v'), 'new net');
    writeFileSync(join(root, 'build/reports/two'), 'new two');
  }

  function expectBack({ root, before }: Old): void {
    const found = Object.keys(picture(root)).filter((path) => !path.startsWith('.signoff/'));
    expect(found.sort()).toEqual(Object.keys(before));
    for (const [path, content] of Object.entries(before)) {
      expect(readFileSync(join(root, path), 'utf8')).toBe(content);
    }
  }

  test('the old ones are away while the run writes, and back after it', () => {
    const old = withOld();
    expect(moveOutputsAside(old.root, outputs, old.folder).ok).toBe(true);
    expect(readdirSync(old.root).sort()).toEqual(['.signoff', 'build']);
    expect(readdirSync(join(old.root, 'build'))).toEqual([]);
    expect(hasOutputsAside(old.folder)).toBe(true);
    writeNew(old.root);
    expect(bringOldOutputsBack(old.root, outputs, old.folder).ok).toBe(true);
    expectBack(old);
    expect(hasOutputsAside(old.folder)).toBe(false);
  });

  test('twice is as good as once', () => {
    const old = withOld();
    moveOutputsAside(old.root, outputs, old.folder);
    bringOldOutputsBack(old.root, outputs, old.folder);
    expect(bringOldOutputsBack(old.root, outputs, old.folder).ok).toBe(true);
    expectBack(old);
  });

  test('what the flow no longer names is kept, not deleted', () => {
    const old = withOld();
    moveOutputsAside(old.root, outputs, old.folder);
    bringOldOutputsBack(old.root, outputs.slice(1), old.folder);
    const kept = Object.entries(picture(old.folder)).find(([, seen]) => seen.endsWith('old net'));
    expect(kept?.[0]).toMatch(/build\/net\.v$/);
  });

  test('dropping the old ones leaves the new ones', () => {
    const old = withOld();
    moveOutputsAside(old.root, outputs, old.folder);
    writeNew(old.root);
    expect(dropOldOutputs(old.folder).ok).toBe(true);
    expect(readFileSync(join(old.root, 'build/net.v'), 'utf8')).toBe('new net');
    expect(hasOutputsAside(old.folder)).toBe(false);
  });

  /** Does one of the two, and kills itself at its n-th step on the disk. */
  const MOVER = `
import fs from 'node:fs';
import * as outputs from ${JSON.stringify(resolve('src/gate/outputs.ts'))};
const { action, root, list, folder, steps } = JSON.parse(process.argv[2]);
let left = steps;
for (const name of ['renameSync', 'mkdirSync', 'rmSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return real(...args);
  };
}
process.exitCode = outputs[action](root, list, folder).ok ? 0 : 1;
`;

  let mover = '';
  beforeAll(() => {
    const built = buildSync({
      stdin: { contents: MOVER, loader: 'ts', resolveDir: resolve('.') },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
      logLevel: 'error',
    });
    mover = built.outputFiles[0]?.text ?? '';
  });

  /** @returns whether it was killed before its end */
  function moveAndDie(action: string, { root, folder }: Old, steps: number): boolean {
    const job = JSON.stringify({ action, root, list: outputs, folder, steps });
    const { status, signal } = spawnSync(process.execPath, ['-', job], { input: mover });
    if (signal === null) expect(status).toBe(0);
    return signal === 'SIGKILL';
  }

  test.each(['moveOutputsAside', 'bringOldOutputsBack'])(
    'a kill at any step of %s loses nothing',
    (action) => {
      let wasKilled = true;
      for (let steps = 0; wasKilled; steps++) {
        const old = withOld();
        if (action === 'bringOldOutputsBack') {
          moveOutputsAside(old.root, outputs, old.folder);
          writeNew(old.root);
        }
        wasKilled = moveAndDie(action, old, steps);
        if (steps === 0) expect(wasKilled).toBe(true);
        expect(bringOldOutputsBack(old.root, outputs, old.folder).ok).toBe(true);
        expectBack(old);
      }
    },
  );
});

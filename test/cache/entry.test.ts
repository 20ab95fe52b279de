import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEntry, type EntrySource, packEntry } from '../../src/cache/entry.ts';
import { digestBytes } from '../../src/fingerprint/blake3.ts';
import { createFingerprintStore } from '../../src/fingerprint/store.ts';
import { readOutputs } from '../../src/proof/current.ts';
import { isFingerprint } from '../../src/values/brands.ts';
import { outputAt } from '../support/engine-room.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';

const runKey = `blake3:${'7'.repeat(64)}`;
if (!isFingerprint(runKey)) throw new Error(runKey);
const OUTPUTS = [outputAt('build/netlist.v'), outputAt('build/reports/')];
const SUBJECT = { runKey, stage: 'synth', outputs: OUTPUTS } as const;

/** A workspace after a run of a stage with a file and a folder as outputs. */
function afterRun(): EntrySource {
  const root = scratchFolder();
  writeFiles(root, {
    'build/netlist.v': 'module netlist; endmodule\n',
    'build/reports/area.txt': 'area 42\n',
    'build/reports/deep/timing.txt': 'slack 0.1\n',
    'build/unrelated.txt': 'nobody asked\n',
    'run/envelope.json': '{"schema": "loom-result/1.1"}\n',
    'run/stdout': 'words of the engine\n',
    'run/marker': 'not a part of the result',
  });
  return {
    ...SUBJECT,
    root,
    recorded: readOutputs(OUTPUTS, createFingerprintStore(root)).fingerprints,
    runFolder: join(root, 'run'),
  };
}

function packed(source = afterRun()): string {
  const folder = scratchFolder();
  expect(packEntry(source, folder)).toEqual({ ok: true, value: undefined });
  return folder;
}

function refusal(folder: string, subject: Parameters<typeof checkEntry>[1] = SUBJECT): string {
  const checked = checkEntry(folder, subject);
  return checked.ok ? 'accepted' : checked.error;
}

interface Manifest {
  format: string;
  run_key: string;
  stage: string;
  outputs: Record<string, string>;
  members: Record<string, string>;
  [more: string]: unknown;
}

function editManifest(folder: string, edit: (manifest: Manifest) => void): void {
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  edit(manifest);
  writeFileSync(path, JSON.stringify(manifest));
}

/** Adds a file with its right digest. */
function addMember(folder: string, path: string, content: string): void {
  writeFiles(folder, { [path]: content });
  editManifest(folder, ({ members }) => {
    members[path] = digestBytes(Buffer.from(content));
  });
}

describe('an entry', () => {
  it('holds the outputs, the envelope and the logs of a run, and nothing else', () => {
    const folder = packed();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    expect(files.sort()).toEqual([
      'envelope.json',
      'manifest.json',
      'outputs/build/netlist.v',
      'outputs/build/reports/area.txt',
      'outputs/build/reports/deep/timing.txt',
      'stdout',
    ]);
  });

  it('is accepted as it was packed, wherever it lies', () => {
    const copy = join(scratchFolder(), 'elsewhere');
    cpSync(packed(), copy, { recursive: true });
    const checked = checkEntry(copy, SUBJECT);
    if (!checked.ok) throw new Error(checked.error);
    expect(readFileSync(checked.value.envelope, 'utf8')).toContain('loom-result');
    expect(checked.value.outputPath(OUTPUTS[0] ?? outputAt('x'))).toBe(
      join(copy, 'outputs/build/netlist.v'),
    );
  });

  it('without outputs is accepted too', () => {
    const folder = packed({ ...afterRun(), outputs: [], recorded: {} });
    expect(refusal(folder, { ...SUBJECT, outputs: [] })).toBe('accepted');
  });

  it('does not change with the files that it was made from', () => {
    const source = afterRun();
    const folder = packed(source);
    appendFileSync(join(source.root, 'build/netlist.v'), 'changed');
    appendFileSync(join(source.runFolder, 'envelope.json'), 'changed');
    expect(refusal(folder)).toBe('accepted');
  });
});

describe('a result is not packed', () => {
  it.each<[string, (root: string) => void, RegExp]>([
    [
      'whose output is not what was recorded',
      (root) => appendFileSync(join(root, 'build/netlist.v'), ' '),
      /build\/netlist\.v is not what was recorded/,
    ],
    [
      'whose folder gained a file',
      (root) => writeFiles(root, { 'build/reports/new.txt': '' }),
      /build\/reports\/ is not what was recorded/,
    ],
    ['whose output is gone', (root) => rmSync(join(root, 'build/netlist.v')), /ENOENT/],
    [
      'whose output is a link',
      (root) => {
        renameSync(join(root, 'build/netlist.v'), join(root, 'real.v'));
        symlinkSync('../real.v', join(root, 'build/netlist.v'));
      },
      /no plain file/,
    ],
    [
      'whose folder holds a link',
      (root) => symlinkSync('area.txt', join(root, 'build/reports/link')),
      /no plain file/,
    ],
    [
      'whose folder holds a FIFO',
      (root) => spawnSync('mkfifo', [join(root, 'build/reports/pipe')]),
      /no plain file/,
    ],
  ])('%s', (_, change, why) => {
    const source = afterRun();
    change(source.root);
    const result = packEntry(source, scratchFolder());
    expect(result).toEqual({ ok: false, error: expect.stringMatching(why) });
  });
});

describe('an entry is refused', () => {
  it('when any single byte of it was changed', () => {
    const whole = packed();
    const files = readdirSync(whole, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path, bytes: readFileSync(path) }));
    const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    fc.assert(
      fc.property(fc.nat(total - 1), fc.integer({ min: 1, max: 255 }), (position, mask) => {
        let offset = position;
        const file = files.find(({ bytes }) => {
          if (offset < bytes.length) return true;
          offset -= bytes.length;
          return false;
        });
        if (!file) throw new Error(`no byte ${position}`);
        const changed = Buffer.from(file.bytes);
        changed[offset] = (changed[offset] ?? 0) ^ mask;
        writeFileSync(file.path, changed);
        try {
          expect(checkEntry(whole, SUBJECT).ok, `${file.path} at ${offset}`).toBe(false);
        } finally {
          writeFileSync(file.path, file.bytes);
        }
      }),
      { numRuns: 500 },
    );
    expect(refusal(whole)).toBe('accepted');
  });

  it('when any file of it was cut short or made longer', () => {
    const whole = packed();
    for (const path of readdirSync(whole, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))) {
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.subarray(0, bytes.length - 1));
      expect(refusal(whole), `${path} cut short`).not.toBe('accepted');
      writeFileSync(path, Buffer.concat([bytes, Buffer.from('}')]));
      expect(refusal(whole), `${path} made longer`).not.toBe('accepted');
      writeFileSync(path, bytes);
    }
  });

  it.each<[string, (folder: string) => void, RegExp]>([
    ['has no manifest', (folder) => rmSync(join(folder, 'manifest.json')), /has no manifest/],
    [
      'has a folder for a manifest',
      (folder) => {
        rmSync(join(folder, 'manifest.json'));
        mkdirSync(join(folder, 'manifest.json'));
      },
      /manifest cannot be used/,
    ],
    [
      'has a link for a manifest',
      (folder) => {
        renameSync(join(folder, 'manifest.json'), join(folder, 'stderr'));
        symlinkSync('stderr', join(folder, 'manifest.json'));
      },
      /manifest cannot be used/,
    ],
    [
      'has a manifest with a key that stands twice',
      (folder) => {
        const path = join(folder, 'manifest.json');
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace('{', `{"stage": "other",`));
      },
      /manifest is damaged/,
    ],
    [
      'has a manifest with a field that nobody knows',
      (folder) =>
        editManifest(folder, (manifest) => {
          manifest['verdict'] = 'pass';
        }),
      /known shape/,
    ],
    [
      'is of another format',
      (folder) =>
        editManifest(folder, (manifest) => {
          manifest.format = 'signoff-gate-entry/2';
        }),
      /known shape/,
    ],
    [
      'is of another run key',
      (folder) =>
        editManifest(folder, (manifest) => {
          manifest.run_key = `blake3:${'8'.repeat(64)}`;
        }),
      /of another run/,
    ],
    [
      'is of another stage',
      (folder) =>
        editManifest(folder, (manifest) => {
          manifest.stage = 'lint';
        }),
      /of another run/,
    ],
    [
      'lacks its envelope',
      (folder) => {
        rmSync(join(folder, 'envelope.json'));
        editManifest(folder, ({ members }) => delete members['envelope.json']);
      },
      /holds no envelope/,
    ],
    ['lacks a member', (folder) => rmSync(join(folder, 'stdout')), /stdout is missing/],
    [
      'holds a file that its manifest does not list',
      (folder) => writeFiles(folder, { 'outputs/build/reports/more.txt': '' }),
      /more\.txt is not in its manifest/,
    ],
    [
      'lists a file outside',
      (folder) =>
        editManifest(folder, ({ members }) => {
          members['../outside'] = runKey;
        }),
      /lies outside/,
    ],
    [
      'lists an absolute path',
      (folder) =>
        editManifest(folder, ({ members }) => {
          members['/etc/passwd'] = runKey;
        }),
      /lies outside/,
    ],
    [
      'lists a path with a segment that is none',
      (folder) =>
        editManifest(folder, ({ members }) => {
          members['outputs/./build/netlist.v'] = members['outputs/build/netlist.v'] ?? '';
        }),
      /lies outside/,
    ],
    [
      'holds an output that the flow does not declare',
      (folder) => addMember(folder, 'outputs/rtl/a.v', 'module a; endmodule\n'),
      /rtl\/a\.v is no part of the result/,
    ],
    [
      'holds a file beside the output folder',
      (folder) => addMember(folder, 'marker', 'x'),
      /marker is no part of the result/,
    ],
    [
      'holds another output under a right digest',
      (folder) => addMember(folder, 'outputs/build/netlist.v', 'module other; endmodule\n'),
      /build\/netlist\.v is not what was recorded/,
    ],
    [
      'holds one more file in an output folder, under a right digest',
      (folder) => addMember(folder, 'outputs/build/reports/more.txt', 'x'),
      /build\/reports\/ is not what was recorded/,
    ],
    [
      'records one output less',
      (folder) => editManifest(folder, ({ outputs }) => delete outputs['build/netlist.v']),
      /build\/netlist\.v is not what was recorded/,
    ],
    [
      'records one output more',
      (folder) =>
        editManifest(folder, ({ outputs }) => {
          outputs['build/more.v'] = runKey;
        }),
      /build\/more\.v is not what was recorded/,
    ],
    [
      'records a word for a digest',
      (folder) =>
        editManifest(folder, ({ outputs }) => {
          outputs['build/netlist.v'] = 'unknown';
        }),
      /build\/netlist\.v is not what was recorded/,
    ],
    [
      'holds a link',
      (folder) => symlinkSync('stdout', join(folder, 'stderr')),
      /stderr is no plain file/,
    ],
    [
      'holds a link to a folder',
      (folder) => {
        renameSync(join(folder, 'outputs'), join(folder, 'real'));
        symlinkSync('real', join(folder, 'outputs'));
      },
      /outputs is no plain file/,
    ],
    [
      'holds a second name of a file',
      (folder) => linkSync(join(folder, 'stdout'), join(folder, 'stderr')),
      /is no plain file/,
    ],
    [
      'holds a FIFO',
      (folder) => spawnSync('mkfifo', [join(folder, 'stderr')]),
      /stderr is no plain file/,
    ],
    [
      'holds a folder in the place of a file',
      (folder) => {
        rmSync(join(folder, 'stdout'));
        mkdirSync(join(folder, 'stdout'));
      },
      /stdout is missing/,
    ],
    [
      'lists a member called __proto__',
      (folder) => {
        const path = join(folder, 'manifest.json');
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace('"members":{', `"members":{"__proto__":"${runKey}",`));
      },
      /__proto__ is missing/,
    ],
  ])('that %s', (_, tamper, why) => {
    const folder = packed();
    tamper(folder);
    expect(refusal(folder)).toMatch(why);
  });

  it('that another stage, run key or set of outputs is asked of', () => {
    const folder = packed();
    expect(refusal(folder, { ...SUBJECT, stage: 'lint' })).toMatch(/of another run/);
    const other = `blake3:${'8'.repeat(64)}`;
    if (!isFingerprint(other)) throw new Error(other);
    expect(refusal(folder, { ...SUBJECT, runKey: other })).toMatch(/of another run/);
    expect(refusal(folder, { ...SUBJECT, outputs: OUTPUTS.slice(0, 1) })).toMatch(/no part/);
    const more = [...OUTPUTS, outputAt('build/more.v')];
    expect(refusal(folder, { ...SUBJECT, outputs: more })).toMatch(/more\.v is not what/);
    // A folder is not taken for a file of its name.
    const asFile = [OUTPUTS[0] ?? outputAt('x'), outputAt('build/reports')];
    expect(refusal(folder, { ...SUBJECT, outputs: asFile })).not.toBe('accepted');
  });

  it('that is a link to an entry', () => {
    const link = join(scratchFolder(), 'entry');
    symlinkSync(packed(), link);
    expect(refusal(link)).toMatch(/no folder/);
  });

  it('that is not there, or is a file', () => {
    const folder = scratchFolder();
    expect(refusal(join(folder, 'nothing'))).toMatch(/ENOENT/);
    writeFiles(folder, { file: '' });
    expect(refusal(join(folder, 'file'))).toMatch(/no folder/);
  });
});

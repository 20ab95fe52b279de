import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fingerprintFile } from '../../src/fingerprint/file.ts';
import { createFingerprintStore } from '../../src/fingerprint/store.ts';
import type { LoomResult } from '../../src/generated/documents.ts';
import { readOutputs } from '../../src/proof/current.ts';
import {
  type CachedPass,
  cachedDesign,
  engine,
  freshCopy,
  passWithCache,
  startsIn,
} from '../support/cached-design.ts';
import { outputAt } from '../support/engine-room.ts';
import { checkPass, deedsIn } from '../support/gate.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';
import { SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

/**
 * Entries that somebody made who can write to a cache: each digest is right, the manifest fits, the
 * key is the one that is asked for. What is not the result of the run is found all the same, or
 * rests on nothing but the payload, from which the verdict is derived anew.
 */

vi.setConfig({ testTimeout: 120_000 });

interface Warm {
  readonly design: TestWorkspace;
  readonly choice: { readonly kind: 'directory'; readonly directory: string };
  /** Absolute path of the entry of `first`. */
  readonly entry: string;
}

async function warm(flow?: string, change?: (design: TestWorkspace) => void): Promise<Warm> {
  const directory = join(scratchFolder(), 'cache');
  const choice = { kind: 'directory', directory } as const;
  const design = cachedDesign(flow);
  change?.(design);
  const pass = await passWithCache(design, choice);
  expect(pass.answer.verdict).toBe('proven');
  const name = readdirSync(directory).find((key) => key.includes('-first-'));
  if (name === undefined) throw new Error('nothing was saved');
  return { design, choice, entry: join(directory, name) };
}

function filesOf(entry: string): string[] {
  return readdirSync(entry, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile() && found.name !== 'manifest.json')
    .map((found) => join(found.parentPath, found.name).slice(entry.length + 1));
}

/** Writes a manifest that fits whatever lies in the entry now. */
function reseal(entry: string): void {
  const path = join(entry, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const outputs = [outputAt('build/a.txt'), outputAt('build/more/')];
  manifest['members'] = Object.fromEntries(
    filesOf(entry).map((file) => {
      const digest = fingerprintFile(join(entry, file));
      if (!digest.ok) throw new Error(digest.error.message);
      return [file, digest.value];
    }),
  );
  const store = createFingerprintStore(join(entry, 'outputs'));
  manifest['outputs'] = { ...readOutputs(outputs, store).fingerprints };
  writeFileSync(path, JSON.stringify(manifest));
}

type Change<T> = { -readonly [K in keyof T]: T[K] };

function editEnvelope(entry: string, edit: (envelope: Change<LoomResult>) => void): void {
  const path = join(entry, 'envelope.json');
  const envelope = JSON.parse(readFileSync(path, 'utf8')) as Change<LoomResult>;
  edit(envelope);
  writeFileSync(path, JSON.stringify(envelope));
  reseal(entry);
}

/** The entry of `first` is refused for this reason, and the design is proven by running it. */
function expectRefused(pass: CachedPass, copy: TestWorkspace, why: RegExp): void {
  expect(pass.notices).toEqual([expect.stringMatching(why)]);
  expect(deedsIn(pass)).toEqual({ first: 'ran', second: 'restored' });
  expect(startsIn(copy)).toEqual(['first']);
  expect(pass.answer.verdict).toBe('proven');
  expect(copy.read('build/a.txt')).toBe(copy.read('a.v'));
  expect(checkPass(copy).answer.verdict).toBe('proven');
  // What was refused left no trace in the log.
  expect(copy.log().filter(({ rule }) => rule === 'first')).toMatchObject([
    { type: 'dispatch', run: 1 },
    { type: 'outcome', run: 1, verdict: 'pass' },
  ]);
}

it('an entry that is sealed anew without a change is restored: the seal is not what refuses', async () => {
  const { design, choice, entry } = await warm();
  reseal(entry);
  const pass = await passWithCache(freshCopy(design), choice);
  expect(deedsIn(pass)).toEqual({ first: 'restored', second: 'restored' });
});

describe.concurrent('an entry that says pass', () => {
  it.each<[string, (envelope: Change<LoomResult>) => void, RegExp]>([
    [
      'over a payload that says fail',
      (envelope) => {
        envelope.result = { clean: false, checked: 3 };
      },
      /its verdict is fail$/,
    ],
    [
      'over a payload that says nothing',
      (envelope) => {
        envelope.result = { checked: 3 };
      },
      /its verdict is unknown$/,
    ],
    [
      'over a payload that says it in another type',
      (envelope) => {
        envelope.result = { clean: 'true', checked: 3 };
      },
      /its verdict is unknown$/,
    ],
    [
      'over no payload at all',
      (envelope) => {
        envelope.result = null;
      },
      /its verdict is unknown$/,
    ],
    [
      'while the run itself concluded otherwise',
      (envelope) => {
        envelope.engineering = { ...envelope.engineering, status: 'fail' };
      },
      /its verdict is unknown$/,
    ],
    [
      'by a laxer descriptor',
      (envelope) => {
        const { descriptor } = envelope.provenance;
        envelope.provenance = {
          ...envelope.provenance,
          descriptor: {
            ...descriptor,
            assertion: { id: 'clean', field: 'checked', pass_when: { equals: 3 } },
          },
        };
        envelope.result = { clean: false, checked: 3 };
      },
      /went by another descriptor$/,
    ],
    [
      'without the descriptor that it went by',
      (envelope) => {
        envelope.provenance = { ...envelope.provenance, descriptor: null };
      },
      /went by another descriptor$/,
    ],
    [
      'of another invocation',
      (envelope) => {
        Object.assign(envelope, { input_hash: `sha256:${'0'.repeat(64)}` });
      },
      /of another invocation$/,
    ],
    [
      'of a format before verdicts',
      (envelope) => {
        Object.assign(envelope, { schema: 'loom-result/1.0' });
      },
      /carries no verdict$/,
    ],
    [
      'of a format to come',
      (envelope) => {
        Object.assign(envelope, { schema: 'loom-result/2.0' });
      },
      /format loom-result\/2\.0 is not known/,
    ],
    [
      'of an execution that failed',
      (envelope) => {
        Object.assign(envelope, { status: 'error' });
      },
      /cannot be used|its verdict is unknown$/,
    ],
  ])('%s is refused', async (_, edit, why) => {
    const { design, choice, entry } = await warm();
    editEnvelope(entry, edit);
    const copy = freshCopy(design);
    expectRefused(await passWithCache(copy, choice), copy, why);
  });

  it.each<[string, (entry: string) => void, RegExp]>([
    [
      'in an envelope that can be read in two ways',
      (entry) => {
        const path = join(entry, 'envelope.json');
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace(/^\{/, '{"result": {"clean": true},'));
      },
      /\bduplicate|\btwice/i,
    ],
    [
      'in an envelope that is no JSON',
      (entry) => writeFileSync(join(entry, 'envelope.json'), 'pass'),
      /not one JSON value/,
    ],
    [
      'in an envelope that is empty',
      (entry) => writeFileSync(join(entry, 'envelope.json'), ''),
      /not one JSON value/,
    ],
    [
      'beside an output that nobody declared',
      (entry) => writeFiles(entry, { 'outputs/build/extra.txt': 'x' }),
      /extra\.txt is no part of the result/,
    ],
    [
      'beside a source of the design',
      (entry) => writeFiles(entry, { 'outputs/a.v': 'module evil; endmodule\n' }),
      /a\.v is no part of the result/,
    ],
    [
      'beside a log of its own',
      (entry) => writeFiles(entry, { 'outputs/events.jsonl': '' }),
      /events\.jsonl is no part of the result/,
    ],
  ])('%s is refused', async (_, tamper, why) => {
    const { design, choice, entry } = await warm();
    tamper(entry);
    reseal(entry);
    const copy = freshCopy(design);
    expectRefused(await passWithCache(copy, choice), copy, why);
  });

  it('for a stage that makes no claim is refused; one that says what it is is restored', async () => {
    const noClaim = { assertion: { not_applicable: true } };
    const flow = `name: two
stages:
  first: { uses: ./first.sh, inputs: [a.v], outputs: [build/a.txt, build/more/], claims: none }
  second: { uses: ./second.sh, inputs: [b.v, build/a.txt], outputs: [build/b.txt] }
`;
    const does = 'mkdir -p build/more; cp a.v build/a.txt; echo 1 > build/more/1; echo "{}"';
    const { design, choice, entry } = await warm(flow, (workspace) =>
      workspace.write('first.sh', engine(does, 'first', noClaim)),
    );
    const honest = await passWithCache(freshCopy(design), choice);
    expect(deedsIn(honest)).toEqual({ first: 'restored', second: 'restored' });
    editEnvelope(entry, (envelope) => {
      envelope.engineering = { ...envelope.engineering, status: 'pass' };
    });
    const copy = freshCopy(design);
    expectRefused(await passWithCache(copy, choice), copy, /its verdict is unknown$/);
  });
});

describe.concurrent('an entry with right digests', () => {
  it('under the key of another result is refused', async () => {
    const { design, choice, entry } = await warm();
    const second = readdirSync(choice.directory).find((key) => key.includes('-second-'));
    for (const file of filesOf(entry).concat('manifest.json')) writeFileSync(join(entry, file), '');
    const from = join(choice.directory, second ?? '');
    for (const file of filesOf(from).concat('manifest.json')) {
      writeFiles(entry, { [file]: readFileSync(join(from, file)) });
    }
    const copy = freshCopy(design);
    expectRefused(await passWithCache(copy, choice), copy, /its manifest is that of another run$/);
  });

  it('of the same stage on other sources is refused', async () => {
    const { design, choice, entry } = await warm();
    const edited = freshCopy(design);
    edited.write('a.v', 'module edited; endmodule\n');
    await passWithCache(edited, choice);
    const other = readdirSync(choice.directory)
      .filter((key) => key.includes('-first-'))
      .map((key) => join(choice.directory, key))
      .find((path) => path !== entry);
    if (other === undefined) throw new Error('the edited one was not saved');
    for (const file of filesOf(other).concat('manifest.json')) {
      writeFiles(entry, { [file]: readFileSync(join(other, file)) });
    }
    const copy = freshCopy(design);
    expectRefused(await passWithCache(copy, choice), copy, /its manifest is that of another run$/);
  });

  it('is not placed behind a link that leads outside', async () => {
    const { design, choice } = await warm();
    const copy = freshCopy(design);
    copy.write('../outside/a.txt', 'somebody else has this');
    symlinkSync(copy.outside, copy.at('build'));
    const pass = await passWithCache(copy, choice);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(copy.read('../outside/a.txt')).toBe('somebody else has this');
    expect(readdirSync(copy.outside)).toEqual(['a.txt']);
  });
});

it('an envelope that is too large for a judgement is refused rather than restored', async () => {
  const { design, choice, entry } = await warm();
  const path = join(entry, 'envelope.json');
  const spaces = Buffer.alloc(256 * 1024 * 1024, ' ');
  writeFileSync(path, Buffer.concat([readFileSync(path), spaces]));
  reseal(entry);
  const copy = freshCopy(design);
  expectRefused(await passWithCache(copy, choice), copy, /its envelope is too large$/);
});

it('what a gate that was killed left half restored is removed by the next', async () => {
  const { choice, design } = await warm();
  design.write('.signoff/staging-abc123/entry/outputs/build/a.txt', 'half');
  await passWithCache(design, choice);
  expect(readdirSync(design.at('.signoff')).filter((name) => name.startsWith('staging'))).toEqual(
    [],
  );
});

it('`--rerun` runs what it names, whatever the cache holds', async () => {
  const { choice, design } = await warm();
  const pass = await passWithCache(design, choice, { rerun: true, only: ['first'] });
  expect(deedsIn(pass)).toMatchObject({ first: 'ran' });
  expect(startsIn(design)).toEqual(['first', 'second', 'first']);
  expect(pass.notices).toEqual([]);
});

it('`--rerun` runs what failed, and does not take the pass of another machine for it', async () => {
  const flag = join(scratchFolder(), 'flag');
  const flaky = `mkdir -p build/more; cp a.v build/a.txt; echo 1 > build/more/1
if [ -e ${flag} ]; then echo '{"clean": false, "checked": 3}'; else ${SAYS_CLEAN}; fi`;
  const { choice, design } = await warm(undefined, (workspace) =>
    workspace.write('first.sh', engine(flaky, 'first')),
  );
  const here = freshCopy(design);
  writeFileSync(flag, '');
  await passWithCache(here, { kind: 'off' });
  const pass = await passWithCache(here, choice, { rerun: true });
  expect(deedsIn(pass)).toMatchObject({ first: 'ran' });
  expect(pass.answer.stages['first']).toMatchObject({ status: 'failed' });
});

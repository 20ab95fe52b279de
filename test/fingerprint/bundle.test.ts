import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { beforeEach, describe, expect, test } from 'vitest';
import { digestBytes } from '../../src/fingerprint/blake3.ts';
import { addonName, installedAddon, isAddonShipped } from './addon.ts';
import { makeFolder } from './folder.ts';

/** Hashes so many bytes and prints the digest and the addons that are loaded. */
const program = `
  import { digestBytes } from './src/fingerprint/blake3.ts';
  const digest = digestBytes(Buffer.alloc(Number(process.argv[2]), 'x'));
  const addons = process.report.getReport().sharedObjects.filter((file) => file.endsWith('.node'));
  console.log(JSON.stringify({ digest, addons }));`;

describe.runIf(isAddonShipped)('in a bundle', () => {
  let dist: string;

  beforeEach(() => {
    dist = makeFolder();
    buildSync({
      stdin: { contents: program, resolveDir: fileURLToPath(new URL('../..', import.meta.url)) },
      outfile: join(dist, 'main.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
    });
    mkdirSync(join(dist, 'native'));
    copyFileSync(installedAddon(), join(dist, 'native', addonName));
  });

  function run(file: string, bytes: number): { digest: string; addons: string[] } {
    return JSON.parse(
      execFileSync(process.execPath, [file, String(bytes)], { cwd: '/', encoding: 'utf8' }),
    );
  }

  const MUCH = 2 * 1024 * 1024;
  const expected = digestBytes(Buffer.alloc(MUCH, 'x'));

  test('the addon beside it hashes what is much, and only that', () => {
    const main = join(dist, 'main.mjs');
    const addons = [join(dist, 'native', addonName)];
    expect(run(main, MUCH)).toEqual({ digest: expected, addons });
    expect(run(main, 10)).toEqual({ digest: digestBytes(Buffer.from('xxxxxxxxxx')), addons: [] });
  });

  test('the addon is found from a chunk of it', () => {
    mkdirSync(join(dist, 'chunks'));
    copyFileSync(join(dist, 'main.mjs'), join(dist, 'chunks/main.mjs'));
    const addons = [join(dist, 'native', addonName)];
    expect(run(join(dist, 'chunks/main.mjs'), MUCH)).toEqual({ digest: expected, addons });
  });

  test('a damaged addon is not loaded, and the digest is the same without it', () => {
    truncateSync(join(dist, 'native', addonName), 300_000);
    expect(run(join(dist, 'main.mjs'), MUCH)).toEqual({ digest: expected, addons: [] });
  });

  test('no addon is needed', () => {
    rmSync(join(dist, 'native'), { recursive: true });
    expect(run(join(dist, 'main.mjs'), MUCH)).toEqual({ digest: expected, addons: [] });
  });
});

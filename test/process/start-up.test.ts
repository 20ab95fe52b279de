import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const ROOM = 'src/process';

it('execa is loaded only when a program is started', async () => {
  const { metafile } = await build({
    entryPoints: readdirSync(ROOM).map((name) => join(ROOM, name)),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'unwritten',
    write: false,
    metafile: true,
  });
  const imports = Object.entries(metafile.inputs).flatMap(([file, input]) =>
    input.imports
      .filter(({ path }) => path === 'execa' || path === 'node:child_process')
      .map(({ path, kind }) => `${file}: ${kind} of ${path}`),
  );
  expect(imports).toEqual([`${ROOM}/start-child.ts: dynamic-import of execa`]);
});

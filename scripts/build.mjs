/**
 * Bundles the command line (and the action) into dist/, which is committed: whoever uses them
 * runs what was reviewed and installs nothing.
 *
 *   node scripts/build.mjs            writes dist/, removes what no longer belongs there
 *   node scripts/build.mjs --check    writes nothing; fails and names the files that differ
 *
 * dist/native/ is made by update-native.mjs; here its digests are checked.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { filesBelow } from './lib/files-below.mjs';
import { licenceList } from './lib/licences.mjs';
import { nativeProblems } from './lib/native.mjs';
import { root } from './lib/root.mjs';

const dist = new URL('dist/', root);

/**
 * What is started by its name. The command line is one file with all that only reads, so that
 * `status` starts fast: every further file costs a start some milliseconds.
 */
const commandLine = { cli: 'src/cli/main.ts' };

/** What starts later or on its own, with the code that they share in chunks. */
const others = {
  'chunks/consequences': 'src/cli/consequences.ts',
  'chunks/decide': 'src/cli/decide.ts',
  'chunks/grounds': 'src/cli/grounds.ts',
  'chunks/doctor': 'src/cli/doctor.ts',
  'chunks/engine': 'src/cli/engine.ts',
  'chunks/init': 'src/cli/init.ts',
  'chunks/preset': 'src/cli/preset.ts',
  'chunks/run': 'src/cli/run.ts',
  'chunks/signoff': 'src/cli/signoff.ts',
  action: 'src/action/main.ts',
  'cache-child': 'src/cache/github-child.ts',
  ...adapterRuns(),
};
const executable = 'cli.mjs';

/** What an adapter does when it runs: `status` needs to know of adapters, and runs none. */
function adapterRuns() {
  const folder = 'src/engine/adapters/';
  const runs = filesBelow(new URL(folder, root)).filter((name) => name.endsWith('-run.ts'));
  return Object.fromEntries(
    runs.map((name) => [`chunks/${basename(name, '.ts')}`, `${folder}${name}`]),
  );
}

/** Bundled CommonJS packages call `require` for Node's own modules; ESM has none of its own. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** Packages whose code reaches the bundle by way of src/generated/. */
const carriedByGenerated = ['ajv', 'blake3', 'fast-deep-equal'];

/**
 * An ESM import of `node:fs` makes a facade of all that it exports, for which Node loads its
 * streams and promises: some milliseconds at each start for nothing. Asked for this way it is
 * what it already is.
 */
const builtinsWithoutFacade = {
  name: 'builtins-without-facade',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(?:fs|util|path|os)$/ }, ({ path }) => ({
      path,
      namespace: 'builtin',
    }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** What fetches tokens for other services: never called, and the largest part of @actions/core. */
const withoutOidc = {
  name: 'without-oidc',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /oidc-utils/ }, ({ importer }) =>
      importer.includes('@actions/core')
        ? { path: 'oidc-utils', namespace: 'left-out' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export class OidcClient {}',
    }));
  },
};

/** The command line asks for the others as the files that they are in dist/. */
const othersStandAlone = {
  name: 'others-stand-alone',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(?:[a-z-]+\/)?[a-z-]+\.ts$/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = `chunks/${basename(path, '.ts')}`;
      return others[name] ? { path: `./${name}.mjs`, external: true } : undefined;
    });
  },
};

/** @returns {Promise<Record<string, Buffer>>} path in dist/ to contents */
async function bundle() {
  const common = {
    absWorkingDir: fileURLToPath(root),
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    preserveSymlinks: true,
    banner: { js: requireBanner },
    // Its CommonJS build, which Node would get, costs about 10 ms more at each start.
    alias: { yaml: fileURLToPath(new URL('node_modules/yaml/browser/index.js', root)) },
    // 31 MB of wasm, for development: found in node_modules by those who installed it.
    external: ['@yowasp/yosys'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none', // dist/LICENSES.txt has the texts in full
    metafile: true,
    write: false,
  };
  const first = await build({
    ...common,
    entryPoints: commandLine,
    // Shorter text is compiled sooner: some milliseconds at each start.
    minifyIdentifiers: true,
    plugins: [builtinsWithoutFacade, othersStandAlone],
  });
  const second = await build({
    ...common,
    entryPoints: Object.fromEntries(
      Object.entries(others).filter(([, source]) => existsSync(new URL(source, root))),
    ),
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [builtinsWithoutFacade, withoutOidc],
  });
  const files = Object.fromEntries(
    [first, second].flatMap(({ outputFiles }) =>
      outputFiles.map(({ path, contents }) => [nameInDist(path), Buffer.from(contents)]),
    ),
  );
  const inputs = [first, second].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  files[executable] = Buffer.concat([Buffer.from('#!/usr/bin/env node\n'), files[executable]]);
  files['LICENSES.txt'] = Buffer.from(licenceList(packagesIn(inputs)));
  return files;
}

function nameInDist(path) {
  return relative(fileURLToPath(dist), path).split(sep).join('/');
}

function packagesIn(inputs) {
  const names = inputs.flatMap((input) => {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    return name ? [name] : [];
  });
  return [...new Set([...names, ...carriedByGenerated])].sort();
}

/** @returns {string[]} paths in dist/, without native/ */
function builtFiles() {
  return filesBelow(dist).filter((name) => !name.startsWith('native/'));
}

async function check(files) {
  const names = [...new Set([...Object.keys(files), ...builtFiles()])].sort();
  const differing = names.filter((name) => {
    const url = new URL(name, dist);
    return !files[name] || !existsSync(url) || !readFileSync(url).equals(files[name]);
  });
  const problems = differing.map((name) => `dist/${name} is not what the sources yield`);
  if (!isExecutable(new URL(executable, dist)))
    problems.push(`dist/${executable} is not executable`);
  problems.push(...(await nativeProblems()));
  for (const problem of problems) console.error(problem);
  if (differing.length > 0) console.error('Run `npm run build` and commit the result.');
  if (problems.length > 0) process.exitCode = 1;
}

function isExecutable(url) {
  if (process.platform === 'win32') return true;
  return existsSync(url) && (statSync(url).mode & 0o111) !== 0;
}

function write(files) {
  for (const name of builtFiles()) if (!files[name]) rmSync(new URL(name, dist));
  for (const [name, contents] of Object.entries(files)) {
    const url = new URL(name, dist);
    mkdirSync(dirname(fileURLToPath(url)), { recursive: true });
    writeFileSync(url, contents);
    console.log(`dist/${name} ${contents.length} bytes`);
  }
  chmodSync(new URL(executable, dist), 0o755);
}

const files = await bundle();
if (process.argv.includes('--check')) await check(files);
else write(files);

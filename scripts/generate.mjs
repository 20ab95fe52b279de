/**
 * Makes src/generated/ from schemas/ and from the BLAKE3 wasm module.
 *
 *   node scripts/generate.mjs            writes the files that differ
 *   node scripts/generate.mjs --check    writes nothing; fails and names the files that differ
 *
 * The generated files are committed: schemas are compiled here because ajv would cost about
 * 100 ms at each start, and a reader of the repository sees the types that the code uses.
 * src/generated/native-digests.ts is made by update-native.mjs and left alone.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { generateBlake3Wasm } from './generate/blake3-wasm.mjs';
import { generateDocuments } from './generate/documents.mjs';
import { readSchemas } from './generate/schemas.mjs';
import { generateValidators } from './generate/validators.mjs';
import { filesBelow } from './lib/files-below.mjs';
import { root } from './lib/root.mjs';

const folder = new URL('src/generated/', root);
const madeElsewhere = 'native-digests.ts';

/** @returns every file of src/generated that this script owns: name to text */
async function generate() {
  const schemas = readSchemas(new URL('schemas/', root));
  return {
    ...generateBlake3Wasm(),
    ...(await generateDocuments(schemas)),
    ...(await generateValidators(schemas)),
  };
}

function readCurrent() {
  const names = filesBelow(folder).filter((name) => name !== madeElsewhere);
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
  );
}

function write(name, text) {
  const url = new URL(name, folder);
  mkdirSync(new URL('.', url), { recursive: true });
  writeFileSync(url, text);
}

const wanted = await generate();
const current = readCurrent();
const differing = [...new Set([...Object.keys(wanted), ...Object.keys(current)])]
  .filter((name) => wanted[name] !== current[name])
  .sort();

if (process.argv.includes('--check')) {
  for (const name of differing) console.error(`src/generated/${name} is not what schemas/ yields`);
  if (differing.length > 0) {
    console.error('Run `npm run generate` and commit the result.');
    process.exitCode = 1;
  }
} else {
  for (const name of differing) {
    if (wanted[name] === undefined) rmSync(new URL(name, folder));
    else write(name, wanted[name]);
    console.log(`src/generated/${name} ${wanted[name] === undefined ? 'removed' : 'written'}`);
  }
}

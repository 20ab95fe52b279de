import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from './engine-error.mjs';

/** Writes a file, and the folders above it. */
export function writeOutput(file, content) {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  } catch (error) {
    throw new EngineError(`cannot write ${file}: ${error.code}`, { code: 'FILE-UNWRITABLE' });
  }
}

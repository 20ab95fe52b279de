/** A design of many files: `status` against a program that only hashes them. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { passingRun, stageNamed, statusOf } from '../lib/veripower.mjs';

const FILES = 10_000;
const FILE_BYTES = 4096;

export const manyInputs = {
  name: 'many-inputs',
  title: `status on ${FILES.toLocaleString('en')} inputs of ${FILE_BYTES / 1024} KB`,
  bounds: { ratio: 3 },
  prepare(folder) {
    const names = Array.from({ length: FILES }, (_, index) => `block${index}.v`);
    // One stage writes them, the other reads them, as in any workspace of this kind.
    const writer = { ...stageNamed('rtl-design'), reads: [], writes: names };
    const files = names.map((name) => `${writer.root}/${name}`);
    const reader = { ...stageNamed('lint-cdc'), reads: files, writes: [] };
    mkdirSync(path.join(folder, writer.root), { recursive: true });
    for (const file of files) {
      writeFileSync(path.join(folder, file), randomBytes(FILE_BYTES / 2).toString('hex'));
    }
    const events = [writer, reader].flatMap((stage) => passingRun(folder, stage, 1));
    const log = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    writeFileSync(path.join(folder, 'events.jsonl'), log);
    return {
      ours: statusOf(folder, [writer.name, reader.name]),
      peer: { program: 'sha256sum', args: files, cwd: folder },
    };
  },
};

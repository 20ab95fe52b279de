import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { digestBytes } from '../fingerprint/blake3.ts';
import type { LoomResult } from '../generated/documents.ts';
import { GATE_FOLDER, runFolder } from '../proof/run-folder.ts';
import type { Fingerprint } from '../values/brands.ts';
import { problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';

const MARKER = 'marker';

/** The folder of a run that is about to start, its number and the mark of its processes. */
export interface RunFolder {
  readonly run: number;
  /** Relative to the workspace. */
  readonly path: string;
  readonly absolute: string;
}

/**
 * Makes the folder of the next run. Its number is above every number in the log and every folder
 * that is there: a log that was cut must not make a new run write into the evidence of an old one.
 */
export function makeRunFolder(
  root: string,
  stage: string,
  nextInLog: number,
  marker: string,
): Result<RunFolder> {
  try {
    const runs = makePlainFolders(root, [GATE_FOLDER, 'runs', stage]);
    if (runs === undefined) {
      return err(
        problem('file/link-outside', `the folder of the runs of ${stage} lies behind a link`, {
          at: { file: join(GATE_FOLDER, 'runs', stage) },
          remedy: 'Replace the link by a folder: evidence is kept in the workspace.',
        }),
      );
    }
    const highest = readdirSync(runs)
      .filter((name) => /^\d{1,9}$/.test(name))
      .reduce((most, name) => Math.max(most, Number(name)), 0);
    const run = Math.max(nextInLog, highest + 1);
    const path = runFolder(stage, run);
    const absolute = join(root, path);
    mkdirSync(absolute);
    writeDurably(join(absolute, MARKER), Buffer.from(marker));
    return ok({ run, path, absolute });
  } catch (cause) {
    return err(cannotWrite(`the folder of a run of ${stage}`, cause));
  }
}

/** Folders one in the other, none of them a link that could lead somewhere else. */
function makePlainFolders(root: string, names: readonly string[]): string | undefined {
  let folder = root;
  for (const name of names) {
    folder = join(folder, name);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (!stat) mkdirSync(folder);
    else if (!stat.isDirectory()) return undefined;
  }
  return folder;
}

/** The mark of the processes of a run that was started, if it got that far. */
export function readMarker(absolute: string): string | undefined {
  try {
    const text = readFileSync(join(absolute, MARKER), 'utf8');
    return /^[0-9a-f-]{36}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes the envelope of a run whole or not at all.
 *
 * @returns the digest of its bytes, which the log records
 */
export function writeEnvelope(folder: RunFolder, envelope: LoomResult): Result<Fingerprint> {
  const bytes = Buffer.from(`${JSON.stringify(envelope, null, 1)}\n`);
  const target = join(folder.absolute, 'envelope.json');
  try {
    writeDurably(`${target}.part`, bytes);
    renameSync(`${target}.part`, target);
    syncFolder(dirname(target));
    return ok(digestBytes(bytes));
  } catch (cause) {
    return err(cannotWrite(join(folder.path, 'envelope.json'), cause));
  }
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'wx', 0o644);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function cannotWrite(what: string, cause: unknown): ReturnType<typeof problem> {
  const { code, message } = cause as NodeJS.ErrnoException;
  return problem('file/write-failed', `${what} cannot be written (${code ?? message})`, {
    remedy: code === 'ENOSPC' ? 'Free some disk space and run again.' : undefined,
  });
}

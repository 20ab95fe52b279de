import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fingerprintFile } from '../fingerprint/file.ts';
import { createFingerprintStore } from '../fingerprint/store.ts';
import { isOwnOutput, type Output, outputKey } from '../flow/stage.ts';
import type { CacheManifest } from '../generated/documents.ts';
import { validateCacheManifest } from '../generated/validators.js';
import { compareTables } from '../proof/changes.ts';
import { readOutputs } from '../proof/current.ts';
import type { Fingerprint } from '../values/brands.ts';
import { compareBytes } from '../values/order.ts';
import { err, ok, type Result } from '../values/result.ts';
import { parseStrictObject } from '../values/strict-json.ts';
import { emptyTable } from '../values/table.ts';
import { checkWorkspacePath } from '../values/workspace-path.ts';

const MANIFEST = 'manifest.json';
const OUTPUTS = 'outputs';
const MAX_MEMBERS = 100_000;
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** What an entry is the result of. */
export interface EntrySubject {
  readonly runKey: Fingerprint;
  readonly stage: string;
  /** As the flow declares them. */
  readonly outputs: readonly Output[];
}

/** What an entry is made from: one run that was recorded, with what it left in its folder. */
export interface EntrySource extends EntrySubject {
  /** Absolute path of the workspace. */
  readonly root: string;
  /** As the outcome recorded them; what does not match any more is not kept. */
  readonly recorded: Readonly<Record<string, string>>;
  /** Absolute path of the run's folder. */
  readonly runFolder: string;
}

const ENVELOPE = 'envelope.json';

/** The files of a run's folder that belong to its result. */
const EVIDENCE: readonly string[] = [ENVELOPE, 'stdout', 'stderr'];

/**
 * Copies the result of a run into an empty folder, with a manifest that names the digest of every
 * member.
 *
 * @returns or a sentence that says why the result cannot be kept
 */
export function packEntry(source: EntrySource, folder: string): Result<void, string> {
  try {
    for (const name of EVIDENCE) {
      const from = join(source.runFolder, name);
      if (lstatSync(from, { throwIfNoEntry: false })?.isFile())
        copyFileSync(from, join(folder, name));
    }
    for (const output of source.outputs) copyOutput(source.root, output, join(folder, OUTPUTS));
    const altered = alteredOutput(folder, source.outputs, source.recorded);
    if (altered !== undefined)
      return err(`its output ${altered} is not what was recorded any more`);
    const members = emptyTable<Fingerprint>();
    for (const path of filesBelow(folder)) {
      const digest = fingerprintFile(join(folder, path), path);
      if (!digest.ok) return err(digest.error.message);
      members[path] = digest.value;
    }
    const manifest: CacheManifest = {
      format: 'signoff-gate-entry/1',
      run_key: source.runKey,
      stage: source.stage,
      outputs: { ...source.recorded },
      members,
    };
    writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest));
    return ok(undefined);
  } catch (cause) {
    return err(messageOf(cause));
  }
}

/** An entry whose every byte is what its manifest says. */
export interface CheckedEntry {
  readonly manifest: CacheManifest;
  /** Absolute path of the envelope. */
  readonly envelope: string;
  /** Absolute path of what lies in the place of a workspace path. */
  readonly outputPath: (output: Output) => string;
}

/**
 * Checks what a cache put into a staging folder before anything of it is used: what it is the result
 * of, every digest, and that there is nothing but regular files that the manifest lists.
 *
 * @returns the entry, or a sentence that says why it is refused
 */
export function checkEntry(folder: string, subject: EntrySubject): Result<CheckedEntry, string> {
  try {
    if (!lstatSync(folder).isDirectory()) return err('it is no folder');
    const manifest = readManifest(join(folder, MANIFEST));
    if (!manifest.ok) return manifest;
    const { members, outputs, run_key: runKey, stage } = manifest.value;
    if (runKey !== subject.runKey || stage !== subject.stage) {
      return err('its manifest is that of another run');
    }
    const present = new Set(filesBelow(folder).filter((path) => path !== MANIFEST));
    for (const path of Object.keys(members)) {
      if (!checkWorkspacePath(path).ok) return err('a member lies outside of it');
      if (!present.has(path)) return err(`the member ${path} is missing`);
    }
    for (const path of present) {
      if (!Object.hasOwn(members, path)) return err(`the member ${path} is not in its manifest`);
      const digest = fingerprintFile(join(folder, path), path);
      if (!digest.ok) return err(digest.error.message);
      if (digest.value !== members[path]) return err(`the member ${path} is damaged`);
    }
    const stranger = Object.keys(members).find((path) => !isPartOf(subject, path));
    if (stranger !== undefined) return err(`the member ${stranger} is no part of the result`);
    if (!present.has(ENVELOPE)) return err('it holds no envelope');
    const altered = alteredOutput(folder, subject.outputs, outputs);
    if (altered !== undefined) return err(`its output ${altered} is not what was recorded`);
    return ok({
      manifest: manifest.value,
      envelope: join(folder, ENVELOPE),
      outputPath: (output) => join(folder, OUTPUTS, output.path),
    });
  } catch (cause) {
    return err(messageOf(cause));
  }
}

function isPartOf(subject: EntrySubject, member: string): boolean {
  const [first, ...rest] = member.split('/');
  if (first !== OUTPUTS) return EVIDENCE.includes(member);
  return isOwnOutput(subject, rest.join('/'));
}

/** The first output that is not in an entry, or not as its record has it, or only in its record. */
function alteredOutput(
  folder: string,
  outputs: readonly Output[],
  recorded: Readonly<Record<string, string>>,
): string | undefined {
  const { fingerprints } = readOutputs(outputs, createFingerprintStore(join(folder, OUTPUTS)));
  const absent = outputs.map(outputKey).find((key) => !Object.hasOwn(fingerprints, key));
  return absent ?? compareTables('output', recorded, fingerprints)[0]?.name;
}

function readManifest(path: string): Result<CacheManifest, string> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return err('it has no manifest');
  if (!stat.isFile() || stat.size > MAX_MANIFEST_BYTES) return err('its manifest cannot be used');
  const object = parseStrictObject(readFileSync(path));
  if (!object.ok) return err(`its manifest is damaged: ${object.error.message}`);
  const value: unknown = object.value;
  return validateCacheManifest(value)
    ? ok(value)
    : err('its manifest does not have the known shape');
}

/** Every file below a folder; a link, a FIFO or a file with a second name is refused. */
function filesBelow(folder: string, prefix = ''): string[] {
  const paths: string[] = [];
  for (const { name } of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const stat = lstatSync(join(folder, path));
    if (stat.isDirectory()) paths.push(...filesBelow(folder, path));
    else if (stat.isFile() && stat.nlink === 1) paths.push(path);
    else throw new Error(`the member ${path} is no plain file`);
    if (paths.length > MAX_MEMBERS) throw new Error(`it has more than ${MAX_MEMBERS} members`);
  }
  return paths.sort(compareBytes);
}

function copyOutput(root: string, output: Output, target: string): void {
  const from = join(root, output.path);
  if (!output.isFolder) {
    if (!lstatSync(from).isFile())
      throw new Error(`the output ${outputKey(output)} is no plain file`);
    copy(from, join(target, output.path));
    return;
  }
  for (const path of filesBelow(from)) copy(join(from, path), join(target, output.path, path));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isJsonObject, parseStrictObject } from '../values/strict-json.ts';

/** Files and folders that are the gate's own, or git's, by name. */
const TAKEN = ['.git', '.signoff', 'events.jsonl', 'signoff.yaml', 'signoff.json'];

/**
 * Writes a report, inside the repository and over nothing but an earlier report: a name that slipped
 * must not cost a source, a flow or a log.
 *
 * @throws an error that says why it is not written
 */
export function writeReportFile(repository: string, path: string, text: string): void {
  const target = resolve(repository, path);
  const inside = relative(repository, target);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) {
    throw new Error('it lies outside the repository');
  }
  const names = inside.split(sep);
  const taken = names.find((name) => TAKEN.includes(name.toLowerCase()));
  if (taken !== undefined) throw new Error(`${taken} is the gate's own or git's`);
  let folder = repository;
  for (const name of names.slice(0, -1)) {
    folder = join(folder, name);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (!stat) mkdirSync(folder);
    else if (!stat.isDirectory()) throw new Error(`${relative(repository, folder)} is no folder`);
  }
  const present = lstatSync(target, { throwIfNoEntry: false });
  if (present && !(present.isFile() && isReport(readFileSync(target)))) {
    throw new Error(
      `${basename(dirname(target))}/${basename(target)} is there and is no report of the gate`,
    );
  }
  writeFileSync(target, text);
}

function isReport(bytes: Buffer): boolean {
  if (/^<\?xml [^>]*>\s*<testsuites /.test(bytes.subarray(0, 200).toString('latin1'))) return true;
  const object = parseStrictObject(bytes);
  if (!object.ok) return false;
  const { stages, problems, ok } = object.value;
  return Array.isArray(problems) && (isJsonObject(stages) || ok === false);
}

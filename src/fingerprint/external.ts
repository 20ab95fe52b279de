import type { Fingerprint } from '../values/brands.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { emptyTable } from '../values/table.ts';
import { digestEntry } from './entry.ts';
import { startPass } from './pass.ts';
import { selectEntries } from './selection.ts';
import { compileSelector, type Selector } from './selector.ts';
import { walkFolder } from './walk.ts';

/**
 * The fingerprints of what a stage reads outside the workspace (`external` in the flow).
 *
 * @param name the key that the flow gives it
 * @param pattern an absolute path of one file, or an absolute glob
 * @returns `{NAME: …}` for one file; for a glob `{NAME/PATH: …}` for each match, with its path
 *   beneath the folders that the glob names without wildcards; or `flow/bad-selector`, `file/missing`
 *   when nothing matches, and the problems of inputs
 */
export function fingerprintExternal(
  name: string,
  pattern: string,
): Result<Record<string, Fingerprint>> {
  const parsed = parseExternal(pattern);
  if (!parsed.ok) return err(refused(name, pattern, parsed.error));
  const { base, selector } = parsed.value;
  return selector ? fingerprintMatches(name, pattern, base, selector) : fingerprintOne(name, base);
}

interface External {
  /** The folder in which the selector selects; without one, the file itself. */
  readonly base: string;
  readonly selector: Selector | undefined;
}

function parseExternal(pattern: string): Result<External, string> {
  if (!pattern.startsWith('/')) return err('it is not an absolute path');
  // Values of variables often end in a slash: `/pdk/` and `/libs` make `/pdk//libs`.
  const path = pattern.replace(/\/+/g, '/').slice(1);
  const whole = compileSelector(path);
  if (!whole.ok) return whole;
  const segments = path.split('/');
  const firstWild = segments.findIndex((segment) => /[*?[{]/.test(segment));
  if (firstWild < 0) return ok({ base: `/${path}`, selector: undefined });
  if (firstWild === 0) return err('it names no folder before its first wildcard');
  const selector = compileSelector(segments.slice(firstWild).join('/'));
  if (!selector.ok) return selector;
  return ok({ base: `/${segments.slice(0, firstWild).join('/')}`, selector: selector.value });
}

function fingerprintOne(name: string, file: string): Result<Record<string, Fingerprint>> {
  const pass = startPass(file.slice(0, file.lastIndexOf('/')) || '/');
  if (!pass.ok) return pass;
  const digest = digestEntry(file, file, pass.value);
  return digest.ok ? ok(table([[name, digest.value]])) : digest;
}

function fingerprintMatches(
  name: string,
  pattern: string,
  base: string,
  selector: Selector,
): Result<Record<string, Fingerprint>> {
  const pass = startPass(base);
  if (!pass.ok) return pass;
  const { root } = pass.value;
  const show = (path: string): string => (path === '' ? base : `${base}/${path}`);
  const walk = walkFolder(root, { show, prune: (folder) => !selector.reaches(folder) });
  const include = [{ selector, optional: false }];
  const selection = selectEntries(walk, { include, exclude: [] }, () => false);
  // Names that differ only in case are trouble for what is checked out elsewhere; this is not.
  const found = selection.problems.find(({ code }) => code !== 'file/ambiguous-name');
  if (found) return err(found);
  if (selection.paths.length === 0) return err(nothingMatches(name, pattern));
  const digests: [string, Fingerprint][] = [];
  for (const { path } of selection.paths) {
    const digest = digestEntry(`${root}/${path}`, show(path), pass.value);
    if (!digest.ok) return digest;
    digests.push([`${name}/${path}`, digest.value]);
  }
  return ok(table(digests));
}

function table(entries: readonly (readonly [string, Fingerprint])[]): Record<string, Fingerprint> {
  const result = emptyTable<Fingerprint>();
  for (const [key, value] of entries) result[key] = value;
  return result;
}

function refused(name: string, pattern: string, why: string): Problem {
  return problem('flow/bad-selector', `the external ${name}, ${pattern}, cannot be used: ${why}`);
}

function nothingMatches(name: string, pattern: string): Problem {
  return problem('file/missing', `nothing matches the external ${name}, ${pattern}`);
}

import type { WorkspacePath } from '../values/brands.ts';
import { type Problem, problem } from '../values/problem.ts';
import { notRegular } from './file-problem.ts';
import type { Selector } from './selector.ts';
import type { Walk, WalkEntry } from './walk.ts';

/** The selectors of one stage. */
export interface StageSelectors {
  readonly include: readonly { readonly selector: Selector; readonly optional: boolean }[];
  readonly exclude: readonly Selector[];
}

/** The inputs of one stage, by name. */
export interface Selection {
  /** In byte order, each once. */
  readonly paths: readonly WalkEntry[];
  /** Globs that match nothing, though they are not marked optional. */
  readonly dead: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Selects a stage's inputs (design §3, "Selectors"). A link to a folder is one input, with all that
 * it leads to; it is selected when a selector matches it or reaches beneath it.
 *
 * @param own true for what the stage itself writes, which is never its input
 * @returns with `file/not-regular` for a FIFO, socket or device among the selected,
 *   `file/ambiguous-name` for two that some file systems hold for one, and the problems of the walk
 *   that could hide an input
 */
export function selectEntries(
  walk: Walk,
  selectors: StageSelectors,
  own: (path: string) => boolean,
): Selection {
  const paths: WalkEntry[] = [];
  const problems = hiding(walk, selectors, own);
  const alive = new Set<Selector>();
  for (const entry of walk.entries) {
    const selecting = selectors.include.filter(({ selector }) => selects(selector, entry));
    if (selecting.length === 0 || own(entry.path) || isExcluded(entry, selectors.exclude)) continue;
    for (const { selector } of selecting) alive.add(selector);
    if (entry.kind === 'other') problems.push(notRegular(entry.path, 'a FIFO, socket or device'));
    else paths.push(entry);
  }
  const dead = selectors.include.filter(
    ({ selector, optional }) => !optional && !alive.has(selector),
  );
  return {
    paths,
    dead: dead.map(({ selector }) => selector.glob),
    problems: [...problems, ...ambiguities(paths)],
  };
}

function selects(selector: Selector, { path, kind }: WalkEntry): boolean {
  return selector.matches(path) || (kind === 'directory-link' && selector.reaches(path));
}

function isExcluded({ path, kind }: WalkEntry, exclude: readonly Selector[]): boolean {
  return exclude.some(
    (selector) => selector.matches(path) || (kind === 'directory-link' && selector.covers(path)),
  );
}

/** The problems of the walk behind which there may be inputs of this stage. */
function hiding(
  walk: Walk,
  { include, exclude }: StageSelectors,
  own: (path: string) => boolean,
): Problem[] {
  const concerning = walk.problems.filter(({ path, isFile }) => {
    const reaching = include.filter(
      ({ selector }) => selector.matches(path) || selector.reaches(path),
    );
    if (reaching.length === 0 || own(path)) return false;
    // An exclusion leaves names with leading dots alone, so it clears only what asks for none.
    const isCleared =
      exclude.some((selector) => (isFile ? selector.matches(path) : selector.covers(path))) &&
      !reaching.some(({ selector }) => asksForDot(selector));
    return !isCleared;
  });
  return concerning.map(({ problem }) => problem);
}

function asksForDot({ glob }: Selector): boolean {
  return /(?:^|[/{,])\./.test(glob);
}

function ambiguities(entries: readonly WalkEntry[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, WorkspacePath>();
  for (const { path } of entries) {
    const key = path.normalize('NFC').toLowerCase();
    const other = seen.get(key);
    if (other === undefined) {
      seen.set(key, path);
      continue;
    }
    problems.push(
      problem('file/ambiguous-name', `${other} and ${path} differ only in case or Unicode form`, {
        remedy: 'Rename one of them; some file systems hold them for the same file.',
      }),
    );
  }
  return problems;
}

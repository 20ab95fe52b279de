import { err, ok, type Result } from '../values/result.ts';
import { type GlobSegment, parseGlob } from './glob-syntax.ts';
import { createSegmentsMatcher, MAX_SEGMENTS, type States } from './segments-matcher.ts';

/** A compiled glob. Paths are POSIX and relative to the folder that the glob is relative to. */
export interface Selector {
  /** As it was written. */
  readonly glob: string;
  matches(path: string): boolean;
  /** Whether anything strictly beneath the folder can match; decided on names, without the disk. */
  reaches(folder: string): boolean;
  /** Whether everything beneath the folder matches, but for what asks for a written dot. */
  covers(folder: string): boolean;
}

/**
 * Compiles one glob of the flow (design §3, "Selectors"): `*` and `?` within a segment, `**` for
 * any number of folders, `[ab]`, `{a,b}`; a leading dot of a name must be written; case counts.
 * `a/**` means what is in `a`, not `a` itself. The `!` of an exclusion is the caller's to strip.
 *
 * @returns the selector, or why the glob is refused, as the end of a sentence: `it is empty`
 */
export function compileSelector(glob: string): Result<Selector, string> {
  const parsed = parseGlob(glob);
  if (!parsed.ok) return parsed;
  const literals = leadingLiterals(parsed.value);
  const rest = parsed.value.slice(literals.length);
  if (rest.length > MAX_SEGMENTS) {
    return err(`more than ${MAX_SEGMENTS} segments follow its first wildcard`);
  }
  const base = literals.join('/');
  return ok(rest.length === 0 ? literalSelector(glob) : wildSelector(glob, base, rest));
}

function leadingLiterals(segments: readonly GlobSegment[]): string[] {
  const literals: string[] = [];
  for (const segment of segments) {
    if (segment.kind !== 'literal') break;
    literals.push(segment.text);
  }
  return literals;
}

function literalSelector(path: string): Selector {
  return {
    glob: path,
    matches: (other) => other === path,
    reaches: (folder) => folder === '' || path.startsWith(`${folder}/`),
    covers: () => false,
  };
}

function wildSelector(glob: string, base: string, segments: readonly GlobSegment[]): Selector {
  const prefix = base === '' ? '' : `${base}/`;
  const matcher = createSegmentsMatcher(segments);

  /** How far the folder gets; 0 when it lies beside the base or nothing beneath it can match. */
  function statesAt(folder: string): States {
    if (folder === '' || prefix.startsWith(`${folder}/`)) return matcher.start;
    return folder.startsWith(prefix) ? matcher.enter(folder, prefix.length, folder.length) : 0;
  }

  return {
    glob,
    matches(path) {
      if (!path.startsWith(prefix)) return false;
      const slash = path.lastIndexOf('/');
      const states = matcher.enter(path, prefix.length, slash);
      return matcher.matchesName(states, path.slice(slash + 1));
    },
    reaches: (folder) => statesAt(folder) !== 0,
    covers: (folder) => `${folder}/`.startsWith(prefix) && matcher.acceptsAll(statesAt(folder)),
  };
}

/**
 * Does a name fit a pattern? `*` stands for any text and `?` for one character; brackets are what
 * they are, since bits of a bus have them in their names.
 */
export function fits(pattern: string, name: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let from = 0;
  while (at < name.length) {
    if (pattern[next] === '*') {
      star = next++;
      from = at;
    } else if (next < pattern.length && (pattern[next] === '?' || pattern[next] === name[at])) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++from;
    } else {
      return false;
    }
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}

export function fitsAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => fits(pattern, name));
}

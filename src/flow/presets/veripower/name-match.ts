const compiled = new Map<string, RegExp>();

/**
 * Whether a name matches a selector as Python's `fnmatch` has it (spec/06 §6.3): `*` and `?` stand
 * for any characters, `/` and line ends among them, and `[…]` is a class, `[!…]` its opposite.
 */
export function matchesName(name: string, selector: string): boolean {
  let pattern = compiled.get(selector);
  if (!pattern) {
    pattern = new RegExp(`^${translate(selector)}$`, 'su');
    compiled.set(selector, pattern);
  }
  return pattern.test(name);
}

/** Whether a selector, or one segment of it, stands for more than itself. */
export function isPattern(selector: string): boolean {
  return /[*?[]/.test(selector);
}

function translate(selector: string): string {
  let pattern = '';
  let position = 0;
  while (position < selector.length) {
    const c = String.fromCodePoint(selector.codePointAt(position) ?? 0);
    position += c.length;
    if (c === '*') pattern += '.*';
    else if (c === '?') pattern += '.';
    else if (c === '[') {
      const end = classEnd(selector, position);
      if (end === -1) {
        pattern += '\\[';
      } else {
        pattern += translateClass(selector.slice(position, end));
        position = end + 1;
      }
    } else pattern += escaped(c.codePointAt(0) ?? 0);
  }
  return pattern;
}

/** Where the class that began before `start` ends; a `]` in its first place is a member. */
function classEnd(selector: string, start: number): number {
  const afterBang = selector[start] === '!' ? start + 1 : start;
  return selector.indexOf(']', selector[afterBang] === ']' ? afterBang + 1 : afterBang);
}

/** A class by its code points; a range that runs backwards holds nothing. */
function translateClass(members: string): string {
  const isNegated = members.startsWith('!');
  const points = [...(isNegated ? members.slice(1) : members)].map((c) => c.codePointAt(0) ?? 0);
  let inside = '';
  for (let i = 0; i < points.length; i++) {
    const low = points[i] ?? 0;
    const high = points[i + 1] === DASH ? points[i + 2] : undefined;
    if (high === undefined) {
      inside += escaped(low);
      continue;
    }
    if (low <= high) inside += `${escaped(low)}-${escaped(high)}`;
    i += 2;
  }
  if (inside === '') return isNegated ? '.' : '(?!)';
  return `[${isNegated ? '^' : ''}${inside}]`;
}

const DASH = 0x2d;

function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}

/**
 * Parses JSON as the reference engine's language does (spec/06 §6.4): beyond the standard it reads
 * `NaN`, `Infinity` and `-Infinity`. Of two equal keys the last counts, there as here.
 *
 * @returns `undefined` for what is no JSON value; JSON itself has no such value
 */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return /NaN|Infinity/.test(text) ? parseWithNumbersSpelled(text) : undefined;
  }
}

/** A number that no record holds; it stands for NaN on the way through JSON.parse. */
const NAN_MARK = 5.2631578947368421e-301;

const STRING_OR_WORD = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/gs;

function parseWithNumbersSpelled(text: string): unknown {
  const spelled = text.replace(STRING_OR_WORD, (found) => {
    if (found.startsWith('"')) return found;
    // Set apart, so that `1NaN` does not become a number.
    if (found === 'NaN') return ` ${NAN_MARK} `;
    return found.startsWith('-') ? ' -1e999 ' : ' 1e999 ';
  });
  try {
    return JSON.parse(spelled, (_, value: unknown) => (value === NAN_MARK ? Number.NaN : value));
  } catch {
    return undefined;
  }
}

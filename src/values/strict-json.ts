import { type Problem, problem } from './problem.ts';
import { err, ok, type Result } from './result.ts';

/** A JSON object as parsed: only own properties are data. */
export type JsonObject = { readonly [key: string]: unknown };

/** Deeper nesting than any honest report has; bounds the recursion of everything that reads it. */
const MAX_DEPTH = 200;

/**
 * Parses one JSON object, strictly: valid UTF-8 without a byte order mark, nothing before or after
 * it, no duplicate keys, no NaN. Evidence that two readers could read differently is no evidence.
 */
export function parseStrictObject(bytes: Uint8Array): Result<JsonObject> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return err(problem('json/not-utf8', 'the text is not valid UTF-8'));
  }
  return parseStrictObjectText(text);
}

/** As {@link parseStrictObject}, for text that is already decoded. */
export function parseStrictObjectText(text: string): Result<JsonObject> {
  const shape = scanShape(text);
  if (shape?.code === 'json/too-deep') return err(shape);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return err(problem('json/syntax', `the text is not one JSON value: ${why}`));
  }
  if (shape) return err(shape);
  if (AMBIGUOUS.test(text) && !isInterchangeable(value)) {
    return err(problem('json/syntax', 'a number is out of range or a text holds half a character'));
  }
  if (!isJsonObject(value))
    return err(problem('json/not-an-object', 'the JSON value is not an object'));
  return ok(value);
}

/**
 * Cheap sign that a value may hold a half surrogate pair or a number beyond a double's range: one
 * needs an exponent of three digits, or more than two hundred digits before a shorter one.
 */
const AMBIGUOUS = /\\u[dD][89a-fA-F]|\d[eE]\+?\d{3}|\d{200}/;

/** RFC 7493: readers disagree about numbers that overflow and about unpaired surrogates. */
function isInterchangeable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isInterchangeable);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(
    ([key, item]) => key.isWellFormed() && isInterchangeable(item),
  );
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property, or `undefined`: `constructor` and its like are not data. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Looks for what JSON.parse lets through: a key twice in one object, and nesting without bound.
 * Text that is not JSON may give any answer here; JSON.parse refuses it afterwards.
 */
function scanShape(text: string): Problem | undefined {
  const open: (Set<string> | undefined)[] = [];
  let position = 0;
  while (position < text.length) {
    const c = text.charCodeAt(position);
    if (c === QUOTE) {
      const end = stringEnd(text, position);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) {
        const key = decodeKey(text.slice(position, end));
        if (key !== undefined && keys.has(key)) {
          return problem(
            'json/duplicate-key',
            `the key ${JSON.stringify(key)} stands twice in one object`,
          );
        }
        if (key !== undefined) keys.add(key);
      }
      position = end;
      continue;
    }
    if (c === BRACE_OPEN) open.push(new Set());
    else if (c === BRACKET_OPEN) open.push(undefined);
    else if (c === BRACE_CLOSE || c === BRACKET_CLOSE) open.pop();
    if (open.length > MAX_DEPTH) {
      return problem('json/too-deep', `the value is nested deeper than ${MAX_DEPTH} levels`);
    }
    position++;
  }
  return undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;

function stringEnd(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length) {
    const c = text.charCodeAt(position);
    if (c === QUOTE) return position + 1;
    position += c === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let position = end;
  while (' \t\n\r'.includes(text.charAt(position)) && position < text.length) position++;
  return text.charCodeAt(position) === COLON;
}

function decodeKey(quoted: string): string | undefined {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

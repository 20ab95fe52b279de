import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { type Place, type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';

/** Larger flow files cost seconds to parse and no honest one comes near. */
const MAX_BYTES = 256 * 1024;
/** Aliases may repeat a setting, not multiply into a bomb. */
const MAX_ALIASES = 100;

export type Pointer = readonly (string | number)[];

/** A flow file as data, with the place of every value in it. */
export interface FlowSource {
  readonly file: string;
  /** As it was read. */
  readonly text: string;
  readonly data: unknown;
  /** Place of the value at the pointer, of its key when `key` is set, or of the nearest parent. */
  place(pointer: Pointer, of?: 'key' | 'value'): Place;
}

/**
 * Reads a flow file (YAML 1.2 or JSON) strictly: UTF-8, one document, no duplicate key, no unknown
 * tag, no alias bomb.
 *
 * @param path where the file is
 * @param file how messages name it
 */
export function readFlowSource(path: string, file: string): Result<FlowSource, Problem[]> {
  const bytes = readBounded(path, file);
  if (!bytes.ok) return err([bytes.error]);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.value);
  } catch {
    return err([
      problem('flow/syntax', 'the flow file is not valid UTF-8', {
        at: { file },
        remedy: 'Save it as UTF-8.',
      }),
    ]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    merge: false,
    logLevel: 'error',
  });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    return err(
      faults.slice(0, 10).map((fault) => {
        const at = fault.linePos?.[0];
        return problem('flow/syntax', firstLine(fault.message), {
          at: { file, line: at?.line, column: at?.col },
          remedy:
            fault.code === 'DUPLICATE_KEY'
              ? 'Keep one of the two keys.'
              : fault.code === 'TAB_AS_INDENT'
                ? 'Indent with spaces.'
                : undefined,
        });
      }),
    );
  }
  const ambiguous = ambiguities(document, lines, file);
  if (ambiguous.length > 0) return err(ambiguous.slice(0, 10));
  if (path.endsWith('.json')) {
    const fault = jsonFault(text);
    if (fault)
      return err([problem('flow/syntax', `the flow file is not JSON: ${fault}`, { at: { file } })]);
  }
  try {
    const data: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return ok({
      file,
      text,
      data,
      place: (pointer, of) => placeOf(document, lines, file, pointer, of ?? 'value'),
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return err([
      problem('flow/syntax', `an alias cannot be resolved: ${firstLine(why)}`, {
        at: { file },
        remedy: 'Write the value out where the alias stands.',
      }),
    ]);
  }
}

function readBounded(path: string, file: string): Result<Uint8Array> {
  let descriptor: number | undefined;
  try {
    // O_NONBLOCK: a FIFO in the place of the file must not hold the gate for ever.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) {
      return err(
        problem('flow/unreadable', 'the flow file is not a regular file', { at: { file } }),
      );
    }
    if (stat.size > MAX_BYTES) {
      return err(
        problem(
          'flow/too-large',
          `the flow file has ${stat.size} bytes; at most ${MAX_BYTES} are read`,
          {
            at: { file },
            remedy: 'Split the workspace, or name many files by one glob.',
          },
        ),
      );
    }
    const bytes = Buffer.alloc(stat.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return ok(bytes.subarray(0, length));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return err(
      problem('flow/unreadable', `the flow file cannot be read (${code})`, { at: { file } }),
    );
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Keys that YAML tells apart and that are one name to us (`1` and `"1"`), or that are no name: the
 * later of two stages would replace the earlier unseen. And aliases of nothing.
 */
function ambiguities(document: Document, lines: LineCounter, file: string): Problem[] {
  const problems: Problem[] = [];
  const report = (node: unknown, message: string, remedy: string): void => {
    const { line, col } = lines.linePos(rangeStart(node) ?? 0);
    problems.push(problem('flow/syntax', message, { at: { file, line, column: col }, remedy }));
  };
  const anchors = new Set<string>();
  const note = ({ anchor }: { anchor?: string }): void => {
    if (anchor !== undefined) anchors.add(anchor);
  };
  visit(document, {
    Scalar: (_, scalar) => note(scalar),
    Seq: (_, list) => note(list),
    Map(_, map) {
      note(map);
      const names = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) {
          report(key, 'a key is not plain text', 'Write the key out where it stands.');
          continue;
        }
        const name = String(key.value ?? '');
        if (names.has(name)) {
          report(key, `the key \`${name}\` stands twice in one map`, 'Keep one of the two keys.');
        }
        names.add(name);
      }
    },
    Alias(position, alias) {
      if (position === 'key' || anchors.has(alias.source)) return;
      report(alias, `the alias \`*${alias.source}\` has no anchor`, 'Write the value out.');
    },
  });
  return problems;
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? text;
}

function placeOf(
  document: Document,
  lines: LineCounter,
  file: string,
  pointer: Pointer,
  of: 'key' | 'value',
): Place {
  let node: unknown = document.contents;
  let offset = rangeStart(node) ?? 0;
  for (const [depth, step] of pointer.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(step),
      );
      if (!pair) break;
      const isLast = depth === pointer.length - 1;
      offset =
        (isLast && of === 'key'
          ? rangeStart(pair.key)
          : (rangeStart(pair.value) ?? rangeStart(pair.key))) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number') {
      node = node.items[step];
      offset = rangeStart(node) ?? offset;
    } else {
      break;
    }
  }
  const { line, col } = lines.linePos(offset);
  return { file, line, column: col };
}

function rangeStart(node: unknown): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
  return range?.[0];
}

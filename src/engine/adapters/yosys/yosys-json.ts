import { err, ok, type Result } from '../../../values/result.ts';
import {
  isJsonObject,
  type JsonObject,
  own,
  parseStrictObjectText,
} from '../../../values/strict-json.ts';
import { readWritten } from '../written.ts';
import { placeOfSource } from './yosys-log.ts';

/** A bit of a net by its number in the module, or a constant: `0`, `1`, `x`, `z`. */
export type Bit = number | string;

export interface YosysModule {
  readonly name: string;
  readonly attributes: JsonObject;
  readonly ports: ReadonlyMap<string, YosysPort>;
  readonly cells: ReadonlyMap<string, YosysCell>;
  readonly nets: ReadonlyMap<string, YosysNet>;
}

export interface YosysPort {
  readonly direction: string;
  readonly bits: readonly Bit[];
}

export interface YosysCell {
  readonly type: string;
  readonly parameters: JsonObject;
  readonly attributes: JsonObject;
  readonly connections: ReadonlyMap<string, readonly Bit[]>;
  readonly directions: ReadonlyMap<string, string>;
}

export interface YosysNet {
  readonly bits: readonly Bit[];
  readonly attributes: JsonObject;
}

/** Reads what `write_json` wrote, by module. The error says in words what is wrong with it. */
export function readYosysJson(path: string): Result<ReadonlyMap<string, YosysModule>, string> {
  const text = readWritten(path);
  if (!text.ok) return text;
  const parsed = parseStrictObjectText(text.value);
  if (!parsed.ok) return err(`the netlist as JSON cannot be used: ${parsed.error.message}`);
  const modules = own(parsed.value, 'modules');
  if (!isJsonObject(modules)) return err('the netlist as JSON names no modules');
  const read = new Map<string, YosysModule>();
  for (const [name, module] of objectsIn(modules)) {
    read.set(name, {
      name,
      attributes: objectIn(module, 'attributes'),
      ports: mapOf(objectIn(module, 'ports'), (port) => ({
        direction: String(own(port, 'direction')),
        bits: bitsOf(own(port, 'bits')),
      })),
      cells: mapOf(objectIn(module, 'cells'), (cell) => ({
        type: String(own(cell, 'type')),
        parameters: objectIn(cell, 'parameters'),
        attributes: objectIn(cell, 'attributes'),
        connections: new Map(
          Object.entries(objectIn(cell, 'connections')).map(([port, bits]) => [port, bitsOf(bits)]),
        ),
        directions: new Map(
          Object.entries(objectIn(cell, 'port_directions')).map(([port, direction]) => [
            port,
            String(direction),
          ]),
        ),
      })),
      nets: mapOf(objectIn(module, 'netnames'), (net) => ({
        bits: bitsOf(own(net, 'bits')),
        attributes: objectIn(net, 'attributes'),
      })),
    });
  }
  return ok(read);
}

/** Is an attribute set? Yosys writes a number as 32 digits. */
export function hasAttribute(
  { attributes }: { readonly attributes: JsonObject },
  name: string,
): boolean {
  const value = own(attributes, name);
  return value !== undefined && !/^0*$/.test(String(value));
}

/** Where a constant that is no value comes in: a port, or the place of a cell. */
export function whereIs(module: YosysModule, value: 'x' | 'z'): string | undefined {
  for (const [name, { bits, direction }] of module.ports) {
    if (direction !== 'input' && bits.includes(value)) return name;
  }
  for (const [name, { connections, attributes }] of module.cells) {
    if ([...connections.values()].some((bits) => bits.includes(value))) {
      return placeOfSource(attributes['src']) ?? name;
    }
  }
  return undefined;
}

function mapOf<T>(object: JsonObject, read: (item: JsonObject) => T): Map<string, T> {
  return new Map(objectsIn(object).map(([name, item]) => [name, read(item)]));
}

function objectsIn(object: JsonObject): [string, JsonObject][] {
  return Object.entries(object).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isJsonObject(value) ? value : {};
}

function bitsOf(bits: unknown): Bit[] {
  return Array.isArray(bits)
    ? bits.map((bit: unknown) => (typeof bit === 'number' ? bit : String(bit)))
    : [];
}

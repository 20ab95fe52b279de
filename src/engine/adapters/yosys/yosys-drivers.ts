import { ok, type Result } from '../../../values/result.ts';
import type { Finding } from '../../evidence/finding.ts';
import { readWritten } from '../written.ts';
import { readYosysJson, type YosysModule } from './yosys-json.ts';
import { placeOfSource } from './yosys-log.ts';

/**
 * Finds what `check` does not: Yosys (0.23) takes a net that is assigned twice for all of its
 * drivers at once, and where one of them is a constant, the others are gone without a word.
 *
 * @param rtlil what `write_rtlil` wrote after `proc -noopt`: each assignment is a `connect`
 * @param modules the same, as `write_json` wrote it: there a cell that drives a constant shows
 * @param told what `check` has found
 */
export function findClashes(
  rtlil: string,
  modules: ReadonlyMap<string, YosysModule>,
  told: readonly Finding[],
): Finding[] {
  const isTold = told.some(({ code }) => code === MULTIDRIVEN);
  return [
    ...assignedTwice(rtlil),
    ...drivenConstants(modules),
    ...(isTold ? [] : drivenTwice(modules)),
  ];
}

/**
 * As {@link findClashes}, of what a script has written.
 *
 * @param path of the two files, without their endings `.il` and `.json`
 */
export function readClashes(path: string, told: readonly Finding[]): Result<Finding[], string> {
  const rtlil = readWritten(`${path}.il`);
  if (!rtlil.ok) return rtlil;
  const modules = readYosysJson(`${path}.json`);
  return modules.ok ? ok(findClashes(rtlil.value, modules.value, told)) : modules;
}

/** As `check` has it: a net with several drivers. */
const MULTIDRIVEN = 'MULTIDRIVEN';

function clash(message: string, source: unknown): Finding {
  return { severity: 'error', code: MULTIDRIVEN, message, place: placeOfSource(source) };
}

interface Wire {
  readonly width: number;
  readonly source: string | undefined;
}

function assignedTwice(rtlil: string): Finding[] {
  const findings = new Map<string, Finding>();
  let module = '';
  let source: string | undefined;
  let wires = new Map<string, Wire>();
  let assigned = new Set<string>();
  for (const line of rtlil.split('\n')) {
    const attribute = /^ *attribute \\src "([^"]*)"$/.exec(line);
    if (attribute) source = attribute[1];
    const start = /^module (\S+)$/.exec(line);
    if (start) {
      module = start[1] ?? '';
      wires = new Map();
      assigned = new Set();
    }
    const wire = /^ {2}wire (?:width (\d+) )?.*?(\S+)$/.exec(line);
    if (wire) wires.set(wire[2] ?? '', { width: Number(wire[1] ?? 1), source });
    // Deeper ones belong to cells.
    const target = /^ {2}connect (\{ .*? \}|\S+(?: \[[\d:]+\])?) /.exec(line)?.[1];
    for (const { name, bit } of target === undefined ? [] : bitsOf(target, wires)) {
      const id = `${module}.${name}`;
      const key = `${id} [${bit}]`;
      if (assigned.has(key) && !findings.has(id)) {
        findings.set(id, clash(`${id} is assigned twice`, wires.get(name)?.source));
      }
      assigned.add(key);
    }
    if (/^ *(?:wire|cell|module|memory|process)\b/.test(line)) source = undefined;
  }
  return [...findings.values()];
}

/** `\a`, `\a [3]`, `\a [3:0]`, or several of them in braces. */
function* bitsOf(
  target: string,
  wires: ReadonlyMap<string, Wire>,
): Generator<{ name: string; bit: number }> {
  for (const [, name = '', from, to] of target.matchAll(
    /([\\$]\S+)(?: \[(\d+)(?::(\d+))?\])?(?= |$)/g,
  )) {
    const high = from === undefined ? (wires.get(name)?.width ?? 1) - 1 : Number(from);
    const low = from === undefined ? 0 : Number(to ?? from);
    for (let bit = low; bit <= high; bit++) yield { name, bit };
  }
}

function drivenConstants(modules: ReadonlyMap<string, YosysModule>): Finding[] {
  const findings: Finding[] = [];
  for (const module of modules.values()) {
    for (const [name, { direction, bits }] of module.ports) {
      if (direction === 'input' && bits.some(isConstant)) {
        const source = module.nets.get(name)?.attributes['src'];
        findings.push(clash(`a constant drives the input ${name} of ${module.name}`, source));
      }
    }
    for (const [name, { type, directions, connections, attributes }] of module.cells) {
      for (const [port, bits] of connections) {
        if (directions.get(port) !== 'output' || !bits.some(isConstant)) continue;
        const cell = name.startsWith('$') ? type : `${type} ${name}`;
        const message = `a constant drives what the output ${port} of ${cell} drives`;
        findings.push(clash(message, attributes['src']));
      }
    }
  }
  return findings;
}

/**
 * Outputs of cells that drive what an input of the module, or another cell, drives already. `check`
 * sees it once a cell is flattened, but not where it was a constant: a tie cell is gone by then.
 */
function drivenTwice(modules: ReadonlyMap<string, YosysModule>): Finding[] {
  const findings: Finding[] = [];
  for (const module of modules.values()) {
    const driven = new Map<number, string>();
    for (const [name, { direction, bits }] of module.ports) {
      if (direction !== 'input') continue;
      for (const bit of bits) if (!isConstant(bit)) driven.set(Number(bit), `the input ${name}`);
    }
    for (const [name, { type, directions, connections, attributes }] of module.cells) {
      // Several of these may share a net; whoever cannot judge that says so.
      if (/^\$_?tribuf_?$/i.test(type)) continue;
      for (const [port, bits] of connections) {
        if (directions.get(port) !== 'output') continue;
        const by = `${type} ${name}`;
        const other = bits.flatMap((bit) => driven.get(Number(bit)) ?? [])[0];
        if (other !== undefined && other !== by) {
          findings.push(clash(`${by} drives what ${other} drives`, attributes['src']));
        }
        for (const bit of bits) if (!isConstant(bit)) driven.set(Number(bit), by);
      }
    }
  }
  return findings;
}

function isConstant(bit: unknown): boolean {
  return typeof bit === 'string';
}

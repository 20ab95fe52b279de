import type { Finding } from '../../evidence/finding.ts';
import type { YosysModule } from './yosys-json.ts';
import { placeOfSource } from './yosys-log.ts';

/** What `check` found. */
export interface CheckReport {
  readonly problems: number;
  /** Cells of Yosys' own that no cell of the technology stands for. */
  readonly unmapped: number;
  /** The first problem, for a summary. */
  readonly first: string | undefined;
  readonly findings: readonly Finding[];
}

const WIRE = /^Wire (\S+)\.([\\$]\S+)(?: \[[\d:]+\])? is used but has no driver\.$/;
const DRIVERS = /^multiple conflicting drivers for (\S+)\.([\\$]\S+)(?: \[[\d:]+\])?:$/;
const LOOP = /^found logic loop in module (\S+):$/;
const UNMAPPED = /^Cell (\S+?)\.([\\$].+|\S+) is an unmapped internal cell of type (\S+)\.$/;
const CELL = /^ {4}cell (\S+)/;

/**
 * Reads the report that `check` wrote to a file of its own (0.23).
 *
 * @param modules where the sources of its wires and cells are looked up
 * @returns undefined when it does not say how much it found, exactly once, and names each
 */
export function readCheck(
  text: string,
  modules: ReadonlyMap<string, YosysModule>,
): CheckReport | undefined {
  const counts = [...text.matchAll(/^Found and reported (\d+) problems\.$/gm)];
  const [count] = counts;
  if (count === undefined || counts.length !== 1) return undefined;
  const findings: Finding[] = [];
  let unmapped = 0;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const message = /^Warning: (.*)$/.exec(line)?.[1];
    if (message === undefined) continue;
    if (UNMAPPED.test(message)) unmapped++;
    findings.push(findingOf(message, lines[index + 1] ?? '', modules));
  }
  if (findings.length !== Number(count[1])) return undefined;
  return { problems: findings.length, unmapped, first: findings[0]?.message, findings };
}

function findingOf(
  message: string,
  next: string,
  modules: ReadonlyMap<string, YosysModule>,
): Finding {
  const error = (code: string, text: string, source: unknown): Finding => ({
    severity: 'error',
    code,
    message: text,
    place: placeOfSource(source),
  });
  const wire = WIRE.exec(message);
  if (wire) return error('UNDRIVEN', message, sourceOf(modules, 'nets', wire[1], wire[2]));
  const drivers = DRIVERS.exec(message);
  if (drivers) {
    const source = sourceOf(modules, 'nets', drivers[1], drivers[2]);
    return error('MULTIDRIVEN', message.replace(/:$/, ''), source);
  }
  const loop = LOOP.exec(message);
  if (loop) {
    const source = sourceOf(modules, 'cells', loop[1], CELL.exec(next)?.[1]);
    return error('LOOP', message.replace(/:$/, ''), source);
  }
  const cell = UNMAPPED.exec(message);
  if (cell) return error('UNMAPPED', message, sourceOf(modules, 'cells', cell[1], cell[2]));
  return error('CHECK', message, undefined);
}

/** The log writes a name of the sources with a backslash before it, JSON without. */
function sourceOf(
  modules: ReadonlyMap<string, YosysModule>,
  kind: 'nets' | 'cells',
  module: string | undefined,
  name: string | undefined,
): unknown {
  const found = modules.get(plain(module))?.[kind].get(plain(name));
  return found?.attributes['src'];
}

function plain(name: string | undefined): string {
  return (name ?? '').replace(/^\\/, '');
}

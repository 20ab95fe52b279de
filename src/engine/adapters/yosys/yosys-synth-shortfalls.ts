import type { Finding } from '../../evidence/finding.ts';
import type { LibertyCell } from './liberty-cells.ts';
import { type Bit, hasAttribute, type YosysCell, type YosysModule } from './yosys-json.ts';
import { placeOfSource } from './yosys-log.ts';

/** What `check` does not look for. */
export interface Shortfalls {
  /** Input pins of cells of the technology that nothing is connected to. */
  readonly open: number;
  readonly latches: number;
  readonly triStates: number;
  /** Registers with a value at power-up, which cells do not have. */
  readonly initialValues: number;
  /** Modules without contents that are instantiated, by name. */
  readonly blackBoxes: readonly string[];
  readonly findings: readonly Finding[];
}

const LATCHES = ['$dlatch', '$adlatch', '$dlatchsr', '$sr'];

/** @param modules the design after `proc`, flattened, with the cells of the technology as black boxes */
export function findShortfalls(
  modules: ReadonlyMap<string, YosysModule>,
  liberty: ReadonlyMap<string, LibertyCell>,
): Shortfalls {
  const findings: Finding[] = [];
  const blackBoxes = new Set<string>();
  let open = 0;
  let latches = 0;
  let triStates = 0;
  let initialValues = 0;
  const tell = (
    severity: Finding['severity'],
    code: string,
    message: string,
    about: Pick<YosysCell, 'attributes'> | undefined,
  ): void => {
    findings.push({ severity, code, message, place: placeOfSource(about?.attributes['src']) });
  };
  for (const module of modules.values()) {
    if (isBox(module)) continue;
    for (const [name, { bits, direction }] of module.ports) {
      if (direction === 'input' || !bits.includes('z')) continue;
      triStates++;
      tell('warn', 'TRISTATE', `z drives ${name}`, module.nets.get(name));
    }
    for (const [name, net] of module.nets) {
      const initial = net.attributes['init'];
      if (initial === undefined || !/[01]/.test(String(initial))) continue;
      initialValues++;
      tell('warn', 'INIT-LOST', `the initial value of ${name} is not in the netlist`, net);
    }
    for (const [name, cell] of module.cells) {
      if (LATCHES.includes(cell.type)) {
        latches++;
        const held = nameOf(module, cell.connections.get('Q')) ?? name;
        tell('error', 'LATCH', `a latch holds ${held}`, cell);
      }
      if ([...cell.connections.values()].some((bits) => bits.includes('z'))) {
        triStates++;
        tell('warn', 'TRISTATE', `z is an input of ${cell.type} ${name}`, cell);
      }
      const inside = modules.get(cell.type);
      if (inside === undefined || !isBox(inside)) continue;
      if (!liberty.has(cell.type)) {
        blackBoxes.add(cell.type);
        continue;
      }
      for (const pin of openInputs(cell, inside)) {
        open++;
        tell('error', 'UNCONNECTED', `the input ${pin} of ${cell.type} ${name} is open`, cell);
      }
    }
  }
  return { open, latches, triStates, initialValues, blackBoxes: [...blackBoxes], findings };
}

function isBox(module: YosysModule): boolean {
  return hasAttribute(module, 'blackbox') || hasAttribute(module, 'whitebox');
}

function openInputs({ connections }: YosysCell, { ports }: YosysModule): string[] {
  return [...ports]
    .filter(([name, { direction, bits }]) => {
      const connected = connections.get(name);
      return direction === 'input' && (connected === undefined || connected.length < bits.length);
    })
    .map(([name]) => name);
}

/** A name that the sources have for the first of these bits. */
function nameOf(module: YosysModule, bits: readonly Bit[] | undefined): string | undefined {
  const bit = bits?.[0];
  if (bit === undefined) return undefined;
  for (const [name, net] of module.nets) {
    if (!name.startsWith('$') && net.bits.includes(bit)) return name;
  }
  return undefined;
}

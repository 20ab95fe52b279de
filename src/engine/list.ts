import type { EngineAnswer } from '../generated/documents.ts';
import { printable } from '../values/text.ts';
import type { Descriptor } from './descriptor.ts';
import { findEngine, type Places } from './find-engine.ts';
import { introduce, versionIn } from './probe.ts';

/** Introduces each engine that is named: what it is, what it may claim, what it leaves out. */
export async function listEngines(
  names: readonly string[],
  places: Places,
): Promise<EngineAnswer[]> {
  const answers: EngineAnswer[] = [];
  for (const uses of names) answers.push(await listEngine(uses, places));
  return answers;
}

async function listEngine(uses: string, places: Places): Promise<EngineAnswer> {
  const unknown: EngineAnswer = {
    uses,
    name: null,
    found: null,
    version: null,
    contract: 'none',
    maturity: 'discovered',
    assertion: null,
    consumes: [],
    effect: 'unknown',
    limitations: [],
    problem: null,
  };
  const found = findEngine(uses, places);
  if (!found.ok) return { ...unknown, problem: found.error.message };
  const introduced = await introduce(found.value, { ...places, declared: {} });
  if (!introduced.ok) return { ...unknown, found: found.value, problem: introduced.error.message };
  const { descriptor, versionLine } = introduced.value;
  const version = versionIn(versionLine);
  if (typeof descriptor === 'string') {
    return {
      ...unknown,
      found: found.value,
      version,
      problem: `no descriptor: ${printable(descriptor, 300)}`,
    };
  }
  return {
    ...unknown,
    found: found.value,
    version,
    name: descriptor.name ?? null,
    contract: descriptor.contract,
    maturity: descriptor.claim.maturity,
    assertion: descriptor.claim.assertion?.id ?? null,
    consumes: [...descriptor.consumes],
    effect: effectOf(descriptor),
    limitations: [...descriptor.limitations],
    problem: descriptor.claim.silence === '' ? null : descriptor.claim.silence,
  };
}

/** Roles of files that say something about a design; every other role is design data itself. */
const REPORT_ROLE =
  /(?:^|_)(?:report|log|view|views|svg|png|pdf|summary|trace|vcd|waveform|coverage|results?|json)$/;

/** spec 01: an engine that writes design data edits the design, one that writes reports does not. */
function effectOf({ artifacts }: Descriptor): EngineAnswer['effect'] {
  return artifacts.every(({ role }) => REPORT_ROLE.test(role)) ? 'read-only' : 'mutating';
}

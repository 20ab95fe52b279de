import type { EngineAnswer } from '../generated/documents.ts';
import { printable } from '../values/text.ts';
import type { Descriptor } from './descriptor.ts';
import type { Places } from './find-engine.ts';
import { introduceEngine } from './introduce-engine.ts';
import { versionIn } from './probe.ts';

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
  const engine = await introduceEngine(uses, { ...places, declared: {} });
  if (!engine.ok) return { ...unknown, problem: engine.error.message };
  const { descriptor, versionLine, found } = engine.value;
  const version = versionIn(versionLine);
  if (typeof descriptor === 'string') {
    return {
      ...unknown,
      found,
      version,
      problem: `no descriptor: ${printable(descriptor, 300)}`,
    };
  }
  return {
    ...unknown,
    found,
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

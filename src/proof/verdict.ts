import type { Floor } from '../flow/stage.ts';
import { type JsonObject, own } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';
import type { Assertion, Claim } from './claim.ts';
import { incompleteCoverage } from './coverage.ts';
import { missedFloors } from './floors.ts';

export type VerdictStatus = 'pass' | 'fail' | 'unknown' | 'not_applicable';

/** What the evidence says about the design. */
export interface Verdict {
  readonly status: VerdictStatus;
  /** Name of the claim; null when none was declared or the execution gave no answer. */
  readonly assertion: string | null;
  /** One sentence for people. */
  readonly summary: string;
  /** A pass that no floor stands under. */
  readonly isUnfloored: boolean;
}

/** What a flow demands of a pass, beyond the engine's own assertion. */
export interface Demands {
  readonly floors: Readonly<Record<string, Floor>>;
  readonly minCoverage: number | undefined;
}

/** The one conclusion of an execution that did not complete, whatever the reason. */
export const NO_CONCLUSION: Verdict = unknown(
  null,
  'execution did not complete; no engineering conclusion reached',
);

/**
 * Derives the verdict of a completed execution from its payload (spec 02 "When the verdict is
 * unknown", spec 05). Only positive evidence passes; floors and coverage turn a pass into unknown
 * and never touch a fail.
 */
export function deriveVerdict(claim: Claim, payload: JsonObject | null, demands: Demands): Verdict {
  const { assertion, maturity } = claim;
  if (!assertion) return unknown(null, `${claim.silence}; silence is never a pass`);
  if (maturity === 'discovered') {
    return unknown(
      assertion.id,
      "the engine's maturity is `discovered`: nothing has validated its result shape",
    );
  }
  if (assertion.kind === 'not-applicable') {
    return {
      status: 'not_applicable',
      assertion: assertion.id,
      summary: 'the operation makes no engineering claim',
      isUnfloored: false,
    };
  }
  if (payload === null) return unknown(assertion.id, 'there is no payload to read a verdict from');
  const judged = judgeField(assertion, payload);
  if (judged.status !== 'pass') return judged;

  const floors = { ...claim.floors, ...demands.floors };
  const missed = missedFloors(payload, floors);
  const coverage = incompleteCoverage(payload, demands.minCoverage);
  const reasons = [
    ...missed.map((sentence) => `floor not reached: ${sentence}`),
    ...(coverage === undefined ? [] : [`coverage incomplete: ${coverage}`]),
  ];
  if (reasons.length > 0) {
    return unknown(assertion.id, `${judged.summary}, but ${reasons.join('; ')}`);
  }
  return { ...judged, isUnfloored: Object.keys(floors).length === 0 };
}

function judgeField(assertion: Assertion & { kind: 'field' }, payload: JsonObject): Verdict {
  const { id, field, passWhen } = assertion;
  const value = own(payload, field);
  if (value === undefined) return unknown(id, `the verdict field '${field}' is absent`);
  const said =
    assertion.summaryField === undefined ? undefined : own(payload, assertion.summaryField);
  const stated = typeof said === 'string' && said.trim() !== '' ? said : undefined;
  if (value === null) {
    const why = stated === undefined ? '' : `: ${stated}`;
    return unknown(id, `the verdict field '${field}' is null, inconclusive by its own word${why}`);
  }
  const expected = passWhen.operator === 'is_true' ? true : passWhen.value;
  if (typeof value !== typeof expected) {
    return unknown(
      id,
      `the verdict field '${field}' is of the wrong type (${kindOf(value)}, not ${typeof expected})`,
    );
  }
  const holds = value === expected;
  const sentence = `assertion '${id}' ${holds ? 'held' : 'did not hold'} on '${field}'`;
  return {
    status: holds ? 'pass' : 'fail',
    assertion: id,
    summary: printable(stated ?? sentence),
    isUnfloored: false,
  };
}

function unknown(assertion: string | null, summary: string): Verdict {
  return { status: 'unknown', assertion, summary: printable(summary, 4000), isUnfloored: false };
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

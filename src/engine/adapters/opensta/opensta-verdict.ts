import type { JsonObject } from '../../../values/strict-json.ts';
import { plural } from '../../../values/text.ts';
import type { Finding } from '../../evidence/finding.ts';
import { fitsAny } from '../wildcard.ts';
import type { StaConstraints } from './opensta-constraints.ts';
import { isHarmless, type StaMessage, type StaMessages, told } from './opensta-messages.ts';
import type { StaFigures, StaRecords } from './opensta-records.ts';
import { type StaCoverage, staCoverage } from './opensta-shortfalls.ts';
import type { SpefNets } from './opensta-spef.ts';

export interface StaRules {
  readonly allowUnconstrained: readonly string[];
  readonly allowWarnings: readonly string[];
  /** What the SPEF file connects; without one there are no parasitics. */
  readonly spef: SpefNets | undefined;
  /** Most violations that are shown one by one. */
  readonly most: number;
}

export interface StaJudgement {
  readonly met: boolean | null;
  readonly summary: string;
  readonly figures: JsonObject;
  readonly findings: readonly Finding[];
}

/** An endpoint that is not in time. */
interface Violation {
  readonly name: string;
  readonly check: string;
  /** Seconds; undefined for a check that is named without a figure. */
  readonly slack: number | undefined;
}

/** Most names of one kind in the payload, and most messages that are shown. */
const MOST = 100;

/** What the evidence of a run comes to: anything that is doubtful leaves the verdict open. */
export function judgeTiming(
  messages: StaMessages,
  records: StaRecords,
  constraints: StaConstraints,
  rules: StaRules,
): StaJudgement {
  const errors = [...records.errors, ...messages.errors];
  const warnings = [...records.warnings, ...messages.warnings];
  const doubtful = warnings.filter(
    (warning) => !isHarmless(warning) && !fitsAny(rules.allowWarnings, warning.text),
  );
  const shown = [
    ...errors.map((message) => findingOf(message, 'error')),
    ...warnings.map((message) => findingOf(message, 'warn')),
  ].slice(0, MOST);
  const { stopped } = records;
  if (stopped) {
    // Some readers call warnings what ends them.
    const cause = errors[0] ?? doubtful.at(-1);
    const why = cause === undefined ? stopped.why : told(cause);
    const figures = { ...counts(records), errors: errors.length, warnings: warnings.length };
    return { met: null, summary: `${stopped.step}: ${why}`, figures, findings: shown };
  }

  const coverage = staCoverage(records, constraints, rules.allowUnconstrained, rules.spef);
  const violations = violationsIn(records);
  const figures = {
    ...counts(records),
    ...slacks(records),
    violations: violations.length,
    errors: errors.length,
    warnings: warnings.length,
    ...names('unconstrained', coverage.unconstrained),
    ...names('allowed_unconstrained', coverage.allowed),
    ...(rules.spef ? { nets: records.nets, nets_without_parasitics: records.bare.length } : {}),
    constraints: constraints.commands,
    time_unit: 'ns',
  };
  const findings = [
    ...shown,
    ...coverage.reasons.map(
      (message): Finding => ({ severity: 'warn', code: 'OPEN', message, place: undefined }),
    ),
    ...violations.slice(0, rules.most).map(violationFinding),
  ];
  const open = whyOpen(errors, doubtful, coverage, records, violations);
  if (open.length > 0) {
    const more = open.length > 1 ? `; ${plural(open.length - 1, 'more reason')}` : '';
    const missed =
      violations.length > 0 ? `; ${plural(violations.length, 'violation')} all the same` : '';
    return { met: null, summary: `${open[0]}${more}${missed}`, figures, findings };
  }
  const [worst] = violations;
  const summary =
    worst === undefined
      ? `setup met at ${plural(records.setup.paths.size, 'endpoint')}, hold at ${records.hold.paths.size}${worstWord(records)}`
      : `${plural(violations.length, 'violation')}, the worst at ${describe(worst)}`;
  return { met: worst === undefined, summary, figures, findings };
}

/** Each reason that leaves the verdict open, the weightiest first. */
function whyOpen(
  errors: readonly StaMessage[],
  doubtful: readonly StaMessage[],
  coverage: StaCoverage,
  records: StaRecords,
  violations: readonly Violation[],
): string[] {
  const reasons = [
    ...errors.map(told),
    ...doubtful.map(
      (warning) => `${told(warning)} (a warning; correct it, or allow it in allow-warnings)`,
    ),
    ...coverage.reasons,
  ];
  // Two ways to the same figures: what the tool keeps, and what its paths say.
  const isKeptBad = [records.setup, records.hold].some(
    ({ worst, totalNegative }) => (worst ?? 0) < 0 || (totalNegative ?? 0) < 0,
  );
  if (isKeptBad && violations.length === 0) {
    reasons.push('the tool names a negative slack, and no path that has it');
  }
  return reasons;
}

/** A slack of zero is met; the tool's own word for less is VIOLATED. */
function violationsIn({ setup, hold, violated }: StaRecords): Violation[] {
  const late = [setup, hold].flatMap(({ paths }) =>
    [...paths]
      .filter(([, { slack }]) => slack < 0)
      .map(([name, { slack, check }]) => ({ name, check, slack })),
  );
  late.sort((one, other) => one.slack - other.slack);
  const others = violated.map((name) => ({ name, check: 'width or period', slack: undefined }));
  return [...late, ...others];
}

function describe({ name, check, slack }: Violation): string {
  return slack === undefined ? `${name} (${check})` : `${name} (${check}, slack ${ns(slack)} ns)`;
}

function violationFinding(violation: Violation): Finding {
  const code = violation.check.toUpperCase().replaceAll(' ', '_');
  return {
    severity: 'error',
    code,
    message: `not in time: ${describe(violation)}`,
    place: undefined,
  };
}

function findingOf({ text, place }: StaMessage, severity: 'error' | 'warn'): Finding {
  return { severity, code: severity === 'error' ? 'ERROR' : 'WARNING', message: text, place };
}

function counts(records: StaRecords): JsonObject {
  const { isLinked, cells, registers, clocks, setup, hold, stopped } = records;
  return {
    linked: isLinked,
    ...(cells === undefined ? {} : { cells }),
    ...(registers === undefined ? {} : { registers }),
    ...(stopped
      ? {}
      : {
          clocks: clocks.length,
          endpoints: setup.paths.size,
          hold_endpoints: hold.paths.size,
        }),
  };
}

/** In nanoseconds; what the tool does not know is left out. */
function slacks({ setup, hold }: StaRecords): JsonObject {
  const figures: Record<string, number> = {};
  const worst = [worstOf(setup), worstOf(hold)];
  const [setupWorst, holdWorst] = worst;
  if (setupWorst !== undefined) figures['setup_worst_slack'] = ns(setupWorst);
  if (holdWorst !== undefined) figures['hold_worst_slack'] = ns(holdWorst);
  if (setupWorst !== undefined && holdWorst !== undefined) {
    figures['worst_slack'] = ns(Math.min(setupWorst, holdWorst));
  }
  for (const [name, { paths, totalNegative }] of [
    ['setup_tns', setup],
    ['hold_tns', hold],
  ] as const) {
    // Without a path the tool says 0 too.
    if (paths.size > 0 && totalNegative !== undefined) figures[name] = ns(totalNegative);
  }
  return figures;
}

function worstOf({ paths, worst }: StaFigures): number | undefined {
  if (worst === undefined || paths.size === 0) return undefined;
  let least = worst;
  for (const { slack } of paths.values()) least = Math.min(least, slack);
  return least;
}

function worstWord(records: StaRecords): string {
  const worst = slacks(records)['worst_slack'];
  return typeof worst === 'number' ? `, worst slack ${worst} ns` : '';
}

/** Seconds as the tool keeps them, six digits of a short float, in nanoseconds. */
function ns(seconds: number): number {
  return Number((seconds * 1e9).toPrecision(6));
}

function names(name: string, all: readonly string[]): JsonObject {
  return { [name]: all.length, [`${name}_names`]: all.slice(0, MOST) };
}

import type { Evidence, Floor, Flow, Inputs, Stage } from '../flow/stage.ts';
import { outputKey } from '../flow/stage.ts';
import { canonicalJson } from '../values/canonical.ts';
import { sortedEntries } from '../values/order.ts';
import { defaultFloors } from './default-floors.ts';

/** One way in which a change alters how a design is judged, rather than the design. */
export interface JudgingChange {
  readonly stage: string | undefined;
  /** A sentence without its end: `the floor cells was lowered from 10 to 1`. */
  readonly message: string;
}

/**
 * What of a flow's demands another flow no longer makes, or makes in other words. What makes them
 * stricter (a stage more, a floor raised, a selector added) is not listed; where it cannot be told
 * which it is, it is.
 */
export function compareJudging(base: Flow, ours: Flow): JudgingChange[] {
  return base.stages.flatMap((before) => {
    const after = ours.stages.find(({ name }) => name === before.name);
    if (after) return sentences(before, after).map((message) => ({ stage: before.name, message }));
    const reason = Object.hasOwn(ours.retired, before.name) ? ours.retired[before.name] : undefined;
    const message =
      reason === undefined
        ? 'the stage was removed or renamed'
        : `the stage was retired: ${JSON.stringify(reason)}`;
    return [{ stage: before.name, message }];
  });
}

function sentences(before: Stage, after: Stage): string[] {
  return [
    ...workChanges(before, after),
    ...floorChanges(before, after),
    ...coverageChanges(before, after),
    ...(after.acceptsNoClaim && !before.acceptsNoClaim
      ? ['`claims: none` was added: it need not claim anything']
      : []),
    ...selectorChanges(before.inputs, after.inputs),
    ...removed('the output', before.outputs.map(outputKey), after.outputs.map(outputKey)),
    ...inputsMadeOutputs(before, after),
    ...(before.inputs === 'none' ? removed('the order after', before.after, after.after) : []),
    ...tableChanges('external', before.external, after.external),
    ...tableChanges('env', before.env, after.env),
  ];
}

function workChanges({ work: before }: Stage, { work: after }: Stage): string[] {
  if (before.kind !== after.kind)
    return [`it is ${WORK[after.kind]}, and was ${WORK[before.kind]}`];
  if (before.kind === 'judged' && after.kind === 'judged') {
    return before.by === after.by
      ? []
      : [`it is judged by a ${after.by}, and was by a ${before.by}`];
  }
  if (before.kind === 'engine' && after.kind === 'engine') {
    return [
      ...(before.uses === after.uses
        ? []
        : [`its engine is ${after.uses}, and was ${before.uses}`]),
      ...(before.version === after.version
        ? []
        : [
            `the accepted version is ${after.version ?? 'any'}, and was ${before.version ?? 'any'}`,
          ]),
      ...tableChanges('with', before.with, after.with),
      ...removed('the tool', before.tools, after.tools),
    ];
  }
  if (before.kind === 'command' && after.kind === 'command') {
    return [
      ...(same(before.argv, after.argv) && before.isScript === after.isScript
        ? []
        : ['its command was changed']),
      ...removed('the tool', before.tools, after.tools),
      ...evidenceChanges(before.evidence, after.evidence),
    ];
  }
  return [];
}

const WORK = {
  engine: 'done by an engine',
  command: 'done by a command',
  judged: 'judged outside the gate',
} as const;

function evidenceChanges(before: Evidence, after: Evidence): string[] {
  if (same(before, after)) return [];
  if (before.kind !== after.kind) {
    return [`its evidence is ${after.kind}, and was ${before.kind}`];
  }
  if (before.kind === 'json' && after.kind === 'json' && !same(before.assertion, after.assertion)) {
    return ['the assertion of its evidence was changed'];
  }
  return isStricter(before, after) ? [] : ['its evidence was changed'];
}

/** Nothing but demands that were added: skipped tests no longer allowed, more tests asked for. */
function isStricter(before: Evidence, after: Evidence): boolean {
  if (before.kind === 'lcov' && after.kind === 'lcov') {
    return (
      before.path === after.path &&
      after.minLineCoverage >= before.minLineCoverage &&
      // A file more may raise the coverage of the whole: that is no stricter.
      same(before.files, after.files)
    );
  }
  if (before.kind !== 'junit' || after.kind !== 'junit') return false;
  const { allowSkipped, minTests = 0, tests = [], ...rest } = before;
  const { allowSkipped: allowsNow, minTests: asksNow = 0, tests: names = [], ...restNow } = after;
  return (
    same(rest, restNow) &&
    (allowSkipped || !allowsNow) &&
    asksNow >= minTests &&
    tests.every((name) => names.includes(name))
  );
}

function floorChanges(before: Stage, after: Stage): string[] {
  const defaults = before.work.kind === 'engine' ? defaultFloors(nameOf(before.work.uses)) : {};
  const floors: Readonly<Record<string, Floor>> = { ...defaults, ...before.floors };
  const known = sortedEntries(floors).flatMap(([field, floor]) => {
    const own = Object.hasOwn(after.floors, field) ? after.floors[field] : undefined;
    const now = own ?? (Object.hasOwn(defaults, field) ? defaults[field] : undefined);
    if (!now) return [`the floor ${field} was removed (it was ${bound(floor)})`];
    return isAtLeast(now, floor)
      ? []
      : [`the floor ${field} is ${bound(now)}, and was ${bound(floor)}`];
  });
  // A floor of nothing may take the place of one that ships for an engine we do not know by name.
  const hollow = sortedEntries(after.floors).flatMap(([field, floor]) =>
    !Object.hasOwn(floors, field) && ('min' in floor ? floor.min <= 0 : floor.above < 0)
      ? [`a floor ${field} was added that holds nothing up (${bound(floor)})`]
      : [],
  );
  return [...known, ...hollow];
}

function nameOf(uses: string): string {
  const last = uses.slice(uses.lastIndexOf('/') + 1);
  return last.replace(/^vyges-/, '').replace(/\.[a-z]+$/, '');
}

function bound(floor: Floor): string {
  return 'min' in floor ? `at least ${floor.min}` : `above ${floor.above}`;
}

function isAtLeast(now: Floor, before: Floor): boolean {
  if ('min' in now) return 'min' in before ? now.min >= before.min : now.min > before.above;
  return 'min' in before ? now.above >= before.min : now.above >= before.above;
}

/** Not said means that coverage must be complete where it is stated, and that it need not be. */
function coverageChanges(before: Stage, after: Stage): string[] {
  const { minCoverage: was } = before;
  const { minCoverage: is } = after;
  if (is === undefined) {
    return was === undefined ? [] : [`min-coverage was removed (it was ${was})`];
  }
  return is >= (was ?? 1) ? [] : [`min-coverage is ${is}, and was ${was ?? 1}`];
}

/** What a stage writes is none of its inputs. */
function inputsMadeOutputs({ inputs, outputs }: Stage, after: Stage): string[] {
  if (inputs === 'none') return [];
  return after.outputs
    .filter((output) => !outputs.some((known) => outputKey(known) === outputKey(output)))
    .filter(({ path, isFolder }) =>
      inputs.include.some(({ selector }) =>
        isFolder ? selector.reaches(path) : selector.matches(path),
      ),
    )
    .map((output) => `the output ${outputKey(output)} was added, which was an input`);
}

function selectorChanges(before: Inputs | 'none', after: Inputs | 'none'): string[] {
  if (before === 'none') {
    return after === 'none' ? [] : ['its inputs were `none`, so that it was run each time'];
  }
  if (after === 'none')
    return ['its inputs are `none`: nothing binds its result to files any more'];
  const globs = (inputs: Inputs): string[] => inputs.include.map(({ selector }) => selector.glob);
  const required = ({ include }: Inputs): string[] =>
    include.filter(({ optional }) => !optional).map(({ selector }) => selector.glob);
  const optional = [...new Set(required(before))]
    .filter((glob) => globs(after).includes(glob) && !required(after).includes(glob))
    .map((glob) => `the selector ${glob} may match nothing now`);
  const excludes = (inputs: Inputs): string[] => inputs.exclude.map(({ glob }) => glob);
  return [
    ...removed('the selector', globs(before), globs(after)),
    ...optional,
    ...removed('the exclusion', excludes(after), excludes(before), 'was added'),
  ];
}

function removed(
  what: string,
  from: readonly string[],
  to: readonly string[],
  did = 'was removed',
): string[] {
  return from.filter((item) => !to.includes(item)).map((item) => `${what} ${item} ${did}`);
}

function tableChanges(
  what: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => !same(ownValue(before, name), ownValue(after, name)))
    .map((name) => `\`${what}: ${name}\` was changed`);
}

function ownValue(table: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import { plural } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { AdapterAnswer, Bench } from '../adapter.ts';
import { badOutput } from '../deliver.ts';
import { unusable } from '../no-answer.ts';
import { numberIn, textIn, textsIn } from '../values.ts';
import { induce, searchCovers, searchFailure } from './smtbmc.ts';
import type { SmtbmcReport } from './smtbmc-report.ts';
import { type Built, buildModel } from './yosys-formal-build.ts';
import type { FormalModel, Property } from './yosys-formal-model.ts';
import { keepCounterexample } from './yosys-formal-trace.ts';

/** What a run is to show, and the field of the payload that says whether it did. */
export interface Aim {
  readonly field: string;
  /** For every step there is, not only for the first ones. */
  readonly isProof: boolean;
}

/** Most names of one kind in a payload. */
const MOST_NAMES = 200;

/**
 * Holds the asserts of a design against the solver: a search for a failure, a witness that each
 * assert is looked at and each cover reached, and, for a proof, an induction at the same depth.
 */
export async function checkProperties(
  bench: Bench,
  { field, isProof }: Aim,
): Promise<Result<AdapterAnswer, EnvelopeError>> {
  const { values, folder } = bench;
  const depth = numberIn(values, 'depth') ?? 0;
  const top = textIn(values, 'top') ?? '';
  const steps: string[] = [];
  const figures: Record<string, unknown> = { top, depth, solver: 'z3', engine_steps: steps };
  const bad = badOutput(bench, ['counterexample'], ['files']);
  if (bad) return err(bad);

  const made = await buildModel(bench);
  if (!made.ok) return made;
  const built = made.value;
  const trace = join(folder, 'counterexample.vcd');
  const answer = (holds: boolean | null, summary: string): Result<AdapterAnswer, EnvelopeError> => {
    const kept = holds === null ? ok({}) : keepCounterexample(bench, trace, summary);
    if (!kept.ok) return kept;
    return ok({
      payload: { [field]: holds, summary, ...figures, ...kept.value },
      opened: 'obstacle' in built ? [] : built.opened,
    });
  };
  if ('obstacle' in built) return answer(null, built.obstacle);
  const { model } = built;
  Object.assign(figures, figuresOf(built));
  if (model.asserts.length === 0) return answer(null, `there is no assert below ${top}`);
  if (model.clocks > 1) {
    return answer(
      null,
      'registers change at several edges, or are latches: one step cannot be all',
    );
  }
  if (model.isClockMade) {
    return answer(
      null,
      'registers change at a clock that logic makes: no step tells that it ticks',
    );
  }

  steps.push('bmc');
  const search = await searchFailure(bench, built.smt2, depth, trace);
  if (!search.ok) return search;
  if (search.value.status === 'PREUNSAT') {
    const contradiction = `the assumptions contradict each other in step ${search.value.step}`;
    return answer(null, `${contradiction}: nothing was looked at`);
  }
  if (search.value.status === 'FAILED') {
    const failed = known(model.asserts, search.value.failed);
    if (!failed || failed.length === 0) return err(unusable('the search failed without an assert'));
    const { step } = search.value;
    tell(bench, 'error', 'ASSERT', failed, (name) => `${name} fails in step ${step}`);
    Object.assign(figures, { failed: namesOf(failed), failed_step: step });
    return answer(false, `in step ${step} there fails: ${listed(failed)}`);
  }
  if (search.value.step !== depth - 1) return err(unusable('the search ended before its depth'));

  steps.push('cover');
  const covering = await searchCovers(bench, built.witness, depth);
  if (!covering.ok) return covering;
  const unreached = unreachedIn(model, covering.value);
  if (!unreached) return err(unusable('the search for covers does not say what came of each'));
  Object.assign(figures, {
    asserts_reached: model.asserts.length - unreached.asserts.length,
    covers_reached: model.covers.length - unreached.covers.length,
    unreached: namesOf([...unreached.covers, ...unreached.asserts]),
  });
  const within = `within ${plural(depth, 'step')}`;
  tell(bench, 'error', 'COVER', unreached.covers, (name) => `${name} is not reached ${within}`);
  tell(
    bench,
    'warn',
    'UNREACHED',
    unreached.asserts,
    (name) => `${name} is not looked at ${within}`,
  );
  if (unreached.covers.length > 0) {
    return answer(false, `not reached ${within}: cover ${listed(unreached.covers)}`);
  }
  const why = whyOpen(bench, built, unreached.asserts);
  if (why !== undefined) return answer(null, why);
  const all = `${plural(model.asserts.length, 'assert')}${besides(built)}`;
  if (!isProof) {
    return answer(
      true,
      `bounded: ${all} hold in the first ${plural(depth, 'step')}, no later one seen`,
    );
  }

  steps.push('induction');
  const induction = await induce(bench, built.smt2, depth);
  if (!induction.ok) return induction;
  if (induction.value.status === 'PASSED') {
    if (!induction.value.isInductive) return err(unusable('an induction passed without a success'));
    const length = depth - induction.value.step;
    Object.assign(figures, { induction_length: length });
    return answer(true, `${all} hold in every step, by induction over ${plural(length, 'step')}`);
  }
  const open = known(model.asserts, induction.value.failed);
  if (!open) return err(unusable('the induction names an assert that is not there'));
  tell(bench, 'warn', 'INDUCTION', open, (name) => `${name} is not proven by induction`);
  Object.assign(figures, { not_inductive: namesOf(open) });
  return answer(
    null,
    `nothing fails in the first ${plural(depth, 'step')}, and induction over as many does not prove ` +
      `${listed(open)}: the depth may be too small, or an invariant is missing`,
  );
}

function figuresOf({ model, modules, blackBoxes }: Built): Record<string, unknown> {
  const { asserts, assumes, covers, clocks } = model;
  return {
    modules,
    black_boxes: blackBoxes.length,
    asserts: asserts.length,
    assumes: assumes.length,
    covers: covers.length,
    clocks,
    assert_names: namesOf(asserts),
    assume_names: namesOf(assumes),
  };
}

/** Why a run without a failure shows less than was asked for. */
function whyOpen(
  { values }: Bench,
  { model, leftOut, unseen }: Built,
  unreached: readonly Property[],
): string | undefined {
  const { asserts, liveness } = model;
  const least = numberIn(values, 'min-asserts') ?? 1;
  if (asserts.length < least) {
    return `${plural(asserts.length, 'assert')} of at least ${least} (min-asserts)`;
  }
  const names = asserts.map(({ name }) => withoutIndices(name));
  const missing = textsIn(values, 'asserts').filter(
    (name) => !names.includes(withoutIndices(name)),
  );
  if (missing.length > 0) return `there is no assert ${missing.slice(0, 3).join(', ')}`;
  if (liveness.length > 0) {
    return `a search of steps cannot decide what is to happen eventually: ${listed(liveness)}`;
  }
  const [file] = leftOut;
  if (file !== undefined) return `no module of ${file} is below ${textIn(values, 'top')}`;
  if (unseen !== undefined) return unseen;
  const allowed = textsIn(values, 'allow-unreached').map(withoutIndices);
  const stray = unreached.filter(({ name }) => !allowed.includes(withoutIndices(name)));
  if (stray.length > 0) {
    return `never looked at, and not named in allow-unreached: ${listed(stray)}`;
  }
  return undefined;
}

/** In a list of a flow, brackets make a glob: a name stands there without its indices. */
function withoutIndices(name: string): string {
  return name.replace(/\[[^\]]*\]/g, '');
}

/** Which properties the search for covers did not reach; undefined if it leaves one out. */
function unreachedIn(
  { asserts, covers }: FormalModel,
  { status, reached, unreached }: SmtbmcReport,
): { asserts: Property[]; covers: Property[] } | undefined {
  const all = [...asserts, ...covers];
  const told = [...reached, ...unreached];
  const isWhole =
    told.length === all.length &&
    new Set(told).size === all.length &&
    all.every(({ id }) => told.includes(id)) &&
    (status === 'PASSED') === (unreached.length === 0);
  const isUnreached = ({ id }: Property): boolean => unreached.includes(id);
  return isWhole
    ? { asserts: asserts.filter(isUnreached), covers: covers.filter(isUnreached) }
    : undefined;
}

/** The properties with these names; undefined if one is not among them. */
function known(properties: readonly Property[], ids: readonly string[]): Property[] | undefined {
  const found = properties.filter(({ id }) => ids.includes(id));
  return found.length === new Set(ids).size ? found : undefined;
}

function tell(
  bench: Bench,
  severity: 'error' | 'warn',
  code: string,
  properties: readonly Property[],
  say: (name: string) => string,
): void {
  for (const { name, place } of properties) {
    bench.finding({ severity, code, message: say(name), place });
  }
}

function besides({ model, blackBoxes }: Built): string {
  const { assumes, covers } = model;
  const parts = [
    ...(assumes.length > 0 ? [`${plural(assumes.length, 'assume')}`] : []),
    ...(covers.length > 0 ? [`${plural(covers.length, 'cover')} reached`] : []),
    ...blackBoxes.slice(0, 3).map((name) => `black box ${name}`),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function namesOf(properties: readonly Property[]): string[] {
  return properties.slice(0, MOST_NAMES).map(({ name }) => name);
}

/** A few names, for a sentence. */
function listed(properties: readonly Property[]): string {
  const names = properties.slice(0, 3).map(({ name }) => name);
  const more = properties.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

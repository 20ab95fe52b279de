import type { StageHistory } from '../log/history.ts';
import type { OutcomeRecord } from '../log/record.ts';
import type { StageAssessment } from '../proof/assess.ts';
import { readEnvelope } from '../proof/envelope.ts';
import { type Figure, numbersIn } from '../report/figures.ts';
import { isJsonObject, type JsonObject } from '../values/strict-json.ts';
import type { Grounds } from './trust/grounds.ts';

/**
 * The figures of the run that a stage's status rests on, each with what it was in the run to compare
 * with: the last pass that the base has, or else the last pass before.
 */
export function figuresOf(
  root: string,
  { stage, outcome }: StageAssessment,
  history: StageHistory | undefined,
  grounds: Grounds,
): Figure[] {
  if (outcome === undefined) return [];
  const now = payloadOf(root, stage.name, outcome);
  const passes = (history?.outcomes ?? []).filter(
    ({ event }) => event.verdict === 'pass' && event.run !== outcome.run,
  );
  const earlier = passes.findLast(grounds.accepts) ?? passes.at(-1);
  const before = new Map(earlier ? numbersIn(payloadOf(root, stage.name, earlier.event)) : []);
  return numbersIn(now).map(([name, value]) => ({ name, value, before: before.get(name) }));
}

function payloadOf(
  root: string,
  stage: string,
  { run, envelope }: OutcomeRecord['event'],
): JsonObject | null {
  if (envelope === undefined) return null;
  const read = readEnvelope(root, stage, run, envelope);
  if (!read.ok || read.value.version !== 'current') return null;
  const { result } = read.value.document;
  return isJsonObject(result) ? result : null;
}

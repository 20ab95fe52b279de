import type { Stage } from '../flow/stage.ts';
import { indexHistory, type StageHistory } from '../log/history.ts';
import { assessStage, type PassFacts, type StageAssessment } from '../proof/assess.ts';
import type { Snapshot } from '../proof/current.ts';
import type { LogView } from './log-view.ts';
import type { Grounds } from './trust/grounds.ts';

/**
 * Computes the status of a stage from the records that count: those that the grounds accept, and
 * those of this pass. A record that a change adds proves nothing by itself; what it says against the
 * stage is believed all the same.
 */
export function assessOn(
  grounds: Grounds,
  stage: Stage,
  view: LogView,
  snapshot: Snapshot,
  facts: PassFacts | undefined,
): StageAssessment {
  const all = view.history.stages.get(stage.name);
  const counts: Grounds['accepts'] = (record) =>
    grounds.accepts(record) || (record.kind !== 'other' && record.event.run === facts?.ranNow);
  const last = all?.lastOutcome;
  const isSelfReported = last !== undefined && !counts(last);
  const counted = all && countedHistory(all, counts);
  const assessment = assessStage(stage, counted, snapshot, facts);
  if (!isSelfReported) return assessment;
  if (assessment.status === 'valid') {
    const bySelf = assessStage(stage, all, snapshot, facts);
    return bySelf.status === 'failed' && bySelf.changes.length === 0 ? bySelf : assessment;
  }
  const own = `run ${last.event.run} is self-reported: nothing that this judgement rests on has recorded it`;
  return {
    ...assessment,
    reason: counted?.lastOutcome ? `${assessment.reason}; ${own}` : own,
    marks: [...new Set([...assessment.marks, 'self-reported' as const])],
  };
}

function countedHistory(
  { dispatches, outcomes }: StageHistory,
  counts: Grounds['accepts'],
): StageHistory | undefined {
  const counted = outcomes.filter(counts);
  const last = counted.at(-1)?.event.run ?? 0;
  const ended = new Set(outcomes.map(({ event }) => event.run));
  const records = [
    // A run whose end does not count is open, until a later run that counts leaves it behind.
    ...dispatches.filter(
      (dispatch) =>
        counts(dispatch) &&
        (!ended.has(dispatch.event.run) ||
          counted.some(({ event }) => event.run === dispatch.event.run) ||
          dispatch.event.run > last),
    ),
    ...counted,
  ].sort((a, b) => a.line - b.line);
  const [history] = indexHistory(records).stages.values();
  return history;
}

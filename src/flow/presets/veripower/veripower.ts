import { join } from 'node:path';
import { ok, type Result } from '../../../values/result.ts';
import { assessPreset, type PresetAssessment, recordedByProofs } from './assess.ts';
import { consequences } from './consequences.ts';
import { decide, type Action as PresetAction, type Request as PresetRequest } from './decide.ts';
import { Disk } from './disk.ts';
import { EVENTS_FILE } from './event.ts';
import { type Cell, cells, type Facts, factsOf, isSignedOff } from './facts.ts';
import { readPresetLog } from './log.ts';
import { signoffRefusal } from './signoff.ts';
import { answering } from './unanswerable.ts';

export type { PresetAssessment, PresetStageAssessment } from './assess.ts';
export type { Action as PresetAction, Request as PresetRequest } from './decide.ts';

/**
 * The preset `veripower`: reads a workspace that another engine drives, as it stands, and gives the
 * answers that engine gives (spec/06). Nothing is written. An answer is a problem where that engine
 * ends in an exception.
 */
export interface VeripowerWorkspace {
  readonly facts: Facts;
}

/**
 * Reads the log of a workspace; its files are read as questions need them.
 *
 * @param root absolute real path of the workspace
 * @param logFile an earlier state of its log, if it is that one's word that is asked for
 */
export function openVeripower(
  root: string,
  logFile = join(root, EVENTS_FILE),
): Result<VeripowerWorkspace> {
  const log = readPresetLog(logFile);
  return log.ok ? ok({ facts: factsOf(log.value, new Disk(root)) }) : log;
}

/** `status` (spec/06 §6.5). */
export function veripowerStatus({
  facts,
}: VeripowerWorkspace): Result<{ stages: ReadonlyMap<string, Cell>; isSignedOff: boolean }> {
  return answering(() => ({ stages: cells(facts), isSignedOff: isSignedOff(facts) }));
}

/** Statuses, sign-off, and what the gate knows better: whether the workspace is proven. */
export function assessVeripower({ facts }: VeripowerWorkspace): Result<PresetAssessment> {
  return answering(() => assessPreset(facts));
}

/** Every path that a proof which counts has recorded, with the stage whose it is. */
export function recordedPaths({ facts }: VeripowerWorkspace): ReadonlyMap<string, string> {
  const found = answering(() => recordedByProofs(facts));
  return found.ok ? found.value : new Map();
}

/** `decide` (spec/06 §6.6). */
export function veripowerDecide(
  { facts }: VeripowerWorkspace,
  request: PresetRequest,
): Result<PresetAction> {
  return answering(() => decide(facts, request));
}

/** `signoff --dry-run`: why it would be refused; `undefined` if it would not (spec/06 §6.5). */
export function veripowerRefusal({ facts }: VeripowerWorkspace): Result<string | undefined> {
  return answering(() => signoffRefusal(facts));
}

/** `consequences` (spec/06 §6.6). */
export function veripowerConsequences(
  { facts }: VeripowerWorkspace,
  paths: readonly string[],
): Result<ReadonlyMap<string, readonly string[]>> {
  return answering(() => consequences(facts, paths));
}

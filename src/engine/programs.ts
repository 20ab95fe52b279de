import type { Work } from '../flow/stage.ts';
import type { Result } from '../values/result.ts';
import { findCommand, findEngine, type Places } from './find-engine.ts';

/**
 * The names of the programs that the work of a stage calls: the first is started, the digests of
 * all count.
 */
export function programsOf(work: Work): readonly string[] {
  if (work.kind === 'engine') return [work.uses];
  return work.kind === 'command' ? [...new Set([work.argv[0], ...work.tools])] : [];
}

/** Finds one of {@link programsOf} without starting it. */
export function findProgram(name: string, work: Work, places: Places): Result<string> {
  return work.kind === 'engine' ? findEngine(name, places) : findCommand(name, places);
}

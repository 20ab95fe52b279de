import type { Work } from '../flow/stage.ts';
import type { Result } from '../values/result.ts';
import { findAdapterProgram, programsNeeded } from './adapters/find-program.ts';
import { findAdapter } from './adapters/registry.ts';
import { findCommand, findEngine, type Places } from './find-engine.ts';

/**
 * The names of the programs that the work of a stage calls: the first is started, the digests of
 * all count.
 */
export function programsOf(work: Work): readonly string[] {
  if (work.kind === 'engine') {
    const adapter = findAdapter(work.uses);
    return adapter ? programsNeeded(adapter, work.with).map(({ name }) => name) : [work.uses];
  }
  return work.kind === 'command' ? [...new Set([work.argv[0], ...work.tools])] : [];
}

/** Finds one of {@link programsOf} without starting it. */
export function findProgram(name: string, work: Work, places: Places): Result<string> {
  if (work.kind !== 'engine') return findCommand(name, places);
  const adapter = findAdapter(work.uses);
  return adapter ? findAdapterProgram(adapter, name, places) : findEngine(name, places);
}

const COMMON_QUESTION = ['--version'];

/** What one of {@link programsOf} is asked for its version with; undefined: it names none. */
export function versionQuestion(name: string, work: Work): readonly string[] | undefined {
  const adapter = work.kind === 'engine' ? findAdapter(work.uses) : undefined;
  if (!adapter) return COMMON_QUESTION;
  return adapter.programs.find((program) => program.name === name)?.version;
}

import type { Work } from '../flow/stage.ts';
import type { Result } from '../values/result.ts';
import { findAdapterProgram, programsNeeded } from './adapters/find-program.ts';
import { findAdapter } from './adapters/registry.ts';
import { findCommand, findEngine, type Places } from './find-engine.ts';
import { versionIn } from './probe.ts';

/**
 * The names of the programs that the work of a stage calls: the first is started, the digests of
 * all count.
 */
export function programsOf(work: Work): readonly string[] {
  return work.kind === 'judged' ? [] : [...new Set([...startedBy(work), ...work.tools])];
}

/** Those that the flow names to be started, or that an adapter starts. */
function startedBy(work: Work): readonly string[] {
  if (work.kind === 'judged') return [];
  if (work.kind === 'command') return [work.argv[0]];
  const adapter = findAdapter(work.uses);
  return adapter ? programsNeeded(adapter, work.with).map(({ name }) => name) : [work.uses];
}

/** The programs that a flow only names: nothing else asks them for their versions. */
export function toolsBehind(work: Work): readonly string[] {
  if (work.kind === 'judged') return [];
  const tools = [...new Set(work.tools)];
  return work.kind === 'command' ? tools : tools.filter((name) => !startedBy(work).includes(name));
}

/** Finds one of {@link programsOf} without starting it. */
export function findProgram(name: string, work: Work, places: Places): Result<string> {
  if (work.kind !== 'engine' || !startedBy(work).includes(name)) return findCommand(name, places);
  const adapter = findAdapter(work.uses);
  return adapter ? findAdapterProgram(adapter, name, places) : findEngine(name, places);
}

const COMMON_QUESTION = ['--version'];

/** What one of {@link programsOf} is asked for its version with; undefined: it names none. */
export function versionQuestion(name: string, work: Work): readonly string[] | undefined {
  const adapter = work.kind === 'engine' ? findAdapter(work.uses) : undefined;
  const program = adapter?.programs.find((candidate) => candidate.name === name);
  return program ? program.version : COMMON_QUESTION;
}

/** A version as a record has it: of an engine what its line says, of a tool behind it the whole line. */
export function recordedVersion(name: string, work: Work, line: string | null): string | null {
  const isEngine = work.kind === 'engine' && startedBy(work).includes(name);
  return isEngine ? versionIn(line) : line;
}

import { ok, type Result } from '../values/result.ts';
import { findAdapterProgram } from './adapters/find-program.ts';
import { findAdapter } from './adapters/registry.ts';
import { findEngine } from './find-engine.ts';
import { describeAdapter } from './prepare-adapter.ts';
import { type Introduction, introduce, type ProbeSetting } from './probe.ts';

/** What an engine says of itself, and where it was found. */
export interface IntroducedEngine extends Introduction {
  /** Absolute path; of the tool itself for an adapter. */
  readonly found: string;
}

/** Finds the engine that a flow names, adapter or program, and asks it who it is. */
export async function introduceEngine(
  uses: string,
  setting: ProbeSetting,
): Promise<Result<IntroducedEngine>> {
  const adapter = findAdapter(uses);
  const found = adapter
    ? findAdapterProgram(adapter, adapter.programs[0].name, setting)
    : findEngine(uses, setting);
  if (!found.ok) return found;
  const introduced = adapter
    ? await describeAdapter(adapter, setting)
    : await introduce(found.value, setting);
  return introduced.ok ? ok({ ...introduced.value, found: found.value }) : introduced;
}

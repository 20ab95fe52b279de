import type { Problem } from '../values/problem.ts';
import { emptyTable } from '../values/table.ts';
import { findCommand } from './find-engine.ts';
import { type PrepareRequest, probeSettingOf } from './prepared.ts';
import { askVersion } from './probe.ts';
import { toolsBehind } from './programs.ts';

/** What is known of the tools that a flow names behind a command or an engine. */
export interface ToolsBehind {
  /** Version line by tool, of those that print one. */
  readonly versions: Readonly<Record<string, string>>;
  /** The first that is not here. */
  readonly problem: Problem | undefined;
}

/** Finds the tools behind a command or an engine, and asks each for its version. */
export async function askTools(request: PrepareRequest): Promise<ToolsBehind> {
  const setting = probeSettingOf(request);
  const asked = await Promise.all(
    toolsBehind(request.work).map(async (name) => {
      const found = findCommand(name, request.places);
      return { name, found, line: found.ok ? await askVersion(found.value, setting) : null };
    }),
  );
  const versions = emptyTable<string>();
  let problem: Problem | undefined;
  for (const { name, found, line } of asked) {
    if (!found.ok) problem ??= found.error;
    if (line !== null) versions[name] = line;
  }
  return { versions, problem };
}

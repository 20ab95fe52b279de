import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import { findCommand, type Places } from '../find-engine.ts';
import type { Adapter, AdapterProgram, WithValues } from './adapter.ts';

/** The programs that a stage with these arguments needs. */
export function programsNeeded(adapter: Adapter, values: WithValues): readonly AdapterProgram[] {
  const spares = adapter.spares?.(values) ?? [];
  return adapter.programs.filter(({ name }) => !spares.includes(name));
}

/** Finds one of an adapter's programs without starting it; what is missing is told with its package. */
export function findAdapterProgram(adapter: Adapter, name: string, places: Places): Result<string> {
  const program = adapter.programs.find((candidate) => candidate.name === name);
  const found = program && locate(program, places);
  if (found !== undefined) return ok(found);
  const { beside } = program ?? {};
  const base = beside && findCommand(beside.program, places);
  return err(
    problem(
      'engine/not-found',
      `the program \`${name}\`, which ${adapter.name} needs, is not here`,
      {
        remedy: base?.ok
          ? `It is looked for beside ${realPath(base.value)}, the program behind \`${beside?.program}\`: a wrapper there hides it, so put the tool's own folder on PATH.`
          : program === undefined
            ? 'The adapter knows no such program.'
            : `Install it (Debian: apt-get install ${program.package}), or put it on PATH.`,
      },
    ),
  );
}

function locate(program: AdapterProgram, places: Places): string | undefined {
  if (!program.beside) {
    const found = findCommand(program.name, places);
    return found.ok ? found.value : undefined;
  }
  const base = findCommand(program.beside.program, places);
  if (!base.ok) return undefined;
  const folder = dirname(realPath(base.value));
  return program.beside.paths.map((path) => join(folder, path)).find(isFile);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

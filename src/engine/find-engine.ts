import { isAbsolute, join } from 'node:path';
import { nearest } from '../flow/schema-problems.ts';
import { findOnPath, isExecutableFile } from '../process/find-program.ts';
import { problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { adapterNames } from './adapters/registry.ts';

/** Where programs are looked for. */
export interface Places {
  /** Absolute path of the workspace: paths in a flow start there. */
  readonly workspace: string;
  /** The PATH of the gate. */
  readonly searchPath: string;
}

/**
 * Finds the program that a flow names: a path if it holds a slash, else NAME on PATH, else
 * vyges-NAME on PATH. The current folder is never searched.
 *
 * @returns its absolute path
 */
export function findEngine(uses: string, places: Places): Result<string> {
  if (!uses.includes('/')) {
    const found =
      findOnPath(uses, places.searchPath) ?? findOnPath(`vyges-${uses}`, places.searchPath);
    if (found !== undefined) return ok(found);
    return err(
      problem(
        'engine/not-found',
        `there is no engine \`${uses}\`: neither ${uses} nor vyges-${uses} is on PATH`,
        {
          remedy:
            near(uses) ?? 'Install it, put it on PATH, or name it by a path that starts with `./`.',
        },
      ),
    );
  }
  return findAtPath(uses, places);
}

/** An adapter whose name was meant, if one is near enough. */
function near(uses: string): string | undefined {
  const name = nearest(uses, adapterNames());
  return name === undefined ? undefined : `Did you mean \`${name}\`?`;
}

/** As {@link findEngine}, for a command or one of its tools: no prefix is tried. */
export function findCommand(name: string, places: Places): Result<string> {
  if (name.includes('/')) return findAtPath(name, places);
  const found = findOnPath(name, places.searchPath);
  return found === undefined
    ? err(
        problem('engine/not-found', `there is no program \`${name}\` on PATH`, {
          remedy: 'Install it, or put it on PATH.',
        }),
      )
    : ok(found);
}

function findAtPath(name: string, { workspace }: Places): Result<string> {
  const path = isAbsolute(name) ? name : join(workspace, name);
  switch (isExecutableFile(path)) {
    case 'yes':
      return ok(path);
    case 'absent':
      return err(
        problem('engine/not-found', `there is no program \`${name}\``, {
          remedy: 'Paths start at the workspace root.',
        }),
      );
    case 'not-executable':
      return err(
        problem('engine/not-executable', `\`${name}\` is not an executable file`, {
          remedy: `Run \`chmod +x ${name}\`.`,
        }),
      );
  }
}

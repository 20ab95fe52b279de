import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadFlow } from '../flow/load-flow.ts';
import type { Flow } from '../flow/stage.ts';
import type { Variables } from '../flow/variables.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';

/** One directory that holds one design flow, opened. */
export interface Workspace {
  /** Absolute real path of its root. */
  readonly root: string;
  /** As the caller named it. */
  readonly name: string;
  readonly flow: Flow;
  /** The PATH that engines are looked for on. */
  readonly searchPath: string;
}

export interface OpenRequest {
  readonly directory: string;
  /** As answers name it; as `directory` does when not given. */
  readonly name?: string;
  readonly flowFile: string | undefined;
  readonly variables: Variables;
  readonly searchPath: string;
}

/** Opens a workspace: its folder and its flow, or everything that is wrong with them. */
export function openWorkspace(request: OpenRequest): Result<Workspace, Problem[]> {
  if (process.platform === 'win32') {
    return err([
      problem(
        'gate/platform',
        'Windows is not supported: process groups and kernel locks work differently there',
        {
          remedy: 'Run the gate on Linux or macOS, or under WSL.',
        },
      ),
    ]);
  }
  let root: string;
  try {
    root = realpathSync(resolve(request.directory));
    if (!statSync(root).isDirectory()) throw new Error('it is no folder');
  } catch (cause) {
    const why =
      (cause as NodeJS.ErrnoException).code ??
      (cause instanceof Error ? cause.message : String(cause));
    return err([
      problem(
        'usage/no-workspace',
        `the workspace ${request.directory} cannot be opened (${why})`,
        {
          remedy: 'Name the folder that holds signoff.yaml with --workspace.',
        },
      ),
    ]);
  }
  const flow = loadFlow(root, request.flowFile, request.variables);
  if (!flow.ok) return flow;
  return ok({
    root,
    name: request.name ?? request.directory,
    flow: flow.value,
    searchPath: request.searchPath,
  });
}

import { join, resolve } from 'node:path';
import { compileSelector } from '../fingerprint/selector.ts';
import { walkWorkspace } from '../fingerprint/walk.ts';
import { FLOW_FILES } from '../flow/load-flow.ts';
import { openWorkspace, type Workspace } from '../gate/workspace.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import type { ActionInputs, Environment } from './inputs.ts';

/** A workspace, and where it is in the repository. */
export interface OpenedWorkspace {
  readonly workspace: Workspace;
  /** Relative to the root of the repository; empty for the root itself. */
  readonly folder: string;
}

/**
 * Opens every workspace that the inputs name. A glob that matches nothing, or a folder without a
 * flow file, is an error: what is not found is not proven.
 *
 * @param root absolute path of the repository
 */
export function openWorkspaces(
  root: string,
  inputs: ActionInputs,
  environment: Environment,
): Result<OpenedWorkspace[], Problem[]> {
  const problems: Problem[] = [];
  const folders: string[] = [];
  for (const pattern of inputs.workspaces) {
    const found = foldersOf(pattern, root);
    if (found.ok) folders.push(...found.value.filter((folder) => !folders.includes(folder)));
    else problems.push(found.error);
  }
  const opened: OpenedWorkspace[] = [];
  for (const folder of folders) {
    const workspace = openWorkspace({
      directory: join(root, folder),
      name: folder === '' ? '.' : folder,
      flowFile: inputs.flow === undefined ? undefined : resolve(root, inputs.flow),
      variables: { values: environment, allows: (name) => inputs.passEnv.includes(name) },
      searchPath: environment['PATH'] ?? '',
    });
    if (workspace.ok) opened.push({ workspace: workspace.value, folder });
    else problems.push(...workspace.error);
  }
  return problems.length > 0 ? err(problems) : ok(opened);
}

function foldersOf(pattern: string, root: string): Result<string[]> {
  const plain = pattern.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (plain === '' || plain === '.') return ok(['']);
  if (!/[*?[{]/.test(plain)) return ok([plain]);
  const folders = new Set<string>();
  for (const file of FLOW_FILES) {
    const selector = compileSelector(`${plain}/${file}`);
    if (!selector.ok) {
      return err(
        problem(
          'usage/bad-value',
          `the workspace glob \`${pattern}\` cannot be used: ${selector.error}`,
        ),
      );
    }
    const { matches, reaches } = selector.value;
    const { entries } = walkWorkspace(root, { prune: (folder) => !reaches(folder) });
    for (const { path } of entries) {
      if (matches(path)) folders.add(path.slice(0, -file.length - 1));
    }
  }
  if (folders.size > 0) return ok([...folders].sort());
  return err(
    problem(
      'usage/no-workspace',
      `the workspace glob \`${pattern}\` matches no folder with a flow file`,
      {
        remedy: `A workspace holds ${FLOW_FILES.join(' or ')}.`,
      },
    ),
  );
}

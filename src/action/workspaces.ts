import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compileSelector } from '../fingerprint/selector.ts';
import { walkWorkspace } from '../fingerprint/walk.ts';
import { FLOW_FILES } from '../flow/load-flow.ts';
import { openWorkspace, type Workspace } from '../gate/workspace.ts';
import { EVENTS_FILE } from '../log/names.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { checkWorkspacePath } from '../values/workspace-path.ts';
import { type ActionInputs, type Environment, variablesOf } from './inputs.ts';

/** A workspace, and where it is in the repository. */
export type OpenedWorkspace = {
  /** Relative to the root of the repository; empty for the root itself. */
  readonly folder: string;
  /** Absolute path. */
  readonly root: string;
} & (
  | { readonly kind: 'flow'; readonly workspace: Workspace }
  /** Another engine drives it; it is read, never run. */
  | { readonly kind: 'veripower' }
);

/** What the input `flow` says of a workspace that VeriPower drives. */
const PRESET = 'veripower';

/** A workspace that cannot be judged, and why. */
export interface Refusal {
  /** Relative to the root of the repository; the places of its problems are in it. */
  readonly folder: string;
  /** Absolute path of the folder. */
  readonly root: string;
  readonly problems: readonly Problem[];
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
): Result<OpenedWorkspace[], Refusal[]> {
  const refusals: Refusal[] = [];
  const folders: string[] = [];
  for (const pattern of inputs.workspaces) {
    const found = foldersOf(pattern, root, inputs.flow === PRESET ? [EVENTS_FILE] : FLOW_FILES);
    if (found.ok) folders.push(...found.value.filter((folder) => !folders.includes(folder)));
    else refusals.push({ folder: '', root, problems: [found.error] });
  }
  const opened: OpenedWorkspace[] = [];
  for (const folder of folders) {
    if (inputs.flow === PRESET) {
      const preset = openPreset(root, folder);
      if (preset.ok) opened.push(preset.value);
      else refusals.push({ folder, root: join(root, folder), problems: [preset.error] });
      continue;
    }
    const workspace = openWorkspace({
      directory: join(root, folder),
      name: folder === '' ? '.' : folder,
      flowFile: inputs.flow === undefined ? undefined : resolve(root, inputs.flow),
      variables: variablesOf(inputs, environment),
      searchPath: environment['PATH'] ?? '',
    });
    if (workspace.ok) {
      const { value } = workspace;
      opened.push({ kind: 'flow', workspace: value, folder, root: value.root });
    } else {
      const problems = workspace.error.map(inWordsOfTheAction);
      refusals.push({ folder, root: join(root, folder), problems });
    }
  }
  return refusals.length > 0 ? err(refusals) : ok(opened);
}

/** What to do about a folder that is not there is said in the words of the command line. */
function inWordsOfTheAction(found: Problem): Problem {
  return found.code === 'usage/no-workspace' || found.code === 'flow/missing'
    ? {
        ...found,
        remedy: `The input \`workspace\` names the folder that holds ${FLOW_FILES.join(' or ')}; for one that VeriPower drives, say \`flow: veripower\`.`,
      }
    : found;
}

function openPreset(root: string, folder: string): Result<OpenedWorkspace> {
  try {
    return ok({ kind: 'veripower', folder, root: realpathSync(join(root, folder)) });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return err(
      problem(
        'usage/no-workspace',
        `the workspace ${folder} cannot be opened (${code ?? message})`,
        {
          remedy: `The input \`workspace\` names the folder that holds ${EVENTS_FILE}.`,
        },
      ),
    );
  }
}

/** @param files what a workspace is known by */
function foldersOf(pattern: string, root: string, files: readonly string[]): Result<string[]> {
  const plain = pattern.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (!pattern.startsWith('/') && (plain === '' || plain === '.')) return ok(['']);
  if (pattern.startsWith('/') || !/[*?[{]/.test(plain)) {
    const checked = pattern.startsWith('/')
      ? {
          ok: false as const,
          why: 'it is absolute; workspaces are named from the root of the repository',
        }
      : checkWorkspacePath(plain);
    if (checked.ok) return ok([plain]);
    return err(
      problem('usage/bad-value', `the workspace \`${pattern}\` cannot be used: ${checked.why}`),
    );
  }
  const folders = new Set<string>();
  for (const file of files) {
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
      `the workspace glob \`${pattern}\` matches no folder with ${files === FLOW_FILES ? 'a flow file' : files.join(' or ')}`,
      {
        remedy: `A workspace holds ${files.join(' or ')}.`,
      },
    ),
  );
}

import { posix } from 'node:path';
import type { Flow, Stage, Work } from '../../flow/stage.ts';
import type { JudgingChange } from '../../proof/judging.ts';
import type { Tree } from './checkout.ts';

/** The paths of a workspace, relative to it, that differ between two commits. */
export function alteredPaths(base: Tree, head: Tree, folder: string): ReadonlySet<string> {
  const prefix = folder === '' ? '' : `${folder}/`;
  const altered = new Set<string>();
  for (const path of new Set([...base.keys(), ...head.keys()])) {
    if (!path.startsWith(prefix)) continue;
    const before = base.get(path);
    const after = head.get(path);
    if (before?.oid !== after?.oid || before?.mode !== after?.mode) {
      altered.add(path.slice(prefix.length));
    }
  }
  return altered;
}

/**
 * The altered files that judge a design rather than being part of it: the engine of a stage that is
 * in the tree, with what lies in its folder, and the scripts that a command names or reads.
 */
export function alteredJudges(flow: Flow, altered: ReadonlySet<string>): JudgingChange[] {
  return flow.stages.flatMap((stage) =>
    [...altered]
      .filter((path) => isJudgeOf(stage, path))
      .sort()
      .map((path) => ({ stage: stage.name, message: `what judges it was altered: ${path}` })),
  );
}

function isJudgeOf(stage: Stage, path: string): boolean {
  return (
    programsInTree(stage.work).some((program) => path === program || isBeside(program, path)) ||
    (stage.work.kind === 'command' &&
      (wordsOf(stage.work).includes(path) || (isScript(path) && isInputOf(stage, path))))
  );
}

/** A stage's own programs, as paths of the workspace. */
function programsInTree(work: Work): string[] {
  const names =
    work.kind === 'engine'
      ? [work.uses]
      : work.kind === 'command'
        ? [work.argv[0], ...work.tools]
        : [];
  return names
    .filter((name) => name.includes('/') && !name.startsWith('/'))
    .map((name) => posix.normalize(name));
}

/** Whatever lies in the folder of a program may be a part of it; at the root, only scripts do. */
function isBeside(program: string, path: string): boolean {
  const folder = posix.dirname(program);
  return folder === '.' ? !path.includes('/') && isScript(path) : path.startsWith(`${folder}/`);
}

/** Every word of a command, or of its script, that could be a path. */
function wordsOf({ argv }: Work & { kind: 'command' }): string[] {
  return argv
    .flatMap((arg) => arg.split(/[\s'"`;|&()<>=,:]+/))
    .filter((word) => word !== '')
    .map((word) => posix.normalize(word));
}

const SCRIPT =
  /(?:^|\/)(?:GNUm|[Mm])akefile$|\.(?:mk|sh|bash|csh|tcsh|zsh|py|pl|pm|rb|lua|tcl|m?js|cjs|ts|ys|sby|do|awk|sed|cmake|ninja|just|toml|cfg)$|(?:^|\/)(?:Justfile|Rakefile|SConstruct|SConscript|Snakefile|CMakeLists\.txt|noxfile\.py)$/;

function isScript(path: string): boolean {
  return SCRIPT.test(path);
}

export function isInputOf({ inputs }: Stage, path: string): boolean {
  return (
    inputs !== 'none' &&
    inputs.include.some(({ selector }) => selector.matches(path)) &&
    !inputs.exclude.some((selector) => selector.matches(path))
  );
}

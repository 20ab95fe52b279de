import { isAbsolute, posix, relative } from 'node:path';
import type { Flow, Stage, Work } from '../../flow/stage.ts';
import type { JudgingChange } from '../../proof/judging.ts';
import type { Checkout, Tree } from './checkout.ts';

/** The paths of a repository, from its root, that differ between two commits. */
export function alteredPaths(base: Tree, head: Tree): ReadonlySet<string> {
  const altered = new Set<string>();
  for (const path of new Set([...base.keys(), ...head.keys()])) {
    const before = base.get(path);
    const after = head.get(path);
    if (before?.oid !== after?.oid || before?.mode !== after?.mode) altered.add(path);
  }
  return altered;
}

/** A path from the root of the repository as one of the workspace; undefined for one outside it. */
export function inWorkspace(path: string, folder: string): string | undefined {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

/** The stages that a path judges; most often none. */
export type JudgesOf = (path: string) => readonly string[];

/**
 * Tells the files that judge a design from those that are part of it: the engine of a stage that is
 * in the repository, with what lies in its folder, and the scripts that a command or an engine is
 * given or a command reads, with what lies beside them.
 *
 * @param trees where it is looked up what is a program
 * @returns the stages that a path, from the root of the repository, judges
 */
export function findJudges(
  flows: readonly Flow[],
  { top, folder }: Pick<Checkout, 'top' | 'folder'>,
  trees: readonly Tree[],
): JudgesOf {
  const isProgram = (path: string): boolean =>
    isScript(path) || trees.some((tree) => tree.get(path)?.mode === EXECUTABLE);
  const known = flows.flatMap(({ stages }) =>
    stages.map((stage) => {
      const at = (name: string): string | undefined => inRepository(name, top, folder);
      const programs = programsOf(stage.work).flatMap((name) => at(name) ?? []);
      const named = wordsOf(stage.work).flatMap((word) => at(word) ?? []);
      return {
        stage,
        // Whatever a command names may decide; an engine is given sources by name as well.
        named: stage.work.kind === 'command' ? named : [],
        programs: [...programs, ...named.filter(isProgram)],
      };
    }),
  );
  return (path) => {
    const inside = inWorkspace(path, folder);
    const stages = known.filter(
      ({ stage, named, programs }) =>
        named.includes(path) ||
        programs.some((judge) => judge === path || isBeside(judge, path, folder, isProgram)) ||
        (stage.work.kind === 'command' &&
          inside !== undefined &&
          isProgram(path) &&
          isInputOf(stage, inside)),
    );
    return [...new Set(stages.map(({ stage }) => stage.name))];
  };
}

/** The altered files that judge rather than are judged. */
export function alteredJudges(
  judgesOf: JudgesOf,
  altered: ReadonlySet<string>,
  folder: string,
): JudgingChange[] {
  return [...altered].sort().flatMap((path) => {
    const shown = inWorkspace(path, folder) ?? path;
    const message = `what judges it was altered: ${shown}`;
    return judgesOf(path).map((stage) => ({ stage, message }));
  });
}

const EXECUTABLE = '100755';

/** Programs of a stage that are named by a path. */
function programsOf(work: Work): string[] {
  const names =
    work.kind === 'engine'
      ? [work.uses, ...work.tools]
      : work.kind === 'command'
        ? [work.argv[0], ...work.tools]
        : [];
  return names.filter((name) => name.includes('/'));
}

/** A path of the workspace from the root of the repository; undefined for one outside it. */
function inRepository(name: string, top: string, folder: string): string | undefined {
  const path = isAbsolute(name) ? relative(top, name) : posix.join(folder, name);
  return path === '' || path === '.' || path.startsWith('..') ? undefined : path;
}

/**
 * Whatever lies in the folder of a judge may be a part of it. Where that is the folder of the
 * workspace itself, or above it, only programs are.
 */
function isBeside(
  judge: string,
  path: string,
  folder: string,
  isProgram: (path: string) => boolean,
): boolean {
  const beside = posix.dirname(judge);
  if (beside === '.' || beside === folder || folder.startsWith(`${beside}/`)) {
    return posix.dirname(path) === beside && isProgram(path);
  }
  return path.startsWith(`${beside}/`);
}

/** Every word of a command, of its script, or of what an engine is given that could be a path. */
function wordsOf(work: Work): string[] {
  const texts =
    work.kind === 'command'
      ? work.argv
      : work.kind === 'engine'
        ? Object.values(work.with).flatMap((value) =>
            Array.isArray(value) ? value.map(String) : [String(value)],
          )
        : [];
  return texts.flatMap((text) => text.split(/[\s'"`;|&()<>=,:]+/)).filter((word) => word !== '');
}

const SCRIPT =
  /(?:^|\/)(?:GNUm|[Mm])akefile$|\.(?:mk|mak|sh|bash|csh|tcsh|zsh|py|pl|pm|rb|lua|tcl|m?js|cjs|ts|ys|sby|do|f|vlt|awk|sed|cmake|ninja|just|toml|cfg|ini)$|(?:^|\/)(?:Justfile|Rakefile|SConstruct|SConscript|Snakefile|CMakeLists\.txt)$/;

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

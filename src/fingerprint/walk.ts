import { type Dirent, statSync } from 'node:fs';
import type { WorkspacePath } from '../values/brands.ts';
import { type Problem, problem } from '../values/problem.ts';
import { errorCode, fileProblem } from './file-problem.ts';
import { readFolder } from './folder.ts';

/** Everything that selectors can select, and what could not be looked at. */
export interface Walk {
  /** In byte order of their paths. */
  readonly entries: readonly WalkEntry[];
  readonly problems: readonly WalkProblem[];
}

export interface WalkEntry {
  readonly path: WorkspacePath;
  /**
   * `link`: one that leads to a file, or nowhere. `directory-link`: one that leads to a folder, or
   * to where this user may not look. `other`: a FIFO, socket or device.
   */
  readonly kind: 'file' | 'link' | 'directory-link' | 'other';
}

export interface WalkProblem {
  /** What the problem hides: this path and, unless it is a file, all beneath. Empty for the root. */
  readonly path: string;
  readonly isFile: boolean;
  readonly problem: Problem;
}

export interface WalkOptions {
  /** True for folders that need not be read, as no selector reaches what is in them. */
  readonly prune?: (folder: string) => boolean;
}

/** What belongs to the gate or to git, and never to a stage. */
const NEVER_INPUTS: ReadonlySet<string> = new Set(['events.jsonl', '.signoff', '.git']);

/** Lists the files of a workspace once, for all selectors. Links are listed, never followed. */
export function walkWorkspace(root: string, options: WalkOptions = {}): Walk {
  return walkFolder(root, { ...options, skip: (path) => NEVER_INPUTS.has(path) });
}

interface FolderWalkOptions extends WalkOptions {
  /** True for files and whole folders that are left out. */
  readonly skip?: (path: string) => boolean;
  /** A path as problems name it. */
  readonly show?: (path: string) => string;
}

/** As {@link walkWorkspace}, for any folder. */
export function walkFolder(root: string, options: FolderWalkOptions = {}): Walk {
  const { prune = never, skip = never, show = (path) => (path === '' ? root : path) } = options;
  const entries: WalkEntry[] = [];
  const problems: WalkProblem[] = [];

  // Recursion is bounded: a path of more than a few thousand bytes cannot be opened.
  function visit(folder: string): void {
    const content = readFolder(folder === '' ? root : `${root}/${folder}`);
    if (!content.ok) {
      const found = fileProblem(content.error, show(folder));
      problems.push({ path: folder, isFile: false, problem: found });
      return;
    }
    for (const { name, isFile } of content.value.badNames) {
      const path = join(folder, name);
      problems.push({ path, isFile, problem: badName(name, show(folder)) });
    }
    for (const entry of content.value.entries) {
      const path = join(folder, entry.name);
      if (skip(path)) continue;
      if (!entry.isDirectory())
        entries.push({ path: path as WorkspacePath, kind: kind(entry, path) });
      else if (!prune(path)) visit(path);
    }
  }

  function kind(entry: Dirent, path: string): WalkEntry['kind'] {
    if (entry.isFile()) return 'file';
    if (!entry.isSymbolicLink()) return 'other';
    return mayLeadToFolder(`${root}/${path}`) ? 'directory-link' : 'link';
  }

  visit('');
  return { entries, problems };
}

function never(): boolean {
  return false;
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function mayLeadToFolder(link: string): boolean {
  try {
    return statSync(link, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (cause) {
    return errorCode(cause) !== 'ELOOP';
  }
}

function badName(name: string, folder: string): Problem {
  return problem('file/bad-name', `the name of ${name} in ${folder} is not valid UTF-8`, {
    remedy: 'Rename it, or exclude it.',
  });
}

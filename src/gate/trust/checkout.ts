import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Git, openGit } from '../../process/git.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';

/** One file, link or submodule of a commit. */
export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

/** Path from the root of the repository to what is there; files of submodules included. */
export type Tree = ReadonlyMap<string, TreeEntry>;

export const LINK = '120000';
export const SUBMODULE = '160000';

/** A commit that is here. */
export interface Commit {
  readonly oid: string;
  readonly tree: Tree;
}

/** The git checkout that a workspace lies in. */
export interface Checkout {
  readonly git: Git;
  /** Absolute real path of its root. */
  readonly top: string;
  /** The workspace in it; empty for the root itself. */
  readonly folder: string;
  readonly head: Commit;
}

/** Finds the checkout around a workspace and reads what its commit holds. */
export async function openCheckout(
  root: string,
  searchPath: string,
  signal?: AbortSignal,
): Promise<Result<Checkout>> {
  const named = await openGit(root, searchPath, signal).ask('rev-parse', '--show-toplevel');
  if (!named.ok) return err(noRepository(root, named.why));
  let top: string;
  try {
    top = realpathSync(named.stdout.toString('utf8').replace(/\n$/, ''));
  } catch (cause) {
    return err(noRepository(root, String(cause)));
  }
  const git = openGit(top, searchPath, signal);
  const head = await readCommit(git, top, 'HEAD', searchPath, signal);
  if (!head.ok) return err(noRepository(root, head.error));
  return ok({ git, top, folder: relative(top, root), head: head.value });
}

/** A commit by any name that git knows, or why it cannot be read. */
export async function findCommit(
  { git, top }: Checkout,
  ref: string,
  searchPath: string,
  signal?: AbortSignal,
): Promise<Result<Commit>> {
  const commit = await readCommit(git, top, ref, searchPath, signal);
  return commit.ok ? commit : err(await baseMissing(git, ref, commit.error));
}

export async function readBlob(git: Git, oid: string): Promise<Buffer | undefined> {
  const answer = await git.ask('cat-file', 'blob', oid);
  return answer.ok ? answer.stdout : undefined;
}

async function readCommit(
  git: Git,
  top: string,
  ref: string,
  searchPath: string,
  signal?: AbortSignal,
): Promise<Result<Commit, string>> {
  const named = await git.ask('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  if (!named.ok) return err(named.why);
  const oid = named.stdout.toString('utf8').trim();
  const listed = await git.ask('ls-tree', '-r', '-z', '--full-tree', oid);
  if (!listed.ok) return err(listed.why);
  const tree = new Map(entriesOf(listed.stdout, ''));
  const submodules = [...tree].filter(([, { mode }]) => mode === SUBMODULE);
  for (const [path, entry] of submodules) {
    const files = await openGit(join(top, path), searchPath, signal).ask(
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      entry.oid,
    );
    // One that is not checked out has nothing to list; that is told where it is missed.
    if (!files.ok) continue;
    for (const [file, found] of entriesOf(files.stdout, `${path}/`)) tree.set(file, found);
  }
  return ok({ oid, tree });
}

function entriesOf(listing: Buffer, prefix: string): [string, TreeEntry][] {
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line): [string, TreeEntry][] => {
      const tab = line.indexOf('\t');
      const [mode = '', , oid = ''] = line.slice(0, tab).split(' ');
      return tab === -1 ? [] : [[prefix + line.slice(tab + 1), { mode, oid }]];
    });
}

function noRepository(root: string, why: string): Problem {
  return problem('trust/no-repository', `${root} is in no git checkout that can be read (${why})`, {
    remedy:
      'Check the repository out with its history: `actions/checkout` with `fetch-depth: 0`, and git in the container.',
  });
}

async function baseMissing(git: Git, ref: string, why: string): Promise<Problem> {
  const shallow = await git.ask('rev-parse', '--is-shallow-repository');
  const isShallow = shallow.ok && shallow.stdout.toString('utf8').trim() === 'true';
  const partial = await git.ask('config', '--get-regexp', '^remote\\..*\\.promisor$');
  if (isShallow) {
    return problem(
      'trust/base-missing',
      `the base ${ref} is not in this checkout, whose history is shallow`,
      { remedy: 'Check out with `fetch-depth: 0`.' },
    );
  }
  if (partial.ok) {
    return problem(
      'trust/base-missing',
      `the base ${ref} cannot be read: the clone is partial and the gate fetches nothing`,
      { remedy: 'Check out without `filter`.' },
    );
  }
  return problem('trust/base-missing', `the base ${ref} is not in this checkout (${why})`, {
    remedy:
      'Fetch it before the gate runs. A checkout of a fork lacks the base repository: check out the merge commit of the pull request instead (the default of `actions/checkout` on pull_request).',
  });
}

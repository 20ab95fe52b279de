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

/**
 * Finds the checkout around a workspace and reads what its commit holds. A workspace in a submodule
 * belongs to the repository that the submodule is in: that is where a change is judged.
 */
export async function openCheckout(
  root: string,
  searchPath: string,
  signal?: AbortSignal,
): Promise<Result<Checkout>> {
  const top = await outermostTop(root, searchPath, signal);
  if (!top.ok) return err(noRepository(root, top.error));
  const git = openGit(top.value, searchPath, signal);
  const head = await readCommit(git, 'HEAD', searchPath, signal);
  if (!head.ok) return err(noRepository(root, head.error));
  return ok({ git, top: top.value, folder: relative(top.value, root), head: head.value });
}

const MOST_NESTED = 16;

async function outermostTop(
  root: string,
  searchPath: string,
  signal?: AbortSignal,
): Promise<Result<string, string>> {
  let top = await folderNamed(openGit(root, searchPath, signal), '--show-toplevel');
  for (let nested = 0; top.ok && nested < MOST_NESTED; nested++) {
    const above = await folderNamed(
      openGit(top.value, searchPath, signal),
      '--show-superproject-working-tree',
    );
    if (!above.ok || above.value === '') return top;
    top = above;
  }
  return top;
}

/** A folder that git names, as its real path; empty for none. */
async function folderNamed(git: Git, option: string): Promise<Result<string, string>> {
  const named = await git.ask('rev-parse', option);
  if (!named.ok) return err(named.why);
  const folder = named.stdout.toString('utf8').replace(/\n$/, '');
  try {
    return ok(folder === '' ? '' : realpathSync(folder));
  } catch (cause) {
    return err(String(cause));
  }
}

/** A commit by any name that git knows, or why it cannot be read. */
export async function findCommit(
  { git }: Checkout,
  ref: string,
  searchPath: string,
  signal?: AbortSignal,
): Promise<Result<Commit>> {
  const commit = await readCommit(git, ref, searchPath, signal);
  return commit.ok ? commit : err(await baseMissing(git, ref, commit.error));
}

/** What a file of a commit holds. A clone that leaves contents out has no answer. */
export async function readBlob(git: Git, path: string, oid: string): Promise<Result<Buffer>> {
  const answer = await git.ask('cat-file', 'blob', oid);
  if (answer.ok) return ok(answer.stdout);
  return err(
    problem(
      'trust/base-unreadable',
      `${path} of the base cannot be read: the clone is partial and the gate fetches nothing`,
      { remedy: 'Check out without `filter`.' },
    ),
  );
}

/** Does our commit come after the other? */
export async function contains({ git, head }: Checkout, { oid }: Commit): Promise<boolean> {
  return (await git.ask('merge-base', '--is-ancestor', oid, head.oid)).ok;
}

async function readCommit(
  git: Git,
  ref: string,
  searchPath: string,
  signal?: AbortSignal,
): Promise<Result<Commit, string>> {
  const named = await git.ask('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  if (!named.ok) return err(named.why);
  const oid = named.stdout.toString('utf8').trim();
  const tree = new Map<string, TreeEntry>();
  const fault = await listInto(tree, git, oid, '', searchPath, signal);
  return fault === undefined ? ok({ oid, tree }) : err(fault);
}

/** Lists a commit with its submodules, as far as they are checked out. */
async function listInto(
  tree: Map<string, TreeEntry>,
  git: Git,
  oid: string,
  prefix: string,
  searchPath: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const listed = await git.ask('ls-tree', '-r', '-z', '--full-tree', oid);
  if (!listed.ok) return listed.why;
  const entries = entriesOf(listed.stdout);
  for (const [path, entry] of entries) tree.set(prefix + path, entry);
  const isTooDeep = prefix.split('/').length > MOST_NESTED;
  for (const [path, { mode, oid: inner }] of isTooDeep ? [] : entries) {
    if (mode !== SUBMODULE) continue;
    // One that is not checked out has nothing to list; that is told where it is missed.
    const within = openGit(join(git.folder, path), searchPath, signal);
    await listInto(tree, within, inner, `${prefix}${path}/`, searchPath, signal);
  }
  return undefined;
}

function entriesOf(listing: Buffer): [string, TreeEntry][] {
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line): [string, TreeEntry][] => {
      const tab = line.indexOf('\t');
      const [mode = '', , oid = ''] = line.slice(0, tab).split(' ');
      return tab === -1 ? [] : [[line.slice(tab + 1), { mode, oid }]];
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

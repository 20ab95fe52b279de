import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { selectEntries } from '../../fingerprint/selection.ts';
import { walkWorkspace } from '../../fingerprint/walk.ts';
import { isOwnOutput, type Stage } from '../../flow/stage.ts';
import type { StageAssessment } from '../../proof/assess.ts';
import type { Stray } from '../../report/result.ts';
import { compareBytes } from '../../values/order.ts';
import { type Problem, problem } from '../../values/problem.ts';
import type { Workspace } from '../workspace.ts';
import { isInputOf } from './altered.ts';
import { type Checkout, LINK, SUBMODULE, type TreeEntry } from './checkout.ts';
import type { CommitComparison } from './grounds.ts';

/**
 * Compares what was judged with what would be merged. An input that is neither tracked and equal to
 * the commit, nor an output of a stage that is valid, is listed. A tracked output must be the one
 * that was proven: else the commit carries another file than the judgement is about.
 */
export function commitComparison(
  checkout: Checkout,
  workspace: Workspace,
): (stages: readonly StageAssessment[]) => CommitComparison {
  return (stages) => {
    const valid = stages.filter(({ status }) => status === 'valid').map(({ stage }) => stage);
    return {
      strays: findStrays(checkout, workspace, valid),
      problems: [
        ...swappedOutputs(checkout, workspace, valid),
        ...strayLinks(checkout, workspace, valid),
      ],
    };
  };
}

function swappedOutputs(
  { head, folder }: Checkout,
  { root }: Workspace,
  valid: readonly Stage[],
): Problem[] {
  const paths = [...tracked(head.tree, folder)];
  return valid.flatMap((stage) =>
    paths.flatMap((path) => {
      const entry = isOwnOutput(stage, path) ? head.tree.get(join(folder, path)) : undefined;
      const why = entry && difference(join(root, path), entry);
      if (why === undefined) return [];
      return [
        problem(
          'trust/output-differs',
          `the commit holds another ${path} than was proven: ${why}`,
          {
            at: { file: path },
            stage: stage.name,
            remedy: 'Commit the file that the stage writes, or let git ignore it.',
          },
        ),
      ];
    }),
  );
}

/** A link of the commit may lead to what is not of the commit: then its content is anybody's. */
function strayLinks(
  { head, top }: Checkout,
  workspace: Workspace,
  valid: readonly Stage[],
): Problem[] {
  return [...inputsOf(workspace)].flatMap((path) => {
    const absolute = join(workspace.root, path);
    if (!isLink(absolute)) return [];
    const why = whyStray(absolute);
    if (why === undefined) return [];
    return [
      problem('trust/link-outside', `${path} is a link to ${why}`, {
        at: { file: path },
        remedy: 'Put the file itself there, or declare what it leads to as `external`.',
      }),
    ];
  });

  function whyStray(link: string): string | undefined {
    let real: string;
    try {
      real = realpathSync(link);
    } catch {
      return 'nothing that can be read';
    }
    const path = relative(top, real);
    if (path.startsWith('../') || isAbsolute(path)) return 'a file outside the checkout';
    const inside = relative(workspace.root, real);
    if (valid.some((stage) => isOwnOutput(stage, inside))) return undefined;
    const entry = head.tree.get(path);
    if (entry)
      return difference(real, entry) === undefined
        ? undefined
        : 'a file that differs from the commit';
    // A folder: each file in it is an input of its own right only if a selector says so.
    const isTracked = [...head.tree.keys()].some((name) => name.startsWith(`${path}/`));
    return isTracked ? undefined : 'a file that git does not track';
  }
}

function isLink(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function findStrays(
  { head, folder }: Checkout,
  workspace: Workspace,
  valid: readonly Stage[],
): Stray[] {
  const strays = new Map<string, string>();
  const isProduced = (path: string): boolean => valid.some((stage) => isOwnOutput(stage, path));
  for (const path of inputsOf(workspace)) {
    if (isProduced(path)) continue;
    const entry = head.tree.get(join(folder, path));
    const why = entry ? difference(join(workspace.root, path), entry) : 'git does not track it';
    if (why !== undefined) strays.set(path, why);
  }
  for (const path of tracked(head.tree, folder)) {
    if (strays.has(path) || isThere(join(workspace.root, path))) continue;
    const reader = workspace.flow.stages.find((stage) => isInputOf(stage, path));
    if (reader) strays.set(path, 'the commit has it, and it is not here');
  }
  return [...strays]
    .map(([path, why]): Stray => ({ path, why }))
    .sort((a, b) => compareBytes(a.path, b.path));
}

/** Every file that some stage reads, as it is now. */
function inputsOf({ root, flow }: Workspace): Set<string> {
  const walk = walkWorkspace(root);
  const paths = new Set<string>();
  for (const stage of flow.stages) {
    if (stage.inputs === 'none') continue;
    const { paths: entries } = selectEntries(walk, stage.inputs, (path) =>
      isOwnOutput(stage, path),
    );
    for (const { path } of entries) paths.add(path);
  }
  return paths;
}

function* tracked(tree: Checkout['head']['tree'], folder: string): Generator<string> {
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const [path, { mode }] of tree) {
    if (mode !== SUBMODULE && path.startsWith(prefix)) yield path.slice(prefix.length);
  }
}

function isThere(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
}

function difference(absolute: string, { mode, oid }: TreeEntry): string | undefined {
  try {
    const stat = lstatSync(absolute);
    const isLink = stat.isSymbolicLink();
    if (isLink !== (mode === LINK)) return 'it is another kind of file than the commit has';
    const bytes = isLink ? Buffer.from(readlinkSync(absolute, 'buffer')) : readFileSync(absolute);
    if (blobId(bytes, oid) === oid) return undefined;
    const text = bytes.toString('latin1');
    if (text.includes('\r\n')) {
      const unix = Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1');
      if (blobId(unix, oid) === oid) {
        return 'its line ends were converted at checkout: set `* -text` in .gitattributes, or core.autocrlf to false';
      }
    }
    return pointerTo(bytes, oid) ? undefined : 'it differs from the commit';
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return `it cannot be read (${code ?? message})`;
  }
}

/** Is the blob the Git LFS pointer to these bytes? Its text follows from them. */
function pointerTo(bytes: Buffer, oid: string): boolean {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${digest}\nsize ${bytes.length}\n`;
  return blobId(Buffer.from(pointer), oid) === oid;
}

/** As git names a blob, in the hash that its repository uses. */
function blobId(bytes: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

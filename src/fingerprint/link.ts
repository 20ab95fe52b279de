import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Fingerprint } from '../values/brands.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { digestBytes } from './blake3.ts';
import { encodeFields } from './encoding.ts';
import { changedWhileRead, errorCode, fileProblem } from './file-problem.ts';
import { digestFolder } from './merkle.ts';
import type { Pass } from './pass.ts';
import { isWithin } from './within.ts';

/** As many links as the kernel follows for one path. */
const MAX_NESTED_LINKS = 40;

/** Where a link leads. */
interface Lead {
  /** The link's own text, which need not be UTF-8. */
  readonly target: Buffer;
  /** What it leads to in the end, absolute and without links. */
  readonly real: string;
  readonly leadsToFolder: boolean;
  /** The folder that the link lies in, likewise absolute and without links. */
  readonly from: string;
}

/**
 * The digest of a link: of the text of its target and of the content that it leads to, since both
 * decide what an engine reads (design §3, "Everything read is an input").
 *
 * @param entered the folders that hold the links which led here, as real paths
 * @returns or `file/missing` when it leads nowhere, `file/link-loop`, `file/link-outside` for a
 *   folder outside the pass's root, or the problem of what it leads to
 */
export function digestLink(
  absolute: string,
  shown: string,
  pass: Pass,
  entered: readonly string[] = [],
): Result<Fingerprint> {
  const before = readLead(absolute, shown);
  if (!before.ok) return before;
  const { target, real, leadsToFolder, from } = before.value;
  const content = leadsToFolder
    ? digestLinkedFolder(shown, real, pass, [...entered, from])
    : pass.file(real, `${shown} (a link to ${real})`);
  if (!content.ok) return content;
  const after = readLead(absolute, shown);
  if (!after.ok || after.value.real !== real || !after.value.target.equals(target)) {
    return err(changedWhileRead(shown));
  }
  return ok(digestBytes(encodeFields('signoff-gate link 1', target, content.value)));
}

function readLead(absolute: string, shown: string): Result<Lead> {
  try {
    const target = readlinkSync(absolute, { encoding: 'buffer' });
    const real = realpathSync.native(absolute);
    if (real.includes('\ufffd')) return err(badTarget(shown));
    const leadsToFolder = statSync(real).isDirectory();
    return ok({ target, real, leadsToFolder, from: realpathSync.native(dirname(absolute)) });
  } catch (cause) {
    const leadsNowhere = errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ENOTDIR';
    return err(leadsNowhere ? danglingLink(shown) : fileProblem(cause, shown));
  }
}

function digestLinkedFolder(
  shown: string,
  real: string,
  pass: Pass,
  entered: readonly string[],
): Result<Fingerprint> {
  if (!isWithin(pass.root, real)) return err(linkOutside(shown, real));
  if (entered.some((folder) => isWithin(real, folder))) return err(linkLoop(shown));
  if (entered.length > MAX_NESTED_LINKS) return err(tooManyLinks(shown));
  const known = pass.trees.get(real);
  if (known !== undefined) return ok(known);
  const digest = digestFolder(real, shown, {
    file: pass.file,
    link: (absolute, name) => digestLink(absolute, name, pass, entered),
  });
  if (digest.ok) pass.trees.set(real, digest.value);
  return digest;
}

function danglingLink(shown: string): Problem {
  return problem('file/missing', `${shown} is a link that leads nowhere`);
}

function badTarget(shown: string): Problem {
  return problem('file/bad-name', `${shown} is a link to a name that is not valid UTF-8`);
}

function linkLoop(shown: string): Problem {
  return problem('file/link-loop', `${shown} is a link to a folder that holds the link itself`, {
    remedy: 'Remove the link, or exclude it.',
  });
}

function tooManyLinks(shown: string): Problem {
  return problem('file/link-loop', `${shown} comes after ${MAX_NESTED_LINKS} links to folders`, {
    remedy: 'Let links lead to the folders that are meant, not to ones with further links.',
  });
}

function linkOutside(shown: string, real: string): Problem {
  return problem(
    'file/link-outside',
    `${shown} is a link to the folder ${real}, which is outside`,
    {
      remedy: 'Declare what it leads to as `external`, and exclude the link.',
    },
  );
}

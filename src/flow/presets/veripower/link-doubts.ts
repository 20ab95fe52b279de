import { realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { isWithin } from '../../../fingerprint/within.ts';
import { type Problem, problem } from '../../../values/problem.ts';
import type { Disk } from './disk.ts';
import { listed, ofStage } from './doubt.ts';
import { EVENTS_FILE } from './event.ts';
import { byPath, type Evidence, isCovered } from './evidence.ts';
import type { Facts } from './facts.ts';
import { textRepr } from './python-text.ts';
import { recordedPath } from './recorded-path.ts';

/**
 * Links among what was recorded. A fingerprint binds where a link leads and not what is there
 * (spec/06 §6.2): what is there must have been recorded itself. And what lies behind a link that
 * leads outside is not of this workspace, whatever its content.
 */
export function linkDoubts({ disk }: Facts, held: readonly Evidence[]): Problem[] {
  const bound = boundPaths(disk, held);
  const places = new Places(disk.root);
  const problems = held.flatMap(({ stage, inputs, outputs }) => {
    const paths = [...new Set([...Object.keys(inputs), ...Object.keys(outputs)])];
    const found = paths.flatMap((path) => [
      ...places.outside(path),
      ...disk.at(path).links.flatMap((below) => {
        const link = below === '' ? path : `${path}/${below}`;
        return unboundLink(disk.root, link, bound);
      }),
    ]);
    return listed(found, 'links').map((problem) => ofStage(problem, stage.name));
  });
  return [...places.outside(EVENTS_FILE, true), ...problems];
}

/** What was recorded itself, so that its content is bound: files that are no links, and folders. */
function boundPaths(disk: Disk, held: readonly Evidence[]): ReadonlySet<string> {
  const paths = held.flatMap(({ inputs, outputs }) => [
    ...byPath(inputs).keys(),
    ...byPath(outputs).keys(),
  ]);
  return new Set(paths.filter((path) => !disk.at(path).links.includes('')));
}

function unboundLink(root: string, link: string, bound: ReadonlySet<string>): Problem[] {
  const real = realPath(`${root}/${link}`);
  // One that leads nowhere has no content that could have been read.
  if (real === undefined) return [];
  if (isWithin(root, real) && isCovered(relative(root, real), bound)) return [];
  return [
    problem(
      isWithin(root, real) ? 'file/not-regular' : 'file/link-outside',
      `${textRepr(link)} is a link: its record binds where it leads, not what is there`,
      { at: { file: link }, remedy: 'Put the file itself in its place, and run the stage again.' },
    ),
  ];
}

/** The folders that paths lie in, each looked up once. */
class Places {
  private readonly root: string;
  private readonly known = new Map<string, boolean>();

  constructor(root: string) {
    this.root = root;
  }

  /** @param follow whether the path itself may be a link that leads outside */
  outside(path: string, follow = false): Problem[] {
    const checked = recordedPath(path);
    if (!checked.ok) return [];
    const place = follow ? checked.path : dirname(checked.path);
    const isOutside = this.known.get(place) ?? this.lookUp(place);
    this.known.set(place, isOutside);
    if (!isOutside) return [];
    return [
      problem('file/link-outside', `${textRepr(path)} lies behind a link that leads outside`, {
        at: { file: path },
        remedy: 'What a conclusion rests on must be inside the workspace.',
      }),
    ];
  }

  private lookUp(place: string): boolean {
    const real = realPath(`${this.root}/${place}`);
    return real !== undefined && !isWithin(this.root, real);
  }
}

function realPath(absolute: string): string | undefined {
  try {
    return realpathSync.native(absolute);
  } catch {
    return undefined;
  }
}

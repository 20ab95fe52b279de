import { type DiskMatches, globDisk, lookAt } from './disk-glob.ts';
import { fingerprintOf, type Seen, UNKNOWN } from './fingerprints.ts';
import { recordedPath } from './recorded-path.ts';
import type { Layout, ProofStage } from './registry.ts';
import { INTENT_DOCUMENT, INTENT_FOLDER } from './registry.ts';

/**
 * The files of a workspace during one question: each thing is read once, so that all that is said
 * of it is said of the same bytes. Nothing is written, and no cache of anybody's is read.
 */
export class Disk {
  /** Absolute real path of the workspace. */
  readonly root: string;
  readonly layout: Layout;
  private readonly seen = new Map<string, Seen>();
  private readonly selected = new Map<string, DiskMatches>();

  constructor(root: string) {
    this.root = root;
    this.layout = layoutOf(root);
  }

  /** What is at a recorded path now; what is refused is unknown. */
  at(path: string): Seen {
    const known = this.seen.get(path);
    if (known) return known;
    const checked = recordedPath(path);
    const seen: Seen = checked.ok
      ? fingerprintOf(`${this.root}/${checked.path}`, checked.path)
      : { fingerprint: UNKNOWN, why: undefined, links: [] };
    this.seen.set(path, seen);
    return seen;
  }

  /** Whether a recorded fingerprint equals what is at the path now (spec/06 §6.2). */
  matches(path: string, recorded: unknown): boolean {
    // What matches nothing need not be read.
    if (typeof recorded !== 'string' || recorded === UNKNOWN) return false;
    return this.at(path).fingerprint === recorded;
  }

  /** What a selector relative to the workspace selects. */
  select(selector: string): DiskMatches {
    const known = this.selected.get(selector);
    if (known) return known;
    const found = globDisk(this.root, selector);
    this.selected.set(selector, found);
    return found;
  }

  /** What a proposed oracle consists of, by paths relative to the stage's root. */
  oracle(stage: ProofStage): DiskMatches {
    const { selector } = stage.oracle;
    if (selector === undefined) return { matches: [], unreadable: [] };
    return globDisk(`${this.root}/${stage.root}`, selector, stage.root);
  }

  /** Whether something is there, links followed. */
  exists(path: string): boolean {
    return lookAt(this.root, path)?.kind !== undefined;
  }

  isFile(path: string): boolean {
    return lookAt(this.root, path)?.kind === 'file';
  }
}

/**
 * Which of the two published layouts a workspace has (spec/04 "Versioning boundary"). A folder
 * `intent` beside a `brainstorm.md` at the root counts only if it holds the document as well.
 */
function layoutOf(root: string): Layout {
  if (lookAt(root, INTENT_FOLDER)?.kind !== 'folder') return 'brainstorm';
  const hasDocument = lookAt(root, INTENT_DOCUMENT)?.kind !== undefined;
  return hasDocument || lookAt(root, 'brainstorm.md') === undefined ? 'intent' : 'brainstorm';
}

import { createHash } from 'node:crypto';
import type { Disk } from './disk.ts';
import { field } from './event.ts';
import type { Facts } from './facts.ts';
import { badName, fingerprintOf, UNKNOWN } from './fingerprints.ts';
import { livePins } from './pins.ts';
import type { ProofStage } from './registry.ts';
import { Unanswerable } from './unanswerable.ts';

/** What the verdicts of a stage rest on: a tool, a judgement that a person endorsed, or neither. */
export type Grade = 'tool' | 'human' | 'proposed';

/**
 * The grade of a stage's oracle as of now, whatever the outcome recorded: a proposed one is human
 * if the latest live pin names exactly what is there (spec/06 §6.5).
 */
export function gradeOf({ log, disk }: Facts, stage: ProofStage): Grade {
  if (stage.oracle.grade === 'tool') return 'tool';
  const pin = livePins(log, stage.oracle.ref).at(-1);
  if (!pin) return 'proposed';
  const current = oracleFingerprint(disk, stage);
  if (current === UNKNOWN) return 'proposed';
  return field(pin, 'content_fingerprint') === current ? 'human' : 'proposed';
}

/**
 * The fingerprint of a proposed oracle (spec/06 §6.2): of its one file, else of the paths and
 * fingerprints of all that its selector selects, those that are unknown included.
 */
export function oracleFingerprint(disk: Disk, stage: ProofStage): string {
  const { matches } = disk.oracle(stage);
  const [only] = matches;
  if (!only) return UNKNOWN;
  const fingerprint = (path: string): string => {
    const shown = `${stage.root}/${path}`;
    return fingerprintOf(`${disk.root}/${shown}`, shown).fingerprint;
  };
  if (matches.length === 1 && only.kind === 'file') return fingerprint(only.path);
  const bad = matches.find(({ isBadName }) => isBadName);
  if (bad) throw new Unanswerable(badName(`${stage.root}/${bad.path} is not valid UTF-8`));
  const hasher = createHash('sha256');
  for (const { path } of matches) hasher.update(`${path}\0${fingerprint(path)}\0`);
  return `merkle:${hasher.digest('hex')}`;
}

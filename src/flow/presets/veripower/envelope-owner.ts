import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { problem } from '../../../values/problem.ts';
import { isJsonObject, own } from '../../../values/strict-json.ts';
import type { Disk } from './disk.ts';
import { parseLooseJson } from './loose-json.ts';
import { findPresetStage, type PresetStage } from './registry.ts';
import { Unanswerable } from './unanswerable.ts';

/** No honest envelope comes near it. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Who must act on a failure by the word of the stage that failed: `stage_specific.fix_owner` of
 * its published envelope (spec/06 §6.6). A failure publishes its envelope, so the one that is there
 * is of the last outcome.
 *
 * @returns `undefined` if it names no registered stage, or cannot be read
 */
export function envelopeOwner(disk: Disk, stage: PresetStage): string | undefined {
  const file = `${stage.root}/result.json`;
  const text = readText(`${disk.root}/${file}`);
  const envelope = text === undefined ? undefined : parseLooseJson(text);
  if (envelope === undefined) return undefined;
  const fail = (why: string): never => {
    throw new Unanswerable(
      problem('evidence/unreadable', `the envelope ${file} ${why}`, {
        at: { file },
        stage: stage.name,
        remedy: 'Restore it from version control, or run the stage again.',
      }),
    );
  };
  if (!isJsonObject(envelope)) return fail('is not an object');
  if (!Object.hasOwn(envelope, 'stage_specific')) return undefined;
  const specific = own(envelope, 'stage_specific');
  if (!isJsonObject(specific)) return fail('has a `stage_specific` that is not an object');
  const owner = own(specific, 'fix_owner');
  if (typeof owner === 'object' && owner !== null) return fail('has a `fix_owner` that is no name');
  return typeof owner === 'string' && findPresetStage(owner) ? owner : undefined;
}

function readText(absolute: string): string | undefined {
  let fd: number;
  try {
    // O_NONBLOCK: a FIFO in its place must not be waited for.
    fd = openSync(absolute, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const there = fstatSync(fd);
    if (!there.isFile() || there.size > MAX_BYTES) return undefined;
    const bytes = readFileSync(fd);
    return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

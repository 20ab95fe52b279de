import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { damageRemedy } from '../../../values/log-damage.ts';
import { type Problem, problem } from '../../../values/problem.ts';
import { err, ok, type Result } from '../../../values/result.ts';
import { isJsonObject } from '../../../values/strict-json.ts';
import { EVENTS_FILE, invalidRecord } from './event.ts';
import { LogIndex, type PresetLog } from './log-index.ts';
import { eachLine } from './log-lines.ts';
import { parseLooseJson } from './loose-json.ts';
import { stripped } from './python-text.ts';

/**
 * Reads the log of a workspace the way the reference engine does (spec/06 §6.4): looser than our
 * own reader in all that concerns lines and JSON. What that engine dies of is one problem that
 * names its line.
 *
 * @param file absolute path of the log
 * @returns the log by stage; no events if there is no log
 */
export function readPresetLog(file: string): Result<PresetLog> {
  let fd: number;
  try {
    // O_NONBLOCK: opening a FIFO that has no writer would otherwise wait for one.
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    return absentLog(file, (cause as NodeJS.ErrnoException).code);
  }
  try {
    if (!fstatSync(fd).isFile()) return err(unreadable('the log is not a regular file'));
    return readEvents(fd);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === undefined) throw cause;
    return err(unreadable(`the log cannot be read (${code})`));
  } finally {
    closeSync(fd);
  }
}

/** To the reference engine a link that leads nowhere is no log. */
function absentLog(file: string, code: string | undefined): Result<PresetLog> {
  if (code !== 'ENOENT') return err(unreadable(`the log cannot be opened (${code})`));
  const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  return ok(new LogIndex().finish(undefined, isThere));
}

function readEvents(fd: number): Result<PresetLog> {
  const index = new LogIndex();
  // Only a last line may be unparsable: it was cut short while it was written.
  let unparsable: number | undefined;
  let damage: string | undefined;
  const read = eachLine(fd, (text, line) => {
    const content = stripped(text);
    if (content === '') return undefined;
    if (unparsable !== undefined) return corruptLine(unparsable, damage);
    const value = parseLooseJson(content);
    if (value === undefined) {
      unparsable = line;
      damage = damageRemedy(content);
      return undefined;
    }
    if (!isJsonObject(value)) return invalidRecord(line, 'the event is not an object');
    return index.add(value, line);
  });
  return read.ok ? ok(index.finish(unparsable, false)) : read;
}

function corruptLine(line: number, remedy: string | undefined): Problem {
  return problem('log/corrupt-line', 'the line is not one JSON value, and others follow it', {
    at: { file: EVENTS_FILE, line },
    remedy:
      remedy ??
      'Restore the log from version control. If that line was never whole, take it out and run its stage again.',
  });
}

function unreadable(message: string): Problem {
  return problem('log/unreadable', message, {
    at: { file: EVENTS_FILE },
    remedy: 'The log must be a regular file that can be read, or be absent.',
  });
}

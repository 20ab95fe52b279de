import { join } from 'node:path';
import { type History, indexHistory } from '../log/history.ts';
import { EVENTS_FILE } from '../log/names.ts';
import { type Log, readLog } from '../log/read.ts';
import { ok, type Result } from '../values/result.ts';
import type { Workspace } from './workspace.ts';

/** The log of a workspace as it is now, by stage. */
export interface LogView {
  readonly log: Log;
  readonly history: History;
}

export function readLogView({ root }: Pick<Workspace, 'root'>): Result<LogView> {
  const log = readLog(join(root, EVENTS_FILE));
  return log.ok ? ok({ log: log.value, history: indexHistory(log.value.records) }) : log;
}

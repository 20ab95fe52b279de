import { join } from 'node:path';

/** Where the gate keeps its own things, relative to the workspace root. */
export const GATE_FOLDER = '.signoff';

/** The folder of one run, relative to the workspace root: its envelope and what it printed. */
export function runFolder(stage: string, run: number): string {
  return `${GATE_FOLDER}/runs/${stage}/${run}`;
}

export function envelopePath(stage: string, run: number): string {
  return join(runFolder(stage, run), 'envelope.json');
}

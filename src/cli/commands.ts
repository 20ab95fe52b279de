import type { Answer } from './answer.ts';
import { check } from './check.ts';
import { explain } from './explain.ts';
import { plan } from './plan.ts';
import { status } from './status.ts';

/** One command: from its arguments to its answer. */
export type Command = (args: readonly string[]) => Promise<Answer> | Answer;

/**
 * Every command. Those that start processes are loaded when called: `status` must not pay for them.
 */
export const commands: Readonly<Record<string, () => Promise<Command> | Command>> = {
  run: async () => (await import('./run.ts')).run,
  check: () => check,
  status: () => status,
  plan: () => plan,
  explain: () => explain,
  decide: async () => (await import('./decide.ts')).decide,
  consequences: async () => (await import('./consequences.ts')).consequences,
  signoff: async () => (await import('./signoff.ts')).signoff,
  doctor: async () => (await import('./doctor.ts')).doctor,
  engine: async () => (await import('./engine.ts')).engine,
  init: async () => (await import('./init.ts')).init,
};

import type { Answer } from './answer.ts';

/** One command: from its arguments to its answer. */
export type Command = (args: readonly string[]) => Promise<Answer> | Answer;

/** Every command, loaded only when called: `status` must not pay for what runs processes. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.ts')).run,
  check: async () => (await import('./check.ts')).check,
  status: async () => (await import('./status.ts')).status,
  plan: async () => (await import('./plan.ts')).plan,
  explain: async () => (await import('./explain.ts')).explain,
  engine: async () => (await import('./engine.ts')).engine,
  init: async () => (await import('./init.ts')).init,
};

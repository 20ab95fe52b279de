/** A wish to stop, as a signal for whatever is running. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Leaves the signals to their defaults again. */
  readonly stop: () => void;
}

/**
 * Turns Ctrl-C, SIGTERM, SIGHUP and SIGQUIT into an abort, so that engines are stopped and the log is left
 * readable. A second one ends the gate at once: what was in flight is closed by the next.
 */
export function onInterrupt(tell: (line: string) => void): Interruption {
  const controller = new AbortController();
  const handle = (): void => {
    if (controller.signal.aborted) process.exit(70);
    tell('signoff-gate: stopping; once more to end at once');
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
  for (const name of signals) process.on(name, handle);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of signals) process.off(name, handle);
    },
  };
}

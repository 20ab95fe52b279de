import type { Emit } from './events.ts';

const INTERVAL_MS = 30_000;

/** Shows every 30 s that a run is still going; the returned function ends it. */
export function startHeartbeat(stage: string, run: number, emit: Emit): () => void {
  const started = performance.now();
  const timer = setInterval(() => {
    emit({ kind: 'heartbeat', stage, run, elapsedMs: Math.round(performance.now() - started) });
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

import type { VygesEvent } from '../generated/documents.ts';
import type { VerdictStatus } from '../proof/verdict.ts';

/** What a pass of the gate tells while it works: a closed union, printed by the edges. */
export type GateEvent =
  | { readonly kind: 'waiting-for-lock'; readonly holder: string }
  | { readonly kind: 'notice'; readonly message: string; readonly stage?: string }
  | {
      readonly kind: 'stage-started';
      readonly stage: string;
      readonly run: number;
      readonly reason: string;
    }
  | { readonly kind: 'engine-event'; readonly stage: string; readonly event: VygesEvent }
  | { readonly kind: 'engine-line'; readonly stage: string; readonly line: string }
  | {
      readonly kind: 'heartbeat';
      readonly stage: string;
      readonly run: number;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'stage-finished';
      readonly stage: string;
      readonly run: number;
      readonly verdict: VerdictStatus;
      readonly summary: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'stage-restored';
      readonly stage: string;
      readonly run: number;
      readonly from: string;
    }
  | { readonly kind: 'stage-reused'; readonly stage: string; readonly reason: string }
  | { readonly kind: 'stage-held'; readonly stage: string; readonly reason: string };

export type Emit = (event: GateEvent) => void;

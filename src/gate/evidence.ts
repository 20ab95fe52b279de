import type { LoomResult } from '../generated/documents.ts';
import { readEnvelope } from '../proof/envelope.ts';
import type { GateResult } from '../report/result.ts';
import type { Workspace } from './workspace.ts';

/**
 * The envelopes that the stages of a judgement rest on, for a report. One that is missing or was
 * altered is left out: the judgement has said so already.
 */
export function readEnvelopes({ root }: Workspace, result: GateResult): Map<string, LoomResult> {
  const envelopes = new Map<string, LoomResult>();
  for (const { assessment } of result.stages) {
    const { stage, outcome } = assessment;
    if (outcome?.envelope === undefined) continue;
    const envelope = readEnvelope(root, stage.name, outcome.run, outcome.envelope);
    if (envelope.ok && envelope.value.version === 'current') {
      envelopes.set(stage.name, envelope.value.document);
    }
  }
  return envelopes;
}

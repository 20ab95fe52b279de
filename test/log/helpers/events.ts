import type { JsonObject } from '../../../src/values/strict-json.ts';

const TS = '2026-01-02T03:04:05.678Z';

export function dispatchEvent(rule: string, run: number, more: JsonObject = {}): JsonObject {
  return {
    ts: TS,
    type: 'dispatch',
    rule,
    run,
    workdir: `.signoff/runs/${rule}/${run}`,
    params: {},
    ...more,
  };
}

export function outcomeEvent(rule: string, run: number, more: JsonObject = {}): JsonObject {
  return {
    ts: TS,
    type: 'outcome',
    rule,
    run,
    verdict: 'pass',
    outputs: { 'build/report.txt': `blake3:${'0'.repeat(64)}` },
    proofs: [],
    tool_versions: {},
    ...more,
  };
}

/** Events as the lines of a log. */
export function logText(...events: readonly JsonObject[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

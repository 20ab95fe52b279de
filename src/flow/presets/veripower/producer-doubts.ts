import type { Problem } from '../../../values/problem.ts';
import { doubtfulRecord, listed } from './doubt.ts';
import { tableOf } from './event.ts';
import { byPath, type Evidence } from './evidence.ts';
import { type Facts, proofRecord } from './facts.ts';
import { type TreeEntry, treeFingerprint } from './fingerprints.ts';
import type { PresetLog } from './log-index.ts';
import { textRepr } from './python-text.ts';
import { producerOf } from './registry.ts';

/**
 * Inputs that are not what their producer recorded as its output. The reference engine checks each
 * table against the disk alone, so a file that was put there by hand and then read is no stranger
 * to it.
 */
export function producerDoubts({ log }: Facts, { stage, record, inputs }: Evidence): Problem[] {
  const written = new Map<string, ReadonlyMap<string, unknown>>();
  const found = [...byPath(inputs)].flatMap(([path, recorded]) => {
    const producer = producerOf(path);
    if (!producer || producer.name === stage.name) return [];
    const outputs = written.get(producer.name) ?? outputsOf(log, producer.name);
    written.set(producer.name, outputs);
    if (isMade(outputs, path, recorded)) return [];
    return [
      doubtfulRecord(
        `it read ${textRepr(path)} otherwise than ${producer.name} recorded that it wrote it`,
        stage.name,
        record.outcome.line,
        `Run ${producer.name} again, then this stage.`,
      ),
    ];
  });
  return listed(found, 'inputs that differ from what was written');
}

function outputsOf(log: PresetLog, name: string): ReadonlyMap<string, unknown> {
  const record = proofRecord(log, name);
  return record ? byPath(tableOf(record.outcome.fields, 'outputs', record.outcome)) : new Map();
}

/** A folder may be an input where its files are outputs one by one: they make its fingerprint. */
function isMade(outputs: ReadonlyMap<string, unknown>, path: string, recorded: unknown): boolean {
  if (outputs.has(path)) return outputs.get(path) === recorded;
  const entries = [...outputs].flatMap(([file, fingerprint]): TreeEntry[] => {
    if (!file.startsWith(`${path}/`)) return [];
    const payload = String(fingerprint).replace(/^sha256:/, '');
    return [{ path: file.slice(path.length + 1), kind: 'F', payload }];
  });
  return entries.length > 0 && treeFingerprint(entries) === recorded;
}

import { digestText } from '../fingerprint/blake3.ts';
import { outputKey, type Stage } from '../flow/stage.ts';
import type { Fingerprint } from '../values/brands.ts';
import { canonicalJson } from '../values/canonical.ts';
import { relativeToRoot } from '../values/relative.ts';
import { isJsonObject, type JsonObject } from '../values/strict-json.ts';
import { claimOf } from './claim.ts';

/** The digest of a stage as the flow defines it, and of each part so that a change can be named. */
export interface Definition {
  readonly digest: Fingerprint;
  /** Computed when asked for: only a record that is written, or differs, needs them. */
  readonly parts: () => Readonly<Record<string, Fingerprint>>;
}

/**
 * Digests what the flow says of a stage, with the descriptor that governs it: engine, arguments,
 * environment, evidence, assertion, floors, selectors, outputs (design §1 "definition digest").
 *
 * What does not bear on the result stays out: the order (`after`), the time limit, and where an
 * external lies, whose content is fingerprinted under its name.
 *
 * @param descriptor the descriptor as the engine printed it; null for a command or without one
 * @param workspace absolute path of the workspace root
 */
export function definitionOf(
  stage: Stage,
  descriptor: JsonObject | null,
  workspace: string,
): Definition {
  const { work } = stage;
  const claim = claimOf(stage, descriptor);
  const parts: Record<string, unknown> = withoutRoot(
    {
      engine:
        work.kind === 'engine'
          ? {
              uses: work.uses,
              version: work.version ?? null,
              ...(work.tools.length === 0 ? {} : { tools: [...work.tools].sort() }),
            }
          : work.kind === 'command'
            ? { argv: work.argv, tools: [...work.tools].sort() }
            : { by: work.by },
      with: work.kind === 'engine' ? work.with : null,
      env: stage.env,
      evidence: work.kind === 'command' ? work.evidence : null,
      assertion: claim.assertion ?? null,
      floors: { ...claim.floors, ...stage.floors, 'min-coverage': stage.minCoverage ?? null },
      claims: stage.acceptsNoClaim,
      inputs:
        stage.inputs === 'none'
          ? 'none'
          : {
              include: stage.inputs.include.map(({ selector, optional }) => ({
                glob: selector.glob,
                optional,
              })),
              exclude: stage.inputs.exclude.map((selector) => selector.glob),
            },
      external: Object.keys(stage.external).sort(),
      outputs: stage.outputs.map(outputKey).sort(),
      descriptor,
    },
    workspace,
  );
  return {
    digest: digestText(canonicalJson(parts)),
    parts: () =>
      Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, digestText(canonicalJson(part))]),
      ),
  };
}

function withoutRoot(
  parts: Readonly<Record<string, unknown>>,
  root: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parts).map(([key, value]) => [key, portable(value, root)]),
  );
}

function portable(value: unknown, root: string): unknown {
  if (typeof value === 'string') return relativeToRoot(value, root);
  if (Array.isArray(value)) return value.map((item) => portable(item, root));
  return isJsonObject(value) ? withoutRoot(value, root) : value;
}

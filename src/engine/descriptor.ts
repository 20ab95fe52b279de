import { type SchemaError, validateToolDescriptor } from '../generated/validators.js';
import { type Claim, readClaim } from '../proof/claim.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { isJsonObject, type JsonObject, own } from '../values/strict-json.ts';

/** A tool descriptor as a caller uses it (spec 01): malformed optional parts are dropped. */
export interface Descriptor {
  readonly name: string | undefined;
  /** `1.1` and the like, or `pre` for a payload that names no schema. */
  readonly contract: string;
  readonly template: readonly string[];
  readonly optional: readonly OptionalArgument[];
  readonly emitsJson: boolean;
  /** JSON Schema of the parameters. */
  readonly inputs: JsonObject | undefined;
  readonly artifacts: readonly ArtifactSource[];
  readonly consumes: readonly string[];
  /** What input_hash does not cover, by the engine's own word. */
  readonly limitations: readonly string[];
  readonly claim: Claim;
  /** As the engine printed it. */
  readonly raw: JsonObject;
}

export interface OptionalArgument {
  readonly arg: string;
  readonly flag: string | undefined;
}

export interface ArtifactSource {
  readonly role: string;
  readonly from: { readonly field: string } | { readonly arg: string };
}

/**
 * Reads what `--describe` printed. Only another major of the format is refused; what is no usable
 * descriptor is an answer too, given as a sentence.
 */
export function readDescriptor(raw: JsonObject): Result<Descriptor | string> {
  const contract = readContract(own(raw, 'schema'));
  if (!contract.ok) return contract;
  if (!validateToolDescriptor(raw)) return ok(whyUnusable(validateToolDescriptor.errors?.[0]));
  const { invocation } = raw;
  return ok({
    name: raw.name,
    contract: contract.value,
    template: invocation.args_template,
    optional: objects(invocation.optional).flatMap(({ arg, flag }) =>
      typeof arg === 'string' && (flag === undefined || typeof flag === 'string')
        ? [{ arg, flag }]
        : [],
    ),
    emitsJson: invocation.emits_json !== false,
    inputs: raw.inputs,
    artifacts: objects(raw.artifacts).flatMap(readArtifact),
    consumes: texts(raw.consumes),
    limitations: texts(raw.provenance_limitations),
    claim: readClaim(raw),
    raw,
  });
}

function whyUnusable(error: SchemaError | undefined): string {
  const path = error?.instancePath ?? '';
  return path === '' || path.startsWith('/invocation')
    ? 'it has no usable `invocation.args_template`'
    : `its \`${path.slice(1)}\` ${error?.message ?? 'is not valid'}`;
}

/** Check the major, ignore the minor; a payload that names no schema is older, not broken. */
function readContract(schema: unknown): Result<string, Problem> {
  if (schema === undefined) return ok('pre');
  const version =
    typeof schema === 'string' ? /^vyges-tool-descriptor\/(\d+)(?:\.(\d+))?$/.exec(schema) : null;
  if (version?.[1] === '1') return ok(`1.${version[2] ?? '0'}`);
  return err(
    problem(
      'engine/unsupported-descriptor',
      `its descriptor speaks ${JSON.stringify(schema)}; this gate reads vyges-tool-descriptor/1.x`,
      {
        remedy: 'Use a version of the engine that speaks 1.x, or a newer gate.',
      },
    ),
  );
}

function readArtifact(entry: JsonObject): ArtifactSource[] {
  const { role, field, from_arg: arg } = entry;
  if (typeof role !== 'string' || role === '') return [];
  if (typeof field === 'string') return [{ role, from: { field } }];
  return typeof arg === 'string' ? [{ role, from: { arg } }] : [];
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string')
    : [];
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { WithValue } from '../flow/stage.ts';
import { isJsonSchema } from '../generated/validators.js';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import type { JsonObject } from '../values/strict-json.ts';
import { badArgument } from './bad-argument.ts';
import { withinTime } from './within-time.ts';

const MOST_MS = 2000;

const AJV = new Ajv2020({
  strict: false,
  allErrors: false,
  // What a schema must look like is compiled with us: to do so here would take 40 ms of each run.
  validateSchema: false,
  validateFormats: false,
  logger: false,
});

const COMPILED = new WeakMap<JsonObject, ValidateFunction>();

/**
 * Validates what a caller passes against the `inputs` of a descriptor (spec 01), naming the
 * parameter that does not fit. Loaded only when an engine is about to run: a schema that arrives at
 * run time can only be compiled at run time, with a compiler that takes 50 ms to load.
 */
export function checkAgainstSchema(
  inputs: JsonObject,
  values: Readonly<Record<string, WithValue>>,
): Problem | undefined {
  const compiled = compile(inputs);
  if (!compiled.ok) return compiled.error;
  const validate = compiled.value;
  const fits = withinTime(MOST_MS, () => validate(values));
  if (!fits.ok) {
    return problem(
      'engine/bad-descriptor',
      'its `inputs` take too long to check: a pattern in them backtracks without end',
    );
  }
  if (fits.value) return undefined;
  const [error] = validate.errors ?? [];
  if (!error) return badArgument('with', 'it does not fit the schema of the engine');
  const params: Record<string, unknown> = error.params;
  const named =
    params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  const [, first] = error.instancePath.split('/');
  const parameter =
    typeof named === 'string' && error.instancePath === '' ? named : (first ?? 'with');
  const why =
    params['missingProperty'] === undefined
      ? (error.message ?? 'it is not valid')
      : 'it is required and missing';
  return badArgument(parameter, why);
}

/** An adapter's descriptor is one object for all stages that use it, and compiled once. */
function compile(inputs: JsonObject): Result<ValidateFunction> {
  const known = COMPILED.get(inputs);
  if (known) return ok(known);
  // The dialect that it names may be one that is not loaded; the keywords in use are common to all.
  const { $schema: _, ...schema } = inputs;
  if (!isJsonSchema(schema)) {
    const [error] = isJsonSchema.errors ?? [];
    return err(
      unusable(`${error?.instancePath ?? ''} ${error?.message ?? 'it is not valid'}`.trim()),
    );
  }
  try {
    const validate = AJV.compile(schema);
    COMPILED.set(inputs, validate);
    return ok(validate);
  } catch (cause) {
    return err(unusable(cause instanceof Error ? cause.message : String(cause)));
  } finally {
    // Two engines may give their schemas one name.
    AJV.removeSchema();
  }
}

function unusable(why: string): Problem {
  return problem('engine/bad-descriptor', `its \`inputs\` is no usable JSON Schema: ${why}`);
}

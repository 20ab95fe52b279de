import { closest, distance } from 'fastest-levenshtein';
import flowSchema from '../../schemas/flow.schema.json' with { type: 'json' };
import type { Validate } from '../generated/validators.js';
import { type Problem, problem } from '../values/problem.ts';
import { isJsonObject, type JsonObject, own } from '../values/strict-json.ts';
import type { FlowSource, Pointer } from './document.ts';

type SchemaError = NonNullable<Validate<unknown>['errors']>[number];

/**
 * What a schema validator found in a flow file, in the user's words with line and column: unknown
 * keys first and with the nearest known one, the branches of alternatives folded into one sentence.
 */
export function schemaProblems(source: FlowSource, errors: readonly SchemaError[]): Problem[] {
  const byPlace = new Map<string, Problem>();
  for (const error of errors) {
    if (error.keyword === 'oneOf' || error.keyword === 'if') continue;
    const found = describe(source, error);
    const place = `${found.at?.line}:${found.at?.column}`;
    const known = byPlace.get(place);
    // The branches of one alternative complain about the same value: keep one sentence a place.
    if (!known) byPlace.set(place, found);
    else if (known.code === 'flow/schema' && !known.message.includes(found.message)) {
      byPlace.set(place, { ...known, message: `${known.message}, or ${found.message}` });
    }
  }
  const problems = [...byPlace.values()];
  if (problems.length > 0) return problems;
  return errors.slice(0, 1).map((error) => {
    const pointer = pointerOf(error.instancePath);
    return problem('flow/schema', `${nameOf(pointer)} fits none of the forms that it can have`, {
      at: source.place(pointer),
    });
  });
}

function describe(source: FlowSource, error: SchemaError): Problem {
  const pointer = pointerOf(error.instancePath);
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = keysAt(pointer);
      const near = nearest(key, known);
      return problem('flow/unknown-key', `${nameOf(pointer)} has no key \`${key}\``, {
        at: source.place([...pointer, key], 'key'),
        remedy: near ? `Did you mean \`${near}\`?` : `Known keys: ${known.join(', ')}.`,
      });
    }
    case 'required':
      return problem(
        'flow/schema',
        `${nameOf(pointer)} lacks the key \`${String(params['missingProperty'])}\``,
        {
          at: source.place(pointer),
        },
      );
    case 'type':
      return problem('flow/schema', `${nameOf(pointer)} must be ${a(String(params['type']))}`, {
        at: source.place(pointer),
      });
    case 'enum':
      return problem(
        'flow/schema',
        `${nameOf(pointer)} must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`,
        { at: source.place(pointer) },
      );
    case 'const':
      return problem(
        'flow/schema',
        `${nameOf(pointer)} must be ${JSON.stringify(params['allowedValue'])}`,
        {
          at: source.place(pointer),
        },
      );
    case 'propertyNames':
      return problem(
        'flow/bad-name',
        `${nameOf(pointer)} has the key \`${String(params['propertyName'])}\`, which is no valid name`,
        {
          at: source.place([...pointer, String(params['propertyName'])], 'key'),
        },
      );
    default:
      return problem('flow/schema', `${nameOf(pointer)} ${error.message ?? 'is not valid'}`, {
        at: source.place(pointer),
      });
  }
}

/**
 * The keys that the schema knows in the map at a place of the document. (The validator's own
 * `schemaPath` begins anew at each reference, so it does not lead there.)
 */
function keysAt(pointer: Pointer): string[] {
  let schemas = formsOf(flowSchema);
  for (const step of pointer) schemas = schemas.flatMap((schema) => formsOf(within(schema, step)));
  return schemas.flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
}

/** The alternatives of a schema, references followed. */
function formsOf(schema: unknown): JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const { $ref: reference, oneOf } = schema;
  if (typeof reference === 'string') {
    return formsOf(own(flowSchema.$defs, reference.replace('#/$defs/', '')));
  }
  return Array.isArray(oneOf) ? oneOf.flatMap(formsOf) : [schema];
}

function within(
  { properties, additionalProperties, items }: JsonObject,
  step: string | number,
): unknown {
  const named = isJsonObject(properties) ? own(properties, String(step)) : undefined;
  return named ?? items ?? additionalProperties;
}

/** The nearest known word, if it is near enough to be a slip of the hand. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(word, known);
  return distance(word, candidate) <= Math.max(1, Math.floor(candidate.length / 3))
    ? candidate
    : undefined;
}

function pointerOf(instancePath: string): Pointer {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

function nameOf(pointer: Pointer): string {
  if (pointer.length === 0) return 'the flow';
  if (pointer[0] === 'stages' && pointer.length === 2) return `stage \`${pointer[1]}\``;
  if (pointer[0] === 'stages' && pointer.length > 2) {
    return `\`${pointer.slice(2).join('.')}\` of stage \`${pointer[1]}\``;
  }
  return `\`${pointer.join('.')}\``;
}

function a(type: string): string {
  const names: Record<string, string> = {
    object: 'a mapping',
    array: 'a list',
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
  };
  return type
    .split(',')
    .map((name) => names[name] ?? name)
    .join(' or ');
}

import type { WithValue } from '../flow/stage.ts';
import { problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { isJsonObject, own } from '../values/strict-json.ts';
import type { Places } from './find-engine.ts';
import { introduceEngine } from './introduce-engine.ts';

/** `KEY=VALUE` arguments of a command line, which the engine's schema gives their types. */
export interface TextValues {
  typedFor(uses: string, places: Places): Promise<Record<string, WithValue>>;
}

/** Reads `KEY=VALUE` pairs; a key that comes again makes a list. */
export function valuesFromText(pairs: readonly string[]): Result<TextValues> {
  const texts = new Map<string, string[]>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1) {
      return err(
        problem('usage/bad-value', `\`${pair}\` is not KEY=VALUE`, {
          remedy: 'For example: -i top=uart.',
        }),
      );
    }
    const key = pair.slice(0, equals);
    texts.set(key, [...(texts.get(key) ?? []), pair.slice(equals + 1)]);
  }
  return ok({
    async typedFor(uses, places) {
      const types = await typesOf(uses, places);
      return Object.fromEntries([...texts].map(([key, items]) => [key, typed(items, types(key))]));
    },
  });
}

async function typesOf(uses: string, places: Places): Promise<(key: string) => unknown> {
  const introduced = await introduceEngine(uses, { ...places, declared: {} });
  const descriptor = introduced.ok ? introduced.value.descriptor : undefined;
  const inputs = typeof descriptor === 'object' ? descriptor.inputs : undefined;
  const properties = inputs && own(inputs, 'properties');
  return (key) => {
    const property = isJsonObject(properties) ? own(properties, key) : undefined;
    return isJsonObject(property) ? own(property, 'type') : undefined;
  };
}

function typed(items: readonly string[], type: unknown): WithValue {
  const [first = ''] = items;
  if (type === 'array' || items.length > 1) return items;
  if (
    (type === 'number' || type === 'integer') &&
    first.trim() !== '' &&
    Number.isFinite(Number(first))
  ) {
    return Number(first);
  }
  if (type === 'boolean' && (first === 'true' || first === 'false')) return first === 'true';
  return first;
}

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLogWriter } from '../../src/log/append.ts';
import { acquireLock } from '../../src/log/lock.ts';
import { parseEventText } from '../../src/log/parse-event.ts';
import { readLog } from '../../src/log/read.ts';
import { serializeEvent } from '../../src/log/serialize.ts';
import type { JsonObject } from '../../src/values/strict-json.ts';
import { parseStrictObjectText } from '../../src/values/strict-json.ts';
import { dispatchEvent, outcomeEvent } from './helpers/events.ts';
import { unwrap } from './helpers/expect-result.ts';
import { tempWorkspace } from './helpers/workspace.ts';

// Any text, line separators of all kinds included.
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '"', ':', '\\', ' ', '\n', '\u2028', '\u{1f600}'),
  }),
);
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'a', 'toJSON'));
// Through JSON once, since it has no -0.
const fields = fc
  .dictionary(key, fc.jsonValue({ stringUnit: 'binary' }), { maxKeys: 4 })
  .map((object): JsonObject => JSON.parse(JSON.stringify(object)));

const ts = '2026-01-02T03:04:05.678Z';
const event = fc.oneof(
  fields.map((more): JsonObject => ({ ...more, ts, type: 'note' })),
  fc
    .record({ stage: fc.constantFrom('lint', 'synth', 'constructor'), run: fc.nat(), more: fields })
    .map(({ stage, run, more }) => dispatchEvent(stage, run + 1, { params: more })),
  fc
    .record({ run: fc.nat(), path: key })
    .map(({ run, path }) =>
      outcomeEvent('lint', run + 1, { outputs: Object.fromEntries([[path, 'unknown']]) }),
    ),
);
const events = fc.array(event, { maxLength: 6 });

test('whatever is appended reads back equal', async () => {
  const root = tempWorkspace();
  const lock = unwrap(await acquireLock(root, { waitMs: 0 }));
  fc.assert(
    fc.property(events, (written) => {
      rmSync(join(root, 'events.jsonl'), { force: true });
      const writer = unwrap(openLogWriter(root, lock));
      for (const one of written) unwrap(writer.append(one));
      writer.close();
      const log = unwrap(readLog(join(root, 'events.jsonl')));
      expect(log.records.map((record) => record.event)).toEqual(written);
      expect(log.records.map((record) => record.line)).toEqual(written.map((_, i) => i + 1));
      expect(log).toMatchObject({ tornTail: undefined, endsWithNewline: true });
    }),
    { numRuns: 60 },
  );
  lock.release();
});

/** A log of ours, and one of a writer that leaves non-ASCII text raw and sets blanks. */
const logs = events.chain((written) => {
  const ours = Buffer.concat(written.map((one) => bytesOf(one)));
  const theirs = written.map((one) => `${JSON.stringify(one, null, 1).replaceAll('\n', ' ')}\n`);
  return fc.record({
    written: fc.constant(written),
    bytes: fc.constantFrom(ours, Buffer.from(theirs.join(''))),
  });
});

function bytesOf(one: JsonObject): Buffer {
  const line = serializeEvent(one);
  if (!line.ok) expect.fail(line.error);
  return line.value;
}

test('a log that is cut at any byte loses nothing but the line that was cut', () => {
  const file = join(tempWorkspace(), 'events.jsonl');
  fc.assert(
    fc.property(
      logs,
      fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      ({ bytes, written }, cuts) => {
        for (const cut of cuts.map((n) => n % (bytes.length + 1))) {
          const left = bytes.subarray(0, cut);
          writeFileSync(file, left);
          const log = unwrap(readLog(file));
          const ended = left.filter((byte) => byte === 0x0a).length;
          const started = left.length > left.lastIndexOf('\n') + 1;
          const whole = started && bytes[cut] === 0x0a;
          expect(log.records.map((record) => record.event)).toEqual(
            written.slice(0, ended + (whole ? 1 : 0)),
          );
          expect(log.tornTail).toEqual(
            started && !whole
              ? { line: ended + 1, bytes: left.length - left.lastIndexOf('\n') - 1 }
              : undefined,
          );
          expect(log.endsWithNewline).toBe(!started);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a log that was cut at any byte is mended by the next writer', async () => {
  const root = tempWorkspace();
  const file = join(root, 'events.jsonl');
  const lock = unwrap(await acquireLock(root, { waitMs: 0 }));
  fc.assert(
    fc.property(logs, fc.nat(), ({ bytes }, n) => {
      writeFileSync(file, bytes.subarray(0, n % (bytes.length + 1)));
      const before = unwrap(readLog(file));
      const writer = unwrap(openLogWriter(root, lock));
      unwrap(writer.append(dispatchEvent('lint', 1)));
      writer.close();
      const after = unwrap(readLog(file));
      expect(after).toMatchObject({ tornTail: undefined, endsWithNewline: true });
      expect(after.records.slice(0, before.records.length)).toEqual(before.records);
      expect(after.records.slice(before.records.length).map((r) => r.event.type)).toEqual(
        before.tornTail === undefined ? ['dispatch'] : ['torn-tail', 'dispatch'],
      );
    }),
    { numRuns: 40 },
  );
  lock.release();
});

test('the quick parser of events answers as the careful one does, on JSON with any damage', () => {
  const snippet = fc.constantFrom(
    '"a"',
    '"a":1',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ' ',
    '\t',
    '1',
    'NaN',
    '"b" :2',
    '\ufeff',
    '1e999',
    '-1e308',
    '\\ud800',
    '\\ud83d\\ude00',
    '\\u0061',
  );
  const pieces = fc.array(snippet, { maxLength: 12 }).map((parts) => `{${parts.join('')}}`);
  const spliced = fc
    .record({ one: fields, at: fc.nat(), put: snippet, drop: fc.nat(2) })
    .map(({ one, at, put, drop }) => {
      const json = JSON.stringify(one);
      const start = at % json.length;
      return json.slice(0, start) + put + json.slice(start + drop);
    });
  const repeated = fc
    .record({ one: fields, inner: fields, space: fc.constantFrom('', ' ', '\t\n ') })
    .map(({ one, inner, space }) => {
      const body = [...Object.entries(one), ...Object.entries(inner)].map(
        ([k, v]) => `${JSON.stringify(k)}${space}:${JSON.stringify(v)}`,
      );
      return `{${body.join(',')}}`;
    });
  fc.assert(
    fc.property(fc.oneof(pieces, spliced, repeated), (damaged) => {
      // As it comes out of UTF-8: a pair that was torn apart is no text.
      const json = Buffer.from(damaged).toString();
      expect(parseEventText(json)).toEqual(parseStrictObjectText(json));
    }),
    { numRuns: 3000 },
  );
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPresetLog } from '../../src/flow/presets/veripower/log.ts';
import type { PresetLog } from '../../src/flow/presets/veripower/log-index.ts';
import { parseLooseJson } from '../../src/flow/presets/veripower/loose-json.ts';
import {
  escapedName,
  LINE_END,
  listRepr,
  stripped,
} from '../../src/flow/presets/veripower/python-text.ts';
import type { Problem } from '../../src/values/problem.ts';
import { PresetWorkspace } from './workspace.ts';

/** The reading of spec/06 §6.4, where it differs from that of our own logs. */

function read(text: string | Uint8Array): PresetLog | Problem {
  const w = new PresetWorkspace();
  w.write('events.jsonl', text);
  const log = readPresetLog(join(w.root, 'events.jsonl'));
  return log.ok ? log.value : log.error;
}

function readWell(text: string | Uint8Array): PresetLog {
  const log = read(text);
  if ('code' in log) throw new Error(`${log.code}: ${log.message}`);
  return log;
}

/** How many dispatches of lint-cdc the text holds. */
function dispatches(text: string): number {
  return readWell(text).stages.get('lint-cdc')?.dispatches.length ?? 0;
}

const line = (run: unknown): string =>
  JSON.stringify({ type: 'dispatch', rule: 'lint-cdc', run, workdir: 'w' });

test('no log is no events', () => {
  const log = readPresetLog(join(new PresetWorkspace().root, 'events.jsonl'));
  expect(log).toMatchObject({ ok: true, value: { hasSignoff: false, tornLine: undefined } });
});

test('a link that leads nowhere is no events, and is told', () => {
  const w = new PresetWorkspace();
  w.link('events.jsonl', 'nowhere');
  expect(readPresetLog(join(w.root, 'events.jsonl'))).toMatchObject({
    ok: true,
    value: { isDangling: true },
  });
});

test.each(['\n', '\r\n', '\r', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'])(
  '%j ends a line',
  (end) => expect(dispatches(`${line(1)}${end}${line(2)}${end}${end}${line(3)}`)).toBe(3),
);

test.each(['\x1f', '\t', '\ufeff'])('%j ends no line', (c) => {
  expect(`a${c}b`.split(LINE_END)).toHaveLength(1);
});

test('lines are split alike wherever the reading is cut into parts', () => {
  const long = JSON.stringify({ type: 'note', text: 'é'.repeat(200_000) });
  for (const end of ['\n', '\r\n', '\u2028']) {
    const log = readWell([line(1), long, line(2), long, line(3)].join(end));
    expect(log.stages.get('lint-cdc')?.dispatches.map(({ line: at }) => at)).toEqual([1, 3, 5]);
  }
});

test.each(['\u00a0', '\u3000', '\x1f', '\x1c', ' \t'])('%j around a line is taken off', (space) => {
  expect(dispatches(`${space}${line(1)}${space}\n${line(2)}`)).toBe(2);
  expect(stripped(`${space}a${space}`)).toBe('a');
});

test('a byte order mark is not taken off: alone it is an empty log, before records it is corrupt', () => {
  expect(stripped('\ufeffa\ufeff')).toBe('\ufeffa\ufeff');
  expect(readWell('\ufeff')).toMatchObject({ tornLine: 1 });
  expect(read(`\ufeff${line(1)}\n${line(2)}\n`)).toMatchObject({
    code: 'log/corrupt-line',
    at: { line: 1 },
  });
});

describe('a line that is no JSON', () => {
  test('is ignored as the last that is not blank', () => {
    const log = readWell(`${line(1)}\n\n{"type": "disp\n \u00a0\n\n`);
    expect(log.tornLine).toBe(3);
    expect(log.stages.get('lint-cdc')?.dispatches).toHaveLength(1);
  });

  test('is a problem before another', () => {
    expect(read(`${line(1)}\n{"type": "disp\n\n${line(2)}\n`)).toMatchObject({
      code: 'log/corrupt-line',
      at: { file: 'events.jsonl', line: 2 },
    });
  });
});

test.each([
  ['a stray byte', [0xff], 2],
  ['half a character at the end', [0xe2, 0x82], 2],
  ['an encoded surrogate', [0xed, 0xa0, 0x80], 2],
  ['an overlong form', [0xc0, 0x80], 2],
])('%s is not UTF-8, wherever it stands', (_, bytes, at) => {
  const text = Buffer.concat([Buffer.from(`${line(1)}\n{"a": "`), Buffer.from(bytes)]);
  expect(read(text)).toMatchObject({ code: 'log/not-utf8', at: { line: at } });
});

describe('JSON', () => {
  test.each([
    ['{"a": NaN}', { a: Number.NaN }],
    ['[Infinity, -Infinity]', [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
    ['{"NaN": "Infinity \\" NaN"}', { NaN: 'Infinity " NaN' }],
    ['{"a": 1, "a": 2}', { a: 2 }],
  ])('%s is read', (text, expected) => expect(parseLooseJson(text)).toEqual(expected));

  test.each([
    '{NaN: 1}',
    '1NaN',
    'NaN1',
    '-NaN',
    '[NaNNaN]',
    '"NaN',
    '{"a": nan}',
    '+Infinity',
    '',
  ])('%s is not', (text) => expect(parseLooseJson(text)).toBeUndefined());

  test('a key that objects inherit is a key', () => {
    const log = readWell('{"type": "__proto__", "__proto__": {"type": "signoff"}}\n');
    expect(log.hasSignoff).toBe(false);
  });
});

describe('events', () => {
  test.each([
    ['a number', '5'],
    ['a list', '[]'],
    ['null', 'null'],
    ['one without a type', '{}'],
    ['a dispatch without a stage', '{"type": "dispatch", "run": 1}'],
    ['a dispatch without a run', '{"type": "dispatch", "rule": "lint-cdc"}'],
    ['an outcome without a run', '{"type": "outcome", "rule": "nobody"}'],
    ['an outcome whose run is a list', '{"type": "outcome", "rule": "lint-cdc", "run": []}'],
    ['a dispatch whose stage is a list', '{"type": "dispatch", "rule": [], "run": 1}'],
  ])('%s ends the engine', (_, text) => {
    expect(read(`${line(1)}\n${text}\n${line(2)}\n`)).toMatchObject({
      code: 'log/invalid-record',
      at: { line: 2 },
    });
  });

  test.each([
    '{"type": 5}',
    '{"type": ["dispatch"]}',
    '{"type": "dispatch", "rule": "constructor"}',
    '{"type": "dispatch", "rule": 7}',
    '{"type": "outcome", "rule": null, "run": null, "proofs": []}',
  ])('%s is ignored', (text) => expect(dispatches(`${line(1)}\n${text}\n`)).toBe(1));

  test('numbers of runs are compared by value, text is none', () => {
    const outcome = (run: string): string =>
      `{"type":"outcome","rule":"lint-cdc","run":${run},"proofs":[]}`;
    const log = readWell([line(1), outcome('1.0'), outcome('true'), outcome('"1"')].join('\n'));
    const keys = log.stages.get('lint-cdc')?.endings.map(({ key }) => key);
    expect(keys).toEqual([1, 1, '1']);
  });

  test('NaN is no run but itself', () => {
    const nan = line(0).replace('0', 'NaN');
    const log = readWell([nan, nan].join('\n'));
    const keys = log.stages.get('lint-cdc')?.dispatches.map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });
});

test.each([
  [['a'], "['a']"],
  [["it's", 'é'], `["it's", 'é']`],
  [[`"it's"`], `['"it\\'s"']`],
  [['a\\b\n\t\x07', '\u00a0\u200b\u2028'], `['a\\\\b\\n\\t\\x07', '\\xa0\\u200b\\u2028']`],
  [['\u{e0001}\u{1f600}', '\udcff'], "['\\U000e0001\u{1f600}', '\\udcff']"],
])('%j is written as Python writes it', (items, expected) => {
  expect(listRepr(items)).toBe(expected);
});

test('a file name that is not UTF-8 is spelled as Python spells it', () => {
  const name = Buffer.concat([Buffer.from('é'), Buffer.from([0xff, 0xc3]), Buffer.from('.v')]);
  expect(escapedName(name)).toBe('é\udcff\udcc3.v');
});

test('a log in a folder that is no folder', () => {
  const w = new PresetWorkspace();
  w.write('file', 'x');
  expect(readPresetLog(join(w.root, 'file', 'events.jsonl'))).toMatchObject({
    error: { code: 'log/unreadable' },
  });
});

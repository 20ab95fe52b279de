import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLog } from '../../src/log/read.ts';
import type { JsonObject } from '../../src/values/strict-json.ts';
import { bundleChild, Child } from './helpers/child.ts';
import { dispatchEvent, logText, outcomeEvent } from './helpers/events.ts';
import { problemOf, unwrap } from './helpers/expect-result.ts';
import { tempWorkspace, workspaceWithLog } from './helpers/workspace.ts';

const reader = await bundleChild('read');

function read(contents: string | Uint8Array): ReturnType<typeof readLog> {
  return readLog(workspaceWithLog(contents).file);
}

describe('a log that is whole', () => {
  test('a missing file is an empty log', () => {
    expect(unwrap(readLog(join(tempWorkspace(), 'events.jsonl')))).toEqual({
      records: [],
      tornTail: undefined,
      endsWithNewline: true,
    });
  });

  test('an empty file is an empty log', () => {
    expect(unwrap(read(''))).toEqual({ records: [], tornTail: undefined, endsWithNewline: true });
  });

  test('records come in file order with their kind and their physical line', () => {
    const dispatch = dispatchEvent('lint', 1);
    const outcome = outcomeEvent('lint', 1);
    const pin = { type: 'pin', oracle_ref: 'spec-review' };
    const text = `${logText(dispatch)}\n \t\r\n${logText(outcome, pin)}`;
    expect(unwrap(read(text)).records).toEqual([
      { line: 1, kind: 'dispatch', event: dispatch },
      { line: 4, kind: 'outcome', event: outcome },
      { line: 5, kind: 'other', event: pin },
    ]);
  });

  test('unknown fields are kept', () => {
    const outcome = outcomeEvent('lint', 1, { verified_by: ['someone', { else: null }] });
    expect(unwrap(read(logText(outcome))).records[0]?.event).toEqual(outcome);
  });

  test('a CR before the LF is tolerated', () => {
    const text = logText({ type: 'a' }, { type: 'b' }).replaceAll('\n', '\r\n');
    expect(unwrap(read(text)).records.map((r) => r.line)).toEqual([1, 2]);
  });

  test.each(['\u2028', '\u2029', '\u0085', '\u001c', '\u000b', '\u000c', '\r'])(
    'a line does not end at %j',
    (separator) => {
      // Raw where JSON allows it inside a string, between two values otherwise.
      const inside = separator > '\u001f';
      const text = inside
        ? `{"type":"a${separator}b"}\n`
        : `{"type":"a"}${separator}{"type":"b"}\n`;
      if (inside) expect(unwrap(read(text)).records).toHaveLength(1);
      else expect(problemOf(read(text), 'log/corrupt-line').at?.line).toBe(1);
    },
  );

  test('keys that are names of the language are data', () => {
    const text = '{"type":"a","__proto__":{"type":"dispatch"},"constructor":1}\n';
    const [record] = unwrap(read(text)).records;
    expect(record?.kind).toBe('other');
    expect(Object.keys(record?.event ?? {})).toEqual(['type', '__proto__', 'constructor']);
  });

  test('a colon after a quote inside a string is no key', () => {
    const event = { type: 'a', text: 'say "x": y, "x" : z', list: [{ k: 1 }, { k: 2 }] };
    expect(unwrap(read(logText(event))).records[0]?.event).toEqual(event);
  });

  test('lines and characters may lie across the chunks in which the file is read', () => {
    const events = Array.from({ length: 40 }, (_, i) => ({
      type: 'note',
      text: '\u{1f600}é'.repeat(7919 + 1009 * i),
    }));
    const log = unwrap(read(logText(...events)));
    expect(log.records.map((r) => r.event)).toEqual(events);
    expect(log.endsWithNewline).toBe(true);
  });

  test('a symbolic link to a regular file is followed', () => {
    const { root, file } = workspaceWithLog(logText({ type: 'a' }));
    const link = join(root, 'link.jsonl');
    symlinkSync(file, link);
    expect(unwrap(readLog(link)).records).toHaveLength(1);
  });
});

describe('a last line without its LF', () => {
  const first = logText(dispatchEvent('lint', 1));

  test('counts when it is a whole event', () => {
    const log = unwrap(read(first + logText(outcomeEvent('lint', 1)).trimEnd()));
    expect(log.records.map((r) => [r.line, r.kind])).toEqual([
      [1, 'dispatch'],
      [2, 'outcome'],
    ]);
    expect(log).toMatchObject({ tornTail: undefined, endsWithNewline: false });
  });

  test('is a torn tail when it was cut', () => {
    const log = unwrap(read(`${first}{"type":"outcome","ru`));
    expect(log.records).toHaveLength(1);
    expect(log).toMatchObject({ tornTail: { line: 2, bytes: 21 }, endsWithNewline: false });
  });

  test('is a torn tail when it was cut inside a UTF-8 character', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${first}{"type":"a","x":"`),
      Buffer.from([0xe2, 0x82]),
    ]);
    expect(unwrap(read(bytes)).tornTail).toEqual({ line: 2, bytes: 19 });
  });

  test('is a torn tail when the disk gave back NULs', () => {
    expect(unwrap(read(`${first}${'\0'.repeat(100)}`)).tornTail).toEqual({ line: 2, bytes: 100 });
  });

  test('is a torn tail when a key stands twice in what is left of it', () => {
    expect(unwrap(read(`${first}{"a":1,"a":2`)).tornTail).toEqual({ line: 2, bytes: 12 });
  });

  test.each([
    ['a key twice', '{"type":"a","type":"b"}', 'log/corrupt-line'],
    ['half a character', '{"type":"a\\ud800"}', 'log/corrupt-line'],
    ['no object', '[{"type":"a"}]', 'log/corrupt-line'],
    ['no type', '{"kind":"a"}', 'log/invalid-record'],
    [
      'a dispatch without its stage',
      '{"type":"dispatch","ts":"2026-01-02T03:04:05Z"}',
      'log/invalid-record',
    ],
  ] as const)('is an error when it is whole and wrong: %s', (_, line, code) => {
    expect(problemOf(read(first + line), code).at?.line).toBe(2);
  });

  test('is an error when it is whole but for bytes that are not UTF-8', () => {
    const last = Buffer.from([...Buffer.from('{"type":"a'), 0xff, ...Buffer.from('"}')]);
    const log = read(Buffer.concat([Buffer.from(first), last]));
    expect(problemOf(log, 'log/not-utf8').at?.line).toBe(2);
  });

  test('of blanks is no line', () => {
    const log = unwrap(read(`${first} \t`));
    expect(log.records).toHaveLength(1);
    expect(log).toMatchObject({ tornTail: undefined, endsWithNewline: false });
  });
});

describe('a line that is no event', () => {
  test.each([
    ['cut, but ended', '{"type":"a"'],
    ['two objects', '{"type":"a"}{"type":"b"}'],
    ['a key twice', '{"type":"a","x":1,"x":2}'],
    ['a key twice, spelled differently', '{"type":"a","x":1,"\\u0078":2}'],
    ['a key twice, deep inside', '{"type":"a","x":[{"y":{"z":1,"z":1}}]}'],
    ['a key twice, blanks before the colon', '{"type":"a","x" :1,"x"\t:2}'],
    ['a key twice, blanks before the second colon', '{"type":"a","x":1,"x" :2}'],
    ['a key twice, beside a string that looks like one', '{"type":"a","x":1,"x":"\\":"}'],
    ['half a character', '{"type":"a","x":"\\ud800"}'],
    ['a number that overflows', '{"type":"a","x":[1e999]}'],
    ['NaN', '{"type":"a","x":NaN}'],
    ['Infinity', '{"type":"a","x":-Infinity}'],
    ['a byte order mark', '\ufeff{"type":"a"}'],
    ['an array', '[1]'],
    ['a string', '"dispatch"'],
    ['null', 'null'],
    ['a trailing comma', '{"type":"a",}'],
    ['a no-break space', '\u00a0'],
    ['nested too deep', `{"type":"a","x":${'['.repeat(250)}${']'.repeat(250)}}`],
    ['nested without bound', `{"type":"a","x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('is told with its place: %s', (_, line) => {
    const { file } = workspaceWithLog(`{"type":"ok"}\n\n${line}\n{"type":"ok"}\n`);
    const problem = problemOf(readLog(file), 'log/corrupt-line');
    expect(problem.at).toEqual({ file, line: 3 });
    expect(problem.remedy).toMatch(/version control/);
  });

  test('a byte order mark before the first line is told even when the LF is missing', () => {
    problemOf(read('\ufeff{"type":"a"}'), 'log/corrupt-line');
    problemOf(read('\ufeff'), 'log/corrupt-line');
  });

  test.each([
    ['type', {}],
    ['type', { type: 7 }],
    ['run', { ...dispatchEvent('lint', 1), run: 0 }],
    ['run', { ...dispatchEvent('lint', 1), run: '1' }],
    ['run', { ...dispatchEvent('lint', 1), run: 2 ** 53 }],
    ['rule', { ...dispatchEvent('lint', 1), rule: undefined }],
    ['ts', { ...outcomeEvent('lint', 1), ts: 'yesterday' }],
    ['verdict', { ...outcomeEvent('lint', 1), verdict: 'PASS' }],
    ['outputs', { ...outcomeEvent('lint', 1), outputs: undefined }],
    ['outputs/a/b.txt', { ...outcomeEvent('lint', 1), outputs: { 'a/b.txt': 3 } }],
    [
      'proofs/0/oracle/grade',
      {
        ...outcomeEvent('lint', 1),
        proofs: [
          { name: 'lint', verdict: 'pass', inputs: {}, oracle: { ref: 'x', grade: 'best' } },
        ],
      },
    ],
  ] satisfies [string, JsonObject][])('names the field that is wrong: %s of %o', (field, event) => {
    const { file } = workspaceWithLog(logText({ type: 'ok' }, event));
    const problem = problemOf(readLog(file), 'log/invalid-record');
    expect(problem.message).toContain(`\`${field}\``);
    expect(problem.at).toEqual({ file, line: 2 });
  });

  test('a line that is not UTF-8 is told, in the first chunk and in a later one', () => {
    const bad = Buffer.from([...Buffer.from('{"type":"a'), 0xff, ...Buffer.from('"}\n')]);
    const good = Buffer.from(logText({ type: 'ok', text: 'é'.repeat(100) }));
    const early = Buffer.concat([good, good, bad, good]);
    expect(problemOf(read(early), 'log/not-utf8').at?.line).toBe(3);
    const late = Buffer.concat([...Array.from({ length: 3000 }, () => good), bad, good]);
    expect(problemOf(read(late), 'log/not-utf8').at?.line).toBe(3001);
  });

  test('an encoded surrogate and an overlong form are not UTF-8', () => {
    for (const bytes of [
      [0xed, 0xa0, 0x80],
      [0xc0, 0xaf],
    ]) {
      const line = Buffer.from([...Buffer.from('{"type":"'), ...bytes, ...Buffer.from('"}\n')]);
      problemOf(read(line), 'log/not-utf8');
    }
  });
});

describe('a line that is too long', () => {
  const limit = 16 * 1024 * 1024;

  test('is told; one that just fits is read', () => {
    const frame = '{"type":"a","x":""}'.length;
    const fits = logText({ type: 'a', x: 'x'.repeat(limit - frame) });
    expect(unwrap(read(logText({ type: 'ok' }) + fits)).records).toHaveLength(2);
    const tooLong = logText({ type: 'a', x: 'x'.repeat(limit - frame + 1) });
    const problem = problemOf(read(logText({ type: 'ok' }) + tooLong), 'log/line-too-long');
    expect(problem.at?.line).toBe(2);
  });

  test('is not held in memory', async () => {
    const { file } = workspaceWithLog(logText({ type: 'ok' }));
    truncateSync(file, 2 ** 40);
    expect(await Child.run(reader, file).next()).toEqual({
      code: 'log/line-too-long',
      at: { file, line: 2 },
      megabytes: expect.toSatisfy((megabytes: number) => megabytes < 200),
    });
  });
});

test('200,000 events take a bounded amount of memory', async () => {
  const fingerprint = `blake3:${'0'.repeat(64)}`;
  const thousand = Array.from({ length: 500 }, (_, i) =>
    logText(
      dispatchEvent(`stage-${i}`, 1),
      outcomeEvent(`stage-${i}`, 1, { outputs: { [`build/${i}.rpt`]: fingerprint } }),
    ),
  ).join('');
  const { file } = workspaceWithLog(thousand.repeat(200));
  expect(await Child.run(reader, file).next()).toEqual({
    records: 200_000,
    megabytes: expect.toSatisfy((megabytes: number) => megabytes < 300),
  });
});

describe('a log that cannot be read', () => {
  test('a folder', () => {
    const folder = join(tempWorkspace(), 'events.jsonl');
    mkdirSync(folder);
    problemOf(readLog(folder), 'log/unreadable');
  });

  test('a FIFO is not waited for', () => {
    const fifo = join(tempWorkspace(), 'events.jsonl');
    execFileSync('mkfifo', [fifo]);
    problemOf(readLog(fifo), 'log/unreadable');
  });

  test('a link to a device', () => {
    const link = join(tempWorkspace(), 'events.jsonl');
    symlinkSync('/dev/zero', link);
    problemOf(readLog(link), 'log/unreadable');
  });

  test('a link that leads to nothing is not an empty log', () => {
    const link = join(tempWorkspace(), 'events.jsonl');
    symlinkSync('gone.jsonl', link);
    expect(problemOf(readLog(link), 'log/unreadable').message).toMatch(/leads to nothing/);
  });

  test('a link to itself', () => {
    const link = join(tempWorkspace(), 'events.jsonl');
    symlinkSync('events.jsonl', link);
    problemOf(readLog(link), 'log/unreadable');
  });

  test('a path through a file', () => {
    const { file } = workspaceWithLog('');
    problemOf(readLog(join(file, 'events.jsonl')), 'log/unreadable');
  });

  test.skipIf(process.getuid?.() === 0)('a file without permission', () => {
    const { file } = workspaceWithLog(logText({ type: 'a' }));
    chmodSync(file, 0);
    problemOf(readLog(file), 'log/unreadable');
  });

  test('a path that no file can have', () => {
    problemOf(readLog('events\0.jsonl'), 'log/unreadable');
  });
});

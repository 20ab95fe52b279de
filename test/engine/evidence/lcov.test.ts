import { describe, expect, test } from 'vitest';
import { type LcovDemands, readLcov } from '../../../src/engine/evidence/lcov.ts';
import type { JsonObject } from '../../../src/values/strict-json.ts';

const DEMANDS: LcovDemands = { minLineCoverage: 0.5, files: ['rtl/fifo.v'], workspace: '/ws' };

function read(text: string, demands: Partial<LcovDemands> = {}): JsonObject {
  const result = readLcov(text, { ...DEMANDS, ...demands });
  if (!result.ok) expect.fail(result.error.message);
  return result.value;
}

function refusal(text: string): string {
  const result = readLcov(text, DEMANDS);
  if (result.ok) expect.fail(`it was read: ${JSON.stringify(result.value)}`);
  expect(result.error.code).toBe('evidence/unreadable');
  return result.error.message;
}

/** The section of a file, as Verilator writes it. */
function section(path: string, ...records: string[]): string {
  return [`SF:${path}`, ...records, 'end_of_record', ''].join('\n');
}

/** A report of rtl/fifo.v alone. */
function fifo(...records: string[]): string {
  return `TN:verilator_coverage\n${section('rtl/fifo.v', ...records)}`;
}

describe('the lines of the listed files are counted', () => {
  test('each once, with the share that was hit', () => {
    expect(read(fifo('DA:1,4', 'DA:2,0', 'DA:9,1'))).toEqual({
      passed: true,
      summary: 'line coverage is 0.6666 (2 of 3 lines), and at least 0.5 is needed',
      lines: 3,
      lines_hit: 2,
      line_coverage: 2 / 3,
      files: 1,
    });
  });

  test('one that is recorded often counts once, and its counts add up', () => {
    const text = fifo('DA:1,0', 'DA:1,3', 'DA:1,0', 'DA:01,0', 'DA:2,0', 'DA:2,0');
    expect(read(text)).toMatchObject({ passed: true, lines: 2, lines_hit: 1 });
  });

  test('sections of one file merge, in whatever way they name it', () => {
    const text = [
      section('rtl/fifo.v', 'DA:1,0', 'DA:2,1'),
      section('./rtl/fifo.v', 'DA:1,1'),
      section('/ws/rtl/fifo.v', 'DA:3,0'),
      section('/ws/sim/../rtl//./fifo.v', 'DA:4,0'),
    ].join('TN:other_test\n');
    expect(read(text)).toMatchObject({ lines: 4, lines_hit: 2, files: 1 });
  });

  test('over all listed files together, and over no other', () => {
    const text = [
      section('rtl/a.v', 'DA:1,1', 'DA:2,1', 'DA:3,1'),
      section('rtl/b.v', 'DA:1,0'),
      section('tb/top.v', 'DA:1,1', 'DA:2,1'),
    ].join('');
    expect(read(text, { files: ['rtl/a.v', 'rtl/b.v'] })).toMatchObject({
      lines: 4,
      lines_hit: 3,
      files: 2,
    });
    expect(read(text, { files: ['rtl/b.v'] })).toMatchObject({ passed: false, lines: 1 });
  });

  test('and not by what the report says of them', () => {
    const lies = fifo('DA:1,0', 'DA:2,0', 'LF:1000', 'LH:1000');
    expect(read(lies)).toMatchObject({ passed: false, lines: 2, lines_hit: 0 });
    expect(read(fifo('LF:1000', 'LH:1000'))['passed']).toBeNull();
  });

  test.each([
    [['DA:1,1', 'LF:100', 'LH:1'], 'a record tells of 100 lines and shows 1'],
    [['DA:1,1', 'LF:1', 'LH:0'], 'a record tells of 0 lines hit and shows 1'],
    [['LF:nonsense', 'LH:-1', 'DA:1,1'], 'a record tells of nonsense lines and shows 1'],
  ])('a record that contradicts itself is no pass: %j', (records, summary) => {
    expect(read(fifo(...records))).toMatchObject({ passed: null, summary });
  });

  test('the totals are of one record, not of all that a file has', () => {
    const text = fifo('DA:1,1', 'LF:1', 'LH:1') + fifo('DA:1,1', 'DA:2,4', 'LF:2', 'LH:2');
    expect(read(text)).toMatchObject({ passed: true, lines: 2 });
  });

  test('other records of the format say nothing of lines', () => {
    const others = ['VER:1', 'FN:1,f', 'FNDA:0,f', 'FNL:0,1,2', 'FNA:0,0,f', 'FNF:1', 'FNH:0'];
    const branches = ['BRDA:1,0,0,-', 'BRDA:1,0,block_a,0', 'BRF:2', 'BRH:0', 'MCF:1', 'MCH:0'];
    const text = `# made by hand\n\n${fifo(...others, '# note', 'DA:1,1,W+x/4==', ...branches)}\n#`;
    expect(read(text)).toMatchObject({ passed: true, lines: 1, lines_hit: 1 });
  });

  test('lines that end in CR LF are the same lines', () => {
    const text = fifo('DA:1,4', 'DA:2,0').replaceAll('\n', '\r\n');
    expect(read(text)).toMatchObject({ passed: true, lines: 2, lines_hit: 1 });
  });

  test('the last line needs no line break', () => {
    expect(read(fifo('DA:1,1').trimEnd())['passed']).toBe(true);
  });
});

describe('the threshold', () => {
  test.each<[number, number, number, boolean]>([
    [9, 10, 0.9, true],
    [7, 100, 0.07, true],
    [29, 100, 0.29, true],
    [57, 100, 0.57, true],
    [89, 100, 0.9, false],
    [9999, 10_000, 1, false],
    [10, 10, 1, true],
    [0, 10, 0, true],
    [0, 10, 0.0001, false],
    [1, 3, 0.3333, true],
    [1, 3, 0.3334, false],
  ])('%i of %i lines at %f: %s', (hit, lines, minLineCoverage, passed) => {
    const records = Array.from({ length: lines }, (_, i) => `DA:${i + 1},${i < hit ? 1 : 0}`);
    expect(read(fifo(...records), { minLineCoverage })['passed']).toBe(passed);
  });

  test('a share that is short of it does not read as if it had reached it', () => {
    const records = Array.from({ length: 30_000 }, (_, i) => `DA:${i + 1},${i > 0 ? 1 : 0}`);
    expect(read(fifo(...records), { minLineCoverage: 1 })).toMatchObject({
      passed: false,
      summary: 'line coverage is 0.9999 (29999 of 30000 lines), and at least 1 is needed',
    });
  });
});

describe('a listed file that the report says nothing of leaves the verdict open', () => {
  const files = ['rtl/fifo.v', 'rtl/uart.v'];

  test('and is named, with what the report tells of instead', () => {
    const text = `${fifo('DA:1,1')}${section('../rtl/uart.v', 'DA:1,1')}`;
    expect(read(text, { files })).toEqual({
      passed: null,
      summary: 'the report has no line of `rtl/uart.v`; it tells of `../rtl/uart.v`',
      lines: 1,
      lines_hit: 1,
      line_coverage: 1,
      files: 1,
    });
  });

  test('also when its section is empty, or holds branches only', () => {
    for (const records of [[], ['BRDA:1,0,0,1', 'LF:1', 'LH:1']]) {
      const text = `${fifo('DA:1,1')}${section('rtl/uart.v', ...records)}`;
      expect(read(text, { files })).toMatchObject({ passed: null, files: 1 });
    }
  });

  test('also when the others are not covered: it could make up for them', () => {
    expect(read(fifo('DA:1,0'), { files })['passed']).toBeNull();
  });

  test('also when nothing is demanded of the lines', () => {
    expect(read(fifo('DA:1,1'), { files, minLineCoverage: 0 })['passed']).toBeNull();
  });

  test('all of them, with the first few named', () => {
    const text = section('x.v', 'DA:1,1');
    const listed = ['a.v', 'b.v', 'c.v', 'd.v', 'e.v'];
    expect(read(text, { files: listed })).toMatchObject({
      passed: null,
      summary: 'the report has no line of `a.v`, `b.v`, `c.v` and 2 more; it tells of `x.v`',
      lines: 0,
      line_coverage: null,
      files: 0,
    });
  });

  test('and so does a list without a file, which no flow can have', () => {
    expect(read(fifo('DA:1,1'), { files: [] })['passed']).toBeNull();
  });
});

describe('a path is that of the listed file, or of none', () => {
  test.each([
    'fifo.v',
    '../rtl/fifo.v',
    'rtl/../../rtl/fifo.v',
    '../../../../etc/passwd',
    '/rtl/fifo.v',
    '/ws2/rtl/fifo.v',
    '/ws/../rtl/fifo.v',
    '/other/ws/rtl/fifo.v',
    ' rtl/fifo.v',
    'rtl/fifo.v ',
    'RTL/fifo.v',
    'rtl\\fifo.v',
    'file:///ws/rtl/fifo.v',
    'rtl/fifo.v\u0000',
    '.',
    '..',
    '/',
  ])('%j is another', (path) => {
    const result = readLcov(section(path, 'DA:1,1'), DEMANDS);
    expect(result.ok && result.value['passed'] === true).toBe(false);
  });

  test('names that objects have are names of files', () => {
    const files = ['__proto__', 'constructor', 'toString'];
    const text = files.map((path) => section(path, 'DA:1,1')).join('');
    expect(read(text, { files })).toMatchObject({ passed: true, lines: 3, files: 3 });
    expect(read(fifo('DA:1,1'), { files })).toMatchObject({ passed: null, files: 0 });
    expect(read(`${fifo('DA:1,0')}${section('__proto__', 'DA:1,1')}`)['passed']).toBe(false);
  });
});

describe('a report that is damaged is no evidence', () => {
  test('wherever it was cut within a section', () => {
    const whole = fifo('DA:1,1', 'BRDA:1,0,0,1', 'DA:12,34', 'LF:2', 'LH:2').trimEnd();
    for (let length = 0; length < whole.length; length++) refusal(whole.slice(0, length));
    expect(read(whole)['passed']).toBe(true);
  });

  test('or in a later section', () => {
    const head = fifo('DA:1,1');
    const whole = `${head}TN:\n${section('tb/top.v', 'DA:1,1')}`.trimEnd();
    for (let length = head.length + 1; length < whole.length; length++) {
      expect(refusal(whole.slice(0, length))).toMatch(/cut|ends before|line \d+/);
    }
  });

  test.each<[string, string, RegExp]>([
    ['nothing', '', /no record/],
    ['blank lines', '\n\r\n\n', /no record/],
    ['a test name alone', 'TN:x\n', /no record/],
    ['a comment alone', '# SF:rtl/fifo.v\n', /no record/],
    ['a section without end', 'SF:rtl/fifo.v\nDA:1,1\n', /was cut/],
    ['a test name behind the last section', `${fifo('DA:1,1')}TN:y\n`, /ends before/],
    ['JSON', '{"lines": 1}', /line 1.*no record/],
    ['text behind the last section', `${fifo('DA:1,1')}done\n`, /line 5.*no record/],
    ['an end without a section', 'end_of_record\n', /not begun/],
    ['two ends', `${fifo('DA:1,1')}end_of_record\n`, /line 5.*not begun/],
    ['an end with a blank', 'SF:a\nend_of_record \n', /no record/],
    ['a section in a section', `SF:a\n${fifo('DA:1,1')}`, /within the record/],
    ['a file in a section', fifo('SF:rtl/b.v'), /before the last file/],
    ['a test name in a section', fifo('TN:x'), /within the record/],
    ['a file without a name', section('', 'DA:1,1'), /names no file/],
    ['lines outside of a section', `DA:1,1\n${fifo('DA:1,1')}`, /outside/],
    ['totals outside of a section', `LF:1\n${fifo('DA:1,1')}`, /outside/],
    ['a record that nobody knows', fifo('DB:1,1'), /no record of/],
    ['a record in lower case', fifo('da:1,1'), /no record of/],
    ['a record with a blank before it', fifo(' DA:1,1'), /no record of/],
    ['a record named as objects have it', fifo('constructor:1,1'), /no record of/],
    ['an old Mac line end', fifo('DA:1,1').replaceAll('\n', '\r'), /no record/],
    ['a negative count', fifo('DA:1,-1'), /DA:1,-1.*count of at least 0/],
    ['a negative zero', fifo('DA:1,-0'), /count/],
    ['a signed count', fifo('DA:1,+1'), /count/],
    ['half a count', fifo('DA:1,0.5'), /count/],
    ['a count with an exponent', fifo('DA:1,1e3'), /count/],
    ['a count in base 16', fifo('DA:1,0x1'), /count/],
    ['no count', fifo('DA:1'), /count/],
    ['an empty count', fifo('DA:1,'), /count/],
    ['a count that is a word', fifo('DA:1,NaN'), /count/],
    ['a count of another script', fifo('DA:1,\u0661'), /count/],
    ['a blank in the count', fifo('DA:1, 1'), /count/],
    ['no line', fifo('DA:,1'), /count/],
    ['nothing in a record', fifo('DA:'), /count/],
    ['an empty checksum', fifo('DA:1,1,'), /count/],
    ['a field too many', fifo('DA:1,1,x,y'), /count/],
    ['line 0', fifo('DA:0,1'), /line number/],
    ['a negative line', fifo('DA:-1,1'), /line number/],
    ['a line beyond all files', fifo(`DA:${'9'.repeat(20)},1`), /line number/],
    ['damage in a file that is not listed', `${fifo('DA:1,1')}${section('x', 'DA:1,-5')}`, /count/],
    ['a NUL in a record', fifo('DA:1,1\0'), /NUL/],
    ['a NUL in a name', section('rtl/fifo.v\0', 'DA:1,1'), /NUL/],
    ['a block of NULs at the end', `${fifo('DA:1,1')}${'\0'.repeat(512)}`, /NUL/],
    ['a NUL in a comment', `# a\0b\n${fifo('DA:1,1')}`, /NUL/],
  ])('%s', (_, text, why) => {
    const message = refusal(text);
    expect(message).toContain('the lcov report cannot be used');
    expect(message).toMatch(why);
  });
});

describe('what is out of all proportion', () => {
  test('a line of a megabyte is refused in short words', () => {
    for (const line of ['x'.repeat(1e6), `DA:1,1${'x'.repeat(1e6)}`, `DA:${','.repeat(1e6)}`]) {
      expect(refusal(fifo(line)).length).toBeLessThan(400);
    }
  });

  test('a name of a megabyte is another file', () => {
    for (const name of ['a/'.repeat(5e5), '../'.repeat(3e5), 'é'.repeat(1e6)]) {
      const payload = read(section(name, 'DA:1,1'));
      expect(payload['passed']).toBeNull();
      expect(String(payload['summary']).length).toBeLessThan(400);
    }
  });

  test('a name cannot disturb what is shown', () => {
    const { summary } = read(section('a\u202e\u001b[2Jb', 'DA:1,1'));
    expect(summary).toContain('`a\\u{202e}\\u{1b}[2Jb`');
    expect(refusal(fifo('\u001b[2J'))).toContain('`\\u{1b}[2J`');
  });

  test.each([
    '9007199254740993',
    '18446744073709551615',
    '9'.repeat(400),
    `${'0'.repeat(1000)}1`,
    '1'.padEnd(1e6, '0'),
  ])('a huge count is a hit', (count) => {
    expect(read(fifo(`DA:1,${count}`, `DA:1,${count}`))).toMatchObject({
      passed: true,
      lines: 1,
      lines_hit: 1,
      line_coverage: 1,
    });
  });

  test('a zero of a million digits is none', () => {
    expect(read(fifo(`DA:1,${'0'.repeat(1e6)}`))['passed']).toBe(false);
  });

  test('a million lines and thousands of files are read in bounded time', () => {
    const records = Array.from({ length: 1_000_000 }, (_, i) => `DA:${i + 1},${i % 2}`).join('\n');
    const others = Array.from({ length: 5_000 }, (_, i) => section(`lib/${i}.v`, 'DA:1,1'));
    const started = performance.now();
    expect(read(`${fifo(records)}${others.join('')}`)).toMatchObject({
      passed: true,
      lines: 1_000_000,
      lines_hit: 500_000,
    });
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

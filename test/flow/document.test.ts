import { describe, expect, it, test } from 'vitest';
import {
  fifo,
  flowOf,
  folder,
  linkTo,
  placeOf,
  problemOf,
  problemsOf,
  stageOf,
} from './flow-file.ts';

const GOOD = `stages:
  lint:
    uses: lint
    inputs: [rtl/a.v]
`;

describe('a flow file that is no flow at all is refused in its place', () => {
  test.each([
    ['a list that does not end', 'stages: [\n', /flow/i, '2:1'],
    ['a tab as indentation', 'stages:\n\tlint:\n', /tab/i, '2:1'],
    ['a key twice', `${GOOD}stages: {}\n`, /unique/i, '5:1'],
    ['a key twice in a stage', `${GOOD}    uses: other\n`, /unique/i, '5:5'],
    ['two documents', `${GOOD}---\nstages: {}\n`, /document/i, '5:1'],
    ['a tag that nobody knows', 'stages: !!js/function x\n', /tag/i, '1:9'],
    ['an anchor that is not there', 'stages: *nowhere\n', /alias|anchor/i, '1:9'],
  ])('%s', (_, text, message, place) => {
    const [first] = problemsOf(text);
    expect(first).toMatchObject({ code: 'flow/syntax', at: { file: 'signoff.yaml' } });
    expect(first?.message).toMatch(message);
    expect(first && placeOf(first)).toBe(place);
  });

  test.each([
    ['nothing', ''],
    ['a comment alone', '# stages to come\n'],
    ['null', 'null\n'],
    ['a list', '- lint\n'],
    ['a word', 'lint\n'],
  ])('%s', (_, text) => {
    expect(problemOf(text)).toMatchObject({
      code: 'flow/schema',
      message: 'the flow must be a mapping',
      at: { line: 1, column: 1 },
    });
  });
});

describe('a key that would replace another unseen is refused', () => {
  const stage = '{ run: "true", inputs: none }';

  test.each([
    ['a number and the same as text', `stages:\n  1: ${stage}\n  "1": ${stage}\n`, '3:3'],
    ['a number written in two ways', `stages:\n  10: ${stage}\n  0xA: ${stage}\n`, '3:3'],
    ['true and "true"', `stages:\n  true: ${stage}\n  "true": ${stage}\n`, '3:3'],
    ['an alias of an earlier key', `stages:\n  &a lint: ${stage}\n  *a : ${stage}\n`, '3:3'],
    ['a list for a key', `stages:\n  ? [a]\n  : ${stage}\n`, '2:5'],
    ['a key escaped in JSON', '{"stages": {}, "st\\u0061ges": {}}', '1:16'],
  ])('%s', (_, text, place) => {
    const found = problemOf(text);
    expect(found.code).toBe('flow/syntax');
    expect(placeOf(found)).toBe(place);
  });
});

describe('what an editor adds to a file is no fault of the flow', () => {
  test('a byte order mark', () => {
    expect(flowOf(`\ufeff${GOOD}`).stages).toHaveLength(1);
  });

  test('lines that end in CR LF', () => {
    expect(stageOf(flowOf(GOOD.replaceAll('\n', '\r\n')), 'lint').at).toMatchObject({
      line: 2,
      column: 3,
    });
  });

  test('places behind a byte order mark and CR LF are those that an editor shows', () => {
    const found = problemOf(`\ufeff${GOOD}    colour: red\n`.replaceAll('\n', '\r\n'));
    expect(placeOf(found)).toBe('5:5');
  });

  test('JSON that is indented by tabs', () => {
    const json = JSON.stringify(
      { stages: { lint: { uses: 'lint', inputs: ['a.v'] } } },
      null,
      '\t',
    );
    expect(flowOf({ 'signoff.json': json }).stages).toHaveLength(1);
  });
});

describe('bytes that are no text', () => {
  test.each([
    ['a lone byte above 127', Buffer.concat([Buffer.from(GOOD), Buffer.from([0xe9, 0x0a])])],
    ['UTF-16', Buffer.from(`\ufeff${GOOD}`, 'utf16le')],
    ['half a character at the end', Buffer.concat([Buffer.from(GOOD), Buffer.from([0x23, 0xc3])])],
  ])('%s', (_, bytes) => {
    expect(problemOf(bytes)).toMatchObject({
      code: 'flow/syntax',
      message: 'the flow file is not valid UTF-8',
    });
  });
});

describe('a flow file that would cost too much', () => {
  test('one megabyte', () => {
    const found = problemOf(`${GOOD}# ${'x'.repeat(1024 * 1024)}\n`);
    expect(found.code).toBe('flow/too-large');
    expect(found.message).toContain('262144');
  });

  test('aliases that multiply', () => {
    const levels = 'abcdefgh'.split('').map((name, index, all) => {
      const before = all[index - 1];
      const items = before === undefined ? 'x, x' : Array(9).fill(`*${before}`).join(', ');
      return `${name}: &${name} [${items}]`;
    });
    const found = problemOf(`${levels.join('\n')}\nstages: *h\n`);
    expect(found.code).toBe('flow/syntax');
    expect(found.message).toMatch(/alias/i);
  });

  test('sixty thousand aliases', () => {
    const started = performance.now();
    const found = problemOf(`a: &a x\nstages: [${'*a,'.repeat(60_000)}]\n`);
    expect(found).toMatchObject({ code: 'flow/syntax' });
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('a map that holds itself', () => {
    expect(problemOf('stages: &all\n  lint: *all\n')).toMatchObject({ code: 'flow/unknown-key' });
  });

  test('lists within lists within lists', () => {
    const [found] = problemsOf(`stages: ${'['.repeat(100_000)}\n`);
    expect(found?.code).toBe('flow/syntax');
  });

  test('an alias or two are fine', () => {
    const flow = flowOf(`stages:
  lint: { run: "true", inputs: &rtl [rtl/a.v] }
  check: { run: "true", inputs: *rtl }
`);
    expect(stageOf(flow, 'check').inputs).toMatchObject({
      include: [{ optional: false }, { optional: true, selector: { glob: 'intent/**' } }],
    });
  });
});

describe('something else in the place of the file', () => {
  test.each([
    ['a FIFO', fifo],
    ['a folder', folder],
    ['a device', linkTo('/dev/zero')],
    ['a link to nothing', linkTo('nowhere')],
  ])('%s is told at once', (_, make) => {
    const started = performance.now();
    expect(problemOf({ 'signoff.yaml': make })).toMatchObject({
      code: 'flow/unreadable',
      at: { file: 'signoff.yaml' },
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('which file is the flow', () => {
  const json = '{"stages": {"lint": {"run": ["true"], "inputs": ["a.v"]}}}';

  it('is signoff.json where there is no signoff.yaml', () => {
    expect(flowOf({ 'signoff.json': json }).file).toBe('signoff.json');
  });

  it('is not guessed when both are there', () => {
    expect(problemOf({ 'signoff.yaml': GOOD, 'signoff.json': json })).toMatchObject({
      code: 'flow/ambiguous-file',
      message: 'both signoff.yaml and signoff.json are there',
    });
  });

  it('is not guessed when one of the two is a link to nothing', () => {
    expect(problemOf({ 'signoff.yaml': linkTo('x'), 'signoff.json': json }).code).toBe(
      'flow/ambiguous-file',
    );
  });

  it('must be there', () => {
    expect(problemOf({})).toMatchObject({
      code: 'flow/missing',
      remedy: expect.stringContaining('init'),
    });
  });

  test.each([
    ['a comment', `// flow\n${json}`],
    ['a trailing comma', json.replace('}}}', '},}}')],
    ['YAML', GOOD],
    ['two values', `${json}\n${json}`],
  ])('signoff.json must hold JSON, and %s is none', (_, text) => {
    const [found] = problemsOf({ 'signoff.json': text });
    expect(found).toMatchObject({ code: 'flow/syntax', at: { file: 'signoff.json' } });
  });

  it('signoff.json has no key twice', () => {
    const [found] = problemsOf({ 'signoff.json': '{"stages": {},\n "stages": {}}' });
    expect(found).toMatchObject({ code: 'flow/syntax', at: { line: 2, column: 2 } });
  });
});

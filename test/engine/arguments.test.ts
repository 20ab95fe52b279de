import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Arguments, buildArguments } from '../../src/engine/arguments.ts';
import { readDescriptor } from '../../src/engine/descriptor.ts';
import { walkWorkspace } from '../../src/fingerprint/walk.ts';
import type { WithValue } from '../../src/flow/stage.ts';
import type { Problem } from '../../src/values/problem.ts';
import type { Result } from '../../src/values/result.ts';
import { callEngine, descriptor, engineRoom, writeEngine } from '../support/engine-room.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';
import { introducedAs } from './replay/recordings.ts';

type WithValues = Readonly<Record<string, WithValue>>;

interface Invocation {
  readonly template?: readonly string[];
  readonly optional?: readonly object[];
  readonly emitsJson?: boolean;
  readonly properties?: object;
  readonly inputs?: object;
}

function build(
  invocation: Invocation,
  withValues: WithValues,
  files: Readonly<Record<string, string>> = {},
): Promise<Result<Arguments>> {
  const raw = descriptor({
    invocation: {
      args_template: invocation.template ?? ['run'],
      optional: invocation.optional ?? [],
      emits_json: invocation.emitsJson ?? false,
    },
    inputs: invocation.inputs ?? { type: 'object', properties: invocation.properties ?? {} },
  });
  return buildFrom(raw, withValues, files);
}

function buildFrom(
  raw: Record<string, unknown>,
  withValues: WithValues,
  files: Readonly<Record<string, string>> = {},
): Promise<Result<Arguments>> {
  const read = readDescriptor(raw);
  if (!read.ok) throw new Error(read.error.message);
  const root = scratchFolder();
  writeFiles(root, files);
  return buildArguments(read.value, withValues, walkWorkspace(root));
}

async function args(...of: Parameters<typeof build>): Promise<readonly string[]> {
  const built = await build(...of);
  if (!built.ok) expect.fail(built.error.message);
  return built.value.args;
}

async function refusal(...of: Parameters<typeof build>): Promise<Problem> {
  const built = await build(...of);
  if (built.ok) expect.fail(`it was built: ${JSON.stringify(built.value.args)}`);
  expect(built.error.code).toBe('engine/bad-arguments');
  return built.error;
}

describe('the arguments of the published examples', () => {
  test('em-ir: a required token, an option with a flag, and --json', async () => {
    const { describe: raw } = introducedAs('em-ir');
    const built = await buildFrom({ ...raw }, { out: 'emir.rpt', job: 'block.emir' });
    expect(built).toMatchObject({
      value: { args: ['run', 'block.emir', '-o', 'emir.rpt', '--json'], isRaw: false },
    });
  });

  test('gds-view emits no JSON: --json is never appended', async () => {
    const { describe: raw } = introducedAs('gds-view');
    const built = await buildFrom({ ...raw }, { gds: 'a.gds' });
    expect(built).toMatchObject({ value: { args: ['render', 'a.gds'] } });
  });
});

describe('a token of the template', () => {
  test('stands for its value, alone or inside an element, as often as it is named', async () => {
    const template = ['{top}', '--out={dir}/{top}.json', 'plain', '{top}'];
    expect(await args({ template }, { top: 'uart', dir: 'build' })).toEqual([
      'uart',
      '--out=build/uart.json',
      'plain',
      'uart',
    ]);
  });

  test.each([['{}'], ['{ top }'], ['{9}'], ['{a b}'], ['{"json": 1}'], ['$top']])(
    'has a name in braces; %s is text',
    async (element) => {
      expect(await args({ template: [element] }, {})).toEqual([element]);
    },
  );

  test('is required: a missing one is named', async () => {
    const found = await refusal({ template: ['{gds}', '{deck}'] }, { gds: 'a.gds' });
    expect(found.message).toBe('parameter `deck`: it is required and missing');
  });

  test.each(['constructor', 'toString', '__proto__'])(
    'called %s is missing when nobody gave it',
    async (name) => {
      const found = await refusal({ template: [`{${name}}`] }, {});
      expect(found.message).toContain(`\`${name}\``);
    },
  );

  test.each([
    ['a number', 7, '7'],
    ['zero', 0, '0'],
    ['a fraction', 0.25, '0.25'],
    ['the empty text', '', ''],
    ['a boolean', false, 'false'],
  ])('takes %s as its text', async (_, value, text) => {
    expect(await args({ template: ['--n', '{n}'] }, { n: value })).toEqual(['--n', text]);
  });

  test('is filled once: braces in a value are text', async () => {
    expect(await args({ template: ['{a}', '{b}'] }, { a: '{b}', b: '$&' })).toEqual(['{b}', '$&']);
  });
});

describe('a value reaches the engine as it is', () => {
  test.each([
    'a b',
    'line\nfeed',
    `quote " ' \` $HOME $(id)`,
    'semi;colon & pipe | star *',
    '-rf',
    '--json=no',
    'ümläut 🂡',
    '\\',
    ' ',
    '',
  ])('%j', async (value) => {
    const room = engineRoom();
    const invocation = {
      args_template: ['{name}'],
      optional: [{ arg: 'opt', flag: '--opt' }],
      emits_json: false,
    };
    const run = 'for arg do printf "%s\\0" "$arg"; done > seen';
    writeEngine(room, 'probe', { describe: descriptor({ invocation }), run });
    const { envelope, prepared } = await callEngine(room, { with: { name: value, opt: value } });
    expect(envelope.error).toBeNull();
    expect(prepared.args).toEqual([value, '--opt', value]);
    const seen = readFileSync(join(room.root, 'seen'), 'utf8');
    expect(seen).toBe(`${value}\0--opt\0${value}\0`);
  });

  test('unless it holds a NUL, which no program can be given', async () => {
    const found = await refusal({ template: ['{name}'] }, { name: 'a\0b' });
    expect(found.message).toContain('NUL');
  });
});

describe('an optional argument', () => {
  const optional = [
    { arg: 'top', flag: '--top' },
    { arg: 'bare' },
    { arg: 'out', flag: '-o' },
    { arg: 'fast', flag: '--fast' },
  ];

  test('comes in declared order, whatever order the flow has', async () => {
    const values = { out: 'x', fast: true, bare: 'b', top: 't' };
    expect(await args({ optional }, values)).toEqual([
      ...['run', '--top', 't', 'b', '-o', 'x', '--fast'],
    ]);
  });

  test('that is not given leaves nothing', async () => {
    expect(await args({ optional }, {})).toEqual(['run']);
    expect(await args({ optional }, { out: 'x' })).toEqual(['run', '-o', 'x']);
  });

  test('gives the bare flag for true and nothing for false', async () => {
    expect(await args({ optional }, { fast: true })).toEqual(['run', '--fast']);
    expect(await args({ optional }, { fast: false })).toEqual(['run']);
    expect(await args({ optional }, { bare: false })).toEqual(['run']);
  });

  test('without a flag has nothing that true could stand for', async () => {
    expect((await refusal({ optional }, { bare: true })).message).toContain('`bare`');
  });

  test('takes zero and the empty text as values', async () => {
    expect(await args({ optional }, { top: 0, bare: '' })).toEqual(['run', '--top', '0', '']);
  });

  test('may be one that the schema does not describe', async () => {
    const inputs = { type: 'object', properties: { out: { type: 'string' } } };
    expect(await args({ optional, inputs }, { top: 'x' })).toEqual(['run', '--top', 'x']);
  });

  test('of the name of what every object has is not given by itself', async () => {
    expect(await args({ optional: [{ arg: 'constructor', flag: '-c' }] }, {})).toEqual(['run']);
  });

  test('may share a parameter with the template', async () => {
    const shared = { template: ['{top}'], optional: [{ arg: 'top', flag: '--top' }] };
    expect(await args(shared, { top: 'x' })).toEqual(['x', '--top', 'x']);
  });
});

describe('--json', () => {
  test('is appended once, after all else', async () => {
    const optional = [{ arg: 'out', flag: '-o' }];
    expect(await args({ optional, emitsJson: true }, { out: 'x' })).toEqual([
      ...['run', '-o', 'x', '--json'],
    ]);
  });

  test('is not appended where the template or an option has it', async () => {
    expect(await args({ template: ['run', '--json', 'x'], emitsJson: true }, {})).toEqual([
      ...['run', '--json', 'x'],
    ]);
    const optional = [{ arg: 'json', flag: '--json' }];
    expect(await args({ optional, emitsJson: true }, { json: true })).toEqual(['run', '--json']);
  });

  test('is asked for by default', async () => {
    const built = await buildFrom(descriptor({ invocation: { args_template: ['run'] } }), {});
    expect(built).toMatchObject({ value: { args: ['run', '--json'] } });
  });
});

describe('a list', () => {
  const files = { 'rtl/b.v': '', 'rtl/a.v': '', 'rtl/sub/c.v': '', 'rtl/a.vh': '', 'tb/t.v': '' };
  const properties = { files: { type: 'array', items: { type: 'string' } } };
  const template = ['check', '{files}', '--end'];

  test('becomes so many arguments in the place of its token', async () => {
    const values = { files: ['rtl/b.v', 'rtl/a.v'] };
    expect(await args({ template, properties }, values, files)).toEqual([
      ...['check', 'rtl/b.v', 'rtl/a.v', '--end'],
    ]);
  });

  test('of globs is expanded in byte order, without what it already holds', async () => {
    const values = { files: ['rtl/b.v', 'rtl/**/*.v', '{rtl,tb}/*.v'] };
    expect(await args({ template, properties }, values, files)).toEqual([
      ...['check', 'rtl/b.v', 'rtl/a.v', 'rtl/sub/c.v', 'tb/t.v', '--end'],
    ]);
  });

  test('names capital letters before small ones, and by bytes beyond the basic plane', async () => {
    const names = { 'Z.v': '', 'a.v': '', 'é.v': '', '\uffee.v': '', '🂡.v': '' };
    expect(await args({ template, properties }, { files: ['*.v'] }, names)).toEqual([
      ...['check', 'Z.v', 'a.v', 'é.v', '\uffee.v', '🂡.v', '--end'],
    ]);
  });

  test('does not let a file name become an option', async () => {
    const names = { '-o.v': '', 'a.v': '', '--top=x.v': '' };
    expect(await args({ template, properties }, { files: ['*.v'] }, names)).toEqual([
      ...['check', './--top=x.v', './-o.v', 'a.v', '--end'],
    ]);
  });

  test('passes names with blanks, quotes and line feeds as they are', async () => {
    const names = { 'a b.v': '', 'line\nfeed.v': '', "it's.v": '', '"q".v': '', '$(id).v': '' };
    const found = await args({ template, properties }, { files: ['*.v'] }, names);
    expect([...found.slice(1, -1)].sort()).toEqual(Object.keys(names).sort());
  });

  test('of globs of which one matches nothing is refused, and names it', async () => {
    const values = { files: ['rtl/*.v', 'ip/*.v'] };
    const found = await refusal({ template, properties }, values, files);
    expect(found.message).toContain('`ip/*.v` matches no file');
  });

  test('does not match a leading dot, another case, or what belongs to the gate', async () => {
    const names = { '.hidden.v': '', 'A.V': '', '.signoff/x.v': '', '.git/y.v': '' };
    for (const glob of ['*.v', '**/*.v', '.signoff/*.v', '.git/*.v']) {
      await refusal({ template, properties }, { files: [glob] }, names);
    }
  });

  test('with a glob that cannot be used is refused, and says why', async () => {
    for (const glob of ['../*.v', '/etc/*.conf', 'rtl/[', '!*.v', 'rtl\\*.v']) {
      const found = await refusal({ template, properties }, { files: [glob] }, files);
      expect(found.message).toContain(glob);
    }
  });

  test('keeps literal names, also of files that are not there', async () => {
    expect(await args({ template, properties }, { files: ['none.v', '../up.v'] })).toEqual([
      ...['check', 'none.v', '../up.v', '--end'],
    ]);
  });

  test('of numbers is passed where the schema wants numbers', async () => {
    const numbers = { layers: { type: 'array', items: { type: 'integer' } } };
    expect(
      await args({ template: ['{layers}'], properties: numbers }, { layers: [66, 68] }),
    ).toEqual(['66', '68']);
  });

  test('that is empty leaves no argument, unless the schema wants some', async () => {
    expect(await args({ template, properties }, { files: [] })).toEqual(['check', '--end']);
    const least = { files: { type: 'array', minItems: 1 } };
    expect((await refusal({ template, properties: least }, { files: [] })).message).toContain(
      '`files`',
    );
  });

  test('of an optional argument repeats its flag', async () => {
    const optional = [{ arg: 'inc', flag: '-I' }, { arg: 'files' }];
    const lists = { ...properties, inc: { type: 'array' } };
    const values = { inc: ['a', 'b'], files: ['x', 'y'] };
    expect(await args({ optional, properties: lists }, values)).toEqual([
      ...['run', '-I', 'a', '-I', 'b', 'x', 'y'],
    ]);
  });

  test('cannot fill a part of an element', async () => {
    const found = await refusal({ template: ['--files={files}'], properties }, { files: ['a'] });
    expect(found.message).toContain('`files`');
  });

  test.each<[string, object]>([
    ['no schema of it', {}],
    ['a text', { files: { type: 'string' } }],
    ['a number', { files: { type: 'number' } }],
    ['no type', { files: { description: 'the files' } }],
  ])('is refused where the engine says %s', async (_, wrong) => {
    const found = await refusal({ template, properties: wrong }, { files: ['rtl/a.v'] }, files);
    expect(found.message).toContain('`files`');
    expect(found.message).toContain('list');
  });

  test('is taken where a list is one of the types', async () => {
    const either = { files: { type: ['string', 'array'] } };
    expect(await args({ template, properties: either }, { files: ['a'] })).toHaveLength(3);
  });

  test('leaves out what is no file: an engine would wait for a pipe', async () => {
    const root = scratchFolder();
    writeFiles(root, { 'a.v': '' });
    execFileSync('mkfifo', [join(root, 'b.v')]);
    const raw = descriptor({
      invocation: { args_template: ['{files}'], emits_json: false },
      inputs: { type: 'object', properties },
    });
    const read = readDescriptor(raw);
    if (!read.ok) throw new Error(read.error.message);
    const built = await buildArguments(read.value, { files: ['*.v'] }, walkWorkspace(root));
    expect(built).toMatchObject({ value: { args: ['a.v'] } });
  });

  test('finds links to files, and files behind no link', async () => {
    const root = scratchFolder();
    writeFiles(root, { 'rtl/a.v': '', 'real/b.v': '' });
    symlinkSync('../real/b.v', join(root, 'rtl/b.v'));
    symlinkSync('../real', join(root, 'rtl/folder'));
    const raw = descriptor({
      invocation: { args_template: ['{files}'], emits_json: false },
      inputs: { type: 'object', properties },
    });
    const read = readDescriptor(raw);
    if (!read.ok) throw new Error(read.error.message);
    const built = await buildArguments(read.value, { files: ['rtl/**/*.v'] }, walkWorkspace(root));
    expect(built).toMatchObject({ value: { args: ['rtl/a.v', 'rtl/b.v'] } });
  });
});

test('a glob in a scalar is text', async () => {
  expect(await args({ template: ['{top}'] }, { top: '*.v' }, { 'a.v': '' })).toEqual(['*.v']);
});

describe('a key that can reach no argument', () => {
  const invocation = { template: ['run', '{job}'], optional: [{ arg: 'out', flag: '-o' }] };

  test('is an error that suggests the nearest that can', async () => {
    const found = await refusal(invocation, { job: 'a', oute: 'x' });
    expect(found).toMatchObject({
      message: expect.stringContaining('`oute`'),
      remedy: 'Did you mean `out`?',
    });
  });

  test('lists those that can when none is near', async () => {
    const found = await refusal(invocation, { job: 'a', liberty: 'x' });
    expect(found.remedy).toBe('Known parameters: job, out.');
  });

  test('is one even when the schema describes it', async () => {
    const properties = { liberty: { type: 'string' } };
    const found = await refusal({ ...invocation, properties }, { job: 'a', liberty: 'x' });
    expect(found.message).toContain('`liberty`');
  });

  test('is one even when its value is false', async () => {
    await refusal(invocation, { job: 'a', fast: false });
  });
});

describe('values that do not fit the schema of the engine are refused before anything runs', () => {
  const template = ['{job}'];
  const optional = [
    { arg: 'n', flag: '-n' },
    { arg: 'mode', flag: '-m' },
    { arg: 'x', flag: '-x' },
  ];
  const inputs = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    required: ['job', 'mode'],
    properties: {
      job: { type: 'string', pattern: '\\.sta$' },
      n: { type: 'integer', minimum: 1 },
      mode: { enum: ['fast', 'full'] },
    },
    additionalProperties: false,
  };

  test.each<[string, WithValues, string]>([
    ['a text for a number', { job: 'a.sta', mode: 'fast', n: '3' }, 'n'],
    ['a number that is too small', { job: 'a.sta', mode: 'fast', n: 0 }, 'n'],
    ['a fraction for a whole number', { job: 'a.sta', mode: 'fast', n: 1.5 }, 'n'],
    ['a value that is none of the known', { job: 'a.sta', mode: 'slow' }, 'mode'],
    ['a text of another form', { job: 'a.txt', mode: 'fast' }, 'job'],
    ['a boolean for a text', { job: true, mode: 'fast' }, 'job'],
    ['one that is required and missing', { job: 'a.sta' }, 'mode'],
    ['one that the schema rules out', { job: 'a.sta', mode: 'fast', x: 'y' }, 'x'],
  ])('%s, naming the parameter', async (_, values, parameter) => {
    const found = await refusal({ template, optional, inputs }, values);
    expect(found.message).toContain(`parameter \`${parameter}\``);
  });

  test('and those that fit are passed', async () => {
    const values = { job: 'a.sta', mode: 'full', n: 2 };
    expect(await args({ template, optional, inputs }, values)).toEqual([
      ...['a.sta', '-n', '2', '-m', 'full'],
    ]);
  });

  test('nothing was started by then', async () => {
    const room = engineRoom();
    const invocation = { args_template: ['{job}'] };
    writeEngine(room, 'probe', { describe: descriptor({ invocation, inputs }), run: 'touch ran' });
    const { envelope } = await callEngine(room, { with: { job: 'a.txt' } });
    expect(envelope.error?.code).toBe('invalid_arguments');
    expect(walkWorkspace(room.root).entries).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a type that does not exist', { type: 'object', properties: { job: { type: 'file' } } }],
    ['a list that is none', { required: 'job' }],
    ['a bound that is none, deep inside', { $defs: { x: { items: { minLength: '1' } } } }],
    ['a pattern that is none', { properties: { job: { pattern: '(' } } }],
    ['a reference to nowhere', { $ref: 'https://example.org/schema.json' }],
  ])('a schema with %s is a fault of the descriptor', async (_, broken) => {
    const built = await build({ template, inputs: broken }, { job: 'a' });
    expect(built).toMatchObject({ ok: false, error: { code: 'engine/bad-descriptor' } });
  });

  test('a pattern that backtracks without end is a fault of the descriptor too', async () => {
    const broken = { properties: { job: { pattern: '^(a+)+$' } } };
    const built = await build({ template, inputs: broken }, { job: `${'a'.repeat(60)}!` });
    expect(built).toMatchObject({ ok: false, error: { code: 'engine/bad-descriptor' } });
  });

  test('a descriptor without a schema lets every value through', async () => {
    const { inputs: _, ...raw } = descriptor({ invocation: { args_template: ['{job}'] } });
    expect(await buildFrom(raw, { job: 'a' })).toMatchObject({ ok: true });
  });
});

describe('raw arguments', () => {
  test('go past the descriptor as they are', async () => {
    const raw = ['check', '--json', '', 7, '{gds}', '*.v', '-x'];
    const built = await build({ template: ['run', '{job}'], emitsJson: true }, { args: raw });
    expect(built).toMatchObject({
      value: { args: ['check', '--json', '', '7', '{gds}', '*.v', '-x'], isRaw: true, values: {} },
    });
  });

  test('stand alone: beside another key `args` is a parameter like any other', async () => {
    expect((await refusal({}, { args: ['x'], top: 'y' })).message).toContain('`args`');
  });

  test('are a list: a text is none', async () => {
    expect((await refusal({}, { args: 'check' })).message).toContain('`args`');
  });
});

test('whatever the values, each is one argument, in declared order', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  const optional = [{ arg: 'b', flag: '-b' }, { arg: 'c' }];
  await fc.assert(
    fc.asyncProperty(text, text, text, async (a, b, c) => {
      const raw = descriptor({
        invocation: { args_template: ['x', '{a}'], optional, emits_json: false },
      });
      const read = readDescriptor(raw);
      if (!read.ok) throw new Error(read.error.message);
      const built = await buildArguments(read.value, { c, b, a }, { entries: [], problems: [] });
      expect(built).toMatchObject({ value: { args: ['x', a, '-b', b, c] } });
    }),
    { numRuns: 30 },
  );
});

describe('a list of names of the engine', () => {
  const nets = (items: object): Invocation => ({
    template: ['run', '{nets}'],
    properties: { nets: { type: 'array', items } },
  });

  test('is passed as it is written: its brackets and stars stand for no file', async () => {
    const written = nets({ type: 'string', format: 'name-pattern' });
    const built = await build(written, { nets: ['u1/*', 'y[3]'] }, { y3: '' });
    expect(built).toMatchObject({ ok: true, value: { args: ['run', 'u1/*', 'y[3]'] } });
  });

  test('that the schema does not call so is one of files', async () => {
    const built = await build(nets({ type: 'string' }), { nets: ['u1/*'] });
    expect(built).toMatchObject({ ok: false, error: { code: 'engine/bad-arguments' } });
  });
});

describe('schemas of two engines', () => {
  const named = (property: string): Invocation => ({
    inputs: {
      $id: 'https://example.org/inputs',
      type: 'object',
      required: [property],
      properties: { [property]: { $id: 'part', $anchor: 'a', type: 'string' } },
    },
    template: ['run', `{${property}}`],
  });

  test('may have one name: each is held to its own', async () => {
    for (const property of ['top', 'file', 'top']) {
      const [other] = ['top', 'file'].filter((one) => one !== property);
      expect(await build(named(property), { [property]: 'x' })).toMatchObject({ ok: true });
      expect(await build(named(property), { [property]: 1 })).toMatchObject({ ok: false });
      expect(await build(named(property), { [String(other)]: 'x' })).toMatchObject({ ok: false });
    }
  });

  test('do not suffer from one that cannot be used', async () => {
    const broken: Invocation = { inputs: { $id: 'https://example.org/inputs', type: 'nothing' } };
    expect(await build(broken, {})).toMatchObject({ error: { code: 'engine/bad-descriptor' } });
    expect(await build(named('top'), { top: 'x' })).toMatchObject({ ok: true });
  });
});

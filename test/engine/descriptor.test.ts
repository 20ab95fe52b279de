import { describe, expect, test } from 'vitest';
import { type Descriptor, readDescriptor } from '../../src/engine/descriptor.ts';
import { renderProblem } from '../../src/values/problem.ts';
import type { JsonObject } from '../../src/values/strict-json.ts';
import { descriptor } from '../support/engine-room.ts';
import { descriptors } from './replay/recordings.ts';

function usable(raw: JsonObject): Descriptor {
  const read = readDescriptor(raw);
  if (!read.ok) expect.fail(renderProblem(read.error));
  if (typeof read.value === 'string') expect.fail(read.value);
  return read.value;
}

function without(name: string): JsonObject {
  const { [name]: _, ...rest } = descriptor();
  return rest;
}

describe('the format that a descriptor names', () => {
  test.each([
    ['vyges-tool-descriptor/1.0', '1.0'],
    ['vyges-tool-descriptor/1.1', '1.1'],
    ['vyges-tool-descriptor/1.7', '1.7'],
    ['vyges-tool-descriptor/1.10', '1.10'],
    ['vyges-tool-descriptor/1', '1.0'],
  ])('%s is read as contract %s', (schema, contract) => {
    expect(usable(descriptor({ schema })).contract).toBe(contract);
  });

  test('may be missing in an older build, which is usable all the same', () => {
    expect(usable(without('schema')).contract).toBe('pre');
  });

  test.each([
    ['another major', 'vyges-tool-descriptor/2.0'],
    ['an older major', 'vyges-tool-descriptor/0.9'],
    ['a major that begins with 1', 'vyges-tool-descriptor/10.0'],
    ['a patch level', 'vyges-tool-descriptor/1.1.0'],
    ['no version', 'vyges-tool-descriptor'],
    ['another format', 'loom-result/1.1'],
    ['text before it', ' vyges-tool-descriptor/1.1'],
    ['text after it', 'vyges-tool-descriptor/1.1 '],
    ['a line after it', 'vyges-tool-descriptor/1.1\n'],
    ['a number', 1.1],
    ['null', null],
    ['the empty text', ''],
    ['a list', ['vyges-tool-descriptor/1.1']],
  ])('is refused when it is %s, in words that say what is spoken and what is read', (_, schema) => {
    const read = readDescriptor(descriptor({ schema }));
    if (read.ok) expect.fail('it was not refused');
    expect(read.error.code).toBe('engine/unsupported-descriptor');
    expect(read.error.message).toContain(JSON.stringify(schema));
    expect(read.error.message).toContain('vyges-tool-descriptor/1.x');
  });

  test('is refused even when nothing else could be used', () => {
    expect(readDescriptor({ schema: 'vyges-tool-descriptor/2.0' }).ok).toBe(false);
  });
});

describe('a payload without a usable template is no descriptor', () => {
  test.each<[string, JsonObject]>([
    ['nothing', {}],
    ['no invocation', without('invocation')],
    ['an invocation without a template', descriptor({ invocation: {} })],
    ['a template that is a text', descriptor({ invocation: { args_template: 'check {gds}' } })],
    ['a template that holds a number', descriptor({ invocation: { args_template: ['run', 7] } })],
    ['a template that holds a list', descriptor({ invocation: { args_template: [['run']] } })],
    ['a template of null', descriptor({ invocation: { args_template: null } })],
    ['an invocation that is a list', descriptor({ invocation: [] })],
    ['steps', { ...without('invocation'), kind: 'multi-step', steps: [{ id: 'a' }] }],
    ['commands', { ...without('invocation'), kind: 'multi-command', commands: ['check'] }],
  ])('%s', (_, raw) => {
    const read = readDescriptor(raw);
    expect(read.ok && read.value).toEqual(expect.stringContaining('args_template'));
  });

  test.each<[string, JsonObject]>([
    ['a name that is empty', descriptor({ name: '' })],
    ['a name that is no text', descriptor({ name: 7 })],
    ['a name of many thousand characters', descriptor({ name: 'x'.repeat(5000) })],
    ['inputs that are a list', descriptor({ inputs: [] })],
    ['inputs that are null', descriptor({ inputs: null })],
  ])('nor is one with %s, and it says which part is wrong', (_, raw) => {
    const read = readDescriptor(raw);
    expect(read.ok && read.value).toEqual(expect.stringMatching(/^its `(name|inputs)` must/));
  });
});

describe('what is malformed in an optional part is dropped, and the rest is used', () => {
  test('an optional argument without a name, or with a flag that is no text', () => {
    const optional = [
      { arg: 'top', flag: '--top' },
      { arg: 'bare' },
      { flag: '--lonely' },
      { arg: 7, flag: '--seven' },
      { arg: 'odd', flag: 7 },
      'top',
      null,
      ['top'],
    ];
    const raw = descriptor({ invocation: { args_template: [], optional } });
    expect(usable(raw).optional).toEqual([
      { arg: 'top', flag: '--top' },
      { arg: 'bare', flag: undefined },
    ]);
  });

  test.each([undefined, null, 'top', {}, 7])('optional arguments that are %j', (optional) => {
    expect(usable(descriptor({ invocation: { args_template: [], optional } })).optional).toEqual(
      [],
    );
  });

  test('an artifact without a role or without a source', () => {
    const artifacts = [
      { role: 'report', field: 'report_path' },
      { role: 'sdf', from_arg: 'sdf' },
      { role: 'both', field: 'path', from_arg: 'out' },
      { role: 'nowhere' },
      { role: '', field: 'path' },
      { field: 'path' },
      { role: 'odd', field: 7 },
      { role: 'odd', from_arg: ['out'] },
      'report',
      null,
    ];
    expect(usable(descriptor({ artifacts })).artifacts).toEqual([
      { role: 'report', from: { field: 'report_path' } },
      { role: 'sdf', from: { arg: 'sdf' } },
      { role: 'both', from: { field: 'path' } },
    ]);
  });

  test('limitations and what it consumes, but for the texts among them', () => {
    const raw = descriptor({ provenance_limitations: ['a', 7, null, 'b'], consumes: 'gds' });
    expect(usable(raw)).toMatchObject({ limitations: ['a', 'b'], consumes: [] });
  });

  test('an assertion, which leaves the engine without a claim', () => {
    const { claim } = usable(descriptor({ assertion: { id: 'clean', field: 'clean' } }));
    expect(claim.assertion).toBeUndefined();
    expect(claim.silence).toContain('the assertion was dropped');
  });

  test('a maturity that is not known, which counts as `discovered`', () => {
    expect(usable(descriptor({ maturity: 'partial' })).claim.maturity).toBe('discovered');
    expect(usable(without('maturity')).claim.maturity).toBe('discovered');
  });
});

describe('an engine emits JSON', () => {
  test.each([
    [undefined, true],
    [true, true],
    [null, true],
    ['false', true],
    [0, true],
    [false, false],
  ])('when `emits_json` is %j: %s', (emits_json, emitsJson) => {
    const raw = descriptor({ invocation: { args_template: [], emits_json } });
    expect(usable(raw).emitsJson).toBe(emitsJson);
  });
});

test('fields that nobody knows are ignored', () => {
  const raw = descriptor({ cost: 7, invocation: { args_template: ['run'], shell: true } });
  expect(usable(raw)).toMatchObject({ template: ['run'], raw });
});

describe('the descriptors of real engines', () => {
  test.each([
    ['cdc', '1.1', 'structured', 'cdc-synchronized'],
    ['drc', 'pre', 'structured', 'drc-clean'],
    ['em-ir', '1.1', 'workflow-validated', 'power-integrity-met'],
    ['gds-view', 'pre', 'structured', 'layout-render'],
    ['glitch', '1.1', 'structured', 'glitch-free'],
    ['power', '1.1', 'workflow-validated', 'power-analysis'],
    ['sta-si', '1.1', 'workflow-validated', 'timing-met'],
  ])('%s: contract %s, %s, claims %s', (engine, contract, maturity, id) => {
    const { describe: raw } = descriptors[engine] ?? {};
    const read = usable({ ...raw });
    expect(read.name).toBe(engine);
    expect(read.contract).toBe(contract);
    expect(read.claim.maturity).toBe(maturity);
    expect(read.claim.assertion?.id).toBe(id);
    expect(read.limitations.length).toBeGreaterThan(0);
  });

  test('loom lists commands and carries no invocation: no descriptor', () => {
    const read = readDescriptor({ ...descriptors['loom']?.describe });
    expect(read.ok && typeof read.value).toBe('string');
  });
});

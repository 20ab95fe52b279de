import { describe, expect, test } from 'vitest';
import { checkEnvelope } from '../../src/engine/envelope.ts';
import { EventTrail } from '../../src/engine/events.ts';
import type { LoomResult } from '../../src/generated/documents.ts';
import { validateLoomResult } from '../../src/generated/validators.js';
import { callEngine, descriptor, engineRoom, writeEngine } from '../support/engine-room.ts';

const HASH = `blake3:${'0'.repeat(64)}`;

const ENVELOPE = {
  schema: 'loom-result/1.1',
  tool: 'probe',
  tool_version: '1.0.0',
  status: 'ok',
  engineering: { status: 'pass', assertion: 'clean', summary: 'it held' },
  input_hash: HASH,
  result: { clean: true },
  artifacts: [{ role: 'report', path: 'r.json', hash: HASH }],
  error: null,
  logs: null,
  provenance: {
    cmd: ['probe', 'check'],
    duration_ms: 3,
    env: {},
    maturity: 'structured',
    limitations: ['none'],
    descriptor: {},
  },
} as LoomResult;

/** An envelope that a defect of ours broke: no type would let it through. */
function broken(changes: Readonly<Record<string, unknown>>): LoomResult {
  return { ...ENVELOPE, ...changes } as LoomResult;
}

test('an envelope of the published shape passes as it is', () => {
  const trail = new EventTrail();
  const { envelope, isValid } = checkEnvelope(ENVELOPE, trail);
  expect(isValid).toBe(true);
  expect(envelope).toBe(ENVELOPE);
  expect(trail.toLogs()).toBeNull();
});

describe('an envelope that is broken is told by an event and given all the same', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['no tool', { tool: '' }, '/tool'],
    ['a status of its own', { status: 'done' }, '/status'],
    [
      'a verdict of its own',
      { engineering: { ...ENVELOPE.engineering, status: 'passed' } },
      '/engineering/status',
    ],
    ['no engineering', { engineering: undefined }, '/'],
    ['a digest that is none', { input_hash: 'blake3:abc' }, '/input_hash'],
    ['an artifact without a digest', { artifacts: [{ role: 'r', path: 'p' }] }, '/artifacts/0'],
    ['an error code of its own', { error: { code: 'oops', message: 'x' } }, '/error'],
    ['an error without a message', { error: { code: 'engine_nonzero', message: '' } }, '/error'],
    [
      'a duration that is no whole number',
      { provenance: { ...ENVELOPE.provenance, duration_ms: 1.5 } },
      '/provenance/duration_ms',
    ],
    ['another major', { schema: 'loom-result/2.0' }, '/schema'],
    ['the format before verdicts', { schema: 'loom-result/1.0' }, '/schema'],
    [
      'logs of a count of zero',
      { logs: { count: 0, events: [], summary: { codes: [] } } },
      '/logs',
    ],
  ])('%s', (_, changes, place) => {
    const trail = new EventTrail();
    const { envelope, isValid } = checkEnvelope(broken(changes), trail);
    expect(isValid).toBe(false);
    const { logs, ...rest } = envelope;
    expect({ ...rest, logs: null }).toEqual({ ...broken(changes), logs: null });
    expect(logs).toMatchObject({
      count: 1,
      events: [
        {
          severity: 'error',
          tool: 'signoff-gate',
          code: 'MCP-ENVELOPE-INVALID',
          raw_msg: expect.stringContaining(place),
        },
      ],
      summary: { error_count: 1, codes: ['MCP-ENVELOPE-INVALID'] },
    });
  });

  test('beside the events of the engine', () => {
    const trail = new EventTrail();
    trail.add({
      schema: 'vyges-events/1.0',
      ts_ms: 1,
      tool: 'probe',
      severity: 'info',
      raw_msg: 'done',
    });
    const { envelope } = checkEnvelope(broken({ tool: '', logs: trail.toLogs() }), trail);
    expect(envelope.logs).toMatchObject({ count: 2, summary: { info_count: 1, error_count: 1 } });
  });
});

describe.concurrent('the envelope of a run', () => {
  test('says what ran, under which descriptor, and what its hash leaves out', async () => {
    const room = engineRoom();
    const raw = descriptor({ provenance_limitations: ['a', 'b'] });
    const version = 'vyges-probe 0.1.29 (0f4bd21)\nmore\n';
    writeEngine(room, 'vyges-probe', { describe: raw, version, stdout: '{"clean":true}' });
    const { envelope, isValid } = await callEngine(room, { env: { PDK: `${room.root}/pdk` } });
    expect(isValid).toBe(true);
    expect(envelope).toEqual({
      schema: 'loom-result/1.1',
      tool: 'probe',
      tool_version: '0.1.29',
      status: 'ok',
      engineering: {
        status: 'pass',
        assertion: 'clean',
        summary: "assertion 'clean' held on 'clean'",
      },
      input_hash: expect.stringMatching(/^blake3:[0-9a-f]{64}$/),
      result: { clean: true },
      artifacts: [],
      error: null,
      logs: null,
      provenance: {
        cmd: ['vyges-probe', 'check', '--json'],
        duration_ms: expect.any(Number),
        env: { PDK: 'pdk' },
        maturity: 'structured',
        limitations: ['a', 'b'],
        descriptor: raw,
      },
    });
  });

  test('says so where an engine states no limitation', async () => {
    const room = engineRoom();
    const { provenance_limitations: _, ...raw } = descriptor();
    writeEngine(room, 'probe', { describe: raw, stdout: '{"clean":true}' });
    const { envelope } = await callEngine(room);
    expect(envelope.provenance.limitations).toEqual(['not stated']);
  });

  test('names a program of the workspace as the flow does, without the path of the machine', async () => {
    const room = engineRoom();
    writeEngine({ ...room, bin: `${room.root}/tools` }, 'probe', {
      describe: descriptor({ invocation: { args_template: ['{job}'] } }),
      stdout: '{"clean":true}',
    });
    const job = `${room.root}/a.job`;
    const { envelope } = await callEngine(room, { uses: './tools/probe', with: { job } });
    expect(envelope.provenance.cmd).toEqual(['./tools/probe', 'a.job', '--json']);
    expect(JSON.stringify(envelope)).not.toContain(room.root);
  });

  test.each([
    '{"clean":true,"__proto__":{"clean":false},"constructor":1}',
    '{"clean":true,"deep":{"a":[1,{"b":null}]},"text":"\\u2028\\u0000é🂡"}',
    '{"clean":true,"n":[0.1,1e308,-0.0,123456789012345680000]}',
  ])('carries the payload as it was printed: %s', async (stdout) => {
    const room = engineRoom();
    writeEngine(room, 'probe', { describe: descriptor(), stdout });
    const { envelope } = await callEngine(room);
    expect(JSON.stringify(envelope.result)).toBe(JSON.stringify(JSON.parse(stdout)));
    expect(validateLoomResult(JSON.parse(JSON.stringify(envelope)))).toBe(true);
  });
});

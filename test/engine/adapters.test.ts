import { describe, expect, test } from 'vitest';
import type { Adapter } from '../../src/engine/adapters/adapter.ts';
import { adapterNames, findAdapter } from '../../src/engine/adapters/registry.ts';
import { readDescriptor } from '../../src/engine/descriptor.ts';
import { type Invoked, invoke } from '../../src/engine/invoke.ts';
import { newMarker } from '../../src/engine/marker.ts';
import { checkVersion } from '../../src/engine/version-range.ts';
import { defaultFloors } from '../../src/proof/default-floors.ts';
import { ok } from '../../src/values/result.ts';
import {
  descriptor,
  engineRoom,
  engineWork,
  prepareWork,
  writeEngine,
} from '../support/engine-room.ts';
import { scratchFolder } from '../support/scratch.ts';

const ADAPTERS = adapterNames().flatMap((name) => findAdapter(name) ?? []);

test('there are adapters', () => {
  expect(ADAPTERS.length).toBeGreaterThan(7);
});

describe.each(ADAPTERS)('$name', (adapter) => {
  test('describes itself as any engine does', () => {
    const read = readDescriptor(adapter.descriptor);
    expect(read).toMatchObject({ ok: true, value: { name: adapter.name } });
    expect(read.ok && typeof read.value).not.toBe('string');
  });

  test('has a floor under its pass', () => {
    expect(Object.keys(defaultFloors(adapter.name))).not.toEqual([]);
  });

  test('names versions that can be compared', () => {
    const tested = adapter.programs.flatMap((program) => program.tested ?? []);
    expect(tested).not.toEqual([]);
    for (const range of tested) {
      expect(JSON.stringify(checkVersion(range, '1.0'))).not.toContain('cannot be read');
    }
  });
});

describe('an adapter', () => {
  test('that breaks off ends in no verdict, and says where', async () => {
    const called = await runOf(() => Promise.reject(new TypeError('no such thing')));
    expect(called.verdict.status).toBe('unknown');
    expect(called.isValid).toBe(true);
    expect(called.envelope.error).toMatchObject({
      code: 'engine_nonzero',
      message: 'the adapter probe broke off: no such thing',
      stderr_tail: expect.stringContaining('adapters.test.ts'),
    });
  });

  test('that names no file as opened cannot pass', async () => {
    const passing = { payload: { clean: true } };
    const blind = await runOf(async () => ok({ ...passing, opened: [] }));
    expect(blind.verdict.status).toBe('unknown');
    expect(blind.envelope.error?.message).toContain('names no file');
    const seeing = await runOf(async () => ok({ ...passing, opened: ['a.v'] }));
    expect(seeing.verdict.status).toBe('pass');
  });

  test('that names no file as opened can fail', async () => {
    const failing = await runOf(async () => ok({ payload: { clean: false }, opened: [] }));
    expect(failing.verdict.status).toBe('fail');
  });
});

/** An invocation that an adapter carries out in place of the program that describes itself. */
async function runOf(run: Adapter['run']): Promise<Invoked> {
  const room = engineRoom({ 'a.v': '' });
  writeEngine(room, 'probe', { describe: descriptor() });
  const work = engineWork();
  const prepared = await prepareWork(room, work);
  const [anyAdapter] = ADAPTERS;
  if (!anyAdapter) throw new Error('there is no adapter');
  return invoke(
    { ...prepared, adapter: { ...anyAdapter, name: 'probe', run } },
    {
      rules: { work, floors: {}, minCoverage: undefined },
      outputs: [],
      env: {},
      places: { workspace: room.root, searchPath: room.searchPath },
      timeoutMs: 60_000,
      captureFolder: scratchFolder(),
      marker: newMarker(),
    },
  );
}

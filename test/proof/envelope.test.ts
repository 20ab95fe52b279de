import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestBytes } from '../../src/fingerprint/blake3.ts';
import type { Stage } from '../../src/flow/stage.ts';
import { type Envelope, parseEnvelope, readEnvelope, verdictOf } from '../../src/proof/envelope.ts';
import { envelopePath } from '../../src/proof/run-folder.ts';
import type { JsonObject } from '../../src/values/strict-json.ts';
import { scratchFolder } from '../support/scratch.ts';

const HASH = `blake3:${'0'.repeat(64)}`;

function document(changes: Readonly<Record<string, unknown>> = {}): JsonObject {
  return {
    schema: 'loom-result/1.1',
    tool: 'probe',
    tool_version: null,
    status: 'ok',
    engineering: { status: 'pass', assertion: 'clean', summary: 'it held' },
    input_hash: HASH,
    result: { clean: true },
    artifacts: [],
    error: null,
    logs: null,
    provenance: {
      cmd: ['probe'],
      duration_ms: 1,
      env: {},
      maturity: 'structured',
      limitations: [],
      descriptor: {
        name: 'probe',
        maturity: 'structured',
        assertion: { id: 'clean', field: 'clean', pass_when: { is_true: true } },
      },
    },
    ...changes,
  };
}

const STAGE: Pick<Stage, 'work' | 'floors' | 'minCoverage'> = {
  work: { kind: 'engine', uses: 'probe', with: {}, version: undefined, tools: [] },
  floors: {},
  minCoverage: undefined,
};

function parsed(raw: JsonObject): Envelope {
  const envelope = parseEnvelope(raw, 'envelope.json');
  if (!envelope.ok) expect.fail(envelope.error.message);
  return envelope.value;
}

describe('the format of an envelope', () => {
  test.each(['loom-result/1.1', 'loom-result/1.2', 'loom-result/1.10'])('%s is read', (schema) => {
    expect(parsed(document({ schema })).version).toBe('current');
  });

  test('1.0 is read, and has no verdict to give', () => {
    const old = parsed(document({ schema: 'loom-result/1.0' }));
    expect(verdictOf(old, STAGE)).toMatchObject({ status: 'unknown', assertion: null });
  });

  test.each([
    'loom-result/2.0',
    'loom-result/0.9',
    'loom-result/11.0',
    'loom-result/1',
    'loom-result/1.1.1',
    'vyges-tool-descriptor/1.1',
    '',
    null,
    1.1,
    undefined,
  ])('%j is refused', (schema) => {
    expect(parseEnvelope(document({ schema }), 'e')).toMatchObject({
      ok: false,
      error: { code: 'proof/envelope-invalid' },
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['a status of its own', { status: 'fine' }],
    ['a verdict of its own', { engineering: { status: 'PASS', assertion: null, summary: '' } }],
    ['no provenance', { provenance: undefined }],
  ])('with %s is refused', (_, changes) => {
    expect(parseEnvelope(document(changes), 'e').ok).toBe(false);
  });

  test('may hold fields that nobody knows', () => {
    expect(parsed(document({ signature: 'x' })).version).toBe('current');
  });
});

describe('the verdict of a recorded envelope', () => {
  const concluded = (status: string): Record<string, unknown> => ({
    engineering: { status, assertion: 'clean', summary: 'as it was concluded then' },
  });

  test('is derived again from its payload', () => {
    expect(verdictOf(parsed(document()), STAGE).status).toBe('pass');
    const lied = document({ result: { clean: false } });
    expect(verdictOf(parsed(lied), STAGE).status).toBe('fail');
    const emptied = document({ result: {} });
    expect(verdictOf(parsed(emptied), STAGE).status).toBe('unknown');
  });

  test.each(['fail', 'unknown', 'not_applicable'])(
    'is never better than what was concluded then: %s',
    (status) => {
      const verdict = verdictOf(parsed(document(concluded(status))), STAGE);
      expect(verdict.status).toBe('unknown');
      expect(verdict.summary).toContain(status);
    },
  );

  test('may be worse, by the rules of today', () => {
    const stage = { ...STAGE, floors: { compared: { min: 1 } } };
    expect(verdictOf(parsed(document()), stage).status).toBe('unknown');
    expect(verdictOf(parsed(document()), { ...STAGE, minCoverage: 0.9 }).status).toBe('unknown');
  });

  test('of an execution that did not complete is unknown, whatever else it says', () => {
    expect(verdictOf(parsed(document({ status: 'error' })), STAGE).status).toBe('unknown');
  });

  test.each([null, [], 'clean', 7, true])('of a payload that is %j is unknown', (result) => {
    expect(verdictOf(parsed(document({ result })), STAGE).status).toBe('unknown');
  });

  test('of a run without a descriptor, or with raw arguments, is unknown', () => {
    const provenance = { ...(document()['provenance'] as JsonObject), descriptor: null };
    expect(verdictOf(parsed(document({ provenance })), STAGE).status).toBe('unknown');
    const raw = { ...STAGE, work: { ...STAGE.work, with: { args: ['x'] } } } as typeof STAGE;
    expect(verdictOf(parsed(document()), raw).status).toBe('unknown');
  });

  test('that makes no claim has to have concluded so', () => {
    const descriptor = { maturity: 'structured', assertion: { not_applicable: true } };
    const provenance = { ...(document()['provenance'] as JsonObject), descriptor };
    const agreed = document({ provenance, ...concluded('not_applicable') });
    expect(verdictOf(parsed(agreed), STAGE).status).toBe('not_applicable');
    expect(verdictOf(parsed(document({ provenance })), STAGE).status).toBe('unknown');
  });
});

describe('an envelope on the disk', () => {
  function written(text: string | undefined): string {
    const root = scratchFolder();
    const path = join(root, envelopePath('drc', 3));
    mkdirSync(dirname(path), { recursive: true });
    if (text !== undefined) writeFileSync(path, text);
    return root;
  }

  const text = JSON.stringify(document());
  const digest = digestBytes(Buffer.from(text));

  test('is read when its bytes are those that were recorded', () => {
    expect(readEnvelope(written(text), 'drc', 3, digest)).toMatchObject({
      value: { version: 'current' },
    });
  });

  test.each<[string, string | undefined, string | undefined, string]>([
    ['is not there', undefined, digest, 'proof/envelope-missing'],
    ['was altered by one blank', `${text} `, digest, 'proof/envelope-altered'],
    ['has no recorded digest', text, undefined, 'proof/envelope-altered'],
    ['has another recorded digest', text, HASH, 'proof/envelope-altered'],
  ])('that %s is a problem', (_, content, recorded, code) => {
    expect(readEnvelope(written(content), 'drc', 3, recorded)).toMatchObject({
      ok: false,
      error: { code },
    });
  });

  test.each([
    ['', 'empty'],
    ['[]', 'a list'],
    [text.replace('{', '{"status":"error",'), 'ambiguous'],
    [text.slice(0, -1), 'cut'],
    [`\ufeff${text}`, 'behind a byte order mark'],
  ])('whose digest fits, but which is %#, is a problem', (content) => {
    const recorded = digestBytes(Buffer.from(content));
    expect(readEnvelope(written(content), 'drc', 3, recorded)).toMatchObject({
      ok: false,
      error: { code: 'proof/envelope-invalid' },
    });
  });

  test('that is a folder or a pipe is a problem, and not waited for', () => {
    const root = written(undefined);
    mkdirSync(join(root, envelopePath('drc', 3)));
    expect(readEnvelope(root, 'drc', 3, digest).ok).toBe(false);
    const other = written(undefined);
    execFileSync('mkfifo', [join(other, envelopePath('drc', 3))]);
    expect(readEnvelope(other, 'drc', 3, digest).ok).toBe(false);
  });
});

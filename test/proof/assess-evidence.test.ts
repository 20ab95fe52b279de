import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { digestBytes } from '../../src/fingerprint/blake3.ts';
import { checkPass, type Pass, prove, runPass, stageIn, statusesIn } from '../support/gate.ts';
import { judges, type LogLine, makeWorkspace, type TestWorkspace } from '../support/workspace.ts';

const FLOW = `stages:
  lint:
    uses: ./lint.sh
    inputs: [a.v]
    outputs: [lint.rpt]
    floors: { checked: { min: 1 } }
  other:
    uses: ./other.sh
    inputs: [b.v]
`;

const ENVELOPE = '.signoff/runs/lint/1/envelope.json';

let workspace: TestWorkspace;
let log: string;
let envelope: string;

beforeAll(async () => {
  workspace = makeWorkspace({
    flow: FLOW,
    files: { 'a.v': 'module a;\n', 'b.v': 'module b;\n' },
    engines: {
      'lint.sh': { does: `echo report > lint.rpt\n${judges('a.v')}` },
      'other.sh': { does: judges('b.v') },
    },
  });
  await prove(workspace);
  log = workspace.read('events.jsonl');
  envelope = workspace.read(ENVELOPE);
});

/** Looks at the workspace after a change of its records, and then mends them. */
function lookAfter(change: () => void): Pass {
  try {
    change();
    return checkPass(workspace);
  } finally {
    workspace.write('events.jsonl', log);
    rmSync(workspace.at(ENVELOPE), { recursive: true, force: true });
    workspace.write(ENVELOPE, envelope);
    expect(checkPass(workspace).answer.verdict).toBe('proven');
  }
}

function expectNotValid(pass: Pass, reason: string): void {
  expect(pass.answer.verdict).toBe('not-proven');
  expect(statusesIn(pass)).toEqual({ lint: 'stale', other: 'valid' });
  expect(stageIn(pass, 'lint').verdict).toBe('unknown');
  expect(stageIn(pass, 'lint').reason).toContain(reason);
}

/** Changes the outcome of `lint` in the log. */
function alterOutcome(change: (event: LogLine) => object): void {
  workspace.rewriteLog((event) =>
    event.type === 'outcome' && event.rule === 'lint' ? [{ ...event, ...change(event) }] : [event],
  );
}

function rewriteEnvelope(text: string): void {
  workspace.write(ENVELOPE, text);
  alterOutcome(() => ({ envelope: digestBytes(Buffer.from(text)) }));
}

describe('without the envelope that the log names there is no proof', () => {
  test('it is gone', () => {
    expectNotValid(
      lookAfter(() => workspace.remove(ENVELOPE)),
      'cannot be read (ENOENT)',
    );
  });

  test('the folder of all runs is gone', () => {
    const pass = lookAfter(() => workspace.remove('.signoff/runs/lint'));
    expectNotValid(pass, 'cannot be read (ENOENT)');
  });

  test('it is empty', () => {
    expectNotValid(
      lookAfter(() => workspace.write(ENVELOPE, '')),
      'is not what was recorded',
    );
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    [
      'a link to another envelope',
      (path: string) => symlinkSync('../../other/1/envelope.json', path),
    ],
    ['a link to itself', (path: string) => symlinkSync('envelope.json', path)],
  ])('%s is in its place', (_, make) => {
    const pass = lookAfter(() => {
      workspace.remove(ENVELOPE);
      make(workspace.at(ENVELOPE));
    });
    expectNotValid(pass, ENVELOPE);
  });

  test('any one of its bytes is another', () => {
    const bytes = Buffer.from(envelope);
    for (let position = 0; position < bytes.length; position += 23) {
      const altered = Buffer.from(bytes);
      altered[position] = (altered[position] ?? 0) ^ 1;
      workspace.write(ENVELOPE, altered);
      expectNotValid(checkPass(workspace), 'is not what was recorded');
    }
    workspace.write(ENVELOPE, envelope);
  });

  test.each([
    ['a space more at its end', (text: string) => `${text} `],
    ['a line less at its end', (text: string) => text.trimEnd()],
    ['the same in other words', (text: string) => JSON.stringify(JSON.parse(text))],
  ])('%s', (_, change) => {
    const pass = lookAfter(() => workspace.write(ENVELOPE, change(envelope)));
    expectNotValid(pass, 'is not what was recorded');
  });
});

describe('an envelope whose digest was recorded is still read with suspicion', () => {
  test.each([
    ['no JSON', (text: string) => text.slice(0, -20), 'not one JSON value'],
    ['a key twice', (text: string) => text.replace('{', '{"status":"ok",'), 'stands twice'],
    [
      'another format',
      (text: string) => text.replace('loom-result/1.1', 'loom-result/2.0'),
      'is not known',
    ],
    [
      'no format',
      (text: string) => text.replace('loom-result/1.1', 'result'),
      'loom-result/MAJOR.MINOR',
    ],
    [
      'the format before verdicts',
      (text: string) => text.replace('loom-result/1.1', 'loom-result/1.0'),
      '',
    ],
    ['an engine error', (text: string) => text.replace('"status": "ok"', '"status": "error"'), ''],
    [
      'a payload that fails',
      (text: string) => text.replace('"clean": true', '"clean": false'),
      'fail, not pass',
    ],
    [
      'a payload under its floor',
      (text: string) => text.replace('"checked": 3', '"checked": 0'),
      'floor not reached',
    ],
    [
      'a payload without the floor',
      (text: string) => text.replace('"checked": 3', '"other": 3'),
      'floor not reached',
    ],
    [
      'a conclusion of its own that is no pass',
      (text: string) => text.replace('"status": "pass"', '"status": "unknown"'),
      'itself concluded unknown',
    ],
    ['a lower maturity', (text: string) => text.replaceAll('"structured"', '"discovered"'), ''],
  ])('%s', (_, change, reason) => {
    expect(change(envelope)).not.toBe(envelope);
    expectNotValid(
      lookAfter(() => rewriteEnvelope(change(envelope))),
      reason,
    );
  });
});

describe('an outcome that was edited in the log', () => {
  test.each([
    ['names no envelope', () => ({ envelope: undefined }), 'records no digest'],
    [
      'names another digest',
      () => ({ envelope: `blake3:${'0'.repeat(64)}` }),
      'is not what was recorded',
    ],
    ['names another run', () => ({ run: 7 }), ''],
    ['has no proof', () => ({ proofs: [] }), 'carries no proof'],
    [
      'has the proof of another stage',
      ({ proofs }) => ({ proofs: renamed(proofs) }),
      'carries no proof',
    ],
    [
      'says pass where its proof says fail',
      ({ proofs }) => ({ proofs: flipped(proofs) }),
      'its proof says fail',
    ],
    ['has no inputs', ({ proofs }) => ({ proofs: withInputs(proofs, {}) }), 'a.v was added'],
    [
      'has an input that is gone',
      ({ proofs }) => ({ proofs: withInputs(proofs, { 'x.v': 'unknown' }) }),
      'a.v was added; x.v is gone',
    ],
    [
      'has a word for a fingerprint',
      ({ proofs }) => ({ proofs: withInputs(proofs, { 'a.v': 'unknown' }) }),
      'a.v changed',
    ],
    ['has no outputs', () => ({ outputs: {} }), 'output lint.rpt was added'],
    [
      'has other outputs',
      () => ({ outputs: { 'lint.rpt': 'missing' } }),
      'output lint.rpt changed',
    ],
    [
      'has an output more',
      ({ outputs }) => ({ outputs: { ...outputs, x: 'missing' } }),
      'output x is gone',
    ],
    ['has no definition', () => ({ definition: undefined }), 'in the flow was added'],
    [
      'has another definition',
      () => ({ definition: `blake3:${'0'.repeat(64)}` }),
      'in the flow changed',
    ],
    ['knows no program', () => ({ executables: {} }), 'the program ./lint.sh was added'],
    ['knows another external', () => ({ externals: { pdk: 'missing' } }), 'external pdk is gone'],
  ] satisfies [string, (event: LogLine) => object, string][])('%s', (_, change, reason) => {
    const pass = lookAfter(() => alterOutcome(change));
    expect(pass.answer.verdict).toBe('not-proven');
    expect(statusesIn(pass)).toMatchObject({ other: 'valid' });
    expect(stageIn(pass, 'lint').status).not.toBe('valid');
    expect(stageIn(pass, 'lint').reason).toContain(reason);
  });
});

interface ProofText {
  readonly name: string;
  readonly verdict: string;
  readonly [field: string]: unknown;
}

function proofsIn(value: unknown): ProofText[] {
  return value as ProofText[];
}

const renamed = (proofs: unknown): ProofText[] =>
  proofsIn(proofs).map((proof) => ({ ...proof, name: 'other' }));

const flipped = (proofs: unknown): ProofText[] =>
  proofsIn(proofs).map((proof) => ({ ...proof, verdict: 'fail' }));

const withInputs = (proofs: unknown, inputs: object): ProofText[] =>
  proofsIn(proofs).map((proof) => ({ ...proof, inputs }));

describe('a fail that was made a pass in the log', () => {
  let failed: TestWorkspace;

  beforeAll(async () => {
    failed = makeWorkspace({
      flow: 'stages:\n  lint:\n    uses: ./lint.sh\n    inputs: [a.v]\n',
      files: { 'a.v': 'BUG\n' },
      engines: { 'lint.sh': { does: judges('a.v') } },
    });
    const pass = await runPass(failed);
    expect(statusesIn(pass)).toEqual({ lint: 'failed' });
  });

  test.each([
    ['in its verdict', { verdict: 'pass' }],
    ['in its verdict and its proof', { verdict: 'pass', proofs: 'too' }],
  ])('%s is none', (_, change) => {
    const before = failed.read('events.jsonl');
    failed.rewriteLog((event) => {
      if (event.type !== 'outcome') return [event];
      const proofs = proofsIn(event['proofs']).map((proof) =>
        'proofs' in change ? { ...proof, verdict: 'pass' } : proof,
      );
      return [{ ...event, verdict: change.verdict, proofs }];
    });
    const pass = checkPass(failed);
    failed.write('events.jsonl', before);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(stageIn(pass, 'lint')).toMatchObject({ status: 'stale', verdict: 'unknown' });
  });

  test('is none in its envelope either', () => {
    const path = '.signoff/runs/lint/1/envelope.json';
    const text = failed
      .read(path)
      .replace('"clean": false', '"clean": true')
      .replace('"fail"', '"pass"');
    failed.write(path, text);
    expect(checkPass(failed).answer.verdict).toBe('not-proven');
  });
});

test.skipIf(process.geteuid?.() === 0)('evidence that this user may not read is none', () => {
  const pass = lookAfter(() => chmodSync(workspace.at(ENVELOPE), 0o000));
  expectNotValid(pass, 'cannot be read (EACCES)');
});

import { describe, expect, test } from 'vitest';
import type { Evidence, Stage } from '../../src/flow/stage.ts';
import { claimOf, isRaw } from '../../src/proof/claim.ts';
import { deriveVerdict, NO_CONCLUSION } from '../../src/proof/verdict.ts';
import type { WorkspacePath } from '../../src/values/brands.ts';

const DESCRIPTOR = {
  name: 'cdc',
  maturity: 'structured',
  assertion: { id: 'clean', field: 'clean', pass_when: { is_true: true } },
};
const NO_DEMANDS = { floors: {}, minCoverage: undefined };

function engine(
  withValues: Extract<Stage['work'], { kind: 'engine' }>['with'],
): Pick<Stage, 'work'> {
  return { work: { kind: 'engine', uses: 'cdc', with: withValues, version: undefined, tools: [] } };
}

function command(evidence: Evidence): Pick<Stage, 'work'> {
  return { work: { kind: 'command', argv: ['make'], isScript: false, tools: [], evidence } };
}

const path = 'out/r' as WorkspacePath;
const LCOV: Evidence = { kind: 'lcov', path, minLineCoverage: 0.9, files: [path] };
const COVERED = { passed: true, lines: 10, lines_hit: 9, line_coverage: 0.9, files: 1 };

describe('the claim of an engine', () => {
  test('is that of its descriptor, over the floors that ship for it', () => {
    const claim = claimOf(engine({ top: 'uart' }), DESCRIPTOR);
    expect(claim).toMatchObject({ maturity: 'structured', assertion: { id: 'clean' } });
    expect(Object.keys(claim.floors)).toEqual(['domains', 'flops_placed']);
  });

  test('is silence without a descriptor, and with raw arguments', () => {
    for (const claim of [claimOf(engine({}), null), claimOf(engine({ args: ['x'] }), DESCRIPTOR)]) {
      expect(claim).toMatchObject({ maturity: 'discovered', assertion: undefined });
      expect(deriveVerdict(claim, { clean: true }, NO_DEMANDS)).toMatchObject({
        status: 'unknown',
        assertion: null,
      });
    }
  });
});

test.each<[Record<string, unknown>, boolean]>([
  [{ args: [] }, true],
  [{ args: ['check', 7] }, true],
  [{ args: ['check'], top: 'x' }, false],
  [{ args: 'check' }, false],
  [{}, false],
])('%j are raw arguments: %s', (values, raw) => {
  expect(isRaw(values)).toBe(raw);
});

describe('the claim of a command', () => {
  test.each<[Evidence, Record<string, unknown>, string]>([
    [{ kind: 'junit', path, allowSkipped: false }, { passed: true, tests: 1 }, 'pass'],
    [{ kind: 'junit', path, allowSkipped: false }, { passed: true, tests: 0 }, 'unknown'],
    [{ kind: 'junit', path, allowSkipped: false }, { passed: true }, 'unknown'],
    [{ kind: 'junit', path, allowSkipped: false }, { passed: false, tests: 1 }, 'fail'],
    [{ kind: 'junit', path, allowSkipped: false }, { passed: null, tests: 1 }, 'unknown'],
    [LCOV, COVERED, 'pass'],
    [LCOV, { ...COVERED, lines: 0 }, 'unknown'],
    [LCOV, { ...COVERED, files: 0 }, 'unknown'],
    [LCOV, { passed: true }, 'unknown'],
    [LCOV, { ...COVERED, passed: false }, 'fail'],
    [LCOV, { ...COVERED, passed: null }, 'unknown'],
    [{ kind: 'sarif', path }, { clean: true, runs: 1 }, 'pass'],
    [{ kind: 'sarif', path }, { clean: true, runs: 0 }, 'unknown'],
    [{ kind: 'sarif', path }, { clean: false, runs: 1 }, 'fail'],
    [{ kind: 'exit-code' }, { passed: true, outputs: 1 }, 'pass'],
    [{ kind: 'exit-code' }, { passed: true, outputs: 0 }, 'unknown'],
    [{ kind: 'none' }, { passed: true, clean: true }, 'unknown'],
  ])('%j over %j is %s', (evidence, payload, status) => {
    const claim = claimOf(command(evidence), null);
    expect(deriveVerdict(claim, payload, NO_DEMANDS).status).toBe(status);
  });

  test('over lines says nothing that is taken for coverage by an engine: 0.9 is a pass', () => {
    const verdict = deriveVerdict(claimOf(command(LCOV), null), COVERED, NO_DEMANDS);
    expect(verdict).toMatchObject({
      status: 'pass',
      assertion: 'coverage-met',
      isUnfloored: false,
    });
    const misnamed = { ...COVERED, coverage: 0.9 };
    expect(deriveVerdict(claimOf(command(LCOV), null), misnamed, NO_DEMANDS).status).toBe(
      'unknown',
    );
  });

  test('is never that of a descriptor', () => {
    expect(claimOf(command({ kind: 'none' }), DESCRIPTOR).assertion).toBeUndefined();
  });

  test.each([
    [{ id: 'met', field: 'met', pass_when: { is_true: true } }, 'pass'],
    [{ id: 'met', field: 'met', pass_when: { eq: 'yes' } }, 'unknown'],
    [{ id: '', field: 'met', pass_when: { is_true: true } }, 'unknown'],
    [{ id: 'met', field: 'met', pass_when: { is_true: true, eq: true } }, 'unknown'],
  ])('by the assertion of the flow: %j over {met: true} is %s', (assertion, status) => {
    const claim = claimOf(command({ kind: 'json', path, assertion }), null);
    expect(deriveVerdict(claim, { met: true }, NO_DEMANDS).status).toBe(status);
  });
});

test('the claim of a judged stage is not for the gate to derive', () => {
  const claim = claimOf({ work: { kind: 'judged', by: 'person' } }, DESCRIPTOR);
  expect(deriveVerdict(claim, { clean: true }, NO_DEMANDS).status).toBe('unknown');
});

test('an execution that did not complete has one conclusion', () => {
  expect(NO_CONCLUSION).toEqual({
    status: 'unknown',
    assertion: null,
    summary: 'execution did not complete; no engineering conclusion reached',
    isUnfloored: false,
  });
});

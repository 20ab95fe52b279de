import type { Floor, Stage } from '../flow/stage.ts';
import { isJsonObject, type JsonObject, own } from '../values/strict-json.ts';
import { defaultFloors } from './default-floors.ts';

/** How far an engine's evidence has been proven, lowest first (spec 01 "maturity"). */
export type Maturity = 'discovered' | 'structured' | 'workflow-validated';

/** How a verdict is derived from a payload (spec 01 "assertion"). */
export type Assertion =
  | { readonly kind: 'not-applicable'; readonly id: string | null }
  | {
      readonly kind: 'field';
      readonly id: string;
      readonly field: string;
      readonly passWhen: PassWhen;
      readonly summaryField: string | undefined;
    };

export type PassWhen =
  | { readonly operator: 'is_true' }
  | { readonly operator: 'eq'; readonly value: string | number | boolean };

/** What an engine's result may establish about a design, and how much that is worth. */
export interface Claim {
  /** Floors that stand under a pass of this engine or evidence whatever the flow says of others. */
  readonly floors: Readonly<Record<string, Floor>>;
  readonly maturity: Maturity;
  readonly assertion: Assertion | undefined;
  /** Why there is no assertion, for the summary. */
  readonly silence: string;
}

export function silentClaim(silence: string): Claim {
  return { floors: {}, maturity: 'discovered', assertion: undefined, silence };
}

/**
 * Reads the claim of a descriptor. A malformed assertion is dropped, a maturity that is absent or
 * not known counts as `discovered`: an engine has to say more to claim more.
 */
export function readClaim(descriptor: JsonObject): Claim {
  const name = own(descriptor, 'name');
  const floors = typeof name === 'string' ? defaultFloors(name.replace(/^vyges-/, '')) : {};
  const maturity = readMaturity(own(descriptor, 'maturity'));
  const raw = own(descriptor, 'assertion');
  if (raw === undefined)
    return { floors, maturity, assertion: undefined, silence: 'no assertion is declared' };
  const read = readAssertion(raw);
  return typeof read === 'string'
    ? { floors, maturity, assertion: undefined, silence: `the assertion was dropped: ${read}` }
    : { floors, maturity, assertion: read, silence: '' };
}

/**
 * The claim that a stage's result makes: an engine's by its descriptor, a command's by the evidence
 * that the flow names. Raw arguments leave the descriptor's claim behind.
 */
export function claimOf(stage: Pick<Stage, 'work'>, descriptor: JsonObject | null): Claim {
  const { work } = stage;
  if (work.kind === 'judged') return silentClaim('the stage is judged, not run');
  if (work.kind === 'engine') {
    if (isRaw(work.with))
      return silentClaim('raw arguments were passed, which no descriptor answers for');
    return descriptor === null
      ? silentClaim('the engine has no descriptor')
      : readClaim(descriptor);
  }
  switch (work.evidence.kind) {
    case 'none':
      return silentClaim('the stage declares no evidence');
    case 'junit':
      return evidenceClaim(
        {
          id: 'tests-passed',
          field: 'passed',
          pass_when: { is_true: true },
          summary_field: 'summary',
        },
        { tests: { min: 1 } },
      );
    case 'lcov':
      return evidenceClaim(
        {
          id: 'coverage-met',
          field: 'passed',
          pass_when: { is_true: true },
          summary_field: 'summary',
        },
        { lines: { min: 1 }, files: { min: 1 } },
      );
    case 'sarif':
      return evidenceClaim(
        {
          id: 'no-findings',
          field: 'clean',
          pass_when: { is_true: true },
          summary_field: 'summary',
        },
        { runs: { min: 1 } },
      );
    case 'exit-code':
      return evidenceClaim(
        { id: 'exit-code', field: 'passed', pass_when: { is_true: true } },
        { outputs: { min: 1 } },
      );
    case 'json':
      return evidenceClaim(work.evidence.assertion, {});
  }
}

/** Raw arguments: `with` holds `args`, a list, and nothing else. */
export function isRaw(withValues: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(withValues['args']) && Object.keys(withValues).length === 1;
}

function evidenceClaim(rawAssertion: unknown, floors: Readonly<Record<string, Floor>>): Claim {
  const assertion = readAssertion(rawAssertion);
  if (typeof assertion === 'string') return silentClaim(`the assertion was dropped: ${assertion}`);
  return { floors, maturity: 'structured', assertion, silence: '' };
}

export function readMaturity(value: unknown): Maturity {
  return value === 'structured' || value === 'workflow-validated' ? value : 'discovered';
}

/** @returns the assertion, or a sentence that says why it is malformed */
export function readAssertion(raw: unknown): Assertion | string {
  if (!isJsonObject(raw)) return 'it is no object';
  const id = own(raw, 'id');
  const notApplicable = own(raw, 'not_applicable');
  const field = own(raw, 'field');
  const passWhen = own(raw, 'pass_when');
  if (notApplicable !== undefined && notApplicable !== false) {
    if (notApplicable !== true) return '`not_applicable` is neither true nor false';
    if (field !== undefined || passWhen !== undefined) {
      return 'it says `not_applicable` and names a verdict field';
    }
    return { kind: 'not-applicable', id: typeof id === 'string' && id !== '' ? id : null };
  }
  if (typeof id !== 'string' || id === '') return 'it has no `id`';
  if (typeof field !== 'string' || field === '') return 'it has no `field`';
  const operator = readPassWhen(passWhen);
  if (typeof operator === 'string') return operator;
  const summaryField = own(raw, 'summary_field');
  return {
    kind: 'field',
    id,
    field,
    passWhen: operator,
    summaryField: typeof summaryField === 'string' ? summaryField : undefined,
  };
}

function readPassWhen(raw: unknown): PassWhen | string {
  if (!isJsonObject(raw)) return '`pass_when` is no object';
  const [operator, second] = Object.keys(raw);
  if (operator === undefined || second !== undefined)
    return '`pass_when` must hold exactly one operator';
  const operand = own(raw, operator);
  if (operator === 'is_true') {
    return operand === true ? { operator } : '`is_true` takes only true';
  }
  if (operator === 'eq') {
    const isScalar =
      typeof operand === 'string' || typeof operand === 'boolean' || Number.isFinite(operand);
    return isScalar
      ? { operator, value: operand as string | number | boolean }
      : '`eq` takes a text, a number, true or false';
  }
  return `the operator \`${operator}\` is not known`;
}

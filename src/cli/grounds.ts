import { type Grounds, OWN_LOG } from '../gate/trust/grounds.ts';
import { prepareGrounds } from '../gate/trust/prepare-grounds.ts';
import type { Workspace } from '../gate/workspace.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { ACCEPTANCE, asksTrust, type TrustValues, VARIABLES } from './options.ts';

export const TRUST_WORDS = ['base', 'log', 'none'] as const;
export type TrustChoice = (typeof TRUST_WORDS)[number];

/** What `--base` and `--trust` say together; `base` is meant where one is named. */
export function chooseTrust(values: TrustValues): Result<TrustChoice, Problem[]> {
  const { base, trust } = values;
  const chosen = TRUST_WORDS.find((word) => word === (trust ?? 'base'));
  if (!chosen) {
    return err([
      problem('usage/bad-value', `--trust is \`${trust}\``, {
        remedy: `It takes one of ${TRUST_WORDS.join(', ')}.`,
      }),
    ]);
  }
  if (chosen === 'base' && base === undefined) {
    return err([
      problem('usage/missing-argument', '--base is missing', {
        remedy: 'Name the commit that the change is compared with: --base origin/main.',
      }),
    ]);
  }
  return ok(chosen);
}

/** What a judgement on a terminal rests on. */
export async function groundsFor(
  values: TrustValues,
  workspace: Workspace,
  signal?: AbortSignal,
): Promise<Result<Grounds, Problem[]>> {
  if (!asksTrust(values)) return ok(OWN_LOG);
  const trust = chooseTrust(values);
  if (!trust.ok) return trust;
  return ok(
    await prepareGrounds({
      workspace,
      variables: VARIABLES,
      trust: trust.value,
      base: values.base,
      needsBase: values.base !== undefined,
      isJudgingAccepted: values['accept-judging'] ?? false,
      acceptance: ACCEPTANCE,
      comparesCommit: values.base !== undefined,
      signal,
    }),
  );
}

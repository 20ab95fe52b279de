import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { assessWorkspace } from '../gate/assess.ts';
import type { CacheUse } from '../gate/cache-use.ts';
import type { Emit } from '../gate/events.ts';
import { readEnvelopes } from '../gate/evidence.ts';
import { judge } from '../gate/judge.ts';
import { openCache } from '../gate/open-cache.ts';
import { planPass } from '../gate/plan.ts';
import { runGate } from '../gate/run.ts';
import { type Grounds, OWN_LOG } from '../gate/trust/grounds.ts';
import { judgeVeripower } from '../gate/trust/judge-veripower.ts';
import { type GroundsRequest, prepareGrounds } from '../gate/trust/prepare-grounds.ts';
import type { Workspace } from '../gate/workspace.ts';
import type { PlanAnswer } from '../generated/documents.ts';
import { planAnswer } from '../report/answers.ts';
import type { GateResult, ReportedResult } from '../report/result.ts';
import { type Problem, problem } from '../values/problem.ts';
import { readEvent } from './event.ts';
import { type ActionInputs, type Environment, variablesOf } from './inputs.ts';
import { mayRestore } from './restore-policy.ts';
import type { OpenedWorkspace, Refusal } from './workspaces.ts';

/** What came of one workspace. */
export interface WorkspacePass {
  /** Relative to the root of the repository; empty for the root itself. */
  readonly folder: string;
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly outcome:
    | { readonly kind: 'judged'; readonly reported: ReportedResult }
    /** It says what would be done, and is never a verdict. */
    | { readonly kind: 'planned'; readonly plan: PlanAnswer }
    | { readonly kind: 'refused'; readonly problems: readonly Problem[] };
}

type Outcome = WorkspacePass['outcome'];

/** What a pass goes by, and where it tells what it does. */
export interface PassSetting {
  readonly inputs: ActionInputs;
  readonly environment: Environment;
  /** Absolute path of the repository. */
  readonly repository: string;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Goes through the workspaces one after the other; one that cannot be judged keeps no other back. */
export async function passAll(
  opened: readonly OpenedWorkspace[],
  setting: PassSetting,
): Promise<WorkspacePass[]> {
  const { inputs, emit } = setting;
  const cache = inputs.mode === 'run' ? openCache(choice(setting), emit) : undefined;
  const passes: WorkspacePass[] = [];
  for (const one of opened) {
    const outcome =
      one.kind === 'flow'
        ? await passOne(one.workspace, cache, setting)
        : await passPreset(one.root, one.folder, setting);
    passes.push({ folder: one.folder, root: one.root, outcome });
  }
  return passes;
}

export function refusedPass({ folder, root, problems }: Refusal): WorkspacePass {
  return { folder, root, outcome: { kind: 'refused', problems } };
}

/** Proven is what was judged so; a plan never is. */
export function isProven({ outcome }: WorkspacePass): boolean {
  return outcome.kind === 'judged' && outcome.reported.result.isProven;
}

async function passOne(
  workspace: Workspace,
  cache: CacheUse | undefined,
  setting: PassSetting,
): Promise<Outcome> {
  const { inputs, emit, signal } = setting;
  const unknown = unknownStages(workspace, inputs.stages);
  if (unknown.length > 0) return { kind: 'refused', problems: unknown };
  const judged = (result: GateResult): Outcome => ({
    kind: 'judged',
    reported: {
      result,
      envelopes: readEnvelopes(workspace, result),
      flowFile: inputs.flow,
    },
  });
  const grounds = inputs.mode === 'plan' ? OWN_LOG : await groundsOf(workspace, setting);
  if (inputs.mode === 'run') {
    const result = await runGate({
      workspace,
      only: inputs.stages,
      rerun: false,
      concurrency: inputs.concurrency,
      lockWaitMs: 600_000,
      command: 'signoff-gate action',
      cache,
      grounds,
      emit,
      signal,
    });
    return result.ok ? judged(result.value) : { kind: 'refused', problems: result.error };
  }
  const assessment = assessWorkspace(workspace, grounds);
  if (!assessment.ok) return { kind: 'refused', problems: assessment.error };
  if (inputs.mode === 'check') {
    return judged(judge(workspace, assessment.value, new Map(), { grounds }));
  }
  const { stages, problems } = assessment.value;
  const whole = { workspace: workspace.name, flow: workspace.flow.name, problems };
  return { kind: 'planned', plan: planAnswer(whole, planPass(stages)) };
}

async function passPreset(root: string, folder: string, setting: PassSetting): Promise<Outcome> {
  const { inputs, environment, signal } = setting;
  if (inputs.mode !== 'check' || inputs.stages.length > 0) {
    return {
      kind: 'refused',
      problems: [
        problem('usage/bad-value', 'a workspace that VeriPower drives is read, never run', {
          remedy: 'Use `mode: check`, without `stages`.',
        }),
      ],
    };
  }
  const result = await judgeVeripower({
    root,
    name: folder === '' ? '.' : folder,
    searchPath: environment['PATH'] ?? '',
    ...trustOf(inputs, environment),
    signal,
  });
  if (!result.ok) return { kind: 'refused', problems: result.error };
  return {
    kind: 'judged',
    reported: { result: result.value, envelopes: new Map(), flowFile: inputs.flow },
  };
}

/** What a judgement rests on here: the base of the change, unless the inputs say otherwise. */
function groundsOf(workspace: Workspace, setting: PassSetting): Promise<Grounds> {
  const { inputs, environment, signal } = setting;
  return prepareGrounds({
    workspace,
    variables: variablesOf(inputs, environment),
    ...trustOf(inputs, environment),
    comparesCommit: true,
    signal,
  });
}

function trustOf(
  inputs: ActionInputs,
  environment: Environment,
): Pick<
  GroundsRequest,
  'trust' | 'base' | 'needsBase' | 'change' | 'isJudgingAccepted' | 'acceptance'
> {
  const event = readEvent(environment);
  const { acceptLabel: label } = inputs;
  return {
    // On a release nothing recorded counts, whatever the inputs say.
    trust: event.isRelease && inputs.trust === 'log' ? 'none' : inputs.trust,
    base: inputs.base ?? event.base,
    needsBase: inputs.base !== undefined || event.needsBase,
    change: inputs.base === undefined ? event.change : undefined,
    isJudgingAccepted: [...event.labels, ...inputs.labels].includes(label),
    acceptance: `Whoever may accept it puts the label \`${label}\` on the pull request; the workflow has to listen to \`labeled\`.`,
  };
}

function unknownStages({ flow }: Workspace, wanted: readonly string[]): Problem[] {
  const known = flow.stages.map((stage) => stage.name as string);
  return wanted
    .filter((name) => !known.includes(name))
    .map((name) =>
      problem(
        'usage/unknown-stage',
        `the input \`stages\` names \`${name}\`, which the flow does not have`,
        { remedy: `Stages: ${known.join(', ')}.` },
      ),
    );
}

function choice({ inputs, environment, repository }: PassSetting): Parameters<typeof openCache>[0] {
  return {
    kind: inputs.cache,
    isOnGithub: true,
    directory: resolve(
      repository,
      inputs.cacheDirectory ?? join(homedir(), '.cache', 'signoff-gate'),
    ),
    mayRestore: mayRestore(inputs.restore, environment),
    restoresTouched: inputs.restore === 'always',
    environment,
    deadlines: inputs.deadlines,
  };
}

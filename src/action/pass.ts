import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { assessWorkspace } from '../gate/assess.ts';
import type { Emit } from '../gate/events.ts';
import { readEnvelopes } from '../gate/evidence.ts';
import { judge } from '../gate/judge.ts';
import { openCache } from '../gate/open-cache.ts';
import { planPass } from '../gate/plan.ts';
import { runGate } from '../gate/run.ts';
import type { LoomResult } from '../generated/documents.ts';
import type { GateResult } from '../report/result.ts';
import { type Problem, problem } from '../values/problem.ts';
import type { ActionInputs, Environment } from './inputs.ts';
import type { OpenedWorkspace } from './workspaces.ts';

/** What came of one workspace: a judgement, or the problems that kept it from being made. */
export interface WorkspacePass {
  /** Relative to the root of the repository. */
  readonly folder: string;
  readonly result: GateResult | undefined;
  readonly envelopes: ReadonlyMap<string, LoomResult>;
  readonly problems: readonly Problem[];
}

/** Goes through the workspaces one after the other; one that cannot be judged keeps no other back. */
export async function passAll(
  opened: readonly OpenedWorkspace[],
  inputs: ActionInputs,
  environment: Environment,
  emit: Emit,
  signal: AbortSignal,
): Promise<WorkspacePass[]> {
  const cache = inputs.mode === 'run' ? openCache(choice(inputs, environment), emit) : undefined;
  const passes: WorkspacePass[] = [];
  for (const { workspace, folder } of opened) {
    const unknown = inputs.stages.filter(
      (name) => !workspace.flow.stages.some((stage) => stage.name === name),
    );
    if (unknown.length > 0) {
      passes.push(
        failed(
          folder,
          unknown.map((name) =>
            unknownStage(
              name,
              workspace.flow.stages.map((stage) => stage.name),
            ),
          ),
        ),
      );
      continue;
    }
    if (inputs.mode === 'run') {
      const result = await runGate({
        workspace,
        only: inputs.stages,
        rerun: false,
        concurrency: inputs.concurrency,
        lockWaitMs: 600_000,
        command: 'signoff-gate action',
        cache,
        emit,
        signal,
      });
      passes.push(
        result.ok ? judged(folder, workspace, result.value) : failed(folder, result.error),
      );
      continue;
    }
    const assessment = assessWorkspace(workspace);
    if (!assessment.ok) {
      passes.push(failed(folder, assessment.error));
      continue;
    }
    if (inputs.mode === 'plan') {
      for (const {
        assessment: { stage },
        action,
        reason,
      } of planPass(assessment.value.stages)) {
        emit({ kind: 'notice', stage: stage.name, message: `plan: ${action}: ${reason}` });
      }
    }
    passes.push(judged(folder, workspace, judge(workspace, assessment.value, new Map())));
  }
  return passes;
}

function judged(
  folder: string,
  workspace: OpenedWorkspace['workspace'],
  result: GateResult,
): WorkspacePass {
  return { folder, result, envelopes: readEnvelopes(workspace, result), problems: [] };
}

function failed(folder: string, problems: readonly Problem[]): WorkspacePass {
  return { folder, result: undefined, envelopes: new Map(), problems };
}

function unknownStage(name: string, known: readonly string[]): Problem {
  return problem(
    'usage/unknown-stage',
    `the input \`stages\` names \`${name}\`, which the flow does not have`,
    {
      remedy: `Stages: ${known.join(', ')}.`,
    },
  );
}

function choice(inputs: ActionInputs, environment: Environment): Parameters<typeof openCache>[0] {
  return {
    kind: inputs.cache,
    isOnGithub: true,
    directory: resolve(inputs.cacheDirectory ?? join(homedir(), '.cache', 'signoff-gate')),
    mayRestore: mayRestore(inputs, environment),
    environment,
    deadlines: inputs.deadlines,
  };
}

/** Events whose jobs hold more rights than the code that filled the cache had. */
const PRIVILEGED_EVENTS = ['release', 'pull_request_target', 'workflow_run'];

/** A release is signed off on what it ran itself, not on what any earlier job left in a cache. */
function mayRestore(inputs: ActionInputs, environment: Environment): boolean {
  if (inputs.restore !== 'auto') return inputs.restore === 'always';
  const isTag =
    environment['GITHUB_REF_TYPE'] === 'tag' || environment['GITHUB_REF']?.startsWith('refs/tags/');
  return !isTag && !PRIVILEGED_EVENTS.includes(environment['GITHUB_EVENT_NAME'] ?? '');
}

import { prepare } from '../engine/prepare.ts';
import type { Prepared, ProgramWork } from '../engine/prepared.ts';
import type { ToldVersions } from '../engine/probe.ts';
import { digestText } from '../fingerprint/blake3.ts';
import type { Stage } from '../flow/stage.ts';
import type { LogWriter } from '../log/append.ts';
import { type Current, readCurrent, type Snapshot } from '../proof/current.ts';
import { type Definition, definitionOf } from '../proof/definition.ts';
import { pathArguments, unlistedPaths } from '../proof/unlisted.ts';
import type { Fingerprint } from '../values/brands.ts';
import { canonicalJson } from '../values/canonical.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import type { CacheUse } from './cache-use.ts';
import type { Emit } from './events.ts';
import type { Grounds } from './trust/grounds.ts';
import type { Workspace } from './workspace.ts';

/** What a pass of the gate lends to each of its stages. */
export interface RunSetting {
  readonly workspace: Workspace;
  readonly writer: LogWriter;
  /** Number of the next run of a stage by the log as it is now. */
  readonly nextRun: (stage: string) => number;
  readonly cache: CacheUse | undefined;
  readonly grounds: Grounds;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** What was seen of a stage when it was decided to run it. */
export interface Seen {
  readonly snapshot: Snapshot;
  /** What its programs have said of their versions. */
  readonly told: ToldVersions;
}

/** A stage that is about to be restored or run: all that is known before anything is written. */
export interface Attempt {
  readonly stage: Stage;
  readonly work: ProgramWork;
  readonly prepared: Prepared;
  readonly current: Current;
  readonly definition: Definition;
  readonly runKey: Fingerprint;
}

/** Changes to what a run key is made of, or to what a result is, make a new version. */
const FORMAT_VERSION = 1;

/**
 * Fingerprints what a stage reads, resolves and probes its engine, and checks that every path among
 * its arguments is bound.
 *
 * @returns or everything that keeps the stage from being run
 */
export async function prepareAttempt(
  stage: Stage,
  work: ProgramWork,
  { snapshot, told }: Seen,
  { workspace, signal }: Pick<RunSetting, 'workspace' | 'signal'>,
): Promise<Result<Attempt, Problem[]>> {
  const { root, searchPath } = workspace;
  const current = readCurrent(stage, snapshot);
  const refusals = [
    ...current.problems,
    ...deadSelectors(stage, current),
    ...coveredFilesUnread(stage, current),
  ];
  if (refusals.length > 0) return err(refusals);
  const prepared = await prepare({
    work,
    env: stage.env,
    places: { workspace: root, searchPath },
    walk: snapshot.walk,
    store: snapshot.store,
    signal,
    told,
  });
  if (prepared.problem) return err([atStage(prepared.problem, stage)]);
  const paths = pathArguments(prepared.args, prepared.descriptor?.raw ?? null);
  const unlisted = unlistedPaths(stage, paths, current, root);
  if (unlisted.length > 0) return err(unlisted);
  const definition = definitionOf(stage, prepared.descriptor?.raw ?? null, root);
  const runKey = runKeyOf(stage, definition, prepared, current);
  return ok({ stage, work, prepared, current, definition, runKey });
}

/** design §1 "run key": equal keys mean that a run would read the same and be asked the same. */
function runKeyOf(
  stage: Stage,
  definition: Definition,
  prepared: Prepared,
  current: Current,
): Fingerprint {
  return digestText(
    canonicalJson({
      format: FORMAT_VERSION,
      stage: stage.name,
      definition: definition.digest,
      input_hash: prepared.inputHash,
      os: process.platform,
      arch: process.arch,
      executables: prepared.executables,
      versions: prepared.toolVersions,
      inputs: current.inputs,
      externals: current.externals,
    }),
  );
}

function deadSelectors(stage: Stage, current: Current): Problem[] {
  if (stage.inputs === 'none') return [];
  return stage.inputs.include
    .filter(({ selector }) => current.dead.includes(selector.glob))
    .map(({ selector, at }) =>
      problem('flow/dead-selector', `the selector \`${selector.glob}\` matches no file`, {
        at,
        stage: stage.name,
        remedy: 'Correct it, or mark it { glob: …, optional: true }.',
      }),
    );
}

/** A coverage of lines that nothing binds would outlive them. */
function coveredFilesUnread(stage: Stage, current: Current): Problem[] {
  const { work } = stage;
  if (stage.inputs === 'none' || work.kind !== 'command') return [];
  if (work.evidence.kind !== 'lcov') return [];
  return work.evidence.files
    .filter((file) => !Object.hasOwn(current.inputs, file))
    .map((file) =>
      problem(
        'flow/unlisted-input',
        `\`${file}\` is among the files of its coverage and no input`,
        {
          at: stage.workAt,
          stage: stage.name,
          remedy: 'Add it to `inputs`, or correct its name.',
        },
      ),
    );
}

/** A problem of one stage, with the place in the flow that says who does its work. */
export function atStage(found: Problem, stage: Stage): Problem {
  // To the flow, an engine that is not there is one that it should not name here.
  const code = found.code === 'engine/not-found' ? 'flow/unknown-engine' : found.code;
  return { ...found, code, stage: stage.name, at: found.at ?? stage.workAt };
}

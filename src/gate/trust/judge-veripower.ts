import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assessVeripower,
  openVeripower,
  type PresetAssessment,
  type PresetStageAssessment,
  recordedPaths,
} from '../../flow/presets/veripower/veripower.ts';
import { EVENTS_FILE } from '../../log/names.ts';
import type { GateResult } from '../../report/result.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import { PRESET_FLOW, presetResult } from '../veripower.ts';
import { comparePlainLines } from './base-log.ts';
import { findCommit, openCheckout, readBlob } from './checkout.ts';
import { skippedFiles } from './checkout-problems.ts';
import type { CommitComparison } from './grounds.ts';
import { judgingProblems } from './judging-problems.ts';
import { lostWorkspaces } from './lost-workspaces.ts';
import type { GroundsRequest } from './prepare-grounds.ts';
import { compareRecorded } from './recorded-comparison.ts';
import { standingProblems } from './standing.ts';

export interface VeripowerRequest
  extends Pick<
    GroundsRequest,
    'trust' | 'base' | 'needsBase' | 'change' | 'isJudgingAccepted' | 'acceptance' | 'signal'
  > {
  /** Absolute real path of the workspace. */
  readonly root: string;
  /** As answers name it. */
  readonly name: string;
  readonly searchPath: string;
}

/**
 * Judges a workspace that VeriPower drives by the records that count. The gate can run none of its
 * stages, so what the base has recorded is all that proves anything under `trust: base`: its pins,
 * its outcomes, over the bytes of now. What the change adds can only speak against itself.
 */
export async function judgeVeripower(
  request: VeripowerRequest,
): Promise<Result<GateResult, Problem[]>> {
  const { root, name, trust } = request;
  const own = assess(root);
  if (!own.ok) return err([own.error]);
  const base = await baseLog(request);
  const counted =
    trust === 'log' ? own : assessWithLog(root, trust === 'base' ? base.bytes : NOTHING);
  if (!counted.ok) {
    return err([{ ...counted.error, message: `the log of the base: ${counted.error.message}` }]);
  }
  const { strays, problems } = base.comparison;
  const judged = combine(counted.value, own.value, [...base.problems, ...problems]);
  return ok({ ...presetResult(name, judged, trust), judging: base.judging, strays });
}

interface BaseLog {
  /** How what was recorded stands to the commit, where there is one. */
  readonly comparison: CommitComparison;
  /** Empty where no record counts. */
  readonly bytes: Buffer;
  readonly problems: readonly Problem[];
  readonly judging?: GateResult['judging'];
}

const NOTHING = Buffer.alloc(0);

async function baseLog(request: VeripowerRequest): Promise<BaseLog> {
  const { root, trust, base, searchPath, signal, needsBase } = request;
  const isNeeded = needsBase || trust === 'base';
  const checkout = await openCheckout(root, searchPath, signal);
  if (!checkout.ok) return withoutBase(isNeeded ? [checkout.error] : [], NOT_COMPARED);
  const workspace = openVeripower(root);
  const recorded = workspace.ok ? recordedPaths(workspace.value) : new Map<string, string>();
  const compared = compareRecorded(checkout.value, recorded);
  const skipped = await skippedFiles(checkout.value, (path) => recorded.get(path));
  const comparison = { ...compared, problems: [...skipped, ...compared.problems] };
  if (base === undefined) return withoutBase(isNeeded ? [noBase()] : [], comparison);
  const commit = await findCommit(checkout.value, base, searchPath, signal);
  if (!commit.ok) return withoutBase(isNeeded ? [commit.error] : [], comparison);

  const changes = lostWorkspaces(checkout.value, commit.value);
  const judging = { changes, isAccepted: request.isJudgingAccepted };
  const problems = [
    ...(await standingProblems(checkout.value, commit.value, request.change)),
    ...judgingProblems(judging, PRESET_FLOW, request.acceptance),
  ];
  const path = join(checkout.value.folder, EVENTS_FILE);
  const entry = commit.value.tree.get(path);
  if (!entry) return { bytes: NOTHING, problems, judging, comparison };
  const bytes = await readBlob(checkout.value.git, path, entry.oid);
  if (!bytes.ok) {
    return { bytes: NOTHING, problems: [...problems, bytes.error], judging, comparison };
  }
  const ours = readIfThere(join(root, EVENTS_FILE));
  const lost = comparePlainLines(bytes.value, ours);
  return { bytes: bytes.value, problems: [...problems, ...lost], judging, comparison };
}

/** A log that the change has removed holds nothing. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return NOTHING;
  }
}

function withoutBase(problems: readonly Problem[], comparison: CommitComparison): BaseLog {
  return { bytes: NOTHING, problems, comparison };
}

const NOT_COMPARED: CommitComparison = { strays: [], problems: [] };

function noBase(): Problem {
  return problem('trust/base-missing', 'there is no base, so nothing can be compared with it', {
    remedy: 'Name one with `base`, or take the log on trust with `trust: log`.',
  });
}

function assess(root: string, logFile?: string): Result<PresetAssessment> {
  const workspace = openVeripower(root, logFile);
  return workspace.ok ? assessVeripower(workspace.value) : workspace;
}

function assessWithLog(root: string, bytes: Buffer): Result<PresetAssessment> {
  const folder = mkdtempSync(join(tmpdir(), 'signoff-gate-base-'));
  try {
    const file = join(folder, EVENTS_FILE);
    writeFileSync(file, bytes);
    return assess(root, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The base's word, unless ours says something worse. */
function combine(
  base: PresetAssessment,
  ours: PresetAssessment,
  problems: readonly Problem[],
): PresetAssessment {
  const stages = base.stages.map((stage) => {
    const own = ours.stages.find((one) => one.stage.name === stage.stage.name);
    if (!own) return stage;
    if (own.cell === 'failed' || stage.cell === 'valid') return own.cell === 'valid' ? stage : own;
    return own.cell === 'valid' ? selfReported(stage, own) : stage;
  });
  const all = [...problems, ...ours.problems, ...onlyOfBase(base, ours)];
  return {
    ...base,
    stages,
    problems: [...new Map(all.map((found) => [JSON.stringify(found), found])).values()],
    isProven: base.isProven && ours.isProven && all.length === 0,
  };
}

/** What the base lacks and the change has recorded: that it did counts once the base has it. */
function onlyOfBase(base: PresetAssessment, ours: PresetAssessment): Problem[] {
  const known = new Set(ours.problems.map((found) => JSON.stringify(found)));
  return base.problems
    .filter((found) => !known.has(JSON.stringify(found)))
    .map((found) => ({
      ...found,
      message: `on the base: ${found.message}; what the change has recorded of it is its own word, and counts once the base has it`,
      remedy: undefined,
    }));
}

function selfReported(
  base: PresetStageAssessment,
  own: PresetStageAssessment,
): PresetStageAssessment {
  const run = own.recorded?.run;
  return {
    ...base,
    reason: `${base.reason}; run ${run ?? ''} is self-reported: nothing that this judgement rests on has recorded it`,
  };
}

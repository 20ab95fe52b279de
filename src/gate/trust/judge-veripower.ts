import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assessVeripower,
  openVeripower,
  type PresetAssessment,
  type PresetStageAssessment,
} from '../../flow/presets/veripower/veripower.ts';
import { EVENTS_FILE } from '../../log/names.ts';
import type { GateResult } from '../../report/result.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import { PRESET_FLOW, presetResult } from '../veripower.ts';
import { comparePlainLines } from './base-log.ts';
import { findCommit, openCheckout, readBlob } from './checkout.ts';
import { judgingProblems } from './judging-problems.ts';
import { lostWorkspaces } from './lost-workspaces.ts';
import type { GroundsRequest } from './prepare-grounds.ts';

export interface VeripowerRequest
  extends Pick<
    GroundsRequest,
    'trust' | 'base' | 'needsBase' | 'isJudgingAccepted' | 'acceptance' | 'signal'
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
  const judged = combine(counted.value, own.value, base.problems);
  return ok({ ...presetResult(name, judged, trust), judging: base.judging });
}

interface BaseLog {
  /** Empty where no record counts. */
  readonly bytes: Buffer;
  readonly problems: readonly Problem[];
  readonly judging?: GateResult['judging'];
}

const NOTHING = Buffer.alloc(0);

async function baseLog(request: VeripowerRequest): Promise<BaseLog> {
  const { root, trust, searchPath, signal, needsBase } = request;
  const without = (problems: readonly Problem[]): BaseLog => ({ bytes: NOTHING, problems });
  if (request.base === undefined) {
    if (trust !== 'base' && !needsBase) return without([]);
    return without([
      problem('trust/base-missing', 'there is no base, so nothing can be compared with it', {
        remedy: 'Name one with `base`, or take the log on trust with `trust: log`.',
      }),
    ]);
  }
  const checkout = await openCheckout(root, searchPath, signal);
  const isNeeded = needsBase || trust === 'base';
  if (!checkout.ok) return without(isNeeded ? [checkout.error] : []);
  const commit = await findCommit(checkout.value, request.base, searchPath, signal);
  if (!commit.ok) return without(isNeeded ? [commit.error] : []);
  const changes = lostWorkspaces(checkout.value, commit.value);
  const judging = { changes, isAccepted: request.isJudgingAccepted };
  const touching = judgingProblems(judging, PRESET_FLOW, request.acceptance);
  const entry = commit.value.tree.get(join(checkout.value.folder, EVENTS_FILE));
  if (!entry) return { bytes: NOTHING, problems: touching, judging };
  const bytes = await readBlob(checkout.value.git, entry.oid);
  if (!bytes) {
    const unreadable = problem('trust/base-unreadable', 'the log of the base cannot be read');
    return { bytes: NOTHING, problems: [...touching, unreadable], judging };
  }
  const ours = readFileSync(join(root, EVENTS_FILE));
  return { bytes, problems: [...touching, ...comparePlainLines(bytes, ours)], judging };
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
    if (!own || stage.cell === 'valid') return own && own.cell !== 'valid' ? own : stage;
    return own.cell === 'valid' ? selfReported(stage, own) : stage;
  });
  const all = [...problems, ...ours.problems, ...base.problems];
  return {
    ...base,
    stages,
    problems: [...new Map(all.map((found) => [JSON.stringify(found), found])).values()],
    isProven: base.isProven && ours.isProven && all.length === 0,
  };
}

function selfReported(
  base: PresetStageAssessment,
  own: PresetStageAssessment,
): PresetStageAssessment {
  const run = own.recorded?.run;
  return {
    ...base,
    reason: `${base.reason}; run ${run ?? ''} is self-reported: the change that is judged recorded it, and that proves nothing`,
  };
}

import type { Work } from '../flow/stage.ts';
import type { DoctorProgram } from '../generated/documents.ts';
import { findAdapter } from './adapters/registry.ts';
import { askVersion, type ProbeSetting, versionIn } from './probe.ts';
import { findProgram, programsOf, versionQuestion } from './programs.ts';
import { checkVersion } from './version-range.ts';

/** What of a stage's work is on this machine. */
export interface Examination {
  readonly programs: readonly DoctorProgram[];
  /** What is not here, each with how to install it. */
  readonly missing: readonly string[];
}

/** Looks for every program that the work of a stage calls, and asks each for its version. */
export async function examine(work: Work, setting: ProbeSetting): Promise<Examination> {
  const missing: string[] = [];
  const programs: DoctorProgram[] = [];
  for (const name of programsOf(work)) {
    const found = findProgram(name, work, setting);
    if (!found.ok) {
      const { message, remedy } = found.error;
      missing.push(remedy === undefined ? message : `${message}. ${remedy}`);
      programs.push({ name, found: null, version: null, tested: null });
      continue;
    }
    const question = versionQuestion(name, work);
    const line = question && (await askVersion(found.value, setting, question));
    programs.push({
      name,
      found: found.value,
      version: versionIn(line ?? null),
      tested: isTested(name, work, line),
    });
  }
  return { programs, missing };
}

function isTested(name: string, work: Work, line: string | null | undefined): boolean | null {
  const adapter = work.kind === 'engine' ? findAdapter(work.uses) : undefined;
  const tested = adapter?.programs.find((program) => program.name === name)?.tested;
  return tested === undefined ? null : checkVersion(tested, line ?? null).ok;
}

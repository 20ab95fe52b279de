import { examine } from '../engine/examine.ts';
import type { Stage } from '../flow/stage.ts';
import type { Workspace } from '../gate/workspace.ts';
import type { DoctorAnswer, DoctorStage } from '../generated/documents.ts';
import { printable } from '../values/text.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { COMMON, NO_POSITIONALS, openNamed, parse, wantsJson } from './options.ts';
import { table } from './table.ts';

/** `doctor`: which programs of the flow are here, what is missing, which stages can run. */
export async function doctor(args: readonly string[]): Promise<Answer> {
  const isJson = wantsJson(args);
  const parsed = parse(args, COMMON, NO_POSITIONALS);
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const opened = openNamed(parsed.value.values);
  if (!opened.ok) return refusal(opened.error, isJson);
  const answer = await examineFlow(opened.value);
  return isJson ? jsonAnswer(0, answer) : textAnswer(0, textOf(answer));
}

async function examineFlow(workspace: Workspace): Promise<DoctorAnswer> {
  const stages: DoctorAnswer['stages'] = {};
  for (const stage of workspace.flow.stages) {
    stages[stage.name] = await examineStage(stage, workspace);
  }
  const ours = workspace.flow.stages.filter(({ work }) => work.kind !== 'judged');
  return {
    workspace: workspace.name,
    flow: workspace.flow.name,
    can_run_all: ours.every(({ name }) => stages[name]?.can_run),
    stages,
  };
}

async function examineStage(
  { work, env }: Stage,
  { root, searchPath }: Workspace,
): Promise<DoctorStage> {
  if (work.kind === 'judged') return { by: work.by, can_run: false, programs: [], missing: [] };
  const { programs, missing } = await examine(work, {
    workspace: root,
    searchPath,
    declared: env,
  });
  return {
    by: work.kind === 'engine' ? work.uses : 'command',
    can_run: missing.length === 0,
    programs: [...programs],
    missing: [...missing],
  };
}

function textOf({ stages, can_run_all: canRunAll }: DoctorAnswer): string {
  const rows = Object.entries(stages).flatMap(([name, { by, can_run: canRun, programs }]) => {
    const runs = by === 'person' || by === 'agent' ? 'not by the gate' : canRun ? 'yes' : 'no';
    if (programs.length === 0) return [[name, by, runs, '', '', '']];
    return programs.map(({ name: program, found, version, tested }, index) => [
      ...(index === 0 ? [name, by, runs] : ['', '', '']),
      program,
      printable(version ?? '-', 60) + (tested === false ? ' (not tested)' : ''),
      printable(found ?? 'missing', 120),
    ]);
  });
  const missing = Object.entries(stages).flatMap(([name, stage]) =>
    stage.missing.map((sentence) => `  ${name}: ${printable(sentence, 500)}`),
  );
  return [
    table(['stage', 'by', 'can run', 'program', 'version', 'found'], rows),
    ...(missing.length > 0 ? ['', 'missing:', ...missing] : []),
    '',
    canRunAll ? 'every stage can run here' : 'not every stage can run here',
  ].join('\n');
}

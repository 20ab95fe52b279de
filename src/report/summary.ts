import type { PlanAnswer } from '../generated/documents.ts';
import type { Mark, Status } from '../proof/assess.ts';
import type { Problem } from '../values/problem.ts';
import { plural } from '../values/text.ts';
import { Budget } from './budget.ts';
import { stageDetails } from './details.ts';
import { duration } from './duration.ts';
import { markdownCode, markdownText } from './escape.ts';
import { figureText, keyFigures } from './figures.ts';
import { stageGraph } from './graph.ts';
import type { GateResult, How, JudgedStage, ReportedResult } from './result.ts';
import { FIRM_BLANK, MARK_WORDS, signedStatus } from './words.ts';

/** What came of one workspace, in the words of a summary. */
export type Section =
  | { readonly kind: 'judged'; readonly reported: ReportedResult }
  | { readonly kind: 'planned'; readonly plan: PlanAnswer }
  /** No judgement could be made. */
  | { readonly kind: 'refused'; readonly name: string; readonly problems: readonly Problem[] };

/** A runner drops a summary near 1 MiB without a word. */
const MAX_BYTES = 900 * 1024;

/** What is kept first when there is no room for all. */
const RANK = { verdict: 0, openRow: 1, row: 2, problem: 3, details: 4, graph: 5 } as const;

/**
 * The job summary: verdicts and tables of all workspaces first, then what is not proven in full,
 * then the graphs. At most 900 KiB of UTF-8; what was cut is said.
 */
export function summaryMarkdown(sections: readonly Section[]): string {
  const budget = new Budget(MAX_BYTES);
  if (sections.length > 1) budget.add(wholeVerdict(sections), 'the verdict', RANK.verdict);
  for (const section of sections) writeOverview(section, budget);
  const judged = sections.flatMap((section) =>
    section.kind === 'judged' ? [section.reported] : [],
  );
  for (const reported of judged) writeDetails(reported, judged.length > 1, budget);
  for (const { result } of judged) {
    const graph = stageGraph(result);
    if (graph === '') continue;
    const title = `### What needs what${judged.length > 1 ? `: ${markdownText(result.flow, 100)}` : ''}\n\n`;
    budget.add(title + graph, 'graph', RANK.graph);
  }
  return budget.text();
}

function wholeVerdict(sections: readonly Section[]): string {
  const open = sections.filter(
    (section) => !(section.kind === 'judged' && section.reported.result.isProven),
  ).length;
  return open === 0
    ? `# ✅ Proven: all ${sections.length} workspaces\n\n`
    : `# ❌ Not proven: ${open} of ${sections.length} workspaces\n\n`;
}

function writeOverview(section: Section, budget: Budget): void {
  switch (section.kind) {
    case 'judged':
      writeJudgement(section.reported, budget);
      return;
    case 'planned':
      writePlan(section.plan, budget);
      return;
    case 'refused':
      budget.add(
        `## ❌ Not proven: ${markdownText(section.name)} could not be judged\n\n`,
        'verdict',
        RANK.verdict,
      );
      for (const found of section.problems) budget.add(problemItem(found), 'problem', RANK.problem);
      budget.add('\n', 'space', RANK.verdict);
  }
}

function writeJudgement({ result }: ReportedResult, budget: Budget): void {
  budget.add(verdictLines(result), 'verdict', RANK.verdict);
  budget.add(countsLine(result), 'counts', RANK.verdict);
  budget.add(cautions(result), 'cautions', RANK.verdict);
  for (const found of result.problems) budget.add(problemItem(found), 'problem', RANK.problem);
  budget.add(changeLines(result), 'what the change does', RANK.problem);
  budget.add(
    `${result.problems.length > 0 ? '\n' : ''}| stage | status | verdict | why | in this job | took | key figures |\n|---|---|---|---|---|---|---|\n`,
    'table',
    RANK.verdict,
  );
  for (const stage of result.stages) {
    const rank = stage.assessment.status === 'valid' ? RANK.row : RANK.openRow;
    budget.add(tableRow(stage), 'row of the table', rank);
  }
  budget.add('\n', 'space', RANK.verdict);
}

/** A heading, and what it means for somebody who has never seen one. */
function verdictLines({ flow, workspace, isProven, trust, stages, problems }: GateResult): string {
  const place = workspace === '.' ? '' : ` in ${markdownCode(workspace, 200)}`;
  const name = markdownText(flow, 200) + place;
  if (isProven && trust === 'log') {
    return `## 🟦 Trusted: ${name}\n\nEvery stage holds **if the log is to be believed**: \`trust: log\` takes its records as they are, whoever wrote them.\n\n`;
  }
  if (isProven) {
    return `## ✅ Proven: ${name}\n\nEvery stage holds: its evidence says so, and nothing that it read or wrote has changed since.\n\n`;
  }
  const counts = COUNTED.flatMap(([status, words]) => {
    const count = stages.filter(({ assessment }) => assessment.status === status).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const all = plural(stages.length, 'stage');
  const sentences = [
    counts.length === 0 ? `All of ${all} hold.` : `Of ${all}: ${counts.join(', ')}.`,
    ...(problems.length === 0 ? [] : [`${plural(problems.length, 'problem')} besides.`]),
  ];
  return `## ❌ Not proven: ${name}\n\n**${sentences.join(' ')}** A design is signed off only when every stage of it is proven.\n\n`;
}

const COUNTED: readonly (readonly [Status, string])[] = [
  ['failed', 'failed'],
  ['blocked', 'without a conclusion'],
  ['stale', 'out of date'],
  ['missing', 'never run'],
  ['in-flight', 'not ended'],
];

function countsLine({ stages }: GateResult): string {
  const count = (holds: (stage: JudgedStage) => boolean): number => stages.filter(holds).length;
  const parts = [
    `${count(({ assessment }) => assessment.status === 'valid')} of ${stages.length} proven`,
    `${count((stage) => inThisJob(stage) === 'ran')} ran`,
    `${count((stage) => inThisJob(stage) === 'restored')} restored from the cache`,
    `${count((stage) => inThisJob(stage) === 'reused')} reused from the log`,
    `${count((stage) => inThisJob(stage) === 'not-run')} not run`,
  ];
  return `${parts.join(' · ')}\n\n`;
}

/** A record that does not hold any more was left alone, not made use of. */
function inThisJob({ assessment: { status }, how }: JudgedStage): How {
  return how === 'reused' && status !== 'valid' && status !== 'failed' ? 'not-run' : how;
}

/** What a reviewer must know of the passes, and what stands behind each word. */
const CAUTIONS: readonly (readonly [Mark, string])[] = [
  ['unfloored', '**without a floor** (a check of nothing would pass as well)'],
  ['exit-code-only', '**by exit code only** (the tool reported nothing that could be read)'],
  ['self-reported', '**self-reported** (recorded by a person or an agent, not run here)'],
];
const NAMES_SHOWN = 12;

function cautions({ stages }: GateResult): string {
  const lines = CAUTIONS.flatMap(([mark, words]) => {
    const names = stages
      .filter(({ assessment }) => assessment.marks.includes(mark))
      .map(({ assessment }) => markdownCode(assessment.stage.name));
    if (names.length === 0) return [];
    const rest = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
    return [`- ⚠️ ${names.length} ${words}: ${names.slice(0, NAMES_SHOWN).join(', ')}${rest}`];
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

function problemItem({ at, stage, message, remedy }: Problem): string {
  const place = [at?.file, at?.line].filter((part) => part !== undefined).join(':');
  const parts = [
    ...(place === '' ? [] : [`${markdownCode(place, 300)}:`]),
    ...(stage === undefined ? [] : [`stage ${markdownCode(stage, 100)}:`]),
    markdownText(message, 1000),
    ...(remedy === undefined ? [] : [`→ ${markdownText(remedy, 1000)}`]),
  ];
  return `- ⛔ ${parts.join(' ')}\n`;
}

/** What somebody has accepted, and what is not of the commit: no problem, and to be seen all the same. */
function changeLines({ judging, strays = [], notices = [] }: GateResult): string {
  const accepted = judging?.isAccepted ? judging.changes : [];
  const lines = [
    ...accepted.map(({ stage, message }) => {
      const of = stage === undefined ? '' : `stage ${markdownCode(stage, 100)}: `;
      return `- ⚖️ This change touches the judging, which was accepted: ${of}${markdownText(message, 500)}`;
    }),
    ...notices.map((notice) => `- ℹ️ ${markdownText(notice, 500)}`),
    ...strays
      .slice(0, STRAYS_SHOWN)
      .map(
        ({ path, why }) =>
          `- ⚠️ Not from this commit: ${markdownCode(path, 300)}: ${markdownText(why, 300)}`,
      ),
    ...(strays.length > STRAYS_SHOWN ? [`- and ${strays.length - STRAYS_SHOWN} more`] : []),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

const STRAYS_SHOWN = 20;

function tableRow(stage: JudgedStage): string {
  const { assessment, held } = stage;
  const how = inThisJob(stage);
  const { name } = assessment.stage;
  const claim = assessment.assertion === null ? '' : `: ${markdownText(assessment.assertion, 60)}`;
  const marks = assessment.marks.flatMap((mark) => MARK_WORDS[mark] ?? []);
  const figures = keyFigures(stage.figures ?? []).map(
    (figure) =>
      `${markdownText(figure.name, 40)}${FIRM_BLANK}${figureText(figure).replaceAll(' ', FIRM_BLANK)}`,
  );
  const ms = how === 'not-run' ? undefined : assessment.outcome?.duration_ms;
  const cells = [
    markdownCode(name),
    signedStatus(assessment.status),
    `${assessment.verdict.replace('_', ' ')}${claim}${marks.map((mark) => `<br>⚠️ ${mark}`).join('')}`,
    markdownText(held === undefined ? assessment.reason : `not run: ${held}`, 200),
    how === 'not-run' ? `not${FIRM_BLANK}run` : how,
    ms === undefined ? '' : duration(ms).replaceAll(' ', FIRM_BLANK),
    figures.join(', '),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function writeDetails(reported: ReportedResult, isOneOfMany: boolean, budget: Budget): void {
  const { result } = reported;
  const open = result.stages.filter(({ assessment }) => assessment.status !== 'valid');
  if (open.length === 0) return;
  const place = isOneOfMany ? `: ${markdownText(result.flow, 100)}` : '';
  budget.add(`### What is not proven, and why${place}\n\n`, 'heading', RANK.verdict);
  for (const stage of open) budget.add(stageDetails(stage, reported), 'details', RANK.details);
}

function writePlan({ flow, workspace, stages, problems }: PlanAnswer, budget: Budget): void {
  const place = workspace === '.' ? '' : ` in ${markdownCode(workspace, 200)}`;
  budget.add(
    `## 📋 Plan, not proven: ${markdownText(flow, 200)}${place}\n\nWhat a run would do. Nothing was run or judged.\n\n`,
    'verdict',
    RANK.verdict,
  );
  for (const { code, file, line, ...found } of problems) {
    const at = file === undefined ? undefined : { file, line };
    const known = { code, at, ...found } as Problem;
    budget.add(problemItem(known), 'problem', RANK.problem);
  }
  budget.add(
    `${problems.length > 0 ? '\n' : ''}| stage | status | would | why |\n|---|---|---|---|\n`,
    'table',
    RANK.verdict,
  );
  for (const [name, { status, action, reason }] of Object.entries(stages)) {
    const row = `| ${markdownCode(name)} | ${signedStatus(status)} | ${action} | ${markdownText(reason, 200)} |\n`;
    budget.add(row, 'row of the table', RANK.row);
  }
  budget.add('\n', 'space', RANK.verdict);
}

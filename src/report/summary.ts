import type { LoomResult } from '../generated/documents.ts';
import { describeChange } from '../proof/changes.ts';
import { type Problem, renderProblem } from '../values/problem.ts';
import { Budget } from './budget.ts';
import { duration } from './duration.ts';
import { markdownCode, markdownText } from './escape.ts';
import { keyFigures } from './figures.ts';
import { stageGraph } from './graph.ts';
import type { GateResult, JudgedStage } from './result.ts';

/** A judgement with the envelopes that its stages rest on, as far as they could be read. */
export interface ReportedResult {
  readonly result: GateResult;
  readonly envelopes: ReadonlyMap<string, LoomResult>;
}

/** A runner drops a summary near 1 MiB without a word. */
const MAX_BYTES = 900 * 1024;

/**
 * The job summary: verdicts and tables of all workspaces first, then what is not proven in full,
 * then the graphs. At most 900 KiB of UTF-8; what was cut is said.
 *
 * @param taken bytes of the summary that are used already
 */
export function summaryMarkdown(reports: readonly ReportedResult[], taken = 0): string {
  const budget = new Budget(MAX_BYTES - taken);
  for (const report of reports) writeOverview(report, budget);
  for (const report of reports) writeDetails(report, budget);
  for (const { result } of reports) budget.add(stageGraph(result), 'a graph');
  return budget.text();
}

/** What stands in the place of a judgement that could not be made. */
export function problemsMarkdown(folder: string, problems: readonly Problem[]): string {
  const name = folder === '' ? 'the workspace' : folder;
  const lines = problems
    .slice(0, 50)
    .map((found) => `- ⚠️ ${markdownText(renderProblem(found), 1000)}`);
  return [`## ❌ Not proven: ${markdownText(name)} could not be judged`, '', ...lines, '', ''].join(
    '\n',
  );
}

const VERDICT_SIGN = { pass: '✅', fail: '❌', unknown: '❔', not_applicable: '➖' } as const;

function writeOverview({ result, envelopes }: ReportedResult, budget: Budget): void {
  const open = result.stages.filter(({ assessment }) => assessment.status !== 'valid').length;
  const why =
    open > 0 ? `${open} of ${result.stages.length} stages` : `${result.problems.length} problem(s)`;
  budget.add(
    result.isProven
      ? `## ✅ Proven: ${markdownText(result.flow)}\n\n`
      : `## ❌ Not proven: ${markdownText(result.flow)} (${why})\n\n`,
    'a verdict',
  );
  budget.add(`${countsLine(result)}\n\n`, 'counts');
  budget.add(
    '| stage | status | verdict | why | how | took | figures |\n|---|---|---|---|---|---|---|\n',
    'a table',
  );
  for (const stage of result.stages) budget.add(tableRow(stage, envelopes), 'stages of the table');
  budget.add('\n', 'space');
  for (const found of result.problems) {
    const place = [found.at?.file, found.at?.line].filter((part) => part !== undefined).join(':');
    const remedy = found.remedy === undefined ? '' : ` ${markdownText(found.remedy)}`;
    budget.add(
      `- ⚠️ ${place === '' ? '' : `${markdownCode(place)}: `}${markdownText(found.message, 1000)}${remedy}\n`,
      'problems',
    );
  }
  budget.add('\n', 'space');
}

function countsLine({ stages }: GateResult): string {
  const count = (holds: (stage: JudgedStage) => boolean): number => stages.filter(holds).length;
  const marked = (mark: JudgedStage['assessment']['marks'][number]): number =>
    count(({ assessment }) => assessment.marks.includes(mark));
  const parts = [
    `${count(({ assessment }) => assessment.status === 'valid')} of ${stages.length} stages proven`,
    `${count(({ how }) => how === 'ran')} ran`,
    `${count(({ how }) => how === 'restored')} restored`,
    `${count(({ how }) => how === 'reused')} reused`,
  ];
  const cautions = [
    [marked('unfloored'), 'without a floor'],
    [marked('exit-code-only'), 'by exit code only'],
    [marked('self-reported'), 'self-reported'],
  ] as const;
  const shown = cautions.filter(([n]) => n > 0).map(([n, what]) => `**${n} ${what}**`);
  return [...parts, ...shown].join(' · ');
}

function tableRow(stage: JudgedStage, envelopes: ReportedResult['envelopes']): string {
  const { assessment, how, held } = stage;
  const name = assessment.stage.name;
  const claim = assessment.assertion === null ? '' : ` ${markdownText(assessment.assertion, 60)}`;
  const figures = keyFigures(envelopes.get(name)).map(
    ([figure, value]) => `${markdownText(figure, 40)} ${value}`,
  );
  const ms = assessment.outcome?.duration_ms;
  const cells = [
    `**${markdownText(name)}**`,
    assessment.status,
    `${VERDICT_SIGN[assessment.verdict]} ${assessment.verdict.replace('_', ' ')}${claim}`,
    markdownText(held === undefined ? assessment.reason : `not run: ${held}`, 200),
    how === 'not-run' ? 'not run' : how,
    ms === undefined ? '' : duration(ms),
    figures.join(', '),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

const EVENTS_SHOWN = 8;
const CHANGES_SHOWN = 20;

function writeDetails({ result, envelopes }: ReportedResult, budget: Budget): void {
  for (const { assessment, held } of result.stages) {
    const { stage, status } = assessment;
    if (status === 'valid') continue;
    const envelope = envelopes.get(stage.name);
    const events = (envelope?.logs?.events ?? []).slice(-EVENTS_SHOWN);
    const changes = assessment.changes.slice(0, CHANGES_SHOWN);
    const rest = assessment.changes.length - changes.length;
    const lines = [
      `<details><summary>${VERDICT_SIGN[assessment.verdict]} <b>${markdownText(stage.name)}</b>: ${status}</summary>`,
      '',
      markdownText(assessment.reason, 2000),
      ...(held === undefined ? [] : ['', `It was not run: ${markdownText(held, 2000)}`]),
      '',
      ...changes.map(
        (change) =>
          `- ${markdownText(describeChange(change))}: ${markdownCode(change.recorded ?? 'nothing', 90)} → ${markdownCode(change.current ?? 'nothing', 90)}`,
      ),
      ...(rest > 0 ? [`- and ${rest} more`] : []),
      ...(events.length > 0 ? ['', 'Last events:', ''] : []),
      ...events.map((event) => {
        const place = event.file === undefined ? '' : ` ${markdownCode(event.file, 200)}`;
        return `- ${event.severity}${event.code === undefined ? '' : ` ${markdownText(event.code, 60)}`}:${place} ${markdownText(event.raw_msg)}`;
      }),
      '',
      `Repeat it: ${markdownCode(`signoff-gate run --workspace ${result.workspace} ${stage.name}`)}`,
      '',
      '</details>',
      '',
      '',
    ];
    budget.add(lines.join('\n'), 'details of stages');
  }
}

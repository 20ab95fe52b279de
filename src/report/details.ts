import type { LoomResult, VygesEvent } from '../generated/documents.ts';
import { type Change, describeChange } from '../proof/changes.ts';
import { lastLines } from '../proof/last-lines.ts';
import { isJsonObject } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';
import { markdownCode, markdownText } from './escape.ts';
import type { JudgedStage, ReportedResult } from './result.ts';
import { shellWord } from './shell.ts';
import { signedStatus } from './words.ts';

const FIELDS_SHOWN = 12;
const EVENTS_SHOWN = 8;
const CHANGES_SHOWN = 20;
const LAST_LINES_SHOWN = 15;

/** One stage that is not proven, folded: why, what to do, what changed, what the tool said last. */
export function stageDetails(stage: JudgedStage, reported: ReportedResult): string {
  const { assessment } = stage;
  const { status } = assessment;
  const { name } = assessment.stage;
  const envelope = reported.envelopes.get(name);
  // The heading is HTML, in which a stage's name, [a-z0-9._-], needs no escape.
  return [
    `<details><summary>${signedStatus(status)}: <code>${name}</code></summary>\n`,
    `**Why:** ${whyNot(stage)}\n`,
    `**What to do:** ${whatToDo(stage)}\n`,
    ...changeList(assessment.changes),
    ...payloadLine(envelope),
    ...eventList(envelope),
    ...lastWords(envelope),
    ...repetition(stage, reported),
    '</details>\n\n',
  ].join('\n');
}

function whyNot({ assessment: { status, reason }, held }: JudgedStage): string {
  if (held === undefined) return markdownText(reason, 2000);
  const notRun = `not run: ${markdownText(held, 2000)}`;
  return status === 'missing' ? notRun : `${markdownText(reason, 2000)}; ${notRun}`;
}

function whatToDo({ assessment: { status, stage, marks }, held }: JudgedStage): string {
  const { work } = stage;
  if (work.kind === 'judged' && status !== 'failed' && marks.includes('self-reported')) {
    return 'The gate does not run it. What is recorded of it counts once the base has the record.';
  }
  if (work.kind === 'judged') {
    return `The gate does not run it. The ${work.by} looks at the files as they are now and records the judgement in the log.`;
  }
  if (held !== undefined) return 'See to what kept it from being run, then run it.';
  switch (status) {
    case 'failed':
      return 'Fix the design: the evidence is against it.';
    case 'blocked':
      return 'See to what the reason names, and run it again. Nothing was concluded about the design, neither good nor bad.';
    case 'stale':
      return 'Run it again: its result is of other files than these.';
    case 'in-flight':
      return 'Run the gate again: it closes what a run that was killed left open.';
    default:
      return 'Run it.';
  }
}

function changeList(changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const shown = changes.slice(0, CHANGES_SHOWN).map((change) => {
    const values = `${value(change.recorded)} → ${value(change.current)}`;
    return `- ${markdownText(describeChange(change))} (${values})`;
  });
  const rest = changes.length - shown.length;
  return [
    '**Changed since it was run:**\n',
    ...shown,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    '',
  ];
}

/** Enough of a digest to tell two of them apart. */
function value(text: string | null): string {
  if (text === null) return 'nothing';
  return markdownCode(text.replace(/^([a-z0-9]+:[0-9a-f]{12})[0-9a-f]{52}$/, '$1…'), 90);
}

/** Numbers, words and yes or no of the payload, in its own order: the name of a failed test is one. */
function payloadLine(envelope: LoomResult | undefined): string[] {
  const payload = envelope?.result;
  if (!isJsonObject(payload)) return [];
  const fields = Object.entries(payload)
    .filter(([, field]) => ['number', 'string', 'boolean'].includes(typeof field))
    .slice(0, FIELDS_SHOWN)
    .map(([name, field]) => `${markdownText(name, 40)} ${markdownText(String(field), 200)}`);
  return fields.length === 0 ? [] : [`**It reported:** ${fields.join(' · ')}\n`];
}

/** What was wrong stands before what was only told. */
function eventList(envelope: LoomResult | undefined): string[] {
  const logs = envelope?.logs;
  if (!logs || logs.events.length === 0) return [];
  const grave = logs.events.filter(({ severity }) => severity === 'error' || severity === 'warn');
  const shown = (grave.length > 0 ? grave : logs.events).slice(-EVENTS_SHOWN);
  return [`**Last events** (${shown.length} of ${logs.count}):\n`, ...shown.map(eventItem), ''];
}

function eventItem({ severity, code, file, raw_msg: message }: VygesEvent): string {
  const what = code === undefined ? severity : `${severity} ${markdownText(code, 60)}`;
  const place = file === undefined ? '' : ` ${markdownCode(file, 200)}`;
  return `- ${what}${place}: ${markdownText(message)}`;
}

/** The end of what a tool that came to no end of its own printed on stderr. */
function lastWords(envelope: LoomResult | undefined): string[] {
  const lines = envelope?.error ? lastLines(envelope.error, LAST_LINES_SHOWN) : [];
  if (lines.length === 0) return [];
  return ['**It printed last:**\n', codeBlock(lines.map((line) => printable(line, 300)))];
}

function repetition({ assessment }: JudgedStage, reported: ReportedResult): string[] {
  if (assessment.stage.work.kind === 'judged') return [];
  const { workspace } = reported.result;
  const words = [
    'signoff-gate',
    'run',
    ...(workspace === '.' ? [] : ['--workspace', workspace]),
    ...(reported.flowFile === undefined ? [] : ['--flow', reported.flowFile]),
    '--rerun',
    assessment.stage.name,
  ];
  return [
    '**Repeat it** in a checkout:\n',
    codeBlock([printable(words.map(shellWord).join(' '))], 'sh'),
  ];
}

/** A fence that nothing in the block can close. */
function codeBlock(lines: readonly string[], language = ''): string {
  const longest = Math.max(2, ...lines.map((line) => /^ *(`*)/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence, ''].join('\n');
}

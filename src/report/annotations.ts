import type { VygesEvent } from '../generated/documents.ts';
import type { Problem } from '../values/problem.ts';
import { relativeToRoot } from '../values/relative.ts';
import { printable } from '../values/text.ts';
import { checkWorkspacePath } from '../values/workspace-path.ts';
import type { ReportedResult } from './result.ts';

export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** A remark on a line of a file, for a reader of the change. */
export interface Annotation {
  readonly level: AnnotationLevel;
  readonly title: string;
  readonly message: string;
  /** Relative to the root of the repository. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column?: number | undefined;
}

export interface Annotations {
  readonly shown: readonly Annotation[];
  /** How many there were beyond those, by level. */
  readonly left: Readonly<Record<AnnotationLevel, number>>;
}

/** What is to be remarked on in one workspace. */
export interface Remarked {
  /** Relative to the root of the repository; empty for the root itself. */
  readonly folder: string;
  /** Absolute path of the workspace: tools name files by it. */
  readonly root: string;
  readonly reported: ReportedResult | undefined;
  /** What kept a judgement from being made. */
  readonly problems: readonly Problem[];
}

/** A runner shows ten of a level for a step, and the message that fails the job is one of them. */
const MOST: Readonly<Record<AnnotationLevel, number>> = { error: 9, warning: 10, notice: 10 };
const LEVEL_OF = {
  error: 'error',
  warn: 'warning',
  info: 'notice',
  debug: undefined,
  trace: undefined,
} as const;

/**
 * What is worth a remark: each problem, each stage that is not proven, then the events of its engine
 * that name a file and line. Events of proven stages stay in their envelopes.
 */
export function annotate(workspaces: readonly Remarked[]): Annotations {
  const all = workspaces.map(ofWorkspace);
  // The stages of every workspace before the events of any.
  return mostSevere([...all.flatMap(({ first }) => first), ...all.flatMap(({ events }) => events)]);
}

function ofWorkspace({ folder, root, reported, problems }: Remarked): {
  first: Annotation[];
  events: Annotation[];
} {
  const inRepository = (one: Annotation): Annotation => ({
    ...one,
    file: one.file === undefined ? undefined : inFolder(folder, one.file),
  });
  const open = (reported?.result.stages ?? []).filter(
    ({ assessment }) => assessment.status !== 'valid',
  );
  const first = [
    ...[...problems, ...(reported?.result.problems ?? [])].map(ofProblem),
    ...open.map(({ assessment: { stage, status, reason }, held }) => ({
      level: 'error' as const,
      title: `${stage.name} is not proven: ${status}`,
      message: printable(held === undefined ? reason : `not run: ${held}`),
      file: stage.at.file,
      line: stage.at.line,
    })),
  ];
  const events = open.flatMap(({ assessment: { stage } }) =>
    (reported?.envelopes.get(stage.name)?.logs?.events ?? []).flatMap(
      (event) => ofEvent(stage.name, event, root) ?? [],
    ),
  );
  return { first: first.map(inRepository), events: events.map(inRepository) };
}

function ofProblem({ stage, message, remedy, at }: Problem): Annotation {
  return {
    level: 'error',
    title: printable(stage === undefined ? 'signoff-gate' : `signoff-gate: ${stage}`, 100),
    message: printable([message, remedy].filter(Boolean).join('. ')),
    file: at?.file,
    line: at?.line,
  };
}

function inFolder(folder: string, file: string): string {
  return folder === '' || file.startsWith('/') ? file : `${folder}/${file}`;
}

function ofEvent(stage: string, event: VygesEvent, root: string): Annotation | undefined {
  const level = LEVEL_OF[event.severity];
  const place = event.file === undefined ? undefined : /^(.+?):(\d+)(?::(\d+))?$/.exec(event.file);
  if (level === undefined || !place) return undefined;
  const [, named = '', line, column] = place;
  const file = relativeToRoot(named, root).replace(/^(?:\.\/)+/, '');
  // A remark on a file of somebody else's would be shown on one of this repository.
  if (!checkWorkspacePath(file).ok) return undefined;
  return {
    level,
    title: printable(`${stage}${event.code === undefined ? '' : ` ${event.code}`}`, 100),
    message: printable(event.raw_msg),
    file,
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

function mostSevere(all: readonly Annotation[]): Annotations {
  const levels: readonly AnnotationLevel[] = ['error', 'warning', 'notice'];
  const ofLevel = (level: AnnotationLevel): Annotation[] =>
    all.filter((one) => one.level === level);
  const beyond = (level: AnnotationLevel): number =>
    Math.max(0, ofLevel(level).length - MOST[level]);
  return {
    shown: levels.flatMap((level) => ofLevel(level).slice(0, MOST[level])),
    left: { error: beyond('error'), warning: beyond('warning'), notice: beyond('notice') },
  };
}

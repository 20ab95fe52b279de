import type { VygesEvent } from '../generated/documents.ts';
import { printable } from '../values/text.ts';
import { checkWorkspacePath } from '../values/workspace-path.ts';
import type { ReportedResult } from './summary.ts';

export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** A remark on a line of a file, for a reader of the change. */
export interface Annotation {
  readonly level: AnnotationLevel;
  readonly title: string;
  readonly message: string;
  /** Relative to the root of the repository. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export interface Annotations {
  /** At most ten of each level: a runner shows no more of one step. */
  readonly shown: readonly Annotation[];
  /** How many there were beyond those, by level. */
  readonly left: Readonly<Record<AnnotationLevel, number>>;
}

const MOST_OF_A_LEVEL = 10;
const LEVEL_OF = {
  error: 'error',
  warn: 'warning',
  info: 'notice',
  debug: undefined,
  trace: undefined,
} as const;

/**
 * What is worth a remark: each stage that is not proven, then the events of its engine that name a
 * file and line. Events of proven stages stay in their envelopes.
 */
export function annotate(
  reports: readonly { readonly folder: string; readonly reported: ReportedResult }[],
): Annotations {
  return mostSevere(
    reports.flatMap(({ folder, reported }) =>
      ofResult(reported).map((one) => ({ ...one, file: one.file && inFolder(folder, one.file) })),
    ),
  );
}

function ofResult({ result, envelopes }: ReportedResult): Annotation[] {
  const all: Annotation[] = [];
  for (const found of result.problems) {
    const title = found.stage === undefined ? 'signoff-gate' : `signoff-gate: ${found.stage}`;
    all.push({
      level: 'error',
      title: printable(title, 100),
      message: printable([found.message, found.remedy].filter(Boolean).join('. ')),
      file: found.at?.file,
      line: found.at?.line,
    });
  }
  for (const { assessment, held } of result.stages) {
    if (assessment.status === 'valid') continue;
    const { stage } = assessment;
    const title = `${stage.name} is not proven: ${assessment.status}`;
    const message = printable(held === undefined ? assessment.reason : `not run: ${held}`);
    all.push({ level: 'error', title, message, file: stage.at.file, line: stage.at.line });
    for (const event of envelopes.get(stage.name)?.logs?.events ?? []) {
      const annotation = ofEvent(stage.name, event);
      if (annotation) all.push(annotation);
    }
  }
  return all;
}

/** Files are named from the root of the repository. */
function inFolder(folder: string, file: string): string {
  return folder === '' || file.startsWith('/') ? file : `${folder}/${file}`;
}

function ofEvent(stage: string, event: VygesEvent): Annotation | undefined {
  const level = LEVEL_OF[event.severity];
  const place = event.file === undefined ? undefined : /^(.+?):(\d+)(?::\d+)?$/.exec(event.file);
  if (level === undefined || !place) return undefined;
  const [, file = '', line] = place;
  if (!checkWorkspacePath(file).ok) return undefined;
  return {
    level,
    title: printable(`${stage}${event.code === undefined ? '' : ` ${event.code}`}`, 100),
    message: printable(event.raw_msg),
    file,
    line: Number(line),
  };
}

function mostSevere(all: readonly Annotation[]): Annotations {
  const levels: readonly AnnotationLevel[] = ['error', 'warning', 'notice'];
  const ofLevel = (level: AnnotationLevel): Annotation[] =>
    all.filter((one) => one.level === level);
  const beyond = (level: AnnotationLevel): number =>
    Math.max(0, ofLevel(level).length - MOST_OF_A_LEVEL);
  return {
    shown: levels.flatMap((level) => ofLevel(level).slice(0, MOST_OF_A_LEVEL)),
    left: { error: beyond('error'), warning: beyond('warning'), notice: beyond('notice') },
  };
}

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import * as core from '@actions/core';
import { type Annotation, annotate } from '../report/annotations.ts';
import { judgementAnswer, refusalAnswer } from '../report/answers.ts';
import { junitXml } from '../report/junit.ts';
import { problemsMarkdown, type ReportedResult, summaryMarkdown } from '../report/summary.ts';
import type { ActionInputs } from './inputs.ts';
import type { WorkspacePass } from './pass.ts';

/** What was written, and what could not be: a report that fails changes no verdict. */
export interface Published {
  readonly files: readonly string[];
  readonly complaints: readonly string[];
}

/** Writes the job summary, the annotations and the report files of all workspaces. */
export function publish(
  passes: readonly WorkspacePass[],
  inputs: ActionInputs,
  root: string,
): Published {
  const complaints: string[] = [];
  const attempt = <T>(what: string, action: () => T): T | undefined => {
    try {
      return action();
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      complaints.push(`${what} could not be written: ${code ?? message}`);
      return undefined;
    }
  };
  const judged = passes.flatMap(({ folder, result, envelopes }) =>
    result ? [{ folder, reported: { result, envelopes } }] : [],
  );
  if (inputs.summary) {
    attempt('the job summary', () =>
      writeSummary(
        passes,
        judged.map(({ reported }) => reported),
      ),
    );
  }
  if (inputs.annotations) writeAnnotations(judged);
  const { report } = inputs;
  const files =
    report === undefined
      ? undefined
      : attempt('the report', () => writeReports(passes, report, root));
  return { files: files ?? [], complaints };
}

function writeSummary(passes: readonly WorkspacePass[], reported: readonly ReportedResult[]): void {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') throw new Error('the runner names no file for it');
  const unjudged = passes.filter(({ result }) => result === undefined);
  const text = unjudged.map(({ folder, problems }) => problemsMarkdown(folder, problems)).join('');
  appendFileSync(file, text + summaryMarkdown(reported, Buffer.byteLength(text)));
}

function writeAnnotations(judged: readonly { folder: string; reported: ReportedResult }[]): void {
  const { shown, left } = annotate(judged);
  for (const annotation of shown) give(annotation);
  const rest = Object.entries(left).filter(([, count]) => count > 0);
  if (rest.length > 0) {
    core.info(
      `Not shown as annotations: ${rest.map(([level, count]) => `${count} × ${level}`).join(', ')}`,
    );
  }
}

const GIVE = { error: core.error, warning: core.warning, notice: core.notice } as const;

function give({ level, title, message, file, line }: Annotation): void {
  GIVE[level](message, {
    title,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { startLine: line }),
  });
}

/** One JSON document a workspace, and JUnit beside it where the name asks for that. */
function writeReports(passes: readonly WorkspacePass[], report: string, root: string): string[] {
  const files: string[] = [];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    files.push(relative(root, path));
  };
  for (const { folder, result, problems } of passes) {
    const target = resolve(root, passes.length > 1 ? named(report, folder) : report);
    const answer = result ? judgementAnswer(result) : refusalAnswer(problems);
    const json = `${JSON.stringify(answer, null, 2)}\n`;
    if (extname(target) === '.xml') {
      if (result) write(target, junitXml(result));
      write(`${target.slice(0, -'.xml'.length)}.json`, json);
    } else {
      write(target, json);
    }
  }
  return files;
}

/** `out/gate.json` for the workspace `ip/uart` is `out/gate-ip-uart.json`. */
function named(report: string, folder: string): string {
  const ending = extname(report);
  const slug = folder === '' ? 'root' : folder.replace(/[^A-Za-z0-9._-]+/g, '-');
  return join(
    dirname(report),
    `${report.slice(dirname(report) === '.' ? 0 : dirname(report).length + 1, report.length - ending.length)}-${slug}${ending}`,
  );
}

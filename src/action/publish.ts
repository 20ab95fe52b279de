import { appendFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import * as core from '@actions/core';
import { type Annotation, annotate } from '../report/annotations.ts';
import { judgementAnswer, refusalAnswer } from '../report/answers.ts';
import { junitXml, unjudgedJunitXml } from '../report/junit.ts';
import { type Section, summaryMarkdown } from '../report/summary.ts';
import { problem } from '../values/problem.ts';
import type { ActionInputs, Environment } from './inputs.ts';
import type { WorkspacePass } from './pass.ts';
import { writeReportFile } from './report-file.ts';

/** What was written, and what could not be: a report that fails changes no verdict. */
export interface Published {
  readonly files: readonly string[];
  readonly complaints: readonly string[];
}

/** What is asked for of the inputs; where these cannot be read, a summary all the same. */
export type Wishes = Pick<ActionInputs, 'summary' | 'annotations' | 'report'>;

/**
 * Writes the job summary, the annotations and the report files of all workspaces.
 *
 * @param repository absolute path of the repository, which files are named from
 */
export function publish(
  passes: readonly WorkspacePass[],
  wishes: Wishes,
  repository: string,
  environment: Environment,
): Published {
  const complaints: string[] = [];
  const attempt = (what: string, action: () => void): void => {
    try {
      action();
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      complaints.push(`${what} could not be written: ${code ?? message}`);
    }
  };
  if (wishes.summary) {
    attempt('the job summary', () =>
      appendFileSync(summaryFile(environment), summaryMarkdown(passes.map(sectionOf))),
    );
  }
  if (wishes.annotations) writeAnnotations(passes);
  const files: string[] = [];
  if (wishes.report !== undefined) {
    for (const [path, text] of reportFiles(passes, wishes.report)) {
      attempt(`the report ${path}`, () => {
        writeReportFile(repository, path, text);
        files.push(relative(repository, resolve(repository, path)));
      });
    }
  }
  return { files, complaints };
}

function summaryFile(environment: Environment): string {
  const file = environment['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') throw new Error('the runner names no file for it');
  return file;
}

function sectionOf({ folder, outcome }: WorkspacePass): Section {
  return outcome.kind === 'refused'
    ? { ...outcome, name: folder === '' ? 'the workspace' : folder }
    : outcome;
}

function writeAnnotations(passes: readonly WorkspacePass[]): void {
  const { shown, left } = annotate(
    passes.map(({ folder, root, outcome }) => ({
      folder,
      root,
      reported: outcome.kind === 'judged' ? outcome.reported : undefined,
      problems: outcome.kind === 'refused' ? outcome.problems : [],
    })),
  );
  for (const annotation of shown) give(annotation);
  const rest = Object.entries(left).filter(([, count]) => count > 0);
  if (rest.length > 0) {
    core.info(
      `Not shown as annotations: ${rest.map(([level, count]) => `${count} × ${level}`).join(', ')}`,
    );
  }
}

const GIVE = { error: core.error, warning: core.warning, notice: core.notice } as const;

function give({ level, title, message, file, line, column }: Annotation): void {
  GIVE[level](message, {
    title,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { startLine: line }),
    ...(column === undefined ? {} : { startColumn: column }),
  });
}

/** Path to text: one JSON document a workspace, and JUnit beside it where the name asks for that. */
function reportFiles(passes: readonly WorkspacePass[], report: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const [index, pass] of passes.entries()) {
    let path = passes.length > 1 ? named(report, pass.folder) : report;
    // Two folders may come to the same name: `ip/a` and `ip-a`.
    if (files.has(path)) path = named(report, `${pass.folder}-${index + 1}`);
    const isJunit = extname(path) === '.xml';
    if (isJunit) files.set(path, junitOf(pass));
    const json = `${JSON.stringify(answerOf(pass), null, 2)}\n`;
    files.set(isJunit ? `${path.slice(0, -'.xml'.length)}.json` : path, json);
  }
  return files;
}

function answerOf({ outcome }: WorkspacePass): object {
  switch (outcome.kind) {
    case 'judged':
      return judgementAnswer(outcome.reported.result);
    case 'planned':
      return outcome.plan;
    case 'refused':
      return refusalAnswer(outcome.problems);
  }
}

/** It is written whatever came of it: an older one must not be taken for the answer. */
function junitOf({ folder, outcome }: WorkspacePass): string {
  switch (outcome.kind) {
    case 'judged':
      return junitXml(outcome.reported.result);
    case 'planned':
      return unjudgedJunitXml(outcome.plan.flow, [
        problem('gate/nothing-to-judge', '`mode: plan` judges nothing'),
      ]);
    case 'refused':
      return unjudgedJunitXml(folder === '' ? 'signoff-gate' : folder, outcome.problems);
  }
}

/** `out/gate.json` for the workspace `ip/uart` is `out/gate-ip-uart.json`. */
function named(report: string, folder: string): string {
  const ending = extname(report);
  const slug = folder === '' ? 'root' : folder.replace(/[^A-Za-z0-9._-]+/g, '-');
  return join(dirname(report), `${basename(report, ending)}-${slug}${ending}`);
}

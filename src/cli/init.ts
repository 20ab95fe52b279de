import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import flowSchema from '../../schemas/flow.schema.json' with { type: 'json' };
import { walkWorkspace } from '../fingerprint/walk.ts';
import { FLOW_FILES } from '../flow/load-flow.ts';
import { type Problem, problem } from '../values/problem.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { ATTRIBUTES, flowTemplate, IGNORED, SCHEMA_FILE } from './flow-template.ts';
import { parse, wantsJson } from './options.ts';
import { WORKFLOW_FILE, workflowTemplate } from './workflow-template.ts';

const OPTIONS = {
  workspace: { type: 'string' },
  workflow: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/**
 * `init`: a commented flow file for what it finds in the folder, its schema for editors, and the
 * lines for .gitignore; with `--workflow` also the workflow for GitHub. Nothing is overwritten.
 */
export function init(args: readonly string[]): Answer {
  const isJson = wantsJson(args);
  const parsed = parse(args, OPTIONS, { least: 0, most: 0, names: '' });
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const { values } = parsed.value;
  const directory = resolve(values.workspace ?? '.');
  const { entries, problems } = walkWorkspace(directory);
  const [unreadable] = problems;
  if (unreadable) return refusal([unreadable.problem], isJson);
  const sources = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path as string);

  const files: NewFile[] = [
    { path: join(directory, FLOW_FILES[0]), text: flowTemplate(directory, sources) },
  ];
  if (values.workflow) {
    const root = repositoryRoot(directory);
    const workspace = relative(root, directory) || '.';
    files.push({ path: join(root, WORKFLOW_FILE), text: workflowTemplate(workspace) });
  }
  const taken = [
    ...FLOW_FILES.map((name) => join(directory, name)),
    ...files.map(({ path }) => path),
  ];
  const present = taken.find(existsSync);
  if (present !== undefined) return refusal([alreadyThere(relative(directory, present))], isJson);
  const schema: NewFile = {
    path: join(directory, SCHEMA_FILE),
    text: `${JSON.stringify(flowSchema, null, 2)}\n`,
  };
  try {
    for (const { path, text } of [...files, schema]) {
      mkdirSync(dirname(path), { recursive: true });
      // The schema is the gate's own and may be brought up to date; the rest is its user's.
      writeFileSync(path, text, { flag: path === schema.path ? 'w' : 'wx' });
    }
    addLines(join(directory, '.gitignore'), IGNORED);
    addLines(join(directory, '.gitattributes'), ATTRIBUTES);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return refusal([problem('file/write-failed', `the files cannot be written (${code})`)], isJson);
  }
  const written = [...files, schema].map(({ path }) => relative(directory, path));
  if (isJson) return jsonAnswer(0, { written: [...written, '.gitignore', '.gitattributes'] });
  return textAnswer(
    0,
    `Wrote ${written.join(', ')} and the lines for .gitignore and .gitattributes.\nRead the comments in them, then: signoff-gate plan`,
  );
}

interface NewFile {
  readonly path: string;
  readonly text: string;
}

function alreadyThere(file: string): Problem {
  return problem('usage/exists', `${file} is already there`, {
    at: { file },
    remedy: 'Edit it, or move it away first.',
  });
}

/** The nearest folder upwards that git knows as a root; without one, the workspace itself. */
function repositoryRoot(directory: string): string {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return directory;
  }
}

function addLines(path: string, lines: readonly string[]): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const present = new Set(text.split(/\r?\n/));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  writeFileSync(path, `${text}${separator}${missing.join('\n')}\n`);
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { walkWorkspace } from '../fingerprint/walk.ts';
import { FLOW_FILES } from '../flow/load-flow.ts';
import { problem } from '../values/problem.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { flowTemplate, IGNORED } from './flow-template.ts';
import { parse, wantsJson } from './options.ts';

const OPTIONS = { workspace: { type: 'string' }, json: { type: 'boolean' } } as const;

/** `init`: a commented flow file for what it finds in the folder, and the lines for .gitignore. */
export function init(args: readonly string[]): Answer {
  const isJson = wantsJson(args);
  const parsed = parse(args, OPTIONS, { least: 0, most: 0, names: '' });
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const directory = resolve(parsed.value.values.workspace ?? '.');
  const present = FLOW_FILES.find((name) => existsSync(join(directory, name)));
  if (present !== undefined) {
    return refusal(
      [
        problem('usage/exists', `${present} is already there`, {
          at: { file: present },
          remedy: 'Edit it, or move it away first.',
        }),
      ],
      isJson,
    );
  }
  const flowFile = FLOW_FILES[0];
  const { entries, problems } = walkWorkspace(directory);
  const [unreadable] = problems;
  if (unreadable) return refusal([unreadable.problem], isJson);
  const files = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path as string);
  try {
    writeFileSync(join(directory, flowFile), flowTemplate(directory, files), { flag: 'wx' });
    addIgnoredLines(join(directory, '.gitignore'));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return refusal(
      [
        problem('file/write-failed', `the flow cannot be written (${code})`, {
          at: { file: flowFile },
        }),
      ],
      isJson,
    );
  }
  if (isJson) return jsonAnswer(0, { written: [flowFile, '.gitignore'] });
  return textAnswer(
    0,
    `Wrote ${flowFile} and the lines for .gitignore. Read its comments, then: signoff-gate plan`,
  );
}

function addIgnoredLines(path: string): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const present = new Set(text.split(/\r?\n/));
  const missing = IGNORED.filter((line) => !present.has(line));
  if (missing.length === 0) return;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  writeFileSync(path, `${text}${separator}${missing.join('\n')}\n`);
}

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { roomViolations } from './rooms.ts';

const root = new URL('../../', import.meta.url);

function filesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
  );
}

function readSources(): Map<string, string> {
  const files = filesBelow('src/').filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [file, readFileSync(new URL(file, root), 'utf8')]));
}

function violations(file: string, source: string): string[] {
  return roomViolations(new Map([[file, source]])).map(({ found, rule }) => `${found}: ${rule}`);
}

test('no file of src/ reaches into a room that it may not use', () => {
  const found = roomViolations(readSources()).map(
    ({ file, found, rule }) => `${file}: ${found}: ${rule}`,
  );
  expect(found).toEqual([]);
});

describe('a violation is found', () => {
  const upwards = 'src/flow may not import src/gate';

  test.each([
    ['import', "import { run } from '../gate/run.ts';"],
    ['type import', "import type { Run } from '../gate/run.ts';"],
    ['re-export', "export * from '../gate/run.ts';"],
    ['named re-export', "export { run } from '../gate/run.ts';"],
    ['dynamic import', "const { run } = await import('../gate/run.ts');"],
    ['type in an expression', "let run: import('../gate/run.ts').Run;"],
    ['require', "const { run } = require('../gate/run.ts');"],
  ])('in an %s', (_, source) => {
    expect(violations('src/flow/parse.ts', source)).toEqual([`../gate/run.ts: ${upwards}`]);
  });

  test.each([
    ['src/flow/a.ts', '../log/read.ts', 'src/flow may not import src/log'],
    ['src/log/a.ts', '../flow/parse.ts', 'src/log may not import src/flow'],
    ['src/cache/a.ts', '../engine/run.ts', 'src/cache may not import src/engine'],
    ['src/cli/a.ts', '../action/main.ts', 'src/cli may not import src/action'],
    ['src/values/a.ts', '../generated/documents.ts', 'src/values may not import src/generated'],
    ['src/generated/a.ts', '../process/run.ts', 'src/generated may not import src/process'],
    [
      'src/cli/a.ts',
      '../log/append.ts',
      'only src/log and src/gate may import the writing side of the log',
    ],
    ['src/engine/adapters/a.ts', '../../cli/main.ts', 'src/engine may not import src/cli'],
    ['src/gate/a.ts', '../helpers/text.ts', 'imports lead into a room'],
    ['src/engine/a.ts', 'execa', 'only src/process may import execa'],
    ['src/gate/a.ts', 'node:child_process', 'only src/process may import node:child_process'],
    ['src/report/a.ts', '@actions/core', 'only src/action may import @actions/core'],
  ])('%s importing %s', (file, specifier, rule) => {
    expect(violations(file, `import '${specifier}';`)).toEqual([`${specifier}: ${rule}`]);
  });

  test.each(['console.log(1);', 'const { log } = console;'])('console in %s', (source) => {
    expect(violations('src/gate/a.ts', source)).toEqual([
      'console: only the edges may touch the terminal',
    ]);
  });

  test('process.stdout', () => {
    expect(violations('src/gate/a.ts', 'process.stdout.write(text);')).toEqual([
      'process.stdout: only the edges may touch the terminal',
    ]);
  });

  test('a file outside every room', () => {
    expect(violations('src/main.ts', '')).toEqual(['src/main.ts: every file of src/ is in a room']);
  });
});

describe('what is allowed is left alone', () => {
  test.each([
    ['src/cli/a.ts', "import '../gate/run.ts'; console.log(process.stdout.columns);"],
    ['src/flow/presets/a.ts', "import '../../fingerprint/glob.ts'; import '../parse.ts';"],
    ['src/process/run.ts', "import { execa } from 'execa';"],
    ['src/log/lock.ts', "import { append } from './append.ts';"],
    ['src/gate/a.ts', "// import '../cli/main.ts'\nconst text = \"import '../cli/main.ts'\";"],
    ['src/gate/a.ts', "import { readFileSync } from 'node:fs'; process.stderr.isTTY;"],
  ])('%s: %s', (file, source) => {
    expect(violations(file, source)).toEqual([]);
  });
});

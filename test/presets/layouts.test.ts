import { expect, test } from 'vitest';
import { baseWorkspace, built, PresetWorkspace, valid } from './workspace.ts';

/** The two layouts of spec/04 "Versioning boundary". */

function intentWorkspace(): PresetWorkspace {
  const workspace = new PresetWorkspace();
  workspace.write('intent/brainstorm.md', 'requirements\n');
  workspace.write('intent/refs/standard.pdf', 'standard\n');
  return built(workspace);
}

test('with an intent tree every stage records it, and the workspace is proven', () => {
  const b = intentWorkspace();
  const answers = b.ask();
  expect(answers.stages).toEqual(valid());
  expect(answers.problems).toEqual([]);
  expect(answers.proven).toBe(true);
  expect(answers.decide).toEqual({ action: 'DONE' });
});

test.each([
  ['edited', (b: PresetWorkspace) => b.write('intent/refs/standard.pdf', 'other\n')],
  ['added', (b: PresetWorkspace) => b.write('intent/refs/more.pdf', 'more\n')],
  ['removed', (b: PresetWorkspace) => b.remove('intent/refs/standard.pdf')],
])('a file of the tree that is %s ends every conclusion', (_, change) => {
  const b = intentWorkspace();
  change(b);
  const answers = b.ask();
  expect(new Set(Object.values(answers.stages))).toEqual(new Set(['stale']));
  expect(answers.decide).toMatchObject({ action: 'DISPATCH', rule: 'specification' });
});

test('without its document nothing can begin', () => {
  const b = intentWorkspace();
  b.remove('intent/brainstorm.md');
  const reason = 'no eligible rule, none in-flight, not done';
  expect(b.ask().decide).toEqual({ action: 'ESCALATE', reason });
});

test('a tree recorded file by file is covered as well', () => {
  const b = intentWorkspace();
  const files = ['intent/brainstorm.md', 'intent/refs/standard.pdf'];
  const recorded = Object.fromEntries(files.map((path) => [path, b.fingerprint(path)]));
  const byFile = (text: string): string =>
    text.replace(/"intent":"merkle:[0-9a-f]+"/, JSON.stringify(recorded).slice(1, -1));
  b.events = b.events.map((event) => JSON.parse(byFile(JSON.stringify(event))));
  const answers = b.ask();
  expect(answers.problems).toEqual([]);
  expect(answers.proven).toBe(true);
  b.write('intent/more.md', 'more\n');
  const more = b.ask();
  expect(more.stages).toEqual(valid());
  expect(more.problems).toContain(
    "lint-cdc: its proof does not cover 'intent/more.md', which is an input of it",
  );
  expect(more.proven).toBe(false);
});

test('a tree that nobody recorded is a doubt about every stage', () => {
  const b = baseWorkspace();
  b.write('intent/notes.md', 'notes\n');
  const answers = b.ask();
  expect(answers.stages).toEqual(valid());
  expect(answers.decide).toEqual({ action: 'DONE' });
  expect(answers.problems).toHaveLength(8);
  expect(answers.proven).toBe(false);
});

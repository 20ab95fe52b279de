import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkoutHint } from '../../src/flow/presets/veripower/checkout-hint.ts';
import { scratchFolder } from '../support/scratch.ts';

const digest = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;
const POINTER = `version https://git-lfs.github.com/spec/v1\noid ${digest('x')}\nsize 1\n`;

function hintFor(content: string, recorded: string): string | undefined {
  const file = join(scratchFolder(), 'a.v');
  writeFileSync(file, content);
  return checkoutHint(file, 'rtl/a.v', digest(recorded));
}

test('a Git LFS pointer is told as what it is, with the remedy', () => {
  expect(hintFor(POINTER, 'module a;\n')).toBe(
    'rtl/a.v is a Git LFS pointer in place of the file itself: check out with `lfs: true`',
  );
});

test('line ends that a checkout converted are told, with the remedy', () => {
  expect(hintFor('module a;\r\nendmodule\r\n', 'module a;\nendmodule\n')).toContain(
    'the line ends of rtl/a.v were converted at checkout',
  );
});

test.each([
  ['an edit', 'module b;\n'],
  ['an edit in a file with such line ends', 'module b;\r\n'],
  ['an empty file', ''],
])('%s is left to speak for itself', (_, content) => {
  expect(hintFor(content, 'module a;\n')).toBeUndefined();
});

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dist, runCli } from './built-cli.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signoff-standalone-'));
  cpSync(dist, join(folder, 'dist'), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true }));

test('dist/ runs where no package is installed', () => {
  const { status, stderr } = runCli(['no-such-command'], {
    cwd: folder,
    from: join(folder, 'dist/'),
  });
  expect(stderr).toContain('no-such-command');
  expect(status).toBe(2);
});

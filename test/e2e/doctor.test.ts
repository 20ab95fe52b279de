import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DoctorAnswer } from '../../src/generated/documents.ts';
import { validateAnswerDoctor } from '../../src/generated/validators.js';
import { documentIn } from '../support/cli.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';
import { startCli } from './built-cli.ts';

function design(): TestWorkspace {
  return makeWorkspace({
    flow: `stages:
  lint: { uses: verilator-lint, with: { top: a, files: [a.v] }, inputs: [a.v] }
  own: { uses: ./own.sh, inputs: [a.v] }
  regress: { run: [sh, -c, "true"], tools: [sh, no-such-tool], inputs: [a.v] }
  typo: { uses: verilator-lnt, inputs: [a.v] }
  review: { by: person, inputs: [a.v] }
`,
    files: { 'a.v': 'module a; endmodule\n' },
    engines: { 'own.sh': { does: SAYS_CLEAN } },
  });
}

/** The programs, and a shell, are the whole PATH. */
async function doctor(workspace: TestWorkspace, programs: Record<string, string>, json = true) {
  for (const [name, text] of Object.entries(programs)) {
    workspace.write(`../outside/bin/${name}`, `#!/bin/sh\n${text}\n`);
    chmodSync(join(workspace.outside, 'bin', name), 0o755);
  }
  workspace.write('../outside/bin/sh', (path) => symlinkSync('/bin/sh', path));
  const { status, stdout, stderr } = await startCli(['doctor', ...(json ? ['--json'] : [])], {
    cwd: workspace.root,
    env: { PATH: join(workspace.outside, 'bin') },
  }).ended;
  return { status, stdout, stderr };
}

test('what is here and what is missing is told by stage, with how to install it', async () => {
  const { status, stdout } = await doctor(design(), {
    verilator: 'echo "Verilator 5.020 2024-01-01"',
    verilator_bin: 'echo "Verilator 5.020 2024-01-01"',
  });
  const answer: DoctorAnswer = documentIn(stdout, validateAnswerDoctor);
  expect(status).toBe(0);
  expect(answer.can_run_all).toBe(false);
  const { lint, own, regress, typo, review } = answer.stages;
  expect(lint).toMatchObject({ by: 'verilator-lint', can_run: true, missing: [] });
  expect(lint?.programs[0]).toMatchObject({ name: 'verilator', version: '5.020', tested: false });
  expect(own).toMatchObject({ can_run: true, programs: [{ version: '1.0.0', tested: null }] });
  expect(regress?.can_run).toBe(false);
  expect(regress?.missing).toEqual([
    'there is no program `no-such-tool` on PATH. Install it, or put it on PATH.',
  ]);
  expect(typo?.missing[0]).toContain('Did you mean `verilator-lint`?');
  expect(review).toEqual({ by: 'person', can_run: false, programs: [], missing: [] });
});

test('a tool that is missing is told with its package', async () => {
  const { status, stdout } = await doctor(design(), {}, false);
  expect(status).toBe(0);
  expect(stdout).toContain(
    'lint: the program `verilator`, which verilator-lint needs, is not here. Install it (Debian: apt-get install verilator)',
  );
  expect(stdout).toContain('not every stage can run here');
});

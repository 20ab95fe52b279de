import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JudgementAnswer, PlanAnswer, RefusalAnswer } from '../../src/generated/documents.ts';
import {
  validateAnswerJudgement,
  validateAnswerPlan,
  validateAnswerRefusal,
} from '../../src/generated/validators.js';
import { type ActionRun, commandsNamed, listIn, runAction, SECRET } from '../support/action.ts';
import { documentIn } from '../support/cli.ts';
import { GitRepository } from '../support/git.ts';
import { judges, makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

/** dist/action.mjs as a runner runs it: what a user of the action sees of each outcome. */

const FLOW = `name: uart
stages:
  lint:
    uses: ./lint.sh
    with: { file: rtl/a.v }
    inputs: [rtl/a.v]
    floors: { checked: { min: 1 } }
  synth:
    uses: ./synth.sh
    inputs: [rtl/a.v]
    outputs: [build/net.v]
  equiv:
    uses: ./equiv.sh
    inputs: [rtl/a.v, build/net.v]
`;

const EVENT = (fields: object): string =>
  JSON.stringify({ schema: 'vyges-events/1.0', ts_ms: 1, tool: 'lint', ...fields });

/** Three stages, of which the third reads what the second writes. A line with BUG fails the first. */
function uart(source = 'module a; endmodule\n'): TestWorkspace {
  return makeWorkspace({
    flow: FLOW,
    files: { 'rtl/a.v': source },
    engines: {
      'lint.sh': {
        does: `echo '${EVENT({ severity: 'error', code: 'L-1', raw_msg: 'found it', file: 'rtl/a.v:2' })}' >&2
${judges('rtl/a.v')}`,
      },
      'synth.sh': { does: `mkdir -p build; cp rtl/a.v build/net.v; ${SAYS_CLEAN}` },
      'equiv.sh': { does: judges('build/net.v') },
    },
  });
}

function reportOf(workspace: TestWorkspace, path: string): JudgementAnswer {
  return documentIn(workspace.read(path), validateAnswerJudgement);
}

/** The first line of a summary, which is all that many look at. */
function headline({ summary }: ActionRun): string {
  return summary.split('\n', 1)[0] ?? '';
}

describe.concurrent('a design that is proven', () => {
  test('is said to be so in every place, and the process ends whatever is still open', async () => {
    const workspace = uart();
    workspace.engine('lint.sh', {
      does: `env > '${workspace.outside}/environment'; ${SAYS_CLEAN}`,
    });
    const run = await runAction(workspace.root, {
      event: 'merge_group',
      base: new GitRepository(workspace.root).commit(),
      inputs: { report: 'out/gate.xml' },
      preload: `import { createServer, connect } from 'node:net';
        const server = createServer(() => {}).listen(0, '127.0.0.1', () => connect(server.address().port, '127.0.0.1'));
        setInterval(() => {}, 1000);`,
    });
    expect(run.log).not.toContain('::error');
    expect(run.status).toBe(0);
    expect(run.livedOnMs).toBeLessThan(2000);
    expect(run.verdicts).toEqual(['not-proven', 'proven']);
    expect(run.outputs).toEqual({
      verdict: 'proven',
      proven: '["lint","synth","equiv"]',
      'not-proven': '[]',
      stale: '[]',
      reran: '["lint","synth","equiv"]',
      restored: '[]',
      unfloored: '["synth","equiv"]',
      report: 'out/gate.xml\nout/gate.json',
    });
    expect(headline(run)).toBe('## ✅ Proven: uart');
    expect(run.summary).toContain('3 of 3 proven · 3 ran · 0 restored');
    expect(run.summary).toContain('⚠️ 2 **without a floor**');
    expect(commandsNamed(run, 'error')).toEqual([]);
    expect(run.isOn).toBe(true);
    expect(run.otherFiles).toBe('');

    const report = workspace.read('out/gate.json');
    expect(reportOf(workspace, 'out/gate.json').verdict).toBe('proven');
    expect(workspace.read('out/gate.xml')).toContain('tests="3" failures="0" errors="0"');

    const seen = workspace.read('../outside/environment');
    expect(seen).toContain('HOME=');
    expect(seen).not.toMatch(/^(?:GITHUB|RUNNER|ACTIONS|INPUT|CI|DEPLOY)\w*=/m);
    for (const text of [seen, report, run.log, run.summary, workspace.read('events.jsonl')]) {
      expect(text).not.toContain(SECRET);
    }
  });

  test('is judged by `mode: check` from what is recorded, and planned without a verdict', async () => {
    const workspace = uart();
    await runAction(workspace.root);
    const check = await runAction(workspace.root, { inputs: { mode: 'check', trust: 'log' } });
    expect([check.status, check.outputs.verdict]).toEqual([0, 'trusted']);
    expect(listIn(check, 'reran')).toEqual([]);
    expect(workspace.startsOf('lint.sh')).toBe(1);

    const plan = await runAction(workspace.root, {
      inputs: { mode: 'plan', report: 'plan.xml' },
    });
    expect(plan.status).toBe(0);
    expect(plan.verdicts).toEqual(['not-proven', 'not-proven']);
    expect(headline(plan)).toBe('## 📋 Plan, not proven: uart');
    expect(plan.summary).not.toContain('✅ Proven');
    const document: PlanAnswer = documentIn(workspace.read('plan.json'), validateAnswerPlan);
    expect(document.stages['equiv']?.action).toBe('reuse');
    expect(workspace.read('plan.xml')).toContain('errors="1"');
    expect(workspace.startsOf('lint.sh')).toBe(1);
  });
});

describe.concurrent('a design that is not proven', () => {
  test('fails the job of a fork with stage, reason, file and line; the rest is judged', async () => {
    const workspace = uart('module a;\nBUG\nendmodule\n');
    const repository = new GitRepository(workspace.root);
    const base = repository.commit();
    repository.commit();
    const run = await runAction(workspace.root, {
      event: 'fork',
      base,
      inputs: { report: 'gate.json' },
    });
    expect(run.status).toBe(1);
    expect(run.verdicts).toEqual(['not-proven', 'not-proven']);
    expect(listIn(run, 'not-proven')).toEqual(['lint', 'equiv']);
    expect(listIn(run, 'proven')).toEqual(['synth']);
    expect(headline(run)).toBe('## ❌ Not proven: uart');
    expect(run.summary).toContain('<details><summary>❌\u00a0failed: <code>lint</code></summary>');
    expect(run.summary).toContain('signoff-gate run --rerun lint');
    expect(reportOf(workspace, 'gate.json').stages['lint']?.status).toBe('failed');

    const errors = commandsNamed(run, 'error');
    const [lint, equiv, event, last] = errors;
    expect(errors).toHaveLength(4);
    expect(lint?.properties).toMatchObject({ file: 'signoff.yaml', line: '3' });
    expect(equiv?.properties['title']).toBe('equiv is not proven: failed');
    expect(event).toEqual({
      name: 'error',
      properties: { title: 'lint L-1', file: 'rtl/a.v', line: '2' },
      data: 'found it',
    });
    expect(last?.data).toMatch(/^Not proven\.\nlint is failed: run 1 failed.*\nequiv is failed: /);

    // No cache service, no token: one notice, and everything is run.
    expect(commandsNamed(run, 'notice')).toHaveLength(1);
    expect(commandsNamed(run, 'notice')[0]?.data).toContain('no cache is used');
  });

  test('in one of several workspaces fails the job, and every name says where it is', async () => {
    const repository = makeWorkspace({});
    for (const [folder, content] of [
      ['ip/good', 'fine\n'],
      ['ip/my bad', 'BUG\n'],
    ] as const) {
      repository.write(
        `${folder}/signoff.yaml`,
        'stages:\n  lint: { uses: ./e.sh, inputs: [a.v] }\n',
      );
      repository.write(`${folder}/a.v`, content);
      repository.engine(`${folder}/e.sh`, {
        does: `echo '${EVENT({ severity: 'warn', raw_msg: 'hm', file: 'a.v:7:3' })}' >&2; ${judges('a.v')}`,
      });
    }
    const run = await runAction(repository.root, {
      inputs: { workspace: 'ip/*\n./ip/good/', report: 'out/gate.xml', cache: 'off' },
    });
    expect(run.status).toBe(1);
    expect(listIn(run, 'proven')).toEqual(['ip/good:lint']);
    expect(listIn(run, 'not-proven')).toEqual(['ip/my bad:lint']);
    expect(headline(run)).toBe('# ❌ Not proven: 1 of 2 workspaces');
    expect(run.summary).toContain("signoff-gate run --workspace 'ip/my bad' --rerun lint");
    expect(run.outputs['report']?.split('\n')).toEqual([
      'out/gate-ip-good.xml',
      'out/gate-ip-good.json',
      'out/gate-ip-my-bad.xml',
      'out/gate-ip-my-bad.json',
    ]);
    expect(reportOf(repository, 'out/gate-ip-my-bad.json').workspace).toBe('ip/my bad');
    expect(commandsNamed(run, 'warning')[0]?.properties).toMatchObject({
      file: 'ip/my bad/a.v',
      line: '7',
    });
    expect(commandsNamed(run, 'error').at(-1)?.data).toContain('ip/my bad: lint is failed');
  });

  test('because of its flow file is told at the line, with a report that says so', async () => {
    const repository = makeWorkspace({});
    repository.write('ip/signoff.yaml', 'stages:\n  lint: { uses: ./e.sh, input: [a.v] }\n');
    const run = await runAction(repository.root, {
      inputs: { workspace: 'ip', report: 'gate.xml' },
    });
    expect([run.status, run.outputs.verdict]).toEqual([2, 'not-proven']);
    expect(commandsNamed(run, 'error')[0]).toMatchObject({
      properties: { file: 'ip/signoff.yaml', line: '2' },
    });
    expect(headline(run)).toBe('## ❌ Not proven: ip could not be judged');
    const report: RefusalAnswer = documentIn(repository.read('gate.json'), validateAnswerRefusal);
    expect(report.problems[0]?.code).toMatch(/^flow\//);
    expect(repository.read('gate.xml')).toContain('failures="0" errors=');
  });

  test.each([
    [{ worspace: 'ip', mode: 'chek' }, ['Did you mean `workspace`?', 'one of run, check, plan']],
    [{ workspace: 'ip/*' }, ['`ip/*` matches no folder with a flow file']],
    [{ workspace: '/' }, ['it is absolute']],
    [{ workspace: '..' }, ['it leads outside the workspace']],
    [{ workspace: 'docs' }, ['there is no flow file', 'The input `workspace` names the folder']],
    [{ stages: 'lint, sinth' }, ['`sinth`', 'Stages: lint, synth, equiv.']],
  ] as const)('because of its inputs %o is told what is allowed', async (inputs, told) => {
    const workspace = uart();
    mkdirSync(workspace.at('docs'));
    const run = await runAction(workspace.root, { inputs });
    expect([run.status, run.outputs.verdict]).toEqual([2, 'not-proven']);
    const errors = commandsNamed(run, 'error').map(({ data }) => data);
    for (const text of told) expect(errors.join('\n')).toContain(text);
    expect(headline(run)).toMatch(/^## ❌ Not proven: .* could not be judged$/);
    expect(workspace.has('events.jsonl')).toBe(false);
  });
});

describe.concurrent('places that cannot be written', () => {
  test('the summary and the report: told, and the verdict stands', async () => {
    const workspace = uart();
    writeFileSync(workspace.at('out'), 'a file where a folder would have to be');
    const run = await runAction(workspace.root, {
      inputs: { report: 'out/gate.json' },
      environment: { GITHUB_STEP_SUMMARY: workspace.outside },
    });
    expect([run.status, run.outputs.verdict]).toEqual([0, 'proven']);
    expect(run.outputs['report']).toBe('');
    const warnings = commandsNamed(run, 'warning').map(({ data }) => data);
    expect(warnings).toEqual([
      'the job summary could not be written: EISDIR',
      expect.stringMatching(/^the report out\/gate\.json could not be written: out is no folder/),
    ]);
  });

  test('no summary at all: told, and the verdict stands', async () => {
    const workspace = uart();
    const run = await runAction(workspace.root, {
      environment: { GITHUB_STEP_SUMMARY: undefined },
    });
    expect([run.status, run.outputs.verdict]).toEqual([0, 'proven']);
    expect(commandsNamed(run, 'warning')[0]?.data).toContain('the runner names no file for it');
  });

  test('the outputs: nothing is run, and the job fails', async () => {
    const workspace = uart();
    const run = await runAction(workspace.root, {
      environment: { GITHUB_OUTPUT: join(workspace.outside, 'nothing-here') },
    });
    expect(run.status).toBe(70);
    expect(commandsNamed(run, 'error')[0]?.data).toContain('internal error');
    expect(workspace.startsOf('lint.sh')).toBe(0);
  });
});

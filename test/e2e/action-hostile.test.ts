import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsNamed, listIn, runAction, startAction } from '../support/action.ts';
import { until } from '../support/cli.ts';
import { readableSummary } from '../support/summary.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

/** What the action makes of engines and flows that mean it no good, and of its own end. */

/** Everything that a runner could be told to do, in every form and disguise. */
const COMMANDS = [
  '::error::x',
  '::set-output name=verdict::proven',
  '  ::set-output name=verdict::proven',
  '::stop-commands::abc',
  '::abc::',
  '::add-mask::e',
  '::group::mine',
  '::endgroup::',
  '##[error]x',
  'harmless ##[set-output name=verdict;]proven',
  'progress 99%\r::error::after a return',
  '\r\n::warning::after two',
  'a\u2028::error::x',
  'a\u0085::error::x',
  '\u001b[0m::error::x',
];

const NAME =
  'uart\n\n## ✅ Proven: <img src=x onerror=alert(1)> @octocat | [x](http://evil.example) `';

function event(fields: object): string {
  const common = { schema: 'vyges-events/1.0', ts_ms: 1, tool: 'lint', severity: 'error' };
  return JSON.stringify({ ...common, ...fields });
}

/** A file whose lines an engine prints. */
function lines(texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.concurrent('an engine that speaks to the runner', () => {
  test('is not heard: commands on stdout and stderr stay text, in groups', async () => {
    const workspace = makeWorkspace({
      flow: `name: ${JSON.stringify(NAME)}
stages:
  payload: { uses: ./payload.sh, inputs: [stderr.txt] }
  stdout: { uses: ./stdout.sh, inputs: [stdout.txt], after: [payload] }
`,
      files: {
        'stderr.txt': lines([
          ...COMMANDS,
          ...COMMANDS.map((raw_msg) => event({ raw_msg, code: raw_msg, file: `a.v${raw_msg}:1` })),
          event({ raw_msg: 'mine', file: '../../other/secret.v:1' }),
          event({ raw_msg: 'mine', file: '/etc/passwd:1' }),
          event({ raw_msg: 'yours', file: '@ROOT@/rtl/a.v:12' }),
        ]),
        'stdout.txt': lines(COMMANDS),
      },
      engines: {
        'payload.sh': {
          does: `sed "s|@ROOT@|$PWD|" stderr.txt >&2
[ -n "$GITHUB_OUTPUT" ] && echo 'verdict=proven' >> "$GITHUB_OUTPUT"
echo '{"clean": false, "checked": 1, "a|b": 1, "<script>": 2, "\`x\`": 3, "@octocat": 4}'`,
        },
        'stdout.sh': { does: 'cat stdout.txt' },
      },
    });
    const run = await runAction(workspace.root, { inputs: { cache: 'off', report: 'gate.json' } });
    expect(run.status).toBe(1);
    expect(run.verdicts).toEqual(['not-proven', 'not-proven']);
    expect(run.isOn).toBe(true);

    // Nothing took effect but what the action itself says.
    expect([...new Set(run.commands.map(({ name }) => name))].sort()).toEqual([
      'endgroup',
      'error',
      'group',
    ]);
    expect([...run.groups.keys()].map((title) => title.split(':')[0])).toEqual(['payload']);
    const [group = []] = run.groups.values();
    expect(group.every((line) => line.startsWith('payload: '))).toBe(true);
    expect(group.length).toBeGreaterThan(2 * COMMANDS.length);

    // Two stages, the one event whose file is in the repository, and the message at the end.
    const errors = commandsNamed(run, 'error');
    const events = errors.filter(({ properties }) => properties['title']?.startsWith('payload '));
    expect(events.length).toBeLessThanOrEqual(9);
    for (const { properties } of errors) {
      expect(properties['file'] ?? '').not.toMatch(/^\/|\.\./);
    }
    expect(run.log).toContain('Not shown as annotations:');

    const summary = readableSummary(run.summary);
    expect(summary.headings.filter((heading) => heading.startsWith('## '))).toHaveLength(1);
    expect(summary.tags).toEqual(['code', 'details', 'span', 'summary']);
    expect(summary.text).toContain('<img src=x onerror=alert(1)> @octocat');
    expect(summary.lookedFor).toEqual([]);
    expect(summary.columns).toEqual([7]);
  });

  test('and prints 50 MB of events costs neither the memory nor the log', async () => {
    const line = event({ severity: 'info', raw_msg: 'x'.repeat(300), file: 'a.v:1' });
    const workspace = makeWorkspace({
      flow: 'stages:\n  loud: { uses: ./loud.sh, inputs: [a.v] }\n',
      files: { 'a.v': '' },
      engines: {
        'loud.sh': {
          does: `yes '${line}' | head -c 50000000 >&2
echo >&2; echo '${event({ raw_msg: 'the end' })}' >&2; ${SAYS_CLEAN}`,
        },
      },
    });
    const rss = join(workspace.outside, 'rss');
    const run = await runAction(workspace.root, {
      inputs: { cache: 'off' },
      preload: `import { writeFileSync } from 'node:fs';
        process.on('exit', () => writeFileSync(${JSON.stringify(rss)}, String(process.resourceUsage().maxRSS)));`,
    });
    expect(run.status).toBe(0);
    expect(run.log.length).toBeLessThan(1_000_000);
    expect(run.log).toContain('lines are left out here');
    expect(run.log).toContain('the end');
    expect(Number(readFileSync(rss, 'utf8'))).toBeLessThan(300 * 1024);
  });
});

test('2,000 stages: the verdict and the whole table fit into the summary', async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `stage-${index}`);
  const workspace = makeWorkspace({
    flow: `stages:\n${names.map((name) => `  ${name}: { uses: ./e.sh, inputs: [a.v] }\n`).join('')}`,
    files: { 'a.v': '' },
    engines: { 'e.sh': { does: SAYS_CLEAN } },
  });
  const run = await runAction(workspace.root, { inputs: { mode: 'check' } });
  expect([run.status, run.outputs.verdict]).toEqual([1, 'not-proven']);
  expect(Buffer.byteLength(run.summary)).toBeLessThanOrEqual(900 * 1024);
  expect(run.summary.startsWith('## ❌ Not proven: ')).toBe(true);
  expect(run.summary.match(/^\| `stage-\d+` \|/gm)).toHaveLength(2000);
  expect(listIn(run, 'not-proven')).toHaveLength(2000);
  expect(commandsNamed(run, 'error')).toHaveLength(10);
  expect(commandsNamed(run, 'error').at(-1)?.data).toContain('and 1900 more');
  expect(run.log).toContain('Not shown as annotations: 1991 × error');
});

/** A workspace whose engine runs until it is ended, and says its process id. */
function endless(): { workspace: TestWorkspace; pid: () => number | undefined } {
  const workspace = makeWorkspace({
    flow: 'stages:\n  slow: { uses: ./slow.sh, inputs: [a.v] }\n  next: { uses: ./slow.sh, inputs: [a.v], after: [slow] }\n',
    files: { 'a.v': '' },
  });
  const file = join(workspace.outside, 'pid');
  workspace.engine('slow.sh', {
    does: `echo $$ > '${file}.new'; mv '${file}.new' '${file}'; exec sleep 100`,
  });
  return {
    workspace,
    pid: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined),
  };
}

describe.concurrent('an end that comes too early', () => {
  test('SIGTERM: not proven, with all that is known, and no engine is left', async () => {
    const { workspace, pid } = endless();
    const action = startAction(workspace.root, { inputs: { cache: 'off' } });
    await until(() => pid() !== undefined);
    action.child.kill('SIGTERM');
    const run = await action.ended;
    expect([run.status, run.signal]).toEqual([1, null]);
    expect(run.verdicts).toEqual(['not-proven', 'not-proven']);
    expect(listIn(run, 'not-proven')).toEqual(['slow', 'next']);
    expect(run.summary).toContain('the gate was stopped');
    expect(run.isOn).toBe(true);
    expect(alive(pid() ?? Number.NaN)).toBe(false);
  });

  test('SIGKILL: the verdict is the one from the beginning', async () => {
    const { workspace, pid } = endless();
    const action = startAction(workspace.root, { inputs: { cache: 'off' } });
    await until(() => pid() !== undefined);
    action.child.kill('SIGKILL');
    // A gate that is killed outright cannot end its engines: the next one does, or the runner.
    process.kill(pid() ?? Number.NaN, 'SIGKILL');
    const run = await action.ended;
    expect([run.status, run.signal]).toEqual([null, 'SIGKILL']);
    expect(run.verdicts).toEqual(['not-proven']);
  });

  test('a fault of ours in the middle: not proven, told, and no engine is left', async () => {
    const { workspace, pid } = endless();
    const file = JSON.stringify(join(workspace.outside, 'pid'));
    const run = await runAction(workspace.root, {
      inputs: { cache: 'off' },
      preload: `import { existsSync } from 'node:fs';
        setInterval(() => { if (existsSync(${file})) throw new Error('boom\\n::set-output name=verdict::proven'); }, 20);`,
    });
    expect(run.status).toBe(70);
    expect(run.outputs).toEqual({ verdict: 'not-proven' });
    expect(commandsNamed(run, 'error')[0]?.data).toMatch(/^internal error: Error: boom\n/);
    expect(commandsNamed(run, 'set-output')).toEqual([]);
    await until(() => !alive(pid() ?? Number.NaN));
  });

  test.each([
    ['a clock that fails', 'performance.now = () => { throw new Error("no clock"); };'],
    [
      'outputs that cannot be written any more',
      `import fs from 'node:fs';
       const append = fs.appendFileSync;
       fs.appendFileSync = (path, text, ...rest) => {
         if (/^proven$/m.test(text)) throw new Error('no space');
         return append(path, text, ...rest);
       };
       const { syncBuiltinESMExports } = await import('node:module');
       syncBuiltinESMExports();`,
    ],
  ])('%s: not proven', async (_, preload) => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./e.sh, inputs: [a.v] }\n',
      files: { 'a.v': '' },
      engines: { 'e.sh': { does: SAYS_CLEAN } },
    });
    const run = await runAction(workspace.root, { inputs: { cache: 'off' }, preload });
    expect(run.status).toBe(70);
    expect(run.outputs['verdict']).toBe('not-proven');
    expect(commandsNamed(run, 'error')[0]?.data).toMatch(
      /internal error: Error: no (?:clock|space)/,
    );
  });
});

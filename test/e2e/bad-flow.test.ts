import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gate, pictureOf, refused } from '../support/cli.ts';
import {
  type Content,
  makeWorkspace,
  SAYS_CLEAN,
  type TestWorkspace,
} from '../support/workspace.ts';

const GOOD = 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n';

function workspaceWith(flow: Content): TestWorkspace {
  const workspace = makeWorkspace({
    files: { 'a.v': 'a\n' },
    engines: { 'lint.sh': { does: SAYS_CLEAN } },
  });
  workspace.write('signoff.yaml', flow);
  return workspace;
}

/** What the flow file is, and what is said of it, at which place. */
const FLOWS: readonly [string, Content, string, string][] = [
  ['is not YAML', 'stages: [\n', ':2:1: ', 'flow/syntax'],
  ['has a tab', 'stages:\n\tlint: {}\n', ':2:1: ', 'Indent with spaces.'],
  ['has a key twice', `${GOOD}stages: {}\n`, ':3:1: ', 'Keep one of the two keys.'],
  ['is not UTF-8', Buffer.from([0x61, 0xff, 0x0a]), ': ', 'not valid UTF-8'],
  ['has a megabyte', `${GOOD}#${'x'.repeat(1_048_576)}`, ': ', 'flow/too-large'],
  ['is a FIFO', (path) => execFileSync('mkfifo', [path]), ': ', 'not a regular file'],
  ['is a folder', (path) => mkdirSync(path), ': ', 'not a regular file'],
  ['has no stages', 'name: x\n', ':1:1: ', 'lacks the key `stages`'],
  ['has empty stages', 'stages: {}\n', ':1:9: ', 'an empty flow proves nothing'],
  ['has an unknown key', `${GOOD.replace('uses', 'user')}`, ':2:11: ', 'Did you mean `uses`?'],
  ['has a value of the wrong type', GOOD.replace('[a.v]', '7'), ':2:36: ', 'must be'],
  ['names a stage ../x', GOOD.replace('lint:', '../x:'), ':2:3: ', '`../x` is no stage name'],
  ['names a stage __proto__', GOOD.replace('lint:', '__proto__:'), ':2:3: ', 'is no stage name'],
  ['selects outside', GOOD.replace('a.v', '../a.v'), ':2:37: ', 'outside the workspace'],
  ['comes after nobody', GOOD.replace(' }', ', after: [x] }'), ':2:51: ', 'no stage of this flow'],
  [
    'is a ring',
    `${GOOD.replace(' }', ', after: [b] }')}  b: { run: x, inputs: [a.v], after: [lint] }\n`,
    ':2:3: ',
    'lint waits for b waits for lint',
  ],
  [
    'uses an unset variable',
    GOOD.replace('a.v]', 'a.v], env: { A: "$' + '{SIGNOFF_UNSET}" }'),
    ':2:53: ',
    'SIGNOFF_UNSET is not set',
  ],
  [
    'uses a token',
    GOOD.replace('a.v]', 'a.v], env: { A: "$' + '{GITHUB_TOKEN}" }'),
    ':2:53: ',
    'never passed on',
  ],
];

const COMMANDS: readonly (readonly string[])[] = [
  ['check'],
  ['run'],
  ['status'],
  ['plan'],
  ['explain', 'lint'],
];

describe.concurrent('a flow file that is wrong ends every command with 2, in its place', () => {
  it.each(
    FLOWS.map((flow, index) => [...flow, COMMANDS[index % COMMANDS.length] ?? ['run']] as const),
  )('it %s', async (_, flow, place, message, command) => {
    const workspace = workspaceWith(flow);
    const before = pictureOf(workspace.root);
    const { status, stdout, stderr } = await gate(workspace, ...command);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^signoff-gate: signoff\.yaml/);
    expect(stderr).toContain(`signoff.yaml${place}`);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/internal error|\bat .*\.mjs/);
    expect(pictureOf(workspace.root)).toEqual(before);
  });
});

describe.concurrent('the refusal with --json', () => {
  it.each(COMMANDS.map((command) => [command] as const))(
    'of `%j` is one document',
    async (command) => {
      const workspace = workspaceWith('stages: {}\n');
      const { status, answer } = await refused(workspace, ...command);
      expect(status).toBe(2);
      expect(answer).toMatchObject({
        ok: false,
        problems: [{ code: 'flow/no-stage', file: 'signoff.yaml', line: 1, column: 9 }],
      });
    },
  );

  it.each([
    [
      'no flow file',
      (workspace: TestWorkspace) => workspace.remove('signoff.yaml'),
      'flow/missing',
    ],
    [
      'two flow files',
      (workspace: TestWorkspace) => workspace.write('signoff.json', '{}'),
      'flow/ambiguous-file',
    ],
  ])('%s', async (_, change, code) => {
    const workspace = workspaceWith(GOOD);
    change(workspace);
    const { status, answer } = await refused(workspace, 'check');
    expect(status).toBe(2);
    expect(answer.problems.map((found) => found.code)).toEqual([code]);
  });

  it.each([
    [['run', 'lnt'], 'usage/unknown-stage'],
    [['run', '--concurrency', '0'], 'usage/bad-value'],
    [['run', '--concurrency', 'many'], 'usage/bad-value'],
    [['run', '--lock-wait', '-1'], 'usage/bad-value'],
    [['run', '--fast'], 'usage/unknown-option'],
    [['check', 'lint'], 'usage/bad-value'],
    [['explain'], 'usage/missing-argument'],
    [['explain', 'lnt'], 'usage/unknown-stage'],
    [['status', '--workspace', 'nowhere'], 'usage/no-workspace'],
    [['check', '--workspace', 'a.v'], 'usage/no-workspace'],
    [['check', '--flow', 'nowhere.yaml'], 'flow/unreadable'],
    [['chekc'], 'usage/unknown-command'],
    [['engine'], 'usage/unknown-command'],
    [['engine', 'run'], 'usage/missing-argument'],
    [['engine', 'run', './lint.sh', '-i', 'words'], 'usage/bad-value'],
  ])('`%j` is the caller\u2019s mistake', async (args, code) => {
    const { status, answer } = await refused(workspaceWith(GOOD), ...args);
    expect(status).toBe(2);
    expect(answer.problems.map((found) => found.code)).toEqual([code]);
  });

  it('no command at all is one too, and says what there is', async () => {
    const { status, stdout } = await gate(workspaceWith(GOOD));
    expect(status).toBe(2);
    expect(stdout).toContain('signoff-gate run');
  });
});

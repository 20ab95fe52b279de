import { symlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gate, judged } from '../support/cli.ts';
import { prove } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

const NAMES = [
  '::error::boo.v',
  '::set-output name=verdict::proven.v',
  ' ::error::after a space.v',
  '##[error]older.v',
  'two\nlines.v',
  'two\r\n::error file=x::lines.v',
  '__proto__.v',
  '__proto__',
  'constructor',
  '-rf.v',
  '--json',
  'quote".v',
  "quote'.v",
  'back`tick`.v',
  '$(touch pwned).v',
  'pipe|.v',
  '<script>alert(1)<.v',
  'tab\t.v',
  'escape\u001b[31m.v',
  'right\u202eto-left.v',
  'space .v',
  ' leading.v',
  'percent%0A::error::.v',
  'é.v',
  '\u{1f600}.v',
] as const;

async function proven(): Promise<TestWorkspace> {
  const workspace = makeWorkspace({
    flow: `stages:
  lint:
    uses: ./tools/lint.sh
    with: { file: ["*"] }
    inputs: ["*"]
`,
    engines: {
      'tools/lint.sh': {
        does: `printf '%s\\n' "$@" >&2\n${SAYS_CLEAN}`,
        descriptor: {
          inputs: { type: 'object', properties: { file: { type: 'array' } } },
        },
      },
    },
  });
  for (const name of NAMES) workspace.write(name, 'module;\n');
  await prove(workspace);
  return workspace;
}

/** Lines that the console of a runner would take for commands to it. */
function commandsIn(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.filter((line) => line.trimStart().startsWith('::') || line.includes('##['));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f\u202e]/;

describe.concurrent('whatever files are called', () => {
  it('they count like any other, each under its own name', async () => {
    const workspace = await proven();
    const proofs = workspace.outcome('lint')['proofs'] as { inputs: Record<string, string> }[];
    const inputs = Object.keys(proofs[0]?.inputs ?? {});
    expect(inputs.sort()).toEqual([...NAMES, 'signoff.yaml'].sort());
    expect((await judged(workspace, 'check')).status).toBe(0);
  });

  it('a change of each is seen, and told on one line that no console takes for a command', async () => {
    const workspace = await proven();
    for (const name of NAMES) writeFileSync(workspace.at(name), 'other;\n');
    for (const command of [['check'], ['plan'], ['explain', 'lint']]) {
      const { status, stdout, stderr } = await gate(workspace, ...command);
      expect(status).toBe(command[0] === 'check' ? 1 : 0);
      expect(commandsIn(stdout + stderr)).toEqual([]);
      expect(stdout).not.toMatch(UNPRINTABLE);
    }
    const { answer } = await judged(workspace, 'check');
    const changed = answer.stages['lint']?.changes.map((change) => change.name);
    expect(changed?.sort()).toEqual([...NAMES].sort());
  });

  it('one that cannot be read is told in the same way', async () => {
    const workspace = await proven();
    for (const name of NAMES) {
      workspace.remove(name);
      workspace.write(name, (path) => symlinkSync(basename(path), path));
    }
    for (const command of [['check'], ['status'], ['plan'], ['explain', 'lint'], ['run']]) {
      const { status, stdout, stderr } = await gate(workspace, ...command);
      expect(status).toBe(['check', 'run'].includes(command[0] ?? '') ? 1 : 0);
      expect(commandsIn(stdout + stderr)).toEqual([]);
      expect(stdout + stderr).not.toMatch(UNPRINTABLE);
    }
  });

  it('they reach an engine as arguments, none of them as an option', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./lint.sh, with: { file: ["*"] }, inputs: ["*"] }\n',
      files: { '-rf': 'x', '--json': 'x' },
      engines: {
        'lint.sh': {
          does: `printf '%s\\n' "$@" >&2\n${SAYS_CLEAN}`,
          descriptor: { inputs: { type: 'object', properties: { file: { type: 'array' } } } },
        },
      },
    });
    const { status, stderr } = await gate(workspace, 'run');
    expect(status).toBe(0);
    expect(stderr).toContain('| ./-rf');
    expect(stderr).toContain('| ./--json');
  });
});

describe.concurrent('what an engine prints', () => {
  it('reaches the console as one line each, and none that it takes for a command', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
      files: { 'a.v': 'a' },
      engines: {
        'lint.sh': {
          does: `printf '::error::boo\\n  ::add-mask::x\\r::error::y\\n\\033[31mred\\n' >&2
echo '{"schema":"vyges-events/1.0","ts_ms":1,"tool":"t","severity":"error","raw_msg":"a\\n::error::b","code":"::C"}' >&2
echo '{"clean": "::error::boo"}'`,
        },
      },
    });
    const { status, stdout, stderr } = await gate(workspace, 'run');
    expect(status).toBe(1);
    expect(stderr).toContain('::error::boo');
    expect(commandsIn(stdout + stderr)).toEqual([]);
    expect(stderr).not.toMatch(UNPRINTABLE);
  });
});

describe.concurrent('what the flow says', () => {
  it('reaches the console in the same way', async () => {
    const workspace = makeWorkspace({
      flow: `name: "x\\n::error::name"
stages:
  lint: { uses: "::error::\\n::error::e", inputs: [a.v], "::error::key": 1 }
`,
      files: { 'a.v': 'a' },
    });
    const refusal = await gate(workspace, 'check');
    expect(refusal.status).toBe(2);
    workspace.edit('signoff.yaml', ', "::error::key": 1', '');
    for (const command of [['run'], ['status'], ['engine', 'list'], ['explain', '::error::']]) {
      const { stdout, stderr } = await gate(workspace, ...command);
      expect(commandsIn(refusal.stderr + stdout + stderr)).toEqual([]);
      expect(stdout + stderr).not.toMatch(UNPRINTABLE);
    }
  });
});

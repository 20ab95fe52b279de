import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { validateAnswerRefusal } from '../../src/generated/validators.js';
import { baseWorkspace, PresetWorkspace } from './workspace.ts';

async function command(name: string, ...args: string[]) {
  const run = await commands[name]?.();
  if (!run) throw new Error(`no command ${name}`);
  return run(args);
}

function baseFolder(): string {
  const b = baseWorkspace();
  b.ask();
  return b.root;
}

describe('the preset is chosen', () => {
  test('by its name', async () => {
    const where = ['--workspace', baseFolder(), '--flow=veripower'];
    const { exitCode, stdout } = await command('check', ...where);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('PROVEN: veripower, 8 of 8 stages valid');
  });

  test('by the shape of the folder, where no flow file is', async () => {
    const { stdout } = await command('status', '--workspace', baseFolder(), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ flow: 'veripower', signed_off: true, problems: [] });
  });

  test('not where a flow file is', async () => {
    const b = baseWorkspace();
    b.ask();
    b.write('signoff.yaml', 'stages: {}\n');
    const { exitCode, stderr } = await command('status', '--workspace', b.root, '--json');
    expect(exitCode).toBe(2);
    expect(stderr.join()).toContain('signoff.yaml');
  });

  test('not for a folder without a log', async () => {
    const w = new PresetWorkspace();
    w.folder('Design');
    const { exitCode, stdout } = await command('status', '--workspace', w.root, '--json');
    expect(exitCode).toBe(2);
    expect(stdout).toContain('flow/missing');
  });
});

test.each([
  ['run', []],
  ['plan', []],
  ['explain', ['lint-cdc']],
])('%s says what works instead', async (name, args) => {
  const where = ['--workspace', baseFolder(), '--json'];
  const { exitCode, stdout } = await command(name, ...args, ...where);
  expect(exitCode).toBe(2);
  const document = JSON.parse(stdout);
  expect(validateAnswerRefusal(document)).toBe(true);
  expect(document.problems[0].remedy).toContain('check, status, decide, consequences');
});

test('what the engine dies of is one problem with its line, exit 2, for every command', async () => {
  const b = baseWorkspace();
  b.tryAsk(`${b.text()}5\n`);
  const where = ['--workspace', b.root, '--json'];
  for (const [name, ...args] of [
    ['check'],
    ['status'],
    ['decide'],
    ['consequences', 'a'],
    ['signoff', '--dry-run'],
  ] as const) {
    const { exitCode, stdout } = await command(name, ...args, ...where);
    expect(exitCode).toBe(2);
    const document = JSON.parse(stdout);
    expect(validateAnswerRefusal(document)).toBe(true);
    expect(document.problems).toMatchObject([{ file: 'events.jsonl', line: 22 }]);
  }
});

test('a file of the workspace that the engine dies of is exit 2 as well', async () => {
  const b = baseWorkspace();
  b.run('lint-cdc', 2, 'fail');
  b.write('Design/lint-cdc/result.json', '[]');
  b.write('events.jsonl', b.text());
  expect((await command('decide', '--workspace', b.root)).exitCode).toBe(2);
  expect((await command('status', '--workspace', b.root)).exitCode).toBe(0);
});

describe('check', () => {
  test('names what changed', async () => {
    const b = baseWorkspace();
    b.ask();
    b.write('Design/rtl-design/top.v', 'other');
    const { exitCode, stdout } = await command('check', '--workspace', b.root, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'not-proven',
      stages: {
        'lint-cdc': {
          status: 'stale',
          verdict: 'unknown',
          reason: 'since run 1: Design/rtl-design/top.v changed',
          run: 1,
          how: 'reused',
          needs: ['rtl-design', 'specification'],
          changes: [{ what: 'input', name: 'Design/rtl-design/top.v' }],
        },
      },
    });
  });

  test('says what we know better', async () => {
    const b = baseWorkspace();
    b.append(b.last('outcome', 'lint-cdc'));
    b.ask();
    const { exitCode, stdout } = await command('check', '--workspace', b.root);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('NOT PROVEN: veripower, 8 of 8 stages valid');
    expect(stdout).toContain('run 1 is ended on line 22, and was already on line 8');
  });
});

describe('decide', () => {
  test('in words', async () => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'fail', 'rtl-design');
    b.ask();
    const { exitCode, stdout } = await command('decide', '--workspace', b.root);
    expect(exitCode).toBe(0);
    expect(stdout).toBe('DISPATCH rtl-design (main-thread), to repair lint-cdc:2\n');
  });

  test('wakes a run', async () => {
    const b = baseWorkspace();
    b.append(b.start('lint-cdc', 2));
    b.ask();
    const where = ['--workspace', b.root];
    expect((await command('decide', ...where)).stdout).toBe('YIELD: lint-cdc:2 in flight\n');
    const woken = await command('decide', '--wake', 'lint-cdc:2', ...where);
    expect(woken.stdout).toBe('REAP lint-cdc:2\n');
    expect((await command('decide', '--wake', 'lint-cdc', ...where)).exitCode).toBe(2);
  });
});

describe('signoff', () => {
  test('writes nothing: without --dry-run it is refused', async () => {
    const { exitCode } = await command('signoff', '--workspace', baseFolder());
    expect(exitCode).toBe(2);
  });

  test('tells on stderr what we know better', async () => {
    const b = baseWorkspace();
    b.write('Design/rtl-design/X.V', 'x');
    b.ask();
    const answer = await command('signoff', '--dry-run', '--json', '--workspace', b.root);
    expect(answer.exitCode).toBe(0);
    expect(JSON.parse(answer.stdout)).toEqual({ ok: true, reason: null });
    expect(answer.stderr.join()).toContain('X.V');
  });
});

describe('a flow of ours', () => {
  function own(): string {
    const w = new PresetWorkspace();
    w.write('a.txt', 'a');
    w.write(
      'signoff.yaml',
      [
        'stages:',
        '  look:',
        '    run: "true"',
        '    inputs: [a.txt]',
        '    outputs: [b.txt]',
        '    evidence: exit-code',
        '  read:',
        '    by: person',
        '    inputs: [b.txt]',
      ].join('\n'),
    );
    return w.root;
  }

  test('decide names what run would begin with', async () => {
    const { exitCode, stdout } = await command('decide', '--workspace', own(), '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ action: 'DISPATCH', rule: 'look', execution: 'task' });
  });

  test('consequences of a path that no valid conclusion rests on', async () => {
    const { exitCode, stdout } = await command(
      'consequences',
      'a.txt',
      '--workspace',
      own(),
      '--json',
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ paths: { 'a.txt': [] } });
  });

  test('signoff is refused', async () => {
    const { exitCode } = await command('signoff', '--dry-run', '--workspace', own());
    expect(exitCode).toBe(2);
  });
});

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ActionInputs, readInputs } from '../../src/action/inputs.ts';

function inputsOf(given: Readonly<Record<string, string>>): ReturnType<typeof readInputs> {
  const variables = Object.entries(given).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ]);
  return readInputs({ PATH: '/bin', ...Object.fromEntries(variables) });
}

/** The problems as one text. */
function complaintsOf(given: Readonly<Record<string, string>>): string {
  const inputs = inputsOf(given);
  if (inputs.ok) throw new Error('nothing was found wrong');
  return inputs.error.map(({ message, remedy }) => `${message}. ${remedy}`).join('\n');
}

const DEFAULTS: ActionInputs = {
  workspaces: ['.'],
  flow: undefined,
  mode: 'run',
  stages: [],
  cache: 'auto',
  cacheDirectory: undefined,
  restore: 'auto',
  trust: 'base',
  base: undefined,
  acceptLabel: 'signoff-gate: judging accepted',
  labels: [],
  deadlines: { lookupMs: 60_000, transferMs: 600_000 },
  concurrency: availableParallelism(),
  passEnv: [],
  summary: true,
  annotations: true,
  report: undefined,
};

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: object;
}

const actionFile = parse(
  readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'),
) as ActionFile;

describe('the inputs', () => {
  test('that action.yml declares are those that are read, with the same defaults', () => {
    const given = Object.entries(actionFile.inputs).map(([name, input]) => [
      name,
      input.default ?? '',
    ]);
    expect(inputsOf(Object.fromEntries(given))).toEqual({ ok: true, value: DEFAULTS });
    expect(inputsOf({})).toEqual({ ok: true, value: DEFAULTS });
    expect(Object.keys(actionFile.inputs).sort()).toEqual(
      (/Inputs: (.*)\.$/.exec(complaintsOf({ zzzzzzzzzz: '1' }))?.[1] ?? '').split(', ').sort(),
    );
  });

  test('are taken as they are meant', () => {
    const inputs = inputsOf({
      workspace: ' ip/a \r\n\nip/*\nip/a\n',
      flow: 'flows/a.yaml',
      mode: 'check',
      stages: 'lint, synth\n timing',
      cache: 'directory',
      'cache-dir': '/cache',
      restore: 'never',
      base: 'origin/main',
      'accept-label': 'flow: reviewed',
      labels: 'a b\nc\n',
      'cache-lookup-seconds': '0.5',
      'cache-transfer-seconds': '30',
      concurrency: '3',
      'pass-env': 'PDK_ROOT LM_LICENSE_FILE',
      summary: 'false',
      annotations: 'false',
      report: 'out/gate.xml',
    });
    expect(inputs).toEqual({
      ok: true,
      value: {
        workspaces: ['ip/a', 'ip/*'],
        flow: 'flows/a.yaml',
        mode: 'check',
        stages: ['lint', 'synth', 'timing'],
        cache: 'directory',
        cacheDirectory: '/cache',
        restore: 'never',
        trust: 'base',
        base: 'origin/main',
        acceptLabel: 'flow: reviewed',
        labels: ['a b', 'c'],
        deadlines: { lookupMs: 500, transferMs: 30_000 },
        concurrency: 3,
        passEnv: ['PDK_ROOT', 'LM_LICENSE_FILE'],
        summary: false,
        annotations: false,
        report: 'out/gate.xml',
      },
    });
  });

  test.each([
    [{ mode: 'Run' }, 'the input `mode` is `Run`. It takes one of run, check, plan.'],
    [{ cache: 'yes' }, 'It takes one of auto, github, directory, off.'],
    [{ restore: 'true' }, 'It takes one of auto, always, never.'],
    [{ trust: 'yes' }, 'It takes one of base, log, none.'],
    [{ summary: 'yes' }, 'It takes one of true, false.'],
    [{ annotations: 'TRUE' }, 'It takes one of true, false.'],
    [{ concurrency: '0' }, 'It takes a whole number from 1 to 1024.'],
    [{ concurrency: '1.5' }, 'It takes a whole number from 1 to 1024.'],
    [{ concurrency: '0x10' }, 'It takes a whole number from 1 to 1024.'],
    [{ concurrency: '4 cores' }, 'It takes a whole number from 1 to 1024.'],
    [{ concurrency: 'Infinity' }, 'It takes a whole number from 1 to 1024.'],
    [{ concurrency: '-1' }, 'It takes a whole number from 1 to 1024.'],
    [{ 'cache-lookup-seconds': '1e3' }, 'It takes a number from 0.1 to 3600.'],
    [{ 'cache-transfer-seconds': '0' }, 'It takes a number from 0.1 to 86400.'],
    [{ 'cache-dir': '/c' }, 'It goes with `cache: directory` only.'],
    [{ workspaces: 'a' }, 'there is no input `workspaces`. Did you mean `workspace`?'],
    [{ pass_env: 'A' }, 'there is no input `pass_env`. Did you mean `pass-env`?'],
  ])('%o is an error that says what is allowed', (given, complaint) => {
    expect(complaintsOf(given)).toContain(complaint);
  });

  test('that are wrong are told all at once', () => {
    expect(complaintsOf({ mode: 'x', cache: 'y', nothing: 'z' }).split('\n')).toHaveLength(3);
  });
});

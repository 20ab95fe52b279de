import { describe, expect, it } from 'vitest';
import { isAlive, onLinux } from '../process/helpers.ts';
import { checkPass, prove, runPass, stageIn } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

const DEADLINE_MS = 600;
/** Every run settles within 3 s of its deadline; a busy machine gets some more to notice it. */
const SETTLED_MS = DEADLINE_MS + 3_000 + 2_000;

function stageThat(does: string, deadlineMs = DEADLINE_MS): TestWorkspace {
  return makeWorkspace({
    flow: `stages:
  lint:
    uses: ./lint.sh
    inputs: [a.v]
    outputs: [lint.rpt]
    timeout-minutes: ${deadlineMs / 60_000}
`,
    files: { 'a.v': 'a\n', 'lint.rpt': 'old\n' },
    engines: { 'lint.sh': { does: `echo new > lint.rpt\n${does}` } },
  });
}

async function expectBlocked(workspace: TestWorkspace, reason: RegExp): Promise<void> {
  const pass = await runPass(workspace);
  expect(workspace.startsOf('lint.sh')).toBe(1);
  expect(pass.answer.verdict).toBe('not-proven');
  expect(stageIn(pass, 'lint')).toMatchObject({
    status: 'blocked',
    verdict: 'unknown',
    how: 'ran',
  });
  expect(stageIn(pass, 'lint').reason).toMatch(reason);
  expect(workspace.read('lint.rpt')).toBe('old\n');
  expect(checkPass(workspace).answer.verdict).toBe('not-proven');
}

describe.concurrent('an engine that does not end', () => {
  it.each([
    ['says nothing', 'exec sleep 60'],
    ['says that all is well first', `${SAYS_CLEAN}\nexec sleep 60`],
    ['prints on stdout for ever', 'while :; do echo "{}"; done'],
    ['prints on stderr for ever', 'while :; do echo words >&2; done'],
    ['prints half a line on stderr for ever', 'while :; do printf x >&2; done'],
    ['ignores SIGTERM', `trap '' TERM\n${SAYS_CLEAN}\nwhile :; do sleep 0.1; done`],
    ['stops itself', `${SAYS_CLEAN}\nkill -STOP $$`],
  ])('is ended at its deadline when it %s', async (_, does) => {
    const workspace = stageThat(does);
    await expectBlocked(workspace, /engine_timeout: tiny did not end within 0\.6 s/);
    const { duration_ms: duration = 0 } = workspace.outcome('lint');
    expect(duration).toBeGreaterThanOrEqual(DEADLINE_MS);
    expect(duration).toBeLessThan(SETTLED_MS);
  });

  it('is ended when it prints more than there is room for', async () => {
    const workspace = stageThat('exec head -c 70000000 /dev/zero', 30_000);
    await expectBlocked(workspace, /output_too_large/);
  });
});

describe.concurrent('an engine that leaves something behind', () => {
  const LONG_DEADLINE_MS = 60_000;
  const left = (workspace: TestWorkspace): number[] => workspace.noted('pids').map(Number);

  it.runIf(onLinux).each([
    ['a child that holds its output', 'sleep 60 & echo $! >> PIDS'],
    [
      'a child that ignores signals',
      'sh -c \'trap "" TERM HUP; echo $$ >> PIDS; sleep 60\' &\nsleep 0.1',
    ],
    [
      'a child in a session of its own',
      "setsid sh -c 'echo $$ >> PIDS; exec sleep 60' &\nsleep 0.3",
    ],
    [
      'a daemon that lets go of everything',
      "setsid sh -c 'echo $$ >> PIDS; exec sleep 60' < /dev/null > /dev/null 2>&1 &\nsleep 0.3",
    ],
    [
      'a daemon of a daemon',
      'setsid sh -c \'setsid sh -c "echo \\$\\$ >> PIDS; exec sleep 60" &\' &\nsleep 0.3',
    ],
  ])('%s: it is ended, and the result counts', async (_, does) => {
    const workspace = stageThat('', LONG_DEADLINE_MS);
    const pids = `'${workspace.outside}/pids'`;
    workspace.engine('lint.sh', {
      does: `echo new > lint.rpt\n${does.replaceAll('PIDS', pids.replaceAll("'", ''))}\n${SAYS_CLEAN}`,
    });
    const started = performance.now();
    await prove(workspace);
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(left(workspace)).toHaveLength(1);
    expect(left(workspace).filter(isAlive)).toEqual([]);
  });

  it('a child that writes its output after it: too late to count', async () => {
    const workspace = stageThat('', LONG_DEADLINE_MS);
    workspace.engine('lint.sh', {
      does: `(sleep 2; echo late > lint.rpt) & ${SAYS_CLEAN}`,
    });
    await expectBlocked(workspace, /lint\.rpt did not come back/);
  });
});

describe.concurrent('an engine whose answer is no one clear answer', () => {
  it.each([
    ['nothing', ':', /output_unparsable/],
    ['an empty line', 'echo', /output_unparsable/],
    ['words', 'echo all clean', /output_unparsable/],
    ['a verdict twice', `echo '{"clean":false,"clean":true}'`, /stands twice/],
    [
      'a verdict twice, once escaped',
      `printf '%s' '{"clean":false,"cl\\u0065an":true}'`,
      /stands twice/,
    ],
    ['two objects', `${SAYS_CLEAN}; ${SAYS_CLEAN}`, /not one JSON value/],
    ['an object and words', `${SAYS_CLEAN}; echo done`, /not one JSON value/],
    ['words and an object', `echo reading; ${SAYS_CLEAN}`, /not one JSON value/],
    ['a byte order mark', `printf '\\357\\273\\277'; ${SAYS_CLEAN}`, /not one JSON value/],
    ['half a character', `printf '{"clean": true, "name": "\\303"}'`, /not valid UTF-8/],
    [
      'half a surrogate pair',
      `printf '%s' '{"clean": true, "name": "\\ud800"}'`,
      /half a character/,
    ],
    ['UTF-16', `${SAYS_CLEAN} | sed 's/./&\\x00/g'`, /output_unparsable/],
    ['NaN', `echo '{"clean": true, "checked": NaN}'`, /not one JSON value/],
    ['a number without end', `echo '{"clean": true, "checked": 1e999}'`, /out of range/],
    ['an object that is cut', `echo '{"clean": true, "checked": 3'`, /not one JSON value/],
    ['a list', `echo '[{"clean": true}]'`, /not an object/],
    ['true', 'echo true', /not an object/],
    ['null', 'echo null', /not an object/],
    ['a comma too many', `echo '{"clean": true,}'`, /not one JSON value/],
    [
      'lists within lists within lists',
      `head -c 100000 /dev/zero | tr '\\0' '['`,
      /output_unparsable/,
    ],
    ['no verdict', `echo '{"checked": 3}'`, /'clean' is absent/],
    ['a verdict that is null', `echo '{"clean": null}'`, /null/],
    ['a word for the verdict', `echo '{"clean": "true"}'`, /wrong type/],
    ['1 for the verdict', `echo '{"clean": 1}'`, /wrong type/],
    ['a verdict in a prototype', `echo '{"__proto__": {"clean": true}}'`, /'clean' is absent/],
    ['a verdict in capitals', `echo '{"Clean": true}'`, /'clean' is absent/],
    ['an answer on stderr', `${SAYS_CLEAN} >&2`, /output_unparsable/],
    [
      'an answer, and an exit code that takes it back',
      `${SAYS_CLEAN}; exit 1`,
      /exited with code 1/,
    ],
    ['an answer, and a signal', `${SAYS_CLEAN}; kill -SEGV $$`, /engine_signal/],
    [
      'a fail, and an exit code that is none of a verdict',
      `echo '{"clean": false}'; exit 2`,
      /exited with code 2/,
    ],
    [
      'coverage that is not whole',
      `echo '{"clean": true, "coverage": 0.99}'`,
      /coverage incomplete/,
    ],
  ])('%s', async (_, does, reason) => {
    await expectBlocked(stageThat(does, 30_000), reason);
  });

  it('but white space around one object is none of it', async () => {
    await prove(stageThat(`printf '\\n\\t '; ${SAYS_CLEAN}; echo`, 30_000));
  });
});

describe.concurrent('an engine that describes itself badly', () => {
  it.each([
    ['prints no JSON', 'echo I am a tool', /no JSON object/],
    ['exits with an error', 'exit 4', /exited with code 4/],
    ['describes itself twice', `echo '{"invocation": {"args_template": []}} {}'`, /no JSON object/],
    ['has no template', `echo '{"name": "tiny"}'`, /args_template/],
  ])('%s: it cannot be run', async (_, describes, reason) => {
    const workspace = stageThat(SAYS_CLEAN, 30_000);
    workspace.write(
      'lint.sh',
      `#!/bin/sh\n[ "$1" = --describe ] && { ${describes}; exit; }\n${SAYS_CLEAN}\n`,
    );
    const pass = await runPass(workspace);
    expect(pass.problems).toMatchObject([{ code: 'engine/no-descriptor', stage: 'lint' }]);
    expect(pass.problems[0]?.message).toMatch(reason);
    expect(stageIn(pass, 'lint')).toMatchObject({ status: 'missing', how: 'not-run' });
  });

  it.each([
    ['an assertion that is malformed', { assertion: { id: 'clean', field: 'clean' } }, /dropped/],
    [
      'an operator that nobody knows',
      { assertion: { id: 'a', field: 'clean', pass_when: { not: true } } },
      /not known/,
    ],
    ['no assertion', { assertion: undefined }, /no assertion is declared/],
    ['a maturity that claims nothing', { maturity: 'discovered' }, /discovered/],
    ['a maturity that nobody knows', { maturity: 'excellent' }, /discovered/],
    ['no maturity', { maturity: undefined }, /discovered/],
  ])('%s: it runs and nothing is concluded', async (_, descriptor, reason) => {
    const workspace = stageThat(SAYS_CLEAN, 30_000);
    workspace.engine('lint.sh', { does: `echo new > lint.rpt; ${SAYS_CLEAN}`, descriptor });
    await expectBlocked(workspace, reason);
  });
});

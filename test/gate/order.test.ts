import { describe, expect, it } from 'vitest';
import { deedsIn, prove, runPass, stageIn, statusesIn } from '../support/gate.ts';
import {
  judges,
  makeWorkspace,
  SAYS_CLEAN,
  SAYS_DIRTY,
  type TestWorkspace,
} from '../support/workspace.ts';

/** rtl → synth → timing and power; lint and docs beside them. */
function chain(): TestWorkspace {
  return makeWorkspace({
    flow: `stages:
  lint:
    uses: ./lint.sh
    inputs: [rtl/*.v]
  synth:
    uses: ./synth.sh
    inputs: [rtl/*.v]
    outputs: [net.v]
  timing:
    uses: ./timing.sh
    inputs: [net.v]
    outputs: [timing.rpt]
  power:
    uses: ./power.sh
    inputs: [timing.rpt]
  docs:
    uses: ./docs.sh
    inputs: [docs/**]
`,
    files: { 'rtl/a.v': 'module a;\n', 'docs/a.md': 'words\n' },
    engines: {
      'lint.sh': { does: judges('rtl/a.v') },
      'synth.sh': { does: `grep -v comment rtl/a.v > net.v\n${judges('rtl/a.v')}` },
      'timing.sh': { does: `cp net.v timing.rpt\n${SAYS_CLEAN}` },
      'power.sh': { does: SAYS_CLEAN },
      'docs.sh': { does: SAYS_CLEAN },
    },
  });
}

const ENGINES = ['lint.sh', 'synth.sh', 'timing.sh', 'power.sh', 'docs.sh'];

function startsIn(workspace: TestWorkspace): number[] {
  return ENGINES.map((engine) => workspace.startsOf(engine));
}

describe.concurrent('a pass over stages that depend on one another', () => {
  it('runs each once, producers before consumers, and then nothing any more', async () => {
    const workspace = chain();
    await prove(workspace);
    expect(startsIn(workspace)).toEqual([1, 1, 1, 1, 1]);
    const order = workspace.noted('starts');
    expect(order.indexOf('synth.sh')).toBeLessThan(order.indexOf('timing.sh'));
    expect(order.indexOf('timing.sh')).toBeLessThan(order.indexOf('power.sh'));

    const again = await runPass(workspace);
    expect(again.answer).toMatchObject({ verdict: 'proven', counts: { ran: 0, reused: 5 } });
    expect(startsIn(workspace)).toEqual([1, 1, 1, 1, 1]);
  });

  it('does not run what needs a stage that failed, says so, and goes on with the rest', async () => {
    const workspace = chain();
    workspace.write('rtl/a.v', 'BUG\n');
    const pass = await runPass(workspace, { concurrency: 1 });
    expect(statusesIn(pass)).toEqual({
      lint: 'failed',
      synth: 'failed',
      timing: 'missing',
      power: 'missing',
      docs: 'valid',
    });
    expect(deedsIn(pass)).toMatchObject({ timing: 'not-run', power: 'not-run', docs: 'ran' });
    expect(stageIn(pass, 'timing').reason).toBe(
      'not run: it needs synth, which is failed (it has not been run)',
    );
    expect(stageIn(pass, 'power').reason).toContain('it needs timing, which is missing');
    expect(pass.answer.verdict).toBe('not-proven');
    expect(startsIn(workspace)).toEqual([1, 1, 0, 0, 1]);
  });

  it('does not run what needs a stage that reached no conclusion', async () => {
    const workspace = chain();
    workspace.engine('synth.sh', { does: 'echo x > net.v; echo no json' });
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toMatchObject({ synth: 'blocked', timing: 'missing', lint: 'valid' });
    expect(stageIn(pass, 'timing').reason).toContain('it needs synth, which is blocked');
    expect(workspace.has('net.v')).toBe(false);
    expect(workspace.startsOf('timing.sh')).toBe(0);
  });

  it('does not hold by a consumer that was valid before its producer failed', async () => {
    const workspace = chain();
    await prove(workspace);
    workspace.write('rtl/a.v', 'module a; BUG\n');
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toMatchObject({ synth: 'failed', timing: 'stale' });
    expect(stageIn(pass, 'timing').reason).toMatch(/^not run: it needs synth.*net\.v changed/);
    expect(workspace.startsOf('timing.sh')).toBe(1);
  });

  it('does not run a consumer again when its producer writes the same bytes', async () => {
    const workspace = chain();
    await prove(workspace);
    workspace.write('rtl/a.v', 'module a;\n// a comment\n');
    const pass = await runPass(workspace);
    expect(pass.answer.verdict).toBe('proven');
    expect(deedsIn(pass)).toEqual({
      lint: 'ran',
      synth: 'ran',
      timing: 'reused',
      power: 'reused',
      docs: 'reused',
    });
    expect(startsIn(workspace)).toEqual([2, 2, 1, 1, 1]);
  });

  it('runs a consumer again when its producer writes other bytes', async () => {
    const workspace = chain();
    await prove(workspace);
    workspace.write('rtl/a.v', 'module b;\n');
    await prove(workspace);
    expect(startsIn(workspace)).toEqual([2, 2, 2, 2, 1]);
  });

  it('makes a lost output anew, and only that', async () => {
    const workspace = chain();
    await prove(workspace);
    workspace.remove('timing.rpt');
    await prove(workspace);
    expect(startsIn(workspace)).toEqual([1, 1, 2, 1, 1]);
  });
});

describe.concurrent('`run` with names', () => {
  it('runs those and what they need, and judges all', async () => {
    const workspace = chain();
    const pass = await runPass(workspace, { only: ['timing'] });
    expect(statusesIn(pass)).toEqual({
      lint: 'missing',
      synth: 'valid',
      timing: 'valid',
      power: 'missing',
      docs: 'missing',
    });
    expect(pass.answer.verdict).toBe('not-proven');
    expect(stageIn(pass, 'lint').reason).toBe(
      'not run: it was not asked for (it has not been run)',
    );
    expect(startsIn(workspace)).toEqual([0, 1, 1, 0, 0]);
  });

  it('is proven when all the rest holds already', async () => {
    const workspace = chain();
    await prove(workspace);
    workspace.write('docs/a.md', 'other\n');
    const pass = await runPass(workspace, { only: ['docs'] });
    expect(pass.answer).toMatchObject({ verdict: 'proven', counts: { ran: 1 } });
  });

  it('leaves what is stale and not named as it is', async () => {
    const workspace = chain();
    await prove(workspace);
    workspace.write('docs/a.md', 'other\n');
    const pass = await runPass(workspace, { only: ['lint'] });
    expect(pass.answer.verdict).toBe('not-proven');
    expect(statusesIn(pass)).toMatchObject({ docs: 'stale', lint: 'valid' });
    expect(startsIn(workspace)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe.concurrent('`after`', () => {
  const flow = (docsAfter: string): string => `stages:
  lint: { uses: ./lint.sh, inputs: [a.v] }
  docs: { uses: ./docs.sh, inputs: [b.v], after: [${docsAfter}] }
`;

  function pair(lint: string): TestWorkspace {
    return makeWorkspace({
      flow: flow('lint'),
      files: { 'a.v': 'a\n', 'b.v': 'b\n' },
      engines: { 'lint.sh': { does: lint }, 'docs.sh': { does: SAYS_CLEAN } },
    });
  }

  it('is an order: nothing of the later runs beside the earlier', async () => {
    const workspace = pair(`sleep 0.3; ${SAYS_CLEAN}`);
    await prove(workspace);
    const [first, , second] = workspace.log().map(({ type, rule }) => `${type} ${rule}`);
    expect([first, second]).toEqual(['dispatch lint', 'dispatch docs']);
  });

  it('is only an order: a failure of the earlier does not hold the later', async () => {
    const workspace = pair(SAYS_DIRTY);
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toEqual({ lint: 'failed', docs: 'valid' });
  });

  it('makes nothing stale', async () => {
    const workspace = pair(judges('a.v'));
    await prove(workspace);
    workspace.write('a.v', 'other\n');
    await prove(workspace);
    expect(workspace.startsOf('docs.sh')).toBe(1);
  });
});

describe.concurrent('concurrency', () => {
  /** Six engines that note their coming and going, and wait until as many run as may at once. */
  function six(concurrency: number): TestWorkspace {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const workspace = makeWorkspace({
      flow: `stages:\n${names.map((name) => `  ${name}: { uses: ./${name}.sh, inputs: [x] }\n`).join('')}`,
      files: { x: 'x\n' },
    });
    const journal = `${workspace.outside}/journal`;
    for (const name of names) {
      workspace.engine(`${name}.sh`, {
        does: `echo + >> '${journal}'
begun() { grep -c + '${journal}'; }
wanted=$(( ($(begun) + ${concurrency} - 1) / ${concurrency} * ${concurrency} ))
patience=600
until [ "$(begun)" -ge "$wanted" ] || [ "$patience" = 0 ]; do
  patience=$((patience - 1)); sleep 0.05
done
sleep 0.1; echo - >> '${journal}'; ${SAYS_CLEAN}`,
      });
    }
    return workspace;
  }

  function mostAtOnce(workspace: TestWorkspace): number {
    let now = 0;
    return Math.max(...workspace.noted('journal').map((line) => (now += line === '+' ? 1 : -1)));
  }

  it.each([1, 2, 3])('of %i is never exceeded, and used', async (concurrency) => {
    const workspace = six(concurrency);
    const pass = await runPass(workspace, { concurrency });
    expect(pass.answer).toMatchObject({ verdict: 'proven', counts: { ran: 6 } });
    expect(workspace.noted('journal')).toHaveLength(12);
    expect(mostAtOnce(workspace)).toBe(concurrency);
  });
});

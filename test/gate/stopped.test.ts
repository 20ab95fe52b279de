import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { codesIn, deedsIn, runPass, stageIn, statusesIn } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN } from '../support/workspace.ts';

describe.concurrent('a pass that is stopped', () => {
  it.each([1, 2, 3])(
    'settles every stage, those that never began too: %i at once',
    async (concurrency) => {
      const workspace = makeWorkspace({
        flow: `stages:
  first: { uses: ./slow.sh, inputs: [a.v], outputs: [b.v] }
  second: { uses: ./slow.sh, inputs: [b.v] }
  third: { uses: ./slow.sh, inputs: [a.v], after: [first] }
  free: { uses: ./slow.sh, inputs: none, after: [third] }
`,
        files: { 'a.v': 'a' },
        engines: { 'slow.sh': { does: `${SAYS_CLEAN}\nexec sleep 60` } },
      });
      const stop = new AbortController();
      const pass = await runPass(workspace, {
        concurrency,
        signal: stop.signal,
        onEvent: ({ kind }) => kind === 'stage-started' && stop.abort(),
      });
      expect(pass.answer.verdict).toBe('not-proven');
      expect(codesIn(pass)).toEqual(['gate/interrupted']);
      expect(statusesIn(pass)).toEqual({
        first: 'blocked',
        second: 'missing',
        third: 'missing',
        free: 'missing',
      });
      expect(deedsIn(pass)).toMatchObject({ second: 'not-run', third: 'not-run', free: 'not-run' });
      expect(workspace.log().map(({ type }) => type)).toEqual(['dispatch', 'outcome']);
    },
  );

  it('while an engine hangs in describing itself does not wait for it', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
      files: { 'a.v': 'a' },
    });
    const asked = `${workspace.outside}/asked`;
    const script = `#!/bin/sh\necho $1 >> '${asked}'\nexec sleep 60\n`;
    workspace.write('lint.sh', (path) => writeFileSync(path, script, { mode: 0o755 }));
    const stop = new AbortController();
    const running = runPass(workspace, { signal: stop.signal });
    while (workspace.noted('asked').length < 2) await sleep(5);
    const stopped = performance.now();
    stop.abort();
    const pass = await running;
    expect(performance.now() - stopped).toBeLessThan(8_000);
    expect(codesIn(pass)).toEqual(['gate/interrupted']);
    expect(stageIn(pass, 'lint')).toMatchObject({ status: 'missing', how: 'not-run' });
    expect(stageIn(pass, 'lint').reason).toContain('the gate was stopped');
    expect(workspace.log()).toEqual([]);
  });

  it('before it began runs nothing', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
      files: { 'a.v': 'a' },
      engines: { 'lint.sh': { does: SAYS_CLEAN } },
    });
    const refused = await runPass(workspace, { signal: AbortSignal.abort() }).catch(String);
    expect(refused).toContain('gate/interrupted');
    expect(workspace.startsOf('lint.sh')).toBe(0);
  });
});

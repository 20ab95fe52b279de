import { expect, it } from 'vitest';
import { prove, runPass, stageIn } from '../support/gate.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Counts the lines of a file, and passes. */
const COUNTS = `echo "{\\"clean\\": true, \\"lines\\": $(wc -l < a.v), \\"note\\": \\"x\\"}"`;

it('the figures of a run stand beside those of the last pass before it', async () => {
  const workspace = makeWorkspace({
    flow: 'stages:\n  count: { uses: ./count.sh, inputs: [a.v] }\n',
    files: { 'a.v': '1\n2\n3\n' },
    engines: { 'count.sh': { does: COUNTS } },
  });
  expect(stageIn(await prove(workspace), 'count').figures).toEqual({ lines: { value: 3 } });
  workspace.write('a.v', '1\n2\n3\n4\n5\n');
  const second = await runPass(workspace);
  expect(stageIn(second, 'count').figures).toEqual({ lines: { value: 5, before: 3 } });
  // What is reused still says what it was compared with.
  const third = await runPass(workspace);
  expect(stageIn(third, 'count').how).toBe('reused');
  expect(stageIn(third, 'count').figures).toEqual({ lines: { value: 5, before: 3 } });
});

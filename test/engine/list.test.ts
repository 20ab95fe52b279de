import { describe, expect, test } from 'vitest';
import { listEngines } from '../../src/engine/list.ts';
import type { EngineAnswer } from '../../src/generated/documents.ts';
import { descriptor, engineRoom, type Script, writeEngine } from '../support/engine-room.ts';

async function listed(script: Script | undefined): Promise<EngineAnswer> {
  const room = engineRoom();
  if (script) writeEngine(room, 'vyges-probe', script);
  const [answer] = await listEngines(['probe'], {
    workspace: room.root,
    searchPath: room.searchPath,
  });
  if (!answer) expect.fail('nothing was listed');
  return answer;
}

describe.concurrent('the introduction of an engine', () => {
  test('says what it is, what it may claim and what it leaves out', async () => {
    const answer = await listed({
      describe: descriptor({ consumes: ['gds'], artifacts: [{ role: 'drc_report', field: 'r' }] }),
      version: 'vyges-probe 0.1.2 (abc)\n',
    });
    expect(answer).toEqual({
      uses: 'probe',
      name: 'probe',
      found: expect.stringMatching(/\/vyges-probe$/),
      version: '0.1.2',
      contract: '1.1',
      maturity: 'structured',
      assertion: 'clean',
      consumes: ['gds'],
      effect: 'read-only',
      limitations: ['input_hash covers the arguments, not what they name.'],
      problem: null,
    });
  });

  test.each<[string, Script | undefined, Partial<EngineAnswer>]>([
    ['is not there', undefined, { found: null, contract: 'none', problem: expect.any(String) }],
    [
      'has no descriptor',
      { describe: 'usage', describeExit: 2, version: 'probe 1.2.3' },
      { version: '1.2.3', contract: 'none', problem: expect.stringContaining('no descriptor') },
    ],
    [
      'speaks another major',
      { describe: descriptor({ schema: 'vyges-tool-descriptor/2.0' }) },
      { contract: 'none', problem: expect.stringContaining('2.0') },
    ],
    [
      'predates the format',
      { describe: { ...descriptor(), schema: undefined } },
      { contract: 'pre', assertion: 'clean', problem: null },
    ],
    [
      'has a malformed assertion',
      { describe: descriptor({ assertion: { id: 'clean' } }) },
      { assertion: null, problem: expect.stringContaining('dropped') },
    ],
    [
      'writes design data',
      { describe: descriptor({ artifacts: [{ role: 'netlist', field: 'n' }] }) },
      { effect: 'mutating' },
    ],
    [
      'writes a report and design data',
      {
        describe: descriptor({
          artifacts: [
            { role: 'timing_report', field: 'r' },
            { role: 'sdf', from_arg: 's' },
          ],
        }),
      },
      { effect: 'mutating' },
    ],
  ])('that %s', async (_, script, answer) => {
    expect(await listed(script)).toMatchObject(answer);
  });
});

import { expect, test } from 'vitest';
import { runPass } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN } from '../support/workspace.ts';

/** An engine that notes the files that it was given. */
const LINT = {
  does: `shift; printf '%s\\n' "$@" > seen; ${SAYS_CLEAN}`,
  descriptor: {
    invocation: { args_template: ['check', '{files}'], emits_json: false },
    inputs: { type: 'object', properties: { files: { type: 'array' } } },
    assertion: { id: 'linted', not_applicable: true },
  },
};

function lintFlow(inputs: string): string {
  return `stages:
  lint:
    uses: ./lint
    claims: none
    with: { files: ['rtl/**/*.v'] }
    inputs: ${inputs}
    outputs: [seen]
`;
}

const files = { 'rtl/core/a.v': 'a', 'rtl/io/b.v': 'b' };

test('a glob among the arguments is expanded over all files that the inputs select', async () => {
  const workspace = makeWorkspace({
    flow: lintFlow("['rtl/**/*.v']"),
    files,
    engines: { lint: LINT },
  });
  const { answer } = await runPass(workspace);
  expect(answer.stages['lint']?.status).toBe('valid');
  expect(workspace.read('seen')).toBe('rtl/core/a.v\nrtl/io/b.v\n');
});

test('a glob that reaches beyond the inputs is refused, not narrowed to what they select', async () => {
  const workspace = makeWorkspace({
    flow: lintFlow("['rtl/core/*.v']"),
    files,
    engines: { lint: LINT },
  });
  const { answer, problems } = await runPass(workspace);
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ['flow/unlisted-input', expect.stringContaining('rtl/io/b.v')],
  ]);
  expect(answer.stages['lint']?.status).toBe('missing');
  expect(workspace.has('seen')).toBe(false);
});

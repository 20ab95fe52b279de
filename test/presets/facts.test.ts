import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Answers,
  askWorkspace,
  baseWorkspace,
  diagnosis,
  type Event,
  type PresetWorkspace,
  reopen,
  signoff,
  stamp,
  valid,
} from './workspace.ts';

/** The statuses and answers of spec/06 §6.7, item by item, and beside them what the gate says. */

function table(event: Event, key: 'inputs' | 'outputs'): Record<string, unknown> {
  return event[key] as Record<string, unknown>;
}

function proof(event: Event): Record<string, unknown> {
  return (event.proofs as Record<string, unknown>[])[0] as Record<string, unknown>;
}

const NOT_VALID = (name: string): string => `signoff blocked: ${name} not valid`;
const PROPOSED = (name: string): string => `signoff blocked: ${name} oracle is proposed (pin it)`;
const NEW_INPUTS = (name: string, list: string): string =>
  `signoff blocked: ${name} has unverified new input(s) ${list}`;

function expectProven(answers: Answers): void {
  expect(answers.problems).toEqual([]);
  expect(answers.proven).toBe(true);
}

/** Not proven, for a reason that is told. */
function expectDoubt(answers: Answers, ...doubts: (string | RegExp)[]): void {
  for (const doubt of doubts) {
    expect(answers.problems).toContainEqual(
      typeof doubt === 'string' ? doubt : expect.stringMatching(doubt),
    );
  }
  expect(answers.proven).toBe(false);
}

function expectReference(
  answers: Answers,
  expected: { stages?: Record<string, string>; signedOff?: boolean; gate?: string | null },
): void {
  expect(answers.stages).toEqual(expected.stages ?? valid());
  expect(answers.signedOff).toBe(expected.signedOff ?? true);
  expect(answers.gate).toEqual(expected.gate ?? null);
}

test('B: all valid, signed off, gate clear, DONE, proven', () => {
  const answers = baseWorkspace().ask();
  expectReference(answers, {});
  expect(answers.decide).toEqual({ action: 'DONE' });
  expectProven(answers);
});

test('B without its signoff event is proven: a release needs one, a change does not', () => {
  const b = baseWorkspace();
  b.without(({ type }) => type === 'signoff');
  const answers = b.ask();
  expectReference(answers, { signedOff: false });
  expectProven(answers);
});

test('item 1: without pins', () => {
  const b = baseWorkspace();
  b.without(({ type }) => type === 'pin');
  const answers = b.ask();
  expectReference(answers, { gate: PROPOSED('specification') });
  expectDoubt(
    answers,
    /^specification: its oracle `spec-review` is proposed/,
    /^simulation-plan: its oracle `plan-review` is proposed/,
    /^rtl-design: its oracle `semantic-review` is proposed/,
    /^simulation: its oracle `tb-refmodel` is proposed/,
  );
});

test('item 2: a run in flight after the sign-off', () => {
  const b = baseWorkspace();
  b.append(b.start('lint-cdc', 2));
  const answers = b.ask();
  expectReference(answers, { stages: valid({ 'lint-cdc': 'in-flight' }) });
  expect(answers.decide).toEqual({ action: 'YIELD', in_flight: [{ rule: 'lint-cdc', run: 2 }] });
  expectDoubt(answers, /^lint-cdc: it is in-flight, and the proof of an earlier outcome/);
});

test('item 2: a diagnosis in flight has no cell, and is a doubt all the same', () => {
  const b = baseWorkspace();
  const workdir = 'Verification/simulation-triage/runs/1';
  b.append({ ...stamp('dispatch'), rule: 'simulation-triage', run: 1, workdir, params: {} });
  const answers = b.ask();
  expectReference(answers, {});
  expect(answers.decide).toMatchObject({ action: 'YIELD' });
  expectDoubt(answers, 'simulation-triage: run 1 was started and has no outcome');
});

test('item 3: a rerun that is blocked after the sign-off', () => {
  const b = baseWorkspace();
  b.run('lint-cdc', 2, 'blocked');
  const answers = b.ask();
  expectReference(answers, { stages: valid({ 'lint-cdc': 'blocked' }) });
  expect(answers.decide).toEqual({ action: 'DONE' });
  expectDoubt(answers, /^lint-cdc: it is blocked, and the proof of an earlier outcome/);
});

test('item 4: a rerun that fails', () => {
  const b = baseWorkspace();
  b.run('lint-cdc', 2, 'fail', 'rtl-design');
  const answers = b.ask();
  const expected = { stages: valid({ 'lint-cdc': 'failed' }), gate: NOT_VALID('lint-cdc') };
  expectReference(answers, { ...expected, signedOff: false });
  expect(answers.proven).toBe(false);
});

test('item 5: the outcome of an older run, repeated, covers a failure', () => {
  const b = baseWorkspace();
  const passed = b.last('outcome', 'lint-cdc');
  b.run('lint-cdc', 2, 'fail', 'rtl-design');
  b.envelope('lint-cdc', 'pass', {});
  b.append(passed);
  const answers = b.ask();
  expectReference(answers, {});
  expectDoubt(
    answers,
    /^lint-cdc: run 1 is ended on line \d+, and was already on line \d+$/,
    /^lint-cdc: the last outcome is of run 1, and run 2 was started or ended before it$/,
  );
});

describe('item 6: something new among the inputs', () => {
  const gate = NEW_INPUTS('lint-cdc', "['Design/rtl-design/extra.v']");

  test.each([
    ['extra.v', (b: PresetWorkspace) => b.write('Design/rtl-design/extra.v', 'x'), gate],
    [
      '.hid.v',
      (b: PresetWorkspace) => b.write('Design/rtl-design/.hid.v', 'x'),
      NEW_INPUTS('lint-cdc', "['Design/rtl-design/.hid.v']"),
    ],
    [
      'a link to a file',
      (b: PresetWorkspace) => b.link('Design/rtl-design/extra.v', 'top.v'),
      gate,
    ],
  ])('%s blocks the gate', (_, add, expected) => {
    const b = baseWorkspace();
    add(b);
    const answers = b.ask();
    expectReference(answers, { gate: expected });
    expectDoubt(
      answers,
      /^lint-cdc: 'Design\/rtl-design\/\S+' is an input that its proof does not know$/,
    );
  });

  test.each([
    ['X.V', (b: PresetWorkspace) => b.write('Design/rtl-design/X.V', 'x')],
    ['sub/x.v', (b: PresetWorkspace) => b.write('Design/rtl-design/sub/x.v', 'x')],
  ])('%s is nothing to the engine; the gate says that nobody recorded it', (path, add) => {
    const b = baseWorkspace();
    add(b);
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      `rtl-design: 'Design/rtl-design/${path}' is published and its outcome does not record it`,
    );
  });

  test.each([
    ['a folder', (b: PresetWorkspace) => b.folder('Design/rtl-design/dir.v')],
    ['a dangling link', (b: PresetWorkspace) => b.link('Design/rtl-design/dir.v', 'nowhere')],
  ])('%s is nothing to the engine; to the gate it is an input', (_, add) => {
    const b = baseWorkspace();
    add(b);
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      "lint-cdc: 'Design/rtl-design/dir.v' is an input that its proof does not know",
      "simulation: 'Design/rtl-design/dir.v' is an input that its proof does not know",
    );
  });
});

test('item 7: the list of new inputs is written as Python writes it', () => {
  const b = baseWorkspace();
  b.write("Design/rtl-design/it's.v", 'x');
  b.write('Design/rtl-design/é.v', 'x');
  const answers = b.ask();
  const gate = NEW_INPUTS('lint-cdc', `["Design/rtl-design/it's.v", 'Design/rtl-design/é.v']`);
  expectReference(answers, { gate });
  expect(answers.proven).toBe(false);
});

test('item 8: a new document of the specification', () => {
  const b = baseWorkspace();
  b.write('Design/specification/more.md', 'x');
  const answers = b.ask();
  const list = "['Design/specification/more.md']";
  expectReference(answers, { gate: NEW_INPUTS('simulation-plan', list) });
  expectDoubt(answers, /^rtl-design: 'Design\/specification\/more.md' is an input/);
});

test('item 9: a new file in the reference model', () => {
  const b = baseWorkspace();
  b.write('Verification/simulation/tb/uvm/refmodel/more.py', 'x');
  const answers = b.ask();
  const stages = valid({ 'power-analysis': 'stale' });
  expectReference(answers, { stages, signedOff: false, gate: PROPOSED('simulation') });
  expectDoubt(answers, /^simulation: its oracle `tb-refmodel` is proposed/);
});

test('item 9: a new folder beside it goes unnoticed by the engine', () => {
  const b = baseWorkspace();
  b.write('Verification/simulation/tb/uvm/more/x.sv', 'x');
  const answers = b.ask();
  expectReference(answers, {});
  expectDoubt(
    answers,
    "power-analysis: 'Verification/simulation/tb/uvm/more' is an input that its proof does not know",
    "simulation: 'Verification/simulation/tb/uvm/more/x.sv' is published and its outcome does not record it",
  );
});

describe('item 10: the requirements', () => {
  const expected = {
    stages: valid({ specification: 'stale' }),
    signedOff: false,
    gate: NOT_VALID('specification'),
  };

  test('edited', () => {
    const b = baseWorkspace();
    b.write('brainstorm.md', 'other\n');
    const answers = b.ask();
    expectReference(answers, expected);
    expect(answers.decide).toMatchObject({ action: 'DISPATCH', rule: 'specification' });
    expect(answers.proven).toBe(false);
  });

  test('deleted', () => {
    const b = baseWorkspace();
    b.remove('brainstorm.md');
    const answers = b.ask();
    expectReference(answers, expected);
    const reason = 'no eligible rule, none in-flight, not done';
    expect(answers.decide).toEqual({ action: 'ESCALATE', reason });
    expect(answers.proven).toBe(false);
  });
});

describe('item 11: a source', () => {
  const stale = {
    'rtl-design': 'stale',
    'lint-cdc': 'stale',
    synthesis: 'stale',
    simulation: 'stale',
  };
  const expected = { stages: valid(stale), signedOff: false, gate: NOT_VALID('rtl-design') };

  test('edited', () => {
    const b = baseWorkspace();
    b.write('Design/rtl-design/top.v', 'module top; wire x; endmodule\n');
    expectReference(b.ask(), expected);
  });

  test('replaced by a link to the same bytes', () => {
    const b = baseWorkspace();
    b.write('elsewhere.v', b.read('Design/rtl-design/top.v'));
    b.remove('Design/rtl-design/top.v');
    b.link('Design/rtl-design/top.v', '../../elsewhere.v');
    const answers = b.ask();
    expectReference(answers, expected);
    expect(answers.proven).toBe(false);
  });

  test('a link that was recorded as one does not bind what it leads to', () => {
    const b = baseWorkspace();
    b.write('elsewhere.v', b.read('Design/rtl-design/top.v'));
    b.remove('Design/rtl-design/top.v');
    b.link('Design/rtl-design/top.v', '../../elsewhere.v');
    for (const name of ['rtl-design', 'lint-cdc', 'synthesis', 'simulation'])
      b.run(name, 2, 'pass');
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      /^rtl-design: 'Design\/rtl-design\/top.v' is a link: its record binds where it leads/,
    );
  });
});

describe('item 12: outputs of lint', () => {
  const expected = {
    stages: valid({ 'lint-cdc': 'stale' }),
    signedOff: false,
    gate: NOT_VALID('lint-cdc'),
  };

  test.each([
    ['edited', (b: PresetWorkspace) => b.write('Design/lint-cdc/lint-report.txt', 'x')],
    ['deleted', (b: PresetWorkspace) => b.remove('Design/lint-cdc/lint-report.txt')],
    ['its envelope edited', (b: PresetWorkspace) => b.write('Design/lint-cdc/result.json', '{}')],
  ])('%s', (_, change) => {
    const b = baseWorkspace();
    change(b);
    expectReference(b.ask(), expected);
  });

  test('mode and times are no change', () => {
    const b = baseWorkspace();
    chmodSync(join(b.root, 'Design/lint-cdc/lint-report.txt'), 0o755);
    utimesSync(join(b.root, 'Design/lint-cdc/cdc-report.txt'), 1, 1);
    const answers = b.ask();
    expectReference(answers, {});
    expectProven(answers);
  });

  test('one more is no change to the engine; the gate says that nobody recorded it', () => {
    const b = baseWorkspace();
    b.write('Design/lint-cdc/more.txt', 'x');
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      "lint-cdc: 'Design/lint-cdc/more.txt' is published and its outcome does not record it",
    );
  });

  test('what lies in the folders of runs is history', () => {
    const b = baseWorkspace();
    b.write('Design/lint-cdc/runs/1/more.txt', 'x');
    expectProven(b.ask());
  });
});

describe('item 13: reopening an oracle', () => {
  const stale = {
    stages: valid({ specification: 'stale' }),
    signedOff: false,
    gate: NOT_VALID('specification'),
  };

  test('ends the proof; a pin brings it back, and the old sign-off with it', () => {
    const b = baseWorkspace();
    b.append(reopen('spec-review'));
    expectReference(b.ask(), stale);
    b.append(b.pin('specification'));
    const answers = b.ask();
    expectReference(answers, {});
    expectProven(answers);
  });

  test('a new pass without a pin is valid, and the gate is not clear', () => {
    const b = baseWorkspace();
    b.append(reopen('spec-review'));
    b.run('specification', 2, 'pass');
    const answers = b.ask();
    expectReference(answers, { gate: PROPOSED('specification') });
    expectDoubt(answers, /^specification: its oracle `spec-review` is proposed/);
  });

  test('a repeated outcome of the old run brings nothing back', () => {
    const b = baseWorkspace();
    b.append(reopen('spec-review'), b.last('outcome', 'specification'));
    expectReference(b.ask(), stale);
  });

  test('between the start of a run and its outcome', () => {
    const b = baseWorkspace();
    b.append(b.start('specification', 2), reopen('spec-review'));
    b.append(b.end('specification', 2, 'pass'));
    expectReference(b.ask(), stale);
  });
});

describe('item 14: reopening by hand', () => {
  test('the tool of two stages ends both', () => {
    const b = baseWorkspace();
    b.append(reopen('pt-shell'));
    const stages = valid({ 'timing-analysis': 'stale', 'power-analysis': 'stale' });
    expectReference(b.ask(), { stages, signedOff: false, gate: NOT_VALID('timing-analysis') });
  });

  test('an unknown oracle is nothing', () => {
    const b = baseWorkspace();
    b.append(reopen('nobody'));
    const answers = b.ask();
    expectReference(answers, {});
    expectProven(answers);
  });
});

describe('item 15: pins', () => {
  test('only the newest counts', () => {
    const b = baseWorkspace();
    b.append(b.pin('specification', `sha256:${'0'.repeat(64)}`));
    const answers = b.ask();
    expectReference(answers, { gate: PROPOSED('specification') });
    expectDoubt(answers, /^specification: its oracle/);
  });

  test('a second review changes what is pinned', () => {
    const b = baseWorkspace();
    b.write('Design/specification/spec-review/b.md', 'x');
    const answers = b.ask();
    expectReference(answers, { gate: PROPOSED('specification') });
    expectDoubt(answers, /^specification: its oracle/);
  });

  test('of unknown content', () => {
    const b = baseWorkspace();
    b.append(b.pin('specification', 'unknown'));
    const answers = b.ask();
    expectReference(answers, { gate: PROPOSED('specification') });
    expectDoubt(answers, /^specification: its oracle/);
  });
});

describe('item 16: dispatches and outcomes that do not pair', () => {
  test('a dispatch twice', () => {
    const b = baseWorkspace();
    b.append(b.last('dispatch', 'lint-cdc'));
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, /^lint-cdc: run 1 is started on line 22, and was already on line 7$/);
  });

  test('an outcome twice', () => {
    const b = baseWorkspace();
    b.append(b.last('outcome', 'lint-cdc'));
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, /^lint-cdc: run 1 is ended on line 22, and was already on line 8$/);
  });

  test('an outcome before its dispatch', () => {
    const b = baseWorkspace();
    const dispatch = b.last('dispatch', 'lint-cdc');
    b.without((event) => event === dispatch);
    b.append(dispatch);
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, /^lint-cdc: run 1 ends on line 7 and is started only on line 21$/);
  });

  test('an outcome without a dispatch', () => {
    const b = baseWorkspace();
    const dispatch = b.last('dispatch', 'lint-cdc');
    b.without((event) => event === dispatch);
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, /^lint-cdc: run 1 ends on line 7 and has no dispatch$/);
  });

  test('no dispatch at all', () => {
    const b = baseWorkspace();
    b.without(({ type }) => type === 'dispatch');
    const answers = b.ask();
    expectReference(answers, {});
    expect(answers.problems).toHaveLength(8);
    expectDoubt(answers, /^power-analysis: run 1 ends on line \d+ and has no dispatch$/);
  });

  test('what a later run has superseded is history', () => {
    const b = baseWorkspace();
    b.append(b.last('outcome', 'lint-cdc'));
    b.run('lint-cdc', 2, 'pass');
    const answers = b.ask();
    expectReference(answers, {});
    expectProven(answers);
  });
});

test('item 17: stages and types that nobody knows are ignored', () => {
  const b = baseWorkspace();
  const unknown = { rule: 'constructor', run: 1, workdir: 'x', params: {} };
  b.append(
    { ...stamp('dispatch'), ...unknown },
    { ...stamp('outcome'), ...unknown, rule: 'frontend', verdict: 'fail', outputs: {}, proofs: [] },
    { ...stamp('epoch'), anything: 1 },
    { ...stamp('__proto__') },
  );
  const answers = b.ask();
  expectReference(answers, {});
  expectProven(answers);
});

describe('item 18: outcomes and proofs that do not agree', () => {
  const stale = {
    stages: valid({ 'lint-cdc': 'stale' }),
    signedOff: false,
    gate: NOT_VALID('lint-cdc'),
  };

  test('the last pass has no proof, and an older one counts', () => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'pass');
    b.last('outcome', 'lint-cdc').proofs = [];
    b.last('outcome', 'lint-cdc').outputs = {};
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, 'lint-cdc: the last outcome carries no proof of its stage');
  });

  test.each(['fail', 'unknown'])('the outcome is a pass and the proof %s', (verdict) => {
    const b = baseWorkspace();
    proof(b.last('outcome', 'lint-cdc')).verdict = verdict;
    const answers = b.ask();
    expectReference(answers, stale);
    expectDoubt(answers, `lint-cdc: the outcome says pass and its proof says ${verdict}`);
  });

  test('the outcome is a failure and the proof a pass', () => {
    const b = baseWorkspace();
    b.last('outcome', 'lint-cdc').verdict = 'fail';
    const answers = b.ask();
    expectReference(answers, { stages: valid({ 'lint-cdc': 'failed' }) });
    expectDoubt(
      answers,
      'lint-cdc: the outcome says fail and its proof says pass',
      /^lint-cdc: it is failed, and the proof/,
    );
  });

  test('a verdict that nobody knows', () => {
    const b = baseWorkspace();
    b.last('outcome', 'lint-cdc').verdict = 'weird';
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, 'lint-cdc: `weird` is no verdict that we know');
  });
});

describe('item 19: tables that say little', () => {
  test('nothing recorded', () => {
    const b = baseWorkspace();
    const outcome = b.last('outcome', 'lint-cdc');
    outcome.outputs = {};
    proof(outcome).inputs = {};
    const answers = b.ask();
    expectReference(answers, {
      gate: expect.stringMatching(/^signoff blocked: lint-cdc has unver/),
    });
    expectDoubt(
      answers,
      "lint-cdc: 'Design/rtl-design/top.v' is an input that its proof does not know",
      "lint-cdc: 'Design/lint-cdc/result.json' is published and its outcome does not record it",
      'lint-cdc: its run was started on other inputs than its proof names',
    );
  });

  test('the requirements not recorded', () => {
    const b = baseWorkspace();
    proof(b.last('outcome', 'specification')).inputs = {};
    b.last('dispatch', 'specification').inputs = {};
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      "specification: its proof does not cover 'brainstorm.md', which is an input of it",
    );
  });

  test.each([
    ['unknown', () => 'unknown'],
    ['in upper case', (known: string) => known.toUpperCase()],
    ['without its prefix', (known: string) => known.slice('sha256:'.length)],
  ])('a fingerprint %s', (_, change) => {
    const b = baseWorkspace();
    const outputs = table(b.last('outcome', 'lint-cdc'), 'outputs');
    const path = 'Design/lint-cdc/lint-report.txt';
    outputs[path] = change(String(outputs[path]));
    const stages = valid({ 'lint-cdc': 'stale' });
    expectReference(b.ask(), { stages, signedOff: false, gate: NOT_VALID('lint-cdc') });
  });

  test('an empty path', () => {
    const b = baseWorkspace();
    table(b.last('outcome', 'lint-cdc'), 'outputs')[''] = `sha256:${'0'.repeat(64)}`;
    const answers = b.ask();
    const stages = valid({ 'lint-cdc': 'stale' });
    expectReference(answers, { stages, signedOff: false, gate: NOT_VALID('lint-cdc') });
    expectDoubt(
      answers,
      "lint-cdc: the recorded path '' is refused: it names the workspace itself",
    );
  });
});

describe("item 20: another stage's outcome carries the proof", () => {
  test('a failing one', () => {
    const b = baseWorkspace();
    b.run('synthesis', 2, 'pass');
    const proofs = b.last('outcome', 'synthesis').proofs as Event[];
    proofs.push({ ...proof(b.last('outcome', 'lint-cdc')), verdict: 'fail' });
    const answers = b.ask();
    const stages = valid({ 'lint-cdc': 'stale' });
    expectReference(answers, { stages, signedOff: false, gate: NOT_VALID('lint-cdc') });
    expectDoubt(answers, 'lint-cdc: its proof is carried by an outcome of synthesis');
  });

  test('a passing one', () => {
    const b = baseWorkspace();
    b.run('synthesis', 2, 'pass');
    (b.last('outcome', 'synthesis').proofs as Event[]).push(proof(b.last('outcome', 'lint-cdc')));
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, 'lint-cdc: its proof is carried by an outcome of synthesis');
  });

  test('one that names another oracle', () => {
    const b = baseWorkspace();
    proof(b.last('outcome', 'specification')).oracle = { ref: 'mine', grade: 'tool' };
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, 'specification: its proof names the oracle `mine`, not `spec-review`');
  });
});

test.each([
  ['/etc/hostname', 'it is absolute'],
  ['../..', 'it may lead outside the workspace'],
  ['Design/../../x', 'it may lead outside the workspace'],
])('item 21: %s as an output is refused, though the engine would read it', (path, why) => {
  const b = baseWorkspace();
  table(b.last('outcome', 'lint-cdc'), 'outputs')[path] = b.fingerprint('brainstorm.md');
  const answers = b.ask();
  expect(answers.stages).toEqual(valid({ 'lint-cdc': 'stale' }));
  expectDoubt(answers, `lint-cdc: the recorded path '${path}' is refused: ${why}`);
});

describe('item 22: recorded inputs', () => {
  test('one that is not declared, changed', () => {
    const b = baseWorkspace();
    b.write('notes.txt', 'a');
    const recorded = b.fingerprint('notes.txt');
    table(proof(b.last('outcome', 'lint-cdc')), 'inputs')['notes.txt'] = recorded;
    b.write('notes.txt', 'b');
    const stages = valid({ 'lint-cdc': 'stale' });
    expectReference(b.ask(), { stages, signedOff: false, gate: NOT_VALID('lint-cdc') });
  });

  test('altered in the dispatch alone', () => {
    const b = baseWorkspace();
    b.last('dispatch', 'lint-cdc').inputs = { 'Design/rtl-design/top.v': 'sha256:0' };
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(answers, 'lint-cdc: its run was started on other inputs than its proof names');
  });
});

describe('item 23: a folder as an output', () => {
  function withFolder(): PresetWorkspace {
    const b = baseWorkspace();
    b.write('Verification/simulation/waves/a.vcd', 'a');
    b.write('Verification/simulation/waves/sub/b.vcd', 'b');
    b.link('Verification/simulation/waves/link', 'a.vcd');
    const waves = 'Verification/simulation/waves';
    table(b.last('outcome', 'simulation'), 'outputs')[waves] = b.fingerprint(waves);
    expectProven(b.ask());
    return b;
  }

  test('an empty folder in it is no change', () => {
    const b = withFolder();
    b.folder('Verification/simulation/waves/empty');
    const answers = b.ask();
    expectReference(answers, {});
    expectProven(answers);
  });

  test('a file in it renamed', () => {
    const b = withFolder();
    const waves = join(b.root, 'Verification/simulation/waves');
    renameSync(join(waves, 'sub/b.vcd'), join(waves, 'sub/c.vcd'));
    const stages = valid({ simulation: 'stale' });
    expectReference(b.ask(), { stages, signedOff: false, gate: NOT_VALID('simulation') });
  });
});

describe('item 24: the log', () => {
  const TORN = /^log: the last line is no whole record/;

  test.each([
    ['its last record cut short', (text: string) => `${text}{"ts": "2026`],
    ['garbage and blank lines at its end', (text: string) => `${text}garbage\n  \n\n`],
    ['two records glued by an append after a cut', (text: string) => `${text}{"ts{"a": 1}\n`],
  ])('%s', (_, change) => {
    const b = baseWorkspace();
    const answers = b.ask(change(b.text()));
    expectReference(answers, {});
    expectDoubt(answers, TORN);
  });

  test.each([
    ['no line end at its end', (text: string) => text.trimEnd()],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CR alone', (text: string) => text.replaceAll('\n', '\r')],
    ['a space without a break before a line', (text: string) => text.replace('\n', '\n\u00a0')],
    ['NaN', (text: string) => `${text}{"type": "epoch", "value": NaN, "other": -Infinity}\n`],
  ])('%s changes nothing', (_, change) => {
    const b = baseWorkspace();
    const answers = b.ask(change(b.text()));
    expectReference(answers, {});
    expectProven(answers);
  });

  const reasonWith = (c: string) => (text: string) =>
    text.replace('"reason":"read"', `"reason":"re${c}ad"`);

  test.each([
    ['garbage between records', (text: string) => text.replace('\n', '\ngarbage\n'), 2],
    ['a byte order mark', (text: string) => `\ufeff${text}`, 1],
    ['U+2028 in a reason', reasonWith('\u2028'), 17],
    ['U+0085 in a reason', reasonWith('\u0085'), 17],
  ])('%s ends the engine: one problem with its line', (_, change, line) => {
    const b = baseWorkspace();
    const found = b.tryAsk(change(b.text()));
    expect(found).toMatchObject({
      code: 'log/corrupt-line',
      at: { file: 'events.jsonl', line },
    });
  });

  test('a cut inside a character', () => {
    const b = baseWorkspace();
    const found = b.tryAsk(Buffer.concat([Buffer.from(`${b.text()}{"a": "`), Buffer.from([0xc3])]));
    expect(found).toMatchObject({ code: 'log/not-utf8', at: { line: 22 } });
  });

  test.each(['5', 'null', '"text"', '[]', '{"rule": "lint-cdc"}'])(
    '%s as its last line',
    (line) => {
      const b = baseWorkspace();
      expect(b.tryAsk(`${b.text()}${line}\n`)).toMatchObject({
        code: 'log/invalid-record',
        at: { line: 22 },
      });
    },
  );

  test.each([
    ['without proofs', (event: Event) => delete event.proofs],
    ['without a run', (event: Event) => delete event.run],
    ['with null as the inputs of its proof', (event: Event) => (proof(event).inputs = null)],
    ['with a list as its outputs', (event: Event) => (event.outputs = [])],
  ])('an outcome %s', (_, bend) => {
    const b = baseWorkspace();
    bend(b.last('outcome', 'power-analysis'));
    expect(b.tryAsk()).toMatchObject({ code: 'log/invalid-record', at: { line: 16 } });
  });

  test('what only the gate looks at does not end a status', () => {
    const b = baseWorkspace();
    proof(b.last('outcome', 'lint-cdc')).verdict = 'fail';
    proof(b.last('outcome', 'lint-cdc')).inputs = null;
    b.append({ ...stamp('pin') });
    const answers = b.ask();
    const stages = valid({ 'lint-cdc': 'stale' });
    expect(answers.stages).toEqual(stages);
    expectDoubt(answers, 'log: `inputs` is not a table of fingerprints');
    expectDoubt(answers, 'log: the event has no `oracle_ref`');
  });

  test('an outcome without proofs that later ones have superseded ends nothing', () => {
    const b = baseWorkspace();
    const old = b.last('outcome', 'specification');
    b.run('specification', 2, 'pass');
    delete old.proofs;
    const answers = b.ask();
    expectReference(answers, {});
    expectProven(answers);
  });

  test('a folder in its place', () => {
    const b = baseWorkspace();
    mkdirSync(join(b.root, 'events.jsonl'));
    expect(askWorkspace(b.root)).toMatchObject({ code: 'log/unreadable' });
  });

  test('a FIFO in its place is not waited for', () => {
    const b = baseWorkspace();
    execFileSync('mkfifo', [join(b.root, 'events.jsonl')]);
    expect(askWorkspace(b.root)).toMatchObject({ code: 'log/unreadable' });
  });
});

describe('item 25', () => {
  test('a run as text is another run', () => {
    const b = baseWorkspace();
    b.last('dispatch', 'lint-cdc').run = '1';
    const answers = b.ask();
    expectReference(answers, { stages: valid({ 'lint-cdc': 'in-flight' }) });
    expectDoubt(answers, 'lint-cdc: the run `1` is no number from 1');
  });

  test('a run as 1.0 is run 1', () => {
    const b = baseWorkspace();
    const answers = b.ask(b.text().replaceAll('"run":1,', '"run":1.0,'));
    expectReference(answers, {});
    expectProven(answers);
  });

  test('a run that is too large to be told from its neighbours', () => {
    const b = baseWorkspace();
    const found = b.tryAsk(`${b.text()}{"type":"outcome","rule":"x","run":9007199254740993}\n`);
    expect(found).toMatchObject({ code: 'log/invalid-record', at: { line: 22 } });
  });

  test('the log and Design as links within the workspace', () => {
    const b = baseWorkspace();
    b.write('history/log.jsonl', b.text());
    b.link('events.jsonl', 'history/log.jsonl');
    renameSync(join(b.root, 'Design'), join(b.root, 'history/Design'));
    b.link('Design', 'history/Design');
    const answers = askWorkspace(b.root) as Answers;
    expectReference(answers, {});
    expectProven(answers);
  });

  test('Design as a link that leads outside', () => {
    const b = baseWorkspace();
    const outside = baseWorkspace();
    renameSync(join(b.root, 'Design'), join(outside.root, 'Moved'));
    symlinkSync(join(outside.root, 'Moved'), join(b.root, 'Design'));
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      /^rtl-design: 'Design\/rtl-design\/top.v' lies behind a link that leads outside/,
    );
  });
});

describe('item 26: tables that are not there', () => {
  test('no outputs', () => {
    const b = baseWorkspace();
    delete b.last('outcome', 'timing-analysis').outputs;
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      "timing-analysis: 'Design/timing-analysis/timing-report.txt' is published and its outcome does not record it",
    );
  });

  test('no inputs of the proof: a file that two selectors select is named twice', () => {
    const b = baseWorkspace();
    delete proof(b.last('outcome', 'rtl-design')).inputs;
    const answers = b.ask();
    const spec = (name: string): string => `'Design/specification/${name}'`;
    const names = [
      'design.md',
      'manifest.json',
      'alu.md',
      'design.md',
      'clocks.json',
      'top-io.json',
    ];
    const list = [...names, 'interconnects.json'].map(spec).join(', ');
    expectReference(answers, { gate: NEW_INPUTS('rtl-design', `[${list}]`) });
    expectDoubt(answers, /^rtl-design: 'Design\/specification\/design.md' is an input/);
  });
});

test('item 27: an empty log beside all files', () => {
  const b = baseWorkspace();
  const answers = b.ask('');
  expect(new Set(Object.values(answers.stages))).toEqual(new Set(['missing']));
  expect(answers.signedOff).toBe(false);
  expect(answers.gate).toBe(NOT_VALID('specification'));
  const execution = 'main-thread';
  expect(answers.decide).toEqual({ action: 'DISPATCH', rule: 'specification', execution });
  expect(answers.proven).toBe(false);
});

describe('item 28: who must repair', () => {
  test('the stage that the envelope names', () => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'fail', 'rtl-design');
    const answers = b.ask();
    expect(answers.decide).toEqual({
      action: 'DISPATCH',
      rule: 'rtl-design',
      execution: 'main-thread',
      caused_by: [['lint-cdc', 2]],
    });
    expect(answers.proven).toBe(false);
  });

  test.each([
    ['lint-cdc', 'fix_owner is itself, in-stage remedy exhausted'],
    ['synthesis', "fix_owner 'synthesis' is outside its input closure"],
    ['bogus', 'envelope named no fix_owner'],
  ])('%s', (owner, reason) => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'fail', owner);
    expect(b.ask().decide).toEqual({
      action: 'ESCALATE',
      rule: 'lint-cdc',
      reason: `lint-cdc: ${reason}`,
    });
  });

  test.each([
    ['is a list', '[]', 'is not an object'],
    [
      'has null for its findings',
      '{"stage_specific": null}',
      'has a `stage_specific` that is not an object',
    ],
  ])('an envelope that %s ends the engine', (_, text, why) => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'fail');
    b.write('Design/lint-cdc/result.json', text);
    expect(b.tryAsk()).toMatchObject({
      message: `the envelope Design/lint-cdc/result.json ${why}`,
      stage: 'lint-cdc',
    });
  });

  test('two failures of one owner are one dispatch', () => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'fail', 'rtl-design');
    b.run('synthesis', 2, 'fail', 'rtl-design');
    const causes = [
      ['lint-cdc', 2],
      ['synthesis', 2],
    ];
    expect(b.ask().decide).toMatchObject({ rule: 'rtl-design', caused_by: causes });
  });

  test('an owner whose run was blocked is asked again; one that delivered is not', () => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'fail', 'rtl-design');
    b.run('rtl-design', 2, 'blocked');
    expect(b.ask().decide).toMatchObject({ rule: 'rtl-design', caused_by: [['lint-cdc', 2]] });
    b.run('rtl-design', 3, 'pass');
    expect(b.ask().decide).toEqual({ action: 'DISPATCH', rule: 'lint-cdc', execution: 'task' });
  });

  test('a simulation that names nobody is looked into', () => {
    const b = baseWorkspace();
    b.run('simulation', 2, 'fail');
    expect(b.ask().decide).toEqual({
      action: 'DISPATCH',
      rule: 'simulation-triage',
      execution: 'task',
      caused_by: [['simulation', 2]],
      params: { sim_run: 2 },
    });
  });

  test('diagnoses outrank the envelope, and one that names nobody holds all of it', () => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'fail', 'rtl-design');
    b.append(diagnosis('d1', 'lint-cdc', 2, 'specification'));
    expect(b.ask().decide).toMatchObject({ rule: 'specification', diagnosis_refs: ['d1'] });
    b.append(diagnosis('d2', 'lint-cdc', 2));
    expect(b.ask().decide).toEqual({
      action: 'ESCALATE',
      rule: 'lint-cdc',
      reason: 'lint-cdc: diagnosis named no fix_owner',
      candidates: [{ attribution: 'lint-cdc', diagnosis: 'd2' }],
    });
    b.append({ ...diagnosis('d3', 'lint-cdc', 2, 'rtl-design'), supersedes: 'd2' });
    expect(b.ask().decide).toMatchObject({ rule: 'specification', diagnosis_refs: ['d1'] });
  });

  test('a diagnosis that names no stage ends the engine', () => {
    const b = baseWorkspace();
    b.run('lint-cdc', 2, 'fail');
    b.append(diagnosis('d1', 'lint-cdc', 2, 'nobody'));
    expect(b.tryAsk()).toMatchObject({ code: 'log/invalid-record', at: { line: 24 } });
  });

  test('a failure whose oracle was reopened directs nobody', () => {
    const b = baseWorkspace();
    b.run('rtl-design', 2, 'fail', 'specification');
    b.append(reopen('semantic-review'));
    const reason = 'rtl-design: the oracle that judged this failure was reopened';
    expect(b.ask().decide).toEqual({ action: 'ESCALATE', rule: 'rtl-design', reason });
  });
});

describe('what a consumer read must be what its producer wrote', () => {
  test('a file that was put there by hand and then read', () => {
    const b = baseWorkspace();
    b.write('Design/rtl-design/extra.v', 'x');
    for (const name of ['lint-cdc', 'synthesis', 'simulation']) b.run(name, 2, 'pass');
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      "lint-cdc: it read 'Design/rtl-design/extra.v' otherwise than rtl-design recorded that it wrote it",
    );
  });

  test('a folder is what its files were written as', () => {
    const b = baseWorkspace();
    b.write('Verification/simulation/tb/uvm/refmodel/more.py', 'x');
    b.append(b.pin('simulation'));
    b.run('power-analysis', 2, 'pass');
    const answers = b.ask();
    expectReference(answers, {});
    expectDoubt(
      answers,
      "power-analysis: it read 'Verification/simulation/tb/uvm/refmodel' otherwise than simulation recorded that it wrote it",
    );
  });
});

test('decide collects a run whose result is there, and one that the caller names', async () => {
  const { openVeripower, veripowerDecide } = await import(
    '../../src/flow/presets/veripower/veripower.ts'
  );
  const b = baseWorkspace();
  b.append(b.start('lint-cdc', 2), b.start('rtl-design', 2), signoff());
  b.write('events.jsonl', b.text());
  const decide = (wake?: { rule: string; run: number }): unknown => {
    const workspace = openVeripower(b.root);
    return workspace.ok && veripowerDecide(workspace.value, { closing: false, wake });
  };
  expect(decide()).toMatchObject({ value: { action: 'YIELD' } });
  expect(decide({ rule: 'lint-cdc', run: 9 })).toMatchObject({ value: { action: 'YIELD' } });
  const collected = { action: 'REAP', rule: 'lint-cdc', run: 2 };
  expect(decide({ rule: 'lint-cdc', run: 2 })).toEqual({ ok: true, value: collected });
  b.write('Design/lint-cdc/runs/2/result.json', '{}');
  expect(decide()).toEqual({ ok: true, value: collected });
  b.write('Design/rtl-design/runs/2/result.json', '{}');
  expect(decide()).toMatchObject({ value: { action: 'REAP', rule: 'rtl-design' } });
});

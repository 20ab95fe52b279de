#!/usr/bin/env node
/**
 * Proves the assertions of a properties module by temporal induction, without a bound.
 *
 * A solver is easily pleased: it also says "success" when there is no assertion, when the
 * assumptions contradict each other, and about an assertion that can never be evaluated. So a
 * pass needs a witness against each of the three.
 */
import { runEngine } from './lib/engine.mjs';
import { placeOf } from './lib/places.mjs';
import { readCounterexample, readInduction, readModelFound } from './lib/sat.mjs';
import { checkModuleName, readSources, readVerilog } from './lib/sources.mjs';
import { runYosysScript } from './lib/yosys.mjs';

const DEFAULT_DEPTH = 20;

// No -seq: it would leave out the first cycles. No -set-init either: what has an initial value
// starts with it, and all else starts with anything.
const SOLVE = 'sat -prove-asserts -set-assumes';

const descriptor = {
  name: 'prove',
  summary: 'unbounded proof of immediate assertions by temporal induction',
  maturity: 'workflow-validated',
  provenance_limitations: [
    'input_hash covers the names of the source files, not their contents.',
    "The Yosys package is identified by its version, and the engine's own lib/ folder not at all.",
    'An assertion written as an implication (!a || b) counts as reachable even if a never holds.',
  ],
  invocation: {
    args_template: ['prove', '--top', '{top}', '{files}'],
    optional: [{ arg: 'depth', flag: '--depth' }],
    emits_json: true,
  },
  inputs: {
    type: 'object',
    required: ['top', 'files'],
    additionalProperties: false,
    properties: {
      top: { type: 'string', description: 'name of the module that holds the assertions' },
      files: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'Verilog files and the headers (.vh, .svh) that they include',
      },
      depth: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        description: `most clock cycles of an induction or a search (default ${DEFAULT_DEPTH})`,
      },
    },
  },
  artifacts: [],
  assertion: {
    id: 'properties-proven',
    field: 'proven',
    pass_when: { is_true: true },
    summary_field: 'summary',
  },
  consumes: ['rtl', 'properties'],
};

await runEngine(import.meta.url, descriptor, async (given, report) => {
  const { top, files, depth = DEFAULT_DEPTH } = given;
  checkModuleName(top);
  const sources = readSources(files);
  const design = await prepare(sources, top, report);
  const figures = {
    top,
    files: sources.files.length,
    depth,
    asserts: design.asserts.length,
    asserts_reachable: 0,
    asserts_failed: 0,
    assumptions: design.assumptions,
    induction_depth: 0,
  };
  const unknown = (summary, more) => ({ proven: null, summary, ...figures, ...more });

  const found = `${figures.asserts} assertion(s), ${figures.assumptions} assumption(s)`;
  report('info', found, { code: 'PROVE-FOUND' });
  if (figures.asserts === 0) return unknown('there is no assertion: nothing was proven');
  if (design.assumptions > 0 && !(await canStart(design, depth, report))) {
    return unknown(`no run of ${depth} cycles satisfies the assumptions`);
  }

  const proof = await induct(design, depth, report);
  report('info', `induction: ${proof.answer} at ${proof.step} cycle(s)`, { code: 'PROVE-ANSWER' });

  if (proof.answer === 'exhausted') {
    return unknown(`neither proven nor refuted within ${depth} cycles`);
  }
  if (proof.answer === 'refuted') {
    const failed = await failingAsserts(design, proof.step, report);
    figures.asserts_failed = failed.length;
    const names = failed.map(({ name }) => name).join(', ');
    const summary = `violated in cycle ${proof.step} or before: ${names}`;
    return { proven: false, summary, ...figures, failed, counterexample: proof.counterexample };
  }

  figures.induction_depth = proof.step;
  const unreachable = await unreachableAsserts(design, depth, report);
  figures.asserts_reachable = figures.asserts - unreachable.length;
  if (unreachable.length > 0) {
    const names = unreachable.map(({ name }) => name).join(', ');
    return unknown(`never evaluated within ${depth} cycles: ${names}`, { unreachable });
  }
  const summary = `${figures.asserts} assertions hold, by induction over ${proof.step} cycle(s)`;
  return { proven: true, summary, ...figures };
});

/** The flat design as the solver wants it, and its assertions with their places. */
async function prepare(sources, top, report) {
  const run = await runYosysScript(
    [
      readVerilog(sources, '-formal'),
      `hierarchy -check -top ${top}`,
      'proc',
      'flatten',
      'memory_map',
      'setundef -anyseq', // an undefined value is any value, before something picks a nice one
      'opt',
      'async2sync',
      'chformal -lower', // the solver does not know the cells before this
      'opt_clean',
      'write_json design.json',
      'write_rtlil design.il',
    ],
    sources.files,
    report,
  );
  const module = JSON.parse(run.text('design.json')).modules[top];
  const cells = Object.entries(module.cells);
  const asserts = cells
    .filter(([, { type }]) => type === '$assert')
    .map(([name, { attributes }]) => ({ name, place: placeOf(attributes) }));
  return {
    top,
    asserts,
    assumptions: cells.filter(([, { type }]) => type === '$assume').length,
    inputs: Object.keys(module.ports),
    file: { path: 'design.il', bytes: run.text('design.il') },
  };
}

/** Whether the assumptions leave any run at all. */
async function canStart({ file, top }, depth, report) {
  const run = await runYosysScript(
    ['read_rtlil design.il', `tee -o answer.txt sat -set-assumes -seq ${depth} ${top}`],
    [file],
    report,
  );
  return readModelFound(run.text('answer.txt'));
}

async function induct({ file, top, inputs }, depth, report) {
  const options = `-tempinduct -maxsteps ${depth} -show-ports -dump_json trace.json`;
  const run = await runYosysScript(
    ['read_rtlil design.il', `tee -o answer.txt ${SOLVE} ${options} ${top}`],
    [file],
    report,
  );
  const result = readInduction(run.text('answer.txt'));
  if (result.answer !== 'refuted') return result;
  const isInput = (name) => inputs.includes(name);
  const counterexample = readCounterexample(run.text('trace.json'), result.step, isInput);
  return { ...result, counterexample };
}

/** Which assertions fail within `depth` cycles, each taken alone. */
async function failingAsserts(design, depth, report) {
  const answers = await searchEach(design, depth, report, []);
  const failed = design.asserts.filter((_, index) => answers[index] === 'refuted');
  for (const { name, place } of failed) {
    report('error', `assertion ${name} is violated`, { code: 'PROVE-VIOLATED', file: place });
  }
  return failed;
}

/**
 * Which assertions are never evaluated: each is made to claim "false", and if even that holds,
 * nothing ever looks at it.
 */
async function unreachableAsserts(design, depth, report) {
  const claimFalse = ["connect -port subject \\A 1'b0"];
  const answers = await searchEach(design, depth, report, claimFalse);
  const unreachable = design.asserts.filter((_, index) => answers[index] !== 'refuted');
  for (const { name, place } of unreachable) {
    report('warn', `assertion ${name} is never evaluated`, { code: 'PROVE-VACUOUS', file: place });
  }
  return unreachable;
}

/** For each assertion alone: can it be violated, once `change` was done to it? */
async function searchEach({ file, top, asserts }, depth, report, change) {
  const commands = asserts.flatMap(({ name }, index) => [
    'design -reset',
    'read_rtlil design.il',
    `cd ${top}`,
    `rename ${name} subject`, // its own name may hold characters that mean something in a selection
    'delete t:$assert subject %d',
    ...change,
    'cd ..',
    `tee -o ${index}.txt ${SOLVE} -tempinduct-baseonly -maxsteps ${depth} ${top}`,
  ]);
  const run = await runYosysScript(commands, [file], report);
  return asserts.map((_, index) => readInduction(run.text(`${index}.txt`)).answer);
}

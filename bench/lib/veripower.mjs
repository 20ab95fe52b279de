/** Workspaces of the preset `veripower`, with logs as the engine that drives them writes them. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answerOf, gate } from './process.mjs';

const RTL = ['top.v', 'alu.v', 'rtl-files.json', 'constraint-annotations.json'];
const SPECIFICATION = ['design.md', 'manifest.json', 'clocks.json', 'top-io.json'];
const NETLIST = ['top_syn.v', 'top_syn.sdc', 'top_syn.sdf'];

const under = (folder, names) => names.map((name) => `${folder}/${name}`);

/** The stages that have a conclusion: what they are judged by, read, and publish. */
export const STAGES = [
  {
    name: 'specification',
    root: 'Design/specification',
    oracle: 'spec-review',
    grade: 'proposed',
    reads: ['brainstorm.md'],
    writes: [...SPECIFICATION, 'ppa.json', 'constraints/top.sdc', 'constraints/top.sgdc'],
  },
  {
    name: 'simulation-plan',
    root: 'Verification/simulation-plan',
    oracle: 'plan-review',
    grade: 'proposed',
    reads: under('Design/specification', SPECIFICATION),
    writes: ['verification-plan.md', 'tb-scaffold.json', 'sequences.json'],
  },
  {
    name: 'rtl-design',
    root: 'Design/rtl-design',
    oracle: 'semantic-review',
    grade: 'proposed',
    reads: under('Design/specification', SPECIFICATION),
    writes: RTL,
  },
  {
    name: 'lint-cdc',
    root: 'Design/lint-cdc',
    oracle: 'spyglass-ruleset',
    grade: 'tool',
    reads: [
      ...under('Design/rtl-design', RTL),
      ...under('Design/specification', ['constraints/top.sgdc', 'manifest.json']),
    ],
    writes: ['lint-report.txt', 'cdc-report.txt', 'lint-violations.json', 'cdc-violations.json'],
  },
  {
    name: 'synthesis',
    root: 'Design/synthesis',
    oracle: 'dc-shell',
    grade: 'tool',
    reads: [
      ...under('Design/rtl-design', RTL),
      ...under('Design/specification', ['constraints/top.sdc', 'manifest.json', 'ppa.json']),
    ],
    writes: [...under('out', NETLIST), 'reports/qor.rpt', 'constraints.sdc'],
  },
  {
    name: 'timing-analysis',
    root: 'Design/timing-analysis',
    oracle: 'pt-shell',
    grade: 'tool',
    reads: under('Design/synthesis/out', NETLIST.slice(0, 2)),
    writes: ['timing-report.txt'],
  },
  {
    name: 'simulation',
    root: 'Verification/simulation',
    oracle: 'tb-refmodel',
    grade: 'proposed',
    reads: [
      ...under('Design/rtl-design', RTL.slice(0, 3)),
      ...under('Verification/simulation-plan', ['verification-plan.md', 'sequences.json']),
      ...under('Design/specification', ['top-io.json', 'clocks.json']),
    ],
    writes: ['case-results-summary.md', 'env.sh', 'filelist.f', 'rtl_filelist.f', 'tb/uvm/env.sv'],
  },
  {
    name: 'power-analysis',
    root: 'Verification/power-analysis',
    oracle: 'pt-shell',
    grade: 'tool',
    reads: [
      ...under('Design/synthesis/out', NETLIST),
      ...under('Verification/simulation', ['env.sh', 'filelist.f', 'tb/uvm/env.sv']),
    ],
    writes: ['reports_ptpx/S1/power_hier.rpt'],
  },
];

export function stageNamed(name) {
  return STAGES.find((stage) => stage.name === name);
}

/** Writes what the stages publish, and the requirements. */
export function writePublished(folder) {
  write(folder, 'brainstorm.md', 'requirements\n');
  for (const { root, writes } of STAGES) {
    for (const file of under(root, writes)) write(folder, file, `${file}\n`);
  }
}

/** The records of a run that passed on what is there now. */
export function passingRun(folder, stage, run) {
  const { name, root, reads, writes } = stage;
  const document = { stage: name, produced_at: TS, status: 'pass', artifacts: [] };
  write(folder, `${root}/result.json`, JSON.stringify({ ...document, stage_specific: {} }));
  const inputs = table(reads, (file) => digestOf(readFileSync(path.join(folder, file))));
  const outputs = table(outputsOf({ root, writes }), (file) =>
    digestOf(readFileSync(path.join(folder, file))),
  );
  return [dispatch(stage, run, inputs), outcome(stage, run, 'pass', inputs, outputs)];
}

/** The start of a run on files that have changed since. */
export function pastDispatch(stage, run) {
  return dispatch(stage, run, pastTable(stage.reads, run));
}

/** The end of a run on files that have changed since. */
export function pastOutcome(stage, run, verdict) {
  const [inputs, outputs] = [stage.reads, outputsOf(stage)].map((files) => pastTable(files, run));
  return outcome(stage, run, verdict, inputs, outputs);
}

export function pin({ oracle }, run) {
  const fingerprint = pastDigest(oracle, run);
  return {
    ...stamp('pin'),
    oracle_ref: oracle,
    content_fingerprint: fingerprint,
    provenance: 'engineer',
    reason: 'read and found good',
  };
}

export function reopen({ oracle }) {
  return { ...stamp('reopen'), pin_ref: oracle, reason: 'a case is missing' };
}

export function note() {
  return { ...stamp('note'), text: 'a remark that no answer rests on' };
}

/** The command that asks for the statuses; an error unless the stages given are valid. */
export function statusOf(folder, names) {
  const command = gate('status', '--flow', 'veripower', '--json', '--workspace', folder);
  const { stages } = answerOf(command);
  const other = names.find((name) => stages[name] !== 'valid');
  if (other !== undefined) throw new Error(`${other} is ${stages[other]}, and should be valid`);
  return command;
}

const TS = '2026-01-01T00:00:00.000000Z';

function stamp(type) {
  return { ts: TS, type };
}

function dispatch({ name, root }, run, inputs) {
  return {
    ...stamp('dispatch'),
    rule: name,
    run,
    workdir: `${root}/runs/${run}`,
    params: {},
    inputs,
  };
}

function outcome({ name, oracle, grade }, run, verdict, inputs, outputs) {
  const isBlocked = verdict === 'blocked';
  return {
    ...stamp('outcome'),
    rule: name,
    run,
    verdict,
    outputs: isBlocked ? {} : outputs,
    proofs: isBlocked ? [] : [{ name, verdict, inputs, oracle: { ref: oracle, grade } }],
    tool_versions: { plugin: '0.1.9' },
    ...(isBlocked ? { reason: 'missing' } : {}),
  };
}

function outputsOf({ root, writes }) {
  return under(root, ['result.json', ...writes]);
}

function pastTable(files, run) {
  return table(files, (file) => pastDigest(file, run));
}

function table(files, fingerprint) {
  return Object.fromEntries(files.map((file) => [file, fingerprint(file)]));
}

function digestOf(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

const pasts = new Map();

/** A fingerprint that no other run has, made faster than by hashing. */
function pastDigest(file, run) {
  const known = pasts.get(file) ?? digestOf(file);
  pasts.set(file, known);
  return `${known.slice(0, -8)}${run.toString(16).padStart(8, '0')}`;
}

function write(folder, file, text) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

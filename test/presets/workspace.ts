import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Disk } from '../../src/flow/presets/veripower/disk.ts';
import { fingerprintOf } from '../../src/flow/presets/veripower/fingerprints.ts';
import { oracleFingerprint } from '../../src/flow/presets/veripower/oracle.ts';
import {
  inputsOf,
  PROOF_STAGES,
  type ProofStage,
} from '../../src/flow/presets/veripower/registry.ts';
import {
  assessVeripower,
  openVeripower,
  type PresetAction,
  veripowerDecide,
} from '../../src/flow/presets/veripower/veripower.ts';
import type { Problem } from '../../src/values/problem.ts';
import { scratchFolder } from '../support/scratch.ts';

/** One event of a log that a test may bend. */
export type Event = Record<string, unknown>;

export interface Answers {
  readonly stages: Record<string, string>;
  readonly signedOff: boolean;
  /** The sign-off gate's reason; null when it is clear. */
  readonly gate: string | null;
  readonly decide: PresetAction;
  readonly proven: boolean;
  /** Each as `stage: message`. */
  readonly problems: string[];
}

/** What each stage of the base workspace publishes, by path relative to its root. */
const PUBLISHED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  specification: {
    'design.md': 'design\n',
    'alu.md': 'alu\n',
    'manifest.json': '{"module": "top"}\n',
    'ppa.json': '{}\n',
    'clocks.json': '[]\n',
    'features.json': '[1]\n',
    'check-hints/alu.json': '{"hint": 1}\n',
    'top-io.json': '{"io": []}\n',
    'interconnects.json': '{"wires": []}\n',
    'spec-review/a.md': 'reviewed\n',
    'constraints/top.sdc': 'create_clock\n',
    'constraints/top.sgdc': 'clock\n',
  },
  'simulation-plan': {
    'verification-plan.md': 'plan\n',
    'tb-scaffold.json': '{"agents": []}\n',
    'sequences.json': '{"sequences": []}\n',
    'power-scenarios.json': '{"S1": 1}\n',
    'plan-review/review.md': 'plan reviewed\n',
  },
  'rtl-design': {
    'top.v': 'module top; endmodule\n',
    'alu.v': 'module alu; endmodule\n',
    'rtl-files.json': '["top.v", "alu.v"]\n',
    'constraint-annotations.json': '{"a": 1}\n',
    'semantic-review/review.md': 'rtl reviewed\n',
  },
  'lint-cdc': {
    'lint-report.txt': 'clean\n',
    'cdc-report.txt': 'clean too\n',
    'lint-violations.json': '[]\n',
    'cdc-violations.json': '[ ]\n',
    'scripts/constraints.sgdc': 'c\n',
    'scripts/local.sgdc': 'l\n',
    'scripts/waiver.tcl': 'w\n',
  },
  synthesis: {
    'out/top_syn.v': 'module top_syn; endmodule\n',
    'out/top_syn.sdc': 'sdc\n',
    'out/top_syn.sdf': 'sdf\n',
    'reports/qor.rpt': 'qor\n',
    'constraints.sdc': 'constraints\n',
    'constraints.local.sdc': 'local\n',
  },
  'timing-analysis': { 'timing-report.txt': 'met\n' },
  simulation: {
    'case-results-summary.md': 'all pass\n',
    'conformance-review.md': 'conforms\n',
    'env.sh': 'export X=1\n',
    'filelist.f': 'tb.sv\n',
    'rtl_filelist.f': 'top.v\n',
    'tb/uvm/env.sv': 'env\n',
    'tb/uvm/refmodel/model.py': 'model\n',
  },
  'power-analysis': { 'reports_ptpx/S1/power_hier.rpt': 'power\n' },
};

/** A workspace that the engine would drive, with a log that can be bent before it is read. */
export class PresetWorkspace {
  readonly root = scratchFolder();
  events: Event[] = [];

  write(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    symlinkSync(target, join(this.root, path));
  }

  folder(path: string): void {
    mkdirSync(join(this.root, path), { recursive: true });
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  fingerprint(path: string): string {
    return fingerprintOf(join(this.root, path), path).fingerprint;
  }

  append(...events: Event[]): void {
    this.events.push(...events);
  }

  /** The last event of a type and stage. */
  last(type: string, rule: string): Event {
    const found = this.events.findLast((event) => event.type === type && event.rule === rule);
    if (!found) throw new Error(`no ${type} of ${rule}`);
    return found;
  }

  without(isGone: (event: Event) => boolean): void {
    this.events = this.events.filter((event) => !isGone(event));
  }

  /** What a stage's selectors select now, with fingerprints. */
  inputs(stage: ProofStage): Record<string, string> {
    const disk = new Disk(this.root);
    const paths = inputsOf(stage, disk.layout).flatMap((selector) =>
      disk.select(selector).matches.map(({ path }) => path),
    );
    return Object.fromEntries(paths.map((path) => [path, this.fingerprint(path)]));
  }

  start(name: string, run: number): Event {
    const stage = stageOf(name);
    return {
      ...stamp('dispatch'),
      rule: name,
      run,
      workdir: `${stage.root}/runs/${run}`,
      params: {},
      inputs: this.inputs(stage),
    };
  }

  /** The outcome of a run that published what is there now. */
  end(name: string, run: number, verdict: 'pass' | 'fail' | 'blocked'): Event {
    const stage = stageOf(name);
    const published = ['result.json', ...Object.keys(PUBLISHED[name] ?? {})];
    const paths = published.map((path) => `${stage.root}/${path}`);
    const outputs = Object.fromEntries(paths.map((path) => [path, this.fingerprint(path)]));
    const started = this.events.findLast(
      ({ type, rule, run: of }) => type === 'dispatch' && rule === name && of === run,
    );
    const inputs = started?.inputs ?? this.inputs(stage);
    const oracle = { ref: stage.oracle.ref, grade: stage.oracle.grade };
    const isBlocked = verdict === 'blocked';
    return {
      ...stamp('outcome'),
      rule: name,
      run,
      verdict,
      outputs: isBlocked ? {} : outputs,
      proofs: isBlocked ? [] : [{ name, verdict, inputs, oracle }],
      tool_versions: { plugin: '0.1.9' },
      ...(isBlocked ? { reason: 'missing' } : {}),
    };
  }

  /** Starts and ends a run, with an envelope that may name who must act. */
  run(name: string, run: number, verdict: 'pass' | 'fail' | 'blocked', fixOwner?: string): void {
    this.append(this.start(name, run));
    if (verdict !== 'blocked') this.envelope(name, verdict, { fix_owner: fixOwner });
    this.append(this.end(name, run, verdict));
  }

  envelope(name: string, status: string, specific: unknown): void {
    const document = {
      stage: name,
      produced_at: STAMP,
      status,
      artifacts: [],
      stage_specific: specific,
    };
    this.write(`${stageOf(name).root}/result.json`, JSON.stringify(document));
  }

  pin(name: string, fingerprint?: string): Event {
    const stage = stageOf(name);
    return {
      ...stamp('pin'),
      oracle_ref: stage.oracle.ref,
      content_fingerprint: fingerprint ?? oracleFingerprint(new Disk(this.root), stage),
      provenance: 'engineer',
      reason: 'read',
    };
  }

  /** The log as its engine writes it. */
  text(): string {
    return this.events.map((event) => `${JSON.stringify(event)}\n`).join('');
  }

  /** Writes the log, or any text in its place, and asks everything. */
  ask(log: string | Uint8Array = this.text()): Answers {
    const answers = this.tryAsk(log);
    if ('code' in answers) throw new Error(`${answers.code}: ${answers.message}`);
    return answers;
  }

  /** As {@link ask}; the problem where there is no answer. */
  tryAsk(log: string | Uint8Array = this.text()): Answers | Problem {
    this.write('events.jsonl', log);
    return askWorkspace(this.root);
  }
}

/** Everything that is asked of the workspace as it lies there. */
export function askWorkspace(root: string): Answers | Problem {
  const workspace = openVeripower(root);
  if (!workspace.ok) return workspace.error;
  const found = assessVeripower(workspace.value);
  if (!found.ok) return found.error;
  const decided = veripowerDecide(workspace.value, { closing: false, wake: undefined });
  if (!decided.ok) return decided.error;
  const { stages, isSignedOff, refusal, isProven, problems } = found.value;
  return {
    stages: Object.fromEntries(stages.map(({ stage, cell }) => [stage.name, cell])),
    signedOff: isSignedOff,
    gate: refusal ?? null,
    decide: decided.value,
    proven: isProven,
    problems: problems.map(({ stage, message }) => `${stage ?? 'log'}: ${message}`),
  };
}

/** Workspace B of spec/06 §6.7: every stage passed, all recorded, four pins, one sign-off. */
export function baseWorkspace(): PresetWorkspace {
  const workspace = new PresetWorkspace();
  workspace.write('brainstorm.md', 'requirements\n');
  return built(workspace);
}

/** Runs all stages in a workspace that holds its requirements, pins and signs. */
export function built(workspace: PresetWorkspace): PresetWorkspace {
  for (const { name, root } of PROOF_STAGES) {
    workspace.append(workspace.start(name, 1));
    for (const [path, text] of Object.entries(PUBLISHED[name] ?? {})) {
      workspace.write(`${root}/${path}`, text);
    }
    workspace.envelope(name, 'pass', {});
    workspace.append(workspace.end(name, 1, 'pass'));
  }
  for (const { name, oracle } of PROOF_STAGES) {
    if (oracle.grade === 'proposed') workspace.append(workspace.pin(name));
  }
  workspace.append(signoff());
  return workspace;
}

export const STAMP = '2026-01-01T00:00:00.000000Z';

export function stamp(type: string): Event {
  return { ts: STAMP, type };
}

export function signoff(): Event {
  return { ...stamp('signoff'), provenance: 'engineer', reason: 'done' };
}

export function reopen(ref: string): Event {
  return { ...stamp('reopen'), pin_ref: ref, reason: 'doubt' };
}

export function diagnosis(id: string, proof: string, run: number, owner?: string): Event {
  return {
    ...stamp('diagnosis'),
    id,
    subject: { proof, outcome_run: run },
    attribution: owner ?? proof,
    source: 'human',
    provenance: 'engineer',
    reason: 'because',
    ...(owner === undefined ? {} : { fix_owner: owner }),
  };
}

function stageOf(name: string): ProofStage {
  const stage = PROOF_STAGES.find((candidate) => candidate.name === name);
  if (!stage) throw new Error(`no stage ${name}`);
  return stage;
}

/** Statuses that are all valid, but for those given. */
export function valid(but: Record<string, string> = {}): Record<string, string> {
  return { ...Object.fromEntries(PROOF_STAGES.map(({ name }) => [name, 'valid'])), ...but };
}

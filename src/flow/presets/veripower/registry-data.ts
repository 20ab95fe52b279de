/** Who executes a stage: a background task, or the main conversation. */
export type Execution = 'task' | 'main-thread';

/** What a proof of a stage rests its verdict on (spec/06 §6.1). */
export interface Oracle {
  readonly ref: string;
  /** As declared; a `proposed` one becomes `human` when it is pinned. */
  readonly grade: 'tool' | 'proposed';
  /** What a pin endorses, relative to the stage's root; only of a proposed oracle. */
  readonly selector: string | undefined;
}

/** One stage of the preset as the public engine declares it (spec/06 §6.1). */
export interface PresetStage {
  readonly name: string;
  readonly execution: Execution;
  /** The folder that it publishes into, relative to the workspace. */
  readonly root: string;
  /** Selectors relative to the workspace, in declared order. */
  readonly inputs: readonly string[];
  /** Selectors relative to the root. */
  readonly outputs: readonly string[];
  /** `undefined`: its work is a diagnosis, it has no proof and no cell. */
  readonly oracle: Oracle | undefined;
  readonly params: readonly string[];
  /** Who finds the owner of a failure that names none. */
  readonly triage: string | undefined;
  /** What of its own products a new run begins with, relative to the root, and what not. */
  readonly carry: readonly string[];
  readonly noCarry: readonly string[];
}

/** Inputs that no stage produces, in the layout without an `intent/` folder. */
export const PIPELINE_INPUTS: readonly string[] = ['brainstorm.md'];

/** Order only: the first waits for the others while they are coming and not valid. */
export const ADVISORY_AFTER: ReadonlyMap<string, readonly string[]> = new Map([
  ['synthesis', ['lint-cdc']],
  ['power-analysis', ['timing-analysis']],
]);

/** Every stage; those with a proof come first, in the order that decides between them. */
export const STAGE_DATA: readonly PresetStage[] = [
  {
    name: 'specification',
    execution: 'main-thread',
    root: 'Design/specification',
    inputs: ['brainstorm.md'],
    outputs: [
      'design.md',
      '*.md',
      'manifest.json',
      'ppa.json',
      'clocks.json',
      'features.json',
      'check-hints/*.json',
      'top-io.json',
      'interconnects.json',
      'spec-review/*.md',
      'constraints/*.sdc',
      'constraints/*.sgdc',
    ],
    oracle: { ref: 'spec-review', grade: 'proposed', selector: 'spec-review/*.md' },
    params: [],
    triage: undefined,
    carry: ['**'],
    noCarry: ['spec-review/*.md'],
  },
  {
    name: 'simulation-plan',
    execution: 'main-thread',
    root: 'Verification/simulation-plan',
    inputs: [
      'Design/specification/design.md',
      'Design/specification/manifest.json',
      'Design/specification/*.md',
      'Design/specification/clocks.json',
      'Design/specification/features.json',
      'Design/specification/check-hints/*.json',
      'Design/specification/top-io.json',
    ],
    outputs: [
      'verification-plan.md',
      'tb-scaffold.json',
      'sequences.json',
      'power-scenarios.json',
      'plan-review/*.md',
    ],
    oracle: { ref: 'plan-review', grade: 'proposed', selector: 'plan-review/*.md' },
    params: [],
    triage: undefined,
    carry: ['**'],
    noCarry: ['plan-review/*.md'],
  },
  {
    name: 'rtl-design',
    execution: 'main-thread',
    root: 'Design/rtl-design',
    inputs: [
      'Design/specification/design.md',
      'Design/specification/manifest.json',
      'Design/specification/*.md',
      'Design/specification/clocks.json',
      'Design/specification/top-io.json',
      'Design/specification/interconnects.json',
    ],
    outputs: ['*.v', 'rtl-files.json', 'constraint-annotations.json', 'semantic-review/*.md'],
    oracle: { ref: 'semantic-review', grade: 'proposed', selector: 'semantic-review/*.md' },
    params: [],
    triage: undefined,
    carry: ['**'],
    noCarry: ['semantic-review/*.md'],
  },
  {
    name: 'lint-cdc',
    execution: 'task',
    root: 'Design/lint-cdc',
    inputs: [
      'Design/rtl-design/*.v',
      'Design/rtl-design/rtl-files.json',
      'Design/rtl-design/constraint-annotations.json',
      'Design/specification/constraints/*.sgdc',
      'Design/specification/manifest.json',
    ],
    outputs: [
      'lint-report.txt',
      'cdc-report.txt',
      'lint-violations.json',
      'cdc-violations.json',
      'scripts/constraints.sgdc',
      'scripts/local.sgdc',
      'scripts/waiver.tcl',
    ],
    oracle: { ref: 'spyglass-ruleset', grade: 'tool', selector: undefined },
    params: [],
    triage: undefined,
    carry: ['scripts/waiver.tcl', 'scripts/local.sgdc'],
    noCarry: [],
  },
  {
    name: 'synthesis',
    execution: 'task',
    root: 'Design/synthesis',
    inputs: [
      'Design/rtl-design/*.v',
      'Design/rtl-design/rtl-files.json',
      'Design/rtl-design/constraint-annotations.json',
      'Design/specification/constraints/*.sdc',
      'Design/specification/manifest.json',
      'Design/specification/ppa.json',
    ],
    outputs: [
      'out/*_syn.v',
      'out/*_syn.sdc',
      'out/*_syn.sdf',
      'reports/qor.rpt',
      'constraints.sdc',
      'constraints.local.sdc',
    ],
    oracle: { ref: 'dc-shell', grade: 'tool', selector: undefined },
    params: [],
    triage: undefined,
    carry: ['constraints.local.sdc'],
    noCarry: [],
  },
  {
    name: 'timing-analysis',
    execution: 'task',
    root: 'Design/timing-analysis',
    inputs: ['Design/synthesis/out/*_syn.v', 'Design/synthesis/out/*_syn.sdc'],
    outputs: ['timing-report.txt'],
    oracle: { ref: 'pt-shell', grade: 'tool', selector: undefined },
    params: [],
    triage: undefined,
    carry: [],
    noCarry: [],
  },
  {
    name: 'simulation',
    execution: 'main-thread',
    root: 'Verification/simulation',
    inputs: [
      'Design/rtl-design/*.v',
      'Design/rtl-design/rtl-files.json',
      'Verification/simulation-plan/verification-plan.md',
      'Verification/simulation-plan/tb-scaffold.json',
      'Verification/simulation-plan/sequences.json',
      'Design/specification/top-io.json',
      'Design/specification/clocks.json',
    ],
    outputs: [
      'case-results-summary.md',
      'conformance-review.md',
      'env.sh',
      'filelist.f',
      'rtl_filelist.f',
      'tb/uvm/*',
    ],
    oracle: { ref: 'tb-refmodel', grade: 'proposed', selector: 'tb/uvm/refmodel/*' },
    params: [],
    triage: 'simulation-triage',
    carry: ['**'],
    noCarry: ['conformance-review.md'],
  },
  {
    name: 'power-analysis',
    execution: 'task',
    root: 'Verification/power-analysis',
    inputs: [
      'Design/synthesis/out/*_syn.v',
      'Design/synthesis/out/*_syn.sdc',
      'Design/synthesis/out/*_syn.sdf',
      'Verification/simulation/env.sh',
      'Verification/simulation/filelist.f',
      'Verification/simulation/rtl_filelist.f',
      'Verification/simulation/tb/uvm/*',
      'Verification/simulation-plan/sequences.json',
      'Verification/simulation-plan/power-scenarios.json',
      'Design/specification/ppa.json',
    ],
    outputs: ['reports_ptpx/*/power_hier.rpt'],
    oracle: { ref: 'pt-shell', grade: 'tool', selector: undefined },
    params: [],
    triage: undefined,
    carry: [],
    noCarry: [],
  },
  {
    name: 'simulation-triage',
    execution: 'task',
    root: 'Verification/simulation-triage',
    inputs: [
      'Design/specification/design.md',
      'Design/rtl-design/*.v',
      'Design/rtl-design/rtl-files.json',
      'Verification/simulation-plan/verification-plan.md',
      'Verification/simulation/case-results-summary.md',
    ],
    outputs: [],
    oracle: undefined,
    params: ['sim_run'],
    triage: undefined,
    carry: [],
    noCarry: [],
  },
];

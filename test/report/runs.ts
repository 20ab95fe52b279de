import { join } from 'node:path';
import { fingerprintFile } from '../../src/fingerprint/file.ts';
import { readEnvelopes } from '../../src/gate/evidence.ts';
import { openCache } from '../../src/gate/open-cache.ts';
import { runGate } from '../../src/gate/run.ts';
import type { GateResult, JudgedStage, ReportedResult } from '../../src/report/result.ts';
import { engine } from '../support/cached-design.ts';
import { opened } from '../support/gate.ts';
import { makeWorkspace, type TestWorkspace } from '../support/workspace.ts';

/** Three real runs of the gate over one small design: a good, a bad and an unknown one. */

const FLOW = `name: uart
stages:
  structure:
    uses: ./engines/structure.sh
    inputs: [rtl/*.v]
    floors: { checks: { min: 1 } }
  synth:
    uses: ./engines/synth.sh
    inputs: [rtl/*.v]
    outputs: [build/net.v]
    floors: { cells: { min: 1 } }
  timing:
    uses: ./engines/timing.sh
    inputs: [build/net.v, sta/uart.sdc]
  regress:
    run: ./sim/regress.sh
    inputs: [rtl/*.v, sim/**]
    evidence: { junit: results.xml }
  pack:
    run: cp build/net.v build/uart.tar
    inputs: [build/net.v]
    outputs: [build/uart.tar]
    evidence: exit-code
    after: [regress]
  review:
    by: person
    inputs: [docs/**]
`;

const RTL = 'module uart(input clk, output tx);\nassign tx = clk;\nendmodule\n';

function event(severity: string, code: string, raw_msg: string, file?: string): string {
  const event = { schema: 'vyges-events/1.0', ts_ms: 0, tool: 't', severity, code, raw_msg, file };
  return `echo '${JSON.stringify(event)}' >&2`;
}

/** What each engine does on a design that is in order. */
const DOES: Readonly<Record<string, string>> = {
  structure: `echo '{"clean": true, "checks": 41, "latches": 0}'`,
  synth: `mkdir -p build; cat rtl/*.v > build/net.v; echo '{"clean": true, "area": 1834.5, "cells": 212}'`,
  timing: `echo '{"clean": true, "worst_slack": 0.124, "tns": 0, "endpoints": 96}'`,
};

function design(does: Readonly<Record<string, string>> = {}): TestWorkspace {
  const scripts = { ...DOES, ...does };
  const engines = Object.keys(DOES).map((name) => [
    `engines/${name}.sh`,
    engine(scripts[name] ?? '', name, { name, assertion: assertion(name) }),
  ]);
  const workspace = makeWorkspace({
    flow: FLOW,
    files: {
      'rtl/uart.v': RTL,
      'sta/uart.sdc': 'create_clock -period 10 clk\n',
      'docs/plan.md': 'The plan.\n',
      ...Object.fromEntries(engines),
    },
  });
  workspace.write('sim/regress.sh', engine(does['regress'] ?? junit(12), 'regress'));
  return workspace;
}

function assertion(name: string): object {
  return { id: `${name}-clean`, field: 'clean', pass_when: { is_true: true } };
}

function junit(passed: number, failed?: string): string {
  const cases = Array.from({ length: passed }, (_, index) => `<testcase name="t${index}"/>`);
  const bad =
    failed === undefined
      ? ''
      : `<testcase name="${failed}" file="sim/test_uart.py" line="41"><failure message="0x55 came back as 0x54"/></testcase>`;
  return `echo '<testsuite>${cases.join('')}${bad}</testsuite>' > results.xml`;
}

/** A person's judgement of the plan, as a tool of theirs would write it into the log. */
function reviewed(workspace: TestWorkspace): void {
  const found = fingerprintFile(workspace.at('docs/plan.md'));
  const inputs = { 'docs/plan.md': found.ok ? found.value : 'missing' };
  const common = { ts: '2026-01-01T10:00:00Z', rule: 'review', run: 1 };
  const oracle = { ref: 'reviewed', grade: 'human' };
  const proofs = [{ name: 'review', verdict: 'pass', inputs, oracle }];
  for (const line of [
    { ...common, type: 'dispatch', workdir: 'docs', params: {} },
    { ...common, type: 'outcome', verdict: 'pass', outputs: {}, proofs, tool_versions: {} },
  ]) {
    workspace.appendToLog(`${JSON.stringify(line)}\n`);
  }
}

/** Everything holds; two results come from a cache. */
export async function goodRun(): Promise<ReportedResult> {
  const workspace = design();
  await run(workspace, ['structure', 'synth']);
  for (const left of ['events.jsonl', '.signoff', 'build']) workspace.remove(left);
  reviewed(workspace);
  return run(workspace);
}

/** The design is broken, a result is out of date, and so nothing that needs them was run. */
export async function badRun(): Promise<ReportedResult> {
  const workspace = design({
    structure: [
      event('info', 'ST-001', 'elaborated 4 modules'),
      event('warn', 'ST-104', "signal 'tx_busy' is never read", 'rtl/uart.v:1'),
      event(
        'error',
        'ST-201',
        "latch inferred for 'tx' in always @(clk) | state_q[3:0]",
        'rtl/uart.v:2:5',
      ),
      `echo '{"clean": false, "checks": 41, "latches": 1}'`,
    ].join('\n'),
    timing: `echo '{"clean": false, "worst_slack": -0.031, "tns": -0.094, "endpoints": 96}'`,
    regress: `${junit(11, 'uart.loopback')}; exit 1`,
  });
  reviewed(workspace);
  workspace.write('docs/plan.md', 'Another plan.\n');
  return run(workspace);
}

/** Nothing speaks against the design, and that is no proof. */
export async function unknownRun(): Promise<ReportedResult> {
  const workspace = design({
    structure: `echo '{"clean": true, "checks": 0}'`,
    synth: [
      event('error', 'LIC-7', 'no licence for feature "synth_pro" (server lic1:27000)'),
      'echo "Traceback (most recent call last):" >&2',
      'echo "  <module> at line 12: licence_error | see www.example.com" >&2',
      'exit 3',
    ].join('\n'),
    regress: 'true',
  });
  workspace.edit('signoff.yaml', './engines/timing.sh', 'sta-that-is-not-installed');
  workspace.edit('signoff.yaml', '[build/net.v, sta/uart.sdc]', '[sta/uart.sdc]');
  return run(workspace);
}

async function run(
  workspace: TestWorkspace,
  only: readonly string[] = [],
): Promise<ReportedResult> {
  const emit = (): void => undefined;
  const now = opened(workspace);
  const judged = await runGate({
    workspace: now,
    only,
    rerun: false,
    concurrency: 1,
    lockWaitMs: 0,
    command: 'a test',
    cache: openCache(
      {
        kind: 'directory',
        isOnGithub: true,
        directory: join(workspace.outside, 'cache'),
        mayRestore: true,
        environment: {},
        deadlines: { lookupMs: 1000, transferMs: 1000 },
      },
      emit,
    ),
    emit,
    signal: new AbortController().signal,
  });
  if (!judged.ok) throw new Error(JSON.stringify(judged.error));
  const envelopes = readEnvelopes(now, judged.value);
  return { result: steady(judged.value), envelopes };
}

/** What differs from run to run is set to what does not. */
function steady(result: GateResult): GateResult {
  return { ...result, workspace: '.', stages: result.stages.map(steadyStage) };
}

function steadyStage(stage: JudgedStage, index: number): JudgedStage {
  const { outcome } = stage.assessment;
  if (outcome?.duration_ms === undefined) return stage;
  const duration_ms = stage.how === 'restored' ? 4 : 1234 * (index + 1);
  return { ...stage, assessment: { ...stage.assessment, outcome: { ...outcome, duration_ms } } };
}

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { adapterNames } from '../engine/adapters/registry.ts';
import { introduceEngine } from '../engine/introduce-engine.ts';
import { invoke } from '../engine/invoke.ts';
import { listEngines } from '../engine/list.ts';
import { newMarker } from '../engine/marker.ts';
import { prepare } from '../engine/prepare.ts';
import type { ProgramWork } from '../engine/prepared.ts';
import { valuesFromText } from '../engine/values-from-text.ts';
import { createFingerprintStore } from '../fingerprint/store.ts';
import { walkWorkspace } from '../fingerprint/walk.ts';
import { onInterrupt } from '../process/interrupt.ts';
import { problem } from '../values/problem.ts';
import { printable } from '../values/text.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { consoleEmitter } from './console-events.ts';
import { COMMON, numberOption, openNamed, parse, wantsJson } from './options.ts';
import { tell } from './output.ts';
import { table } from './table.ts';

/** `engine list|describe|run`: one engine, without a flow. */
export async function engine(args: readonly string[]): Promise<Answer> {
  const [verb, ...rest] = args;
  switch (verb) {
    case 'list':
      return list(rest);
    case 'describe':
      return describe(rest);
    case 'run':
      return run(rest);
    default:
      return refusal(
        [
          problem(
            'usage/unknown-command',
            verb === undefined ? 'engine needs a verb' : `engine has no verb \`${verb}\``,
            {
              remedy: 'Verbs: list, describe, run.',
            },
          ),
        ],
        wantsJson(args),
      );
  }
}

async function list(args: readonly string[]): Promise<Answer> {
  const isJson = wantsJson(args);
  const parsed = parse(args, COMMON, { least: 0, most: 1000, names: 'engines' });
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const { values, positionals } = parsed.value;
  const places = placesOf(values.workspace);
  let names: readonly string[] = positionals;
  if (names.length === 0) {
    const workspace = openNamed(values);
    const hasNoFlow = !workspace.ok && workspace.error.some(({ code }) => code === 'flow/missing');
    if (!workspace.ok && !hasNoFlow) return refusal(workspace.error, isJson);
    // Without a flow there are still the tools that are known by themselves.
    names = workspace.ok
      ? workspace.value.flow.stages.flatMap(({ work }) =>
          work.kind === 'engine' ? [work.uses] : [],
        )
      : adapterNames();
  }
  const engines = await listEngines([...new Set(names)], places);
  if (isJson) return jsonAnswer(0, { engines });
  const rows = engines.map((one) => [
    one.uses,
    one.version ?? '-',
    one.contract,
    one.maturity,
    one.assertion ?? '-',
    one.effect,
    one.consumes.join(',') || '-',
    printable(one.problem ?? one.limitations.join(' '), 120),
  ]);
  return textAnswer(
    0,
    `${table(['engine', 'version', 'contract', 'maturity', 'assertion', 'effect', 'consumes', 'limitations'], rows)}\n`,
  );
}

async function describe(args: readonly string[]): Promise<Answer> {
  const isJson = wantsJson(args);
  const parsed = parse(args, COMMON, { least: 1, most: 1, names: 'NAME' });
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const [name = ''] = parsed.value.positionals;
  const places = placesOf(parsed.value.values.workspace);
  const introduced = await introduceEngine(name, { ...places, declared: {} });
  if (!introduced.ok) return refusal([introduced.error], isJson);
  const { descriptor } = introduced.value;
  if (typeof descriptor === 'string') {
    return refusal(
      [problem('engine/no-descriptor', `\`${name}\` has no descriptor: ${descriptor}`)],
      isJson,
    );
  }
  return jsonAnswer(0, descriptor.raw);
}

const RUN_OPTIONS = {
  ...COMMON,
  input: { type: 'string', short: 'i', multiple: true },
  'timeout-minutes': { type: 'string' },
} as const;

async function run(args: readonly string[]): Promise<Answer> {
  const isJson = wantsJson(args);
  const parsed = parse(args, RUN_OPTIONS, { least: 1, most: 1, names: 'NAME' });
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const [name = ''] = parsed.value.positionals;
  const { values } = parsed.value;
  const minutes = numberOption('timeout-minutes', values['timeout-minutes'], 60, {
    least: 0.001,
    most: 10_080,
    isWhole: false,
  });
  if (!minutes.ok) return refusal(minutes.error, isJson);
  const given = valuesFromText(values.input ?? []);
  if (!given.ok) return refusal([given.error], isJson);
  const places = placesOf(values.workspace);
  const asWork = (withValues: Extract<ProgramWork, { kind: 'engine' }>['with']): ProgramWork => ({
    kind: 'engine',
    uses: name,
    with: withValues,
    version: undefined,
    tools: [],
  });
  const typed = await given.value.typedFor(name, places);
  const work = asWork(typed);
  const interruption = onInterrupt(tell);
  const captureFolder = mkdtempSync(join(tmpdir(), 'signoff-gate-engine-'));
  try {
    const emit = consoleEmitter();
    const prepared = await prepare({
      work,
      env: {},
      places,
      walk: walkWorkspace(places.workspace),
      store: createFingerprintStore(places.workspace),
      signal: interruption.signal,
    });
    const { envelope, isValid } = await invoke(prepared, {
      rules: { work, floors: {}, minCoverage: undefined },
      outputs: [],
      env: {},
      places,
      timeoutMs: minutes.value * 60_000,
      captureFolder,
      marker: newMarker(),
      signal: interruption.signal,
      onEvent: (event) => emit({ kind: 'engine-event', stage: name, event }),
      onLine: (line) => emit({ kind: 'engine-line', stage: name, line }),
    });
    const { status } = envelope.engineering;
    return jsonAnswer(
      isValid && (status === 'pass' || status === 'not_applicable') ? 0 : 1,
      envelope,
    );
  } finally {
    interruption.stop();
    rmSync(captureFolder, { recursive: true, force: true });
  }
}

function placesOf(directory: string | undefined): { workspace: string; searchPath: string } {
  const workspace = resolve(directory ?? '.');
  let real = workspace;
  try {
    real = realpathSync(workspace);
  } catch {
    // A folder that is not there: the engine's own start says so.
  }
  return { workspace: real, searchPath: process.env['PATH'] ?? '' };
}

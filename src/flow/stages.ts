import type { FlowDocument, StageDocument } from '../generated/documents.ts';
import { isStageName, type WorkspacePath } from '../values/brands.ts';
import { type Problem, problem } from '../values/problem.ts';
import type { FlowSource } from './document.ts';
import { readInputs, readOutputs } from './read-files.ts';
import { readWork } from './read-work.ts';
import type { Evidence, Floor, Output, Stage } from './stage.ts';
import { StageReader } from './stage-reader.ts';
import type { Variables } from './variables.ts';

const DEFAULT_TIMEOUT_MINUTES = 60;
const WORK_KEY = { engine: 'uses', command: 'run', judged: 'by' } as const;

/** A stage before the graph is known. */
export type UnlinkedStage = Omit<Stage, 'needs' | 'after'> & {
  readonly afterNames: readonly string[];
};

/**
 * Turns the stages of a flow document into typed ones: names, paths, selectors and variables
 * checked. Collects every problem rather than the first.
 */
export function readStages(
  source: FlowSource,
  document: FlowDocument,
  variables: Variables,
): { stages: UnlinkedStage[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const stages: UnlinkedStage[] = [];
  for (const [name, stageDocument] of Object.entries(document.stages)) {
    if (!isStageName(name)) {
      problems.push(
        problem('flow/bad-name', `\`${name}\` is no stage name`, {
          at: source.place(['stages', name], 'key'),
          remedy: 'A name is [a-z0-9][a-z0-9._-]{0,63}, without `..`.',
        }),
      );
      continue;
    }
    const reader = new StageReader(source, name, stageDocument, variables);
    const stage = readStage(reader);
    if (stage) stages.push(stage);
    problems.push(...reader.problems);
  }
  return { stages, problems };
}

/** One stage; undefined when something is wrong with it. */
function readStage(reader: StageReader): UnlinkedStage | undefined {
  const { document } = reader;
  const work = readWork(reader);
  const inputs = readInputs(reader);
  const outputs = readOutputs(reader);
  const evidencePath = work?.kind === 'command' ? evidencePathOf(work.evidence) : undefined;
  if (evidencePath !== undefined && !covers(outputs, evidencePath)) {
    // The evidence is an output by implication: it must be absent before the run and new after it.
    outputs.push({ path: evidencePath, isFolder: false });
  }
  if (work?.kind === 'command' && work.evidence.kind === 'exit-code' && outputs.length === 0) {
    reader.report('flow/schema', ['evidence'], 'evidence `exit-code` needs at least one output', {
      remedy: 'An exit code alone proves nothing: name a file that the command must write.',
    });
  }
  const soFar = reader.problems.length;
  const external = reader.texts('external');
  const isReplaced = reader.problems.length === soFar;
  for (const [name, pattern] of Object.entries(external)) {
    if (isReplaced && !pattern.startsWith('/')) {
      reader.report(
        'flow/bad-path',
        ['external', name],
        `external \`${name}\` must be an absolute path or glob`,
        {
          remedy: 'What lies in the workspace belongs to `inputs`.',
        },
      );
    }
  }
  const env = reader.texts('env');
  if (reader.problems.length > 0 || !work || !inputs) return undefined;
  return {
    name: reader.name,
    at: reader.source.place(['stages', reader.name], 'key'),
    workAt: reader.source.place(['stages', reader.name, WORK_KEY[work.kind]]),
    work,
    inputs,
    outputs,
    afterNames: document.after ?? [],
    external,
    env,
    floors: floorsOf(document.floors),
    minCoverage: document['min-coverage'],
    acceptsNoClaim: document.claims === 'none',
    timeoutMs: Math.round((document['timeout-minutes'] ?? DEFAULT_TIMEOUT_MINUTES) * 60_000),
  };
}

/** The schema lets exactly one of the two bounds through. */
function floorsOf(documents: StageDocument['floors']): Record<string, Floor> {
  return Object.fromEntries(
    Object.entries(documents ?? {}).map(([field, { min, above }]): [string, Floor] => [
      field,
      above === undefined ? { min: min ?? Number.POSITIVE_INFINITY } : { above },
    ]),
  );
}

function evidencePathOf(evidence: Evidence): WorkspacePath | undefined {
  return 'path' in evidence ? evidence.path : undefined;
}

function covers(outputs: readonly Output[], path: string): boolean {
  return outputs.some((o) => o.path === path || (o.isFolder && path.startsWith(`${o.path}/`)));
}

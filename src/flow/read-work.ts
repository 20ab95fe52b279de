import { emptyTable } from '../values/table.ts';
import type { Pointer } from './document.ts';
import { readEvidenceSource } from './read-evidence-source.ts';
import type { Work } from './stage.ts';
import type { StageReader } from './stage-reader.ts';

const SHELL = ['bash', '-eo', 'pipefail', '-c'] as const;

/** Reads who does the work of a stage. */
export function readWork(reader: StageReader): Work | undefined {
  const document = reader.document;
  const kinds = (['uses', 'run', 'by'] as const).filter((key) => document[key] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    reader.report(
      'flow/schema',
      kinds[1] === undefined ? [] : [kinds[1]],
      kind === undefined
        ? `stage \`${reader.name}\` says nothing of who does its work`
        : `stage \`${reader.name}\` has both \`${kinds.join('` and `')}\``,
      {
        remedy:
          'Give exactly one of `uses` (an engine), `run` (a command), `by` (person or agent).',
      },
    );
    return undefined;
  }
  refuseKeysOfOthers(reader, kind);
  if (kind === 'by') return { kind: 'judged', by: document.by ?? 'person' };
  if (kind === 'uses') {
    const withValues = emptyTable<string | number | boolean | (string | number)[]>();
    for (const [key, value] of Object.entries(document.with ?? {})) {
      withValues[key] = withValue(reader, ['with', key], value);
    }
    return {
      kind: 'engine',
      uses: reader.text(['uses'], document.uses ?? ''),
      with: withValues,
      version: document.version,
      tools: document.tools ?? [],
    };
  }
  return readCommand(reader);
}

function readCommand(reader: StageReader): Work | undefined {
  const { run, tools } = reader.document;
  const evidence = readEvidenceSource(reader);
  if (run === undefined || !evidence) return undefined;
  if (evidence.kind === 'json' && Object.keys(reader.document.floors ?? {}).length === 0) {
    reader.report('flow/schema', ['evidence'], 'evidence `json` needs at least one floor', {
      remedy: 'Add `floors`: a count in the report that must be at least 1 for a pass.',
    });
  }
  if (typeof run === 'string') {
    return {
      kind: 'command',
      argv: [...SHELL, run],
      isScript: true,
      tools: tools ?? [],
      evidence,
    };
  }
  const [program, ...args] = run.map((text, index) => reader.text(['run', index], text));
  if (program === undefined || program === '') {
    reader.report('flow/schema', ['run'], '`run` names no program');
    return undefined;
  }
  return {
    kind: 'command',
    argv: [program, ...args],
    isScript: false,
    tools: tools ?? [],
    evidence,
  };
}

/** Keys that mean nothing for this kind of work are refused: a setting without effect misleads. */
function refuseKeysOfOthers(reader: StageReader, kind: 'uses' | 'run' | 'by'): void {
  const meaningless = {
    uses: ['evidence'],
    run: ['with', 'version', 'claims'],
    by: [
      'with',
      'version',
      'tools',
      'evidence',
      'floors',
      'min-coverage',
      'claims',
      'env',
      'external',
      'timeout-minutes',
    ],
  } as const;
  for (const key of meaningless[kind]) {
    if (reader.document[key] !== undefined) {
      reader.report('flow/schema', [key], `\`${key}\` means nothing beside \`${kind}\``, {}, 'key');
    }
  }
  if (kind === 'by' && reader.document.inputs === 'none') {
    reader.report(
      'flow/schema',
      ['inputs'],
      'a judgement `by` somebody must name the files that it is about',
    );
  }
}

function withValue(
  reader: StageReader,
  pointer: Pointer,
  value: string | number | boolean | (string | number)[],
): string | number | boolean | (string | number)[] {
  if (typeof value === 'string') return reader.text(pointer, value);
  if (!Array.isArray(value)) return value;
  return value.map((item, index) =>
    typeof item === 'string' ? reader.text([...pointer, index], item) : item,
  );
}

import type { Evidence as EvidenceDocument } from '../generated/documents.ts';
import { emptyTable } from '../values/table.ts';
import type { Pointer } from './document.ts';
import type { Evidence, Work } from './stage.ts';
import type { StageReader } from './stage-reader.ts';

const SHELL = ['bash', '-eo', 'pipefail', '-c'] as const;

/** Reads who does the work of a stage, and where the verdict of a command comes from. */
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
    };
  }
  return readCommand(reader);
}

function readCommand(reader: StageReader): Work | undefined {
  const { run, tools } = reader.document;
  const evidence = readEvidence(reader);
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
    uses: ['tools', 'evidence'],
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

function readEvidence(reader: StageReader): Evidence | undefined {
  const document: EvidenceDocument | undefined = reader.document.evidence;
  if (document === undefined) return { kind: 'none' };
  if (typeof document === 'string') return { kind: 'exit-code' };
  const kinds = (['junit', 'json', 'sarif', 'exit-code'] as const).filter(
    (key) => document[key] !== undefined,
  );
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    reader.report(
      'flow/schema',
      ['evidence'],
      '`evidence` needs exactly one of junit, json, sarif, exit-code',
    );
    return undefined;
  }
  if (document['allow-skipped'] !== undefined && kind !== 'junit') {
    reader.report(
      'flow/schema',
      ['evidence', 'allow-skipped'],
      '`allow-skipped` belongs to `junit`',
      {},
      'key',
    );
  }
  if ((document.assertion !== undefined) !== (kind === 'json')) {
    reader.report(
      'flow/schema',
      ['evidence'],
      kind === 'json' ? 'evidence `json` needs an `assertion`' : '`assertion` belongs to `json`',
      kind === 'json'
        ? {
            remedy:
              'For example: assertion: { id: tests-passed, field: passed, pass_when: { is_true: true } }.',
          }
        : {},
    );
    return undefined;
  }
  if (kind === 'exit-code') return { kind };
  const path = reader.path(['evidence', kind], document[kind] ?? '');
  if (path === undefined) return undefined;
  if (kind === 'junit') return { kind, path, allowSkipped: document['allow-skipped'] ?? false };
  if (kind === 'sarif') return { kind, path };
  const { assertion } = document;
  return (
    assertion && {
      kind,
      path,
      assertion: {
        ...assertion,
        pass_when: { ...assertion.pass_when } as Record<string, string | number | boolean>,
      },
    }
  );
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

import type { Evidence as EvidenceDocument } from '../generated/documents.ts';
import type { WorkspacePath } from '../values/brands.ts';
import type { Evidence } from './stage.ts';
import type { StageReader } from './stage-reader.ts';

type EvidenceMap = Exclude<EvidenceDocument, string>;

const KINDS = ['junit', 'lcov', 'json', 'sarif', 'exit-code'] as const;

/** The kind of evidence that a setting belongs to: beside another it would have no effect. */
const KIND_OF = {
  'allow-skipped': 'junit',
  'min-tests': 'junit',
  tests: 'junit',
  'min-line-coverage': 'lcov',
  files: 'lcov',
} as const;

/** Reads where the verdict of a command comes from; undefined when something is wrong with it. */
export function readEvidenceSource(reader: StageReader): Evidence | undefined {
  const document: EvidenceDocument | undefined = reader.document.evidence;
  if (document === undefined) return { kind: 'none' };
  if (typeof document === 'string') return { kind: 'exit-code' };
  const kinds = KINDS.filter((key) => document[key] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    reader.report(
      'flow/schema',
      ['evidence'],
      `\`evidence\` needs exactly one of ${KINDS.join(', ')}`,
    );
    return undefined;
  }
  refuseSettingsOfOthers(reader, document, kind);
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
  if (kind === 'lcov') return readLcovSource(reader, document, path);
  if (path === undefined) return undefined;
  if (kind === 'junit') return junitSource(document, path);
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

function refuseSettingsOfOthers(
  reader: StageReader,
  document: EvidenceMap,
  kind: (typeof KINDS)[number],
): void {
  for (const key of Object.keys(KIND_OF) as (keyof typeof KIND_OF)[]) {
    if (document[key] === undefined || KIND_OF[key] === kind) continue;
    const message = `\`${key}\` belongs to \`${KIND_OF[key]}\``;
    reader.report('flow/schema', ['evidence', key], message, {}, 'key');
  }
}

/** What the flow does not say stays absent, so that it does not change the stage's digest. */
function junitSource(document: EvidenceMap, path: WorkspacePath): Evidence {
  const { 'min-tests': minTests, tests } = document;
  return {
    kind: 'junit',
    path,
    allowSkipped: document['allow-skipped'] ?? false,
    ...(minTests === undefined ? {} : { minTests }),
    ...(tests === undefined ? {} : { tests }),
  };
}

function readLcovSource(
  reader: StageReader,
  document: EvidenceMap,
  path: WorkspacePath | undefined,
): Evidence | undefined {
  const { 'min-line-coverage': minLineCoverage, files } = document;
  if (minLineCoverage === undefined) {
    reader.report('flow/schema', ['evidence'], 'evidence `lcov` needs `min-line-coverage`', {
      remedy: 'Say which share of the lines must be hit, from 0 to 1.',
    });
  }
  if (files === undefined) {
    reader.report('flow/schema', ['evidence'], 'evidence `lcov` needs `files`', {
      remedy: 'List the files whose lines count: one that the report lacks must not go unseen.',
    });
  }
  if (reader.document['min-coverage'] !== undefined) {
    // A report of lines has no `coverage` field: the stage could never pass.
    const message = '`min-coverage` means nothing to `lcov`';
    const remedy = 'Write `min-line-coverage`, inside `evidence`.';
    reader.report('flow/schema', ['min-coverage'], message, { remedy }, 'key');
  }
  const literal = files && readFiles(reader, files);
  if (path === undefined || minLineCoverage === undefined || !literal) return undefined;
  return { kind: 'lcov', path, minLineCoverage, files: literal };
}

/** Literal paths only: a glob would shrink with the report, and a lost file would not be missed. */
function readFiles(reader: StageReader, files: readonly string[]): WorkspacePath[] | undefined {
  const paths = files.map((text, index) => {
    const pointer = ['evidence', 'files', index];
    if (!/[*?[\]{}!]/.test(text)) return reader.path(pointer, text);
    reader.report('flow/bad-path', pointer, `the file \`${text}\` holds glob characters`, {
      remedy: 'Write each file out: one that a glob no longer matches would not be missed.',
    });
    return undefined;
  });
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

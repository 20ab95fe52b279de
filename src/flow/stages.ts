import { compileSelector, type Selector } from '../fingerprint/selector.ts';
import type {
  Evidence as EvidenceDocument,
  FlowDocument,
  StageDocument,
} from '../generated/documents.ts';
import { isStageName, type StageName, type WorkspacePath } from '../values/brands.ts';
import { type Problem, type ProblemCode, problem } from '../values/problem.ts';
import { emptyTable } from '../values/table.ts';
import { checkWorkspacePath } from '../values/workspace-path.ts';
import type { FlowSource, Pointer } from './document.ts';
import type { Evidence, InputSelector, Inputs, Output, Stage, Work } from './stage.ts';
import { substitute, type Variables } from './variables.ts';

const DEFAULT_TIMEOUT_MINUTES = 60;
const SHELL = ['bash', '-eo', 'pipefail', '-c'] as const;
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
    const reader = new StageReader(source, name, stageDocument, variables, problems);
    const stage = reader.read();
    if (stage) stages.push(stage);
  }
  return { stages, problems };
}

/** Reads one stage; what is wrong goes to the list that it was given. */
class StageReader {
  readonly #source: FlowSource;
  readonly #name: StageName;
  readonly #document: StageDocument;
  readonly #variables: Variables;
  readonly #problems: Problem[];

  constructor(
    source: FlowSource,
    name: StageName,
    document: StageDocument,
    variables: Variables,
    problems: Problem[],
  ) {
    this.#source = source;
    this.#name = name;
    this.#document = document;
    this.#variables = variables;
    this.#problems = problems;
  }

  read(): UnlinkedStage | undefined {
    const before = this.#problems.length;
    const document = this.#document;
    const work = this.#work();
    const inputs = this.#inputs();
    const outputs = this.#outputs();
    const evidencePath = work?.kind === 'command' ? evidencePathOf(work.evidence) : undefined;
    if (evidencePath !== undefined && !covers(outputs, evidencePath)) {
      // The evidence is an output by implication: it must be absent before the run and new after it.
      outputs.push({ path: evidencePath, isFolder: false });
    }
    if (work?.kind === 'command' && work.evidence.kind === 'exit-code' && outputs.length === 0) {
      this.#report('flow/schema', ['evidence'], 'evidence `exit-code` needs at least one output', {
        remedy: 'An exit code alone proves nothing: name a file that the command must write.',
      });
    }
    const soFar = this.#problems.length;
    const external = this.#texts('external');
    const isReplaced = this.#problems.length === soFar;
    for (const [name, pattern] of Object.entries(external)) {
      if (isReplaced && !pattern.startsWith('/')) {
        this.#report(
          'flow/bad-path',
          ['external', name],
          `external \`${name}\` must be an absolute path or glob`,
          {
            remedy: 'What lies in the workspace belongs to `inputs`.',
          },
        );
      }
    }
    const env = this.#texts('env');
    if (this.#problems.length > before || !work || !inputs) return undefined;
    return {
      name: this.#name,
      at: this.#source.place(['stages', this.#name], 'key'),
      workAt: this.#source.place(['stages', this.#name, WORK_KEY[work.kind]]),
      work,
      inputs,
      outputs,
      afterNames: document.after ?? [],
      external,
      env,
      floors: document.floors ?? {},
      minCoverage: document['min-coverage'],
      acceptsNoClaim: document.claims === 'none',
      timeoutMs: Math.round((document['timeout-minutes'] ?? DEFAULT_TIMEOUT_MINUTES) * 60_000),
    } as UnlinkedStage;
  }

  #work(): Work | undefined {
    const document = this.#document;
    const kinds = (['uses', 'run', 'by'] as const).filter((key) => document[key] !== undefined);
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      this.#report(
        'flow/schema',
        kinds[1] === undefined ? [] : [kinds[1]],
        kind === undefined
          ? `stage \`${this.#name}\` says nothing of who does its work`
          : `stage \`${this.#name}\` has both \`${kinds.join('` and `')}\``,
        {
          remedy:
            'Give exactly one of `uses` (an engine), `run` (a command), `by` (person or agent).',
        },
      );
      return undefined;
    }
    this.#refuseKeysOfOthers(kind);
    if (kind === 'by') return { kind: 'judged', by: document.by ?? 'person' };
    if (kind === 'uses') {
      const withValues = emptyTable<string | number | boolean | (string | number)[]>();
      for (const [key, value] of Object.entries(document.with ?? {})) {
        withValues[key] = this.#withValue(['with', key], value);
      }
      return {
        kind: 'engine',
        uses: this.#text(['uses'], document.uses ?? ''),
        with: withValues,
        version: document.version,
      };
    }
    return this.#command();
  }

  #command(): Work | undefined {
    const { run, tools } = this.#document;
    const evidence = this.#evidence();
    if (run === undefined || !evidence) return undefined;
    if (evidence.kind === 'json' && Object.keys(this.#document.floors ?? {}).length === 0) {
      this.#report('flow/schema', ['evidence'], 'evidence `json` needs at least one floor', {
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
    const [program, ...args] = run.map((text, index) => this.#text(['run', index], text));
    if (program === undefined || program === '') {
      this.#report('flow/schema', ['run'], '`run` names no program');
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
  #refuseKeysOfOthers(kind: 'uses' | 'run' | 'by'): void {
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
      if (this.#document[key] !== undefined) {
        this.#report(
          'flow/schema',
          [key],
          `\`${key}\` means nothing beside \`${kind}\``,
          {},
          'key',
        );
      }
    }
    if (kind === 'by' && this.#document.inputs === 'none') {
      this.#report(
        'flow/schema',
        ['inputs'],
        'a judgement `by` somebody must name the files that it is about',
      );
    }
  }

  #evidence(): Evidence | undefined {
    const document: EvidenceDocument | undefined = this.#document.evidence;
    if (document === undefined) return { kind: 'none' };
    if (typeof document === 'string') return { kind: 'exit-code' };
    const kinds = (['junit', 'json', 'sarif', 'exit-code'] as const).filter(
      (key) => document[key] !== undefined,
    );
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      this.#report(
        'flow/schema',
        ['evidence'],
        '`evidence` needs exactly one of junit, json, sarif, exit-code',
      );
      return undefined;
    }
    if (document['allow-skipped'] !== undefined && kind !== 'junit') {
      this.#report(
        'flow/schema',
        ['evidence', 'allow-skipped'],
        '`allow-skipped` belongs to `junit`',
        {},
        'key',
      );
    }
    if ((document.assertion !== undefined) !== (kind === 'json')) {
      this.#report(
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
    const path = this.#path(['evidence', kind], document[kind] ?? '');
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

  #inputs(): Inputs | 'none' | undefined {
    const { inputs } = this.#document;
    if (inputs === 'none') return 'none';
    if (inputs === undefined) {
      this.#report('flow/schema', [], `stage \`${this.#name}\` has no \`inputs\``, {
        remedy:
          'List every file that it reads as globs, or say `inputs: none` to run it each time.',
      });
      return undefined;
    }
    const include: InputSelector[] = [];
    const exclude: Selector[] = [];
    for (const [index, entry] of inputs.entries()) {
      const glob = typeof entry === 'string' ? entry : entry.glob;
      const isExclusion = glob.startsWith('!');
      const selector = compileSelector(isExclusion ? glob.slice(1) : glob);
      const at = this.#source.place(['stages', this.#name, 'inputs', index]);
      if (!selector.ok) {
        this.#report(
          'flow/bad-selector',
          ['inputs', index],
          `the selector \`${glob}\` cannot be used: ${selector.error}`,
        );
      } else if (isExclusion) {
        exclude.push(selector.value);
      } else {
        include.push({
          selector: selector.value,
          optional: typeof entry !== 'string' && entry.optional === true,
          at,
        });
      }
    }
    if (include.length === 0 && exclude.length > 0) {
      this.#report(
        'flow/bad-selector',
        ['inputs'],
        'only exclusions are listed; nothing is selected',
      );
    }
    return { include, exclude };
  }

  #outputs(): Output[] {
    const outputs: Output[] = [];
    for (const [index, text] of (this.#document.outputs ?? []).entries()) {
      const pointer = ['outputs', index];
      if (/[*?[\]{}!]/.test(text)) {
        this.#report('flow/bad-path', pointer, `the output \`${text}\` holds glob characters`, {
          remedy: 'Outputs are literal files, or a folder ending in `/`.',
        });
        continue;
      }
      const isFolder = text.endsWith('/');
      const path = this.#path(pointer, isFolder ? text.slice(0, -1) : text);
      if (path === undefined) continue;
      // Where case does not count on a disk, `.Git` is git's too.
      const folded = path.toLowerCase();
      const [top] = folded.split('/');
      if (
        top === '.git' ||
        top === '.signoff' ||
        folded === 'events.jsonl' ||
        folded === this.#source.file.toLowerCase()
      ) {
        this.#report(
          'flow/bad-path',
          pointer,
          `\`${path}\` cannot be an output: it is the gate's own or git's`,
        );
        continue;
      }
      outputs.push({ path, isFolder });
    }
    return outputs;
  }

  #path(pointer: Pointer, text: string): WorkspacePath | undefined {
    const checked = checkWorkspacePath(text);
    if (checked.ok) return checked.path;
    this.#report('flow/bad-path', pointer, `the path \`${text}\` cannot be used: ${checked.why}`);
    return undefined;
  }

  #withValue(
    pointer: Pointer,
    value: string | number | boolean | (string | number)[],
  ): string | number | boolean | (string | number)[] {
    if (typeof value === 'string') return this.#text(pointer, value);
    if (!Array.isArray(value)) return value;
    return value.map((item, index) =>
      typeof item === 'string' ? this.#text([...pointer, index], item) : item,
    );
  }

  #texts(key: 'external' | 'env'): Record<string, string> {
    const entries = Object.entries(this.#document[key] ?? {});
    return Object.fromEntries(entries.map(([name, text]) => [name, this.#text([key, name], text)]));
  }

  #text(pointer: Pointer, text: string): string {
    const replaced = substitute(text, this.#variables);
    if (!replaced.ok) {
      this.#report('flow/bad-variable', pointer, replaced.why);
      return text;
    }
    if (replaced.text.includes('\0')) {
      this.#report('flow/schema', pointer, 'a NUL character cannot be passed to a program');
    }
    return replaced.text;
  }

  #report(
    code: ProblemCode,
    pointer: Pointer,
    message: string,
    more: { remedy?: string } = {},
    of: 'key' | 'value' = 'value',
  ): void {
    const at = this.#source.place(
      ['stages', this.#name, ...pointer],
      pointer.length === 0 ? 'key' : of,
    );
    this.#problems.push(problem(code, message, { at, stage: this.#name, ...more }));
  }
}

function evidencePathOf(evidence: Evidence): WorkspacePath | undefined {
  return 'path' in evidence ? evidence.path : undefined;
}

function covers(outputs: readonly Output[], path: string): boolean {
  return outputs.some((o) => o.path === path || (o.isFolder && path.startsWith(`${o.path}/`)));
}

import type { StageDocument } from '../generated/documents.ts';
import type { StageName, WorkspacePath } from '../values/brands.ts';
import { type Problem, type ProblemCode, problem } from '../values/problem.ts';
import { checkWorkspacePath } from '../values/workspace-path.ts';
import type { FlowSource, Pointer } from './document.ts';
import { substitute, type Variables } from './variables.ts';

/** One stage of a flow file while it is read: what is wrong with it is reported where it stands. */
export class StageReader {
  readonly name: StageName;
  readonly document: StageDocument;
  readonly source: FlowSource;
  readonly problems: Problem[] = [];
  readonly #variables: Variables;

  constructor(source: FlowSource, name: StageName, document: StageDocument, variables: Variables) {
    this.source = source;
    this.name = name;
    this.document = document;
    this.#variables = variables;
  }

  /** Adds a problem at a place of the stage. */
  report(
    code: ProblemCode,
    pointer: Pointer,
    message: string,
    more: { remedy?: string } = {},
    of: 'key' | 'value' = 'value',
  ): void {
    const at = this.source.place(
      ['stages', this.name, ...pointer],
      pointer.length === 0 ? 'key' : of,
    );
    this.problems.push(problem(code, message, { at, stage: this.name, ...more }));
  }

  /** A path that the stage names, checked; undefined when it cannot be used. */
  path(pointer: Pointer, text: string): WorkspacePath | undefined {
    const checked = checkWorkspacePath(text);
    if (checked.ok) return checked.path;
    this.report('flow/bad-path', pointer, `the path \`${text}\` cannot be used: ${checked.why}`);
    return undefined;
  }

  /** A text with its variables replaced. */
  text(pointer: Pointer, text: string): string {
    const replaced = substitute(text, this.#variables);
    if (!replaced.ok) {
      this.report('flow/bad-variable', pointer, replaced.why);
      return text;
    }
    if (replaced.text.includes('\0')) {
      this.report('flow/schema', pointer, 'a NUL character cannot be passed to a program');
    }
    return replaced.text;
  }

  /** A table of texts, each with its variables replaced. */
  texts(key: 'external' | 'env'): Record<string, string> {
    const entries = Object.entries(this.document[key] ?? {});
    return Object.fromEntries(entries.map(([name, text]) => [name, this.text([key, name], text)]));
  }
}

import type { TestDemands } from '../../flow/stage.ts';
import { plural } from '../../values/text.ts';
import { namesOf } from './names.ts';

/** An element of a report that is open. */
interface Open {
  /** The demanded names that a test case answers to; undefined for any other element. */
  readonly names: readonly string[] | undefined;
  /** What had run when it began: what it holds did not, if it turns out to be skipped. */
  readonly ranBefore: number;
  readonly namesBefore: number;
  isSkipped: boolean;
}

/**
 * Which test cases of a report ran, while it is read from its begin to its end. A case that was
 * skipped, or stands in a suite that was, did not run, wherever in it that is said.
 */
export class TestCases {
  /** Test cases that ran. */
  ran = 0;
  readonly #demanded: ReadonlySet<string>;
  readonly #open: Open[] = [];
  readonly #openCases: Open[] = [];
  /** The demanded names of the cases that ran, in their order. */
  readonly #ranNames: string[] = [];
  /** Those of skipped cases, whatever other cases of that name did. */
  readonly #skippedNames = new Set<string>();

  constructor(demanded: readonly string[] = []) {
    this.#demanded = new Set(demanded);
  }

  /** An element begins. */
  begin(): void {
    this.#open.push(this.#opened(undefined));
  }

  /** @param names all that the test case may be called */
  beginCase(names: readonly string[]): void {
    const begun = this.#opened(names.filter((name) => this.#demanded.has(name)));
    this.#open.push(begun);
    this.#openCases.push(begun);
  }

  get isInCase(): boolean {
    return this.#openCases.length > 0;
  }

  /** Marks the open test case as skipped, or else the open element; false when it was so already. */
  skip(): boolean {
    const marked = this.#openCases.at(-1) ?? this.#open.at(-1);
    if (!marked || marked.isSkipped) return false;
    marked.isSkipped = true;
    return true;
  }

  /** The element that began last ends. */
  end(): void {
    const ended = this.#open.pop();
    if (!ended) return;
    if (ended.names) this.#openCases.pop();
    if (ended.isSkipped) {
      this.ran = ended.ranBefore;
      const held = this.#ranNames.splice(ended.namesBefore);
      for (const name of [...held, ...(ended.names ?? [])]) this.#skippedNames.add(name);
    } else if (ended.names) {
      this.ran++;
      this.#ranNames.push(...ended.names);
    }
  }

  /** Why what ran is not all that the flow demands; undefined when it is. */
  whyTooFew({ minTests, tests = [] }: TestDemands): string | undefined {
    const reasons: string[] = [];
    if (minTests !== undefined && this.ran < minTests) {
      reasons.push(`${this.ran} of at least ${plural(minTests, 'test')} ran`);
    }
    const ran = new Set(this.#ranNames);
    const skipped = tests.filter((name) => this.#skippedNames.has(name));
    const missing = tests.filter((name) => !ran.has(name) && !this.#skippedNames.has(name));
    if (missing.length > 0) reasons.push(`missing among the tests that ran: ${namesOf(missing)}`);
    if (skipped.length > 0) reasons.push(`skipped, but must run: ${namesOf(skipped)}`);
    return reasons.length === 0 ? undefined : reasons.join('; ');
  }

  #opened(names: readonly string[] | undefined): Open {
    return {
      names,
      ranBefore: this.ran,
      namesBefore: this.#ranNames.length,
      isSkipped: false,
    };
  }
}

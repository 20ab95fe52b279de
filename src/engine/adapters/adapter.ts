import type { WithValue } from '../../flow/stage.ts';
import type { ToolDescriptorDocument } from '../../generated/documents.ts';
import type { Result } from '../../values/result.ts';
import type { JsonObject } from '../../values/strict-json.ts';
import type { EnvelopeError } from '../envelope.ts';
import type { Finding } from '../evidence/finding.ts';

/**
 * A known tool as an engine: it turns the tool's own evidence into a payload that a verdict can be
 * read from. To the gate it is an engine like any other, with a descriptor (spec 01) and an envelope
 * (spec 02); it has no program of its own, so its runs are this module's.
 */
export interface Adapter {
  /** What a flow writes after `uses`. */
  readonly name: string;
  /** What `--describe` would print, with the maturity that holds for tested versions. */
  readonly descriptor: AdapterDescriptor;
  /** Counts up when the same evidence may lead to another payload: earlier results are then stale. */
  readonly revision: number;
  /** Every binary whose digest counts; the first is the tool itself. A wrapper is not the tool. */
  readonly programs: readonly [AdapterProgram, ...AdapterProgram[]];
  /** The programs that these arguments do not need, by name. */
  readonly spares?: (values: WithValues) => readonly string[];
  readonly run: (bench: Bench) => Promise<Result<AdapterAnswer, EnvelopeError>>;
}

export type WithValues = Readonly<Record<string, WithValue>>;

/** A descriptor of ours is whole: what spec 01 leaves optional is stated. */
export type AdapterDescriptor = ToolDescriptorDocument & {
  readonly schema: 'vyges-tool-descriptor/1.1';
  readonly name: string;
  readonly summary: string;
  readonly maturity: 'workflow-validated' | 'structured';
  readonly provenance_limitations: readonly string[];
  readonly inputs: JsonObject;
  readonly assertion: JsonObject;
};

export interface AdapterProgram {
  /** Name on PATH, or of the file that {@link beside} leads to. */
  readonly name: string;
  /** Where it lies from the folder of another program's real path, if it is not on PATH. */
  readonly beside?: { readonly program: string; readonly paths: readonly string[] };
  /** What it is asked for its version with; absent: it names none. */
  readonly version?: readonly string[];
  /** The versions that the cases of its adapter were run with, as a range. */
  readonly tested?: string;
  /** The package that brings it on Debian and its like. */
  readonly package: string;
}

/** What came of a run that was an answer; its verdict is derived from the payload. */
export interface AdapterAnswer {
  readonly payload: JsonObject;
  /** What the tool says it opened, relative to the workspace or absolute, its own files left out. */
  readonly opened: readonly string[];
}

/** One start of a program. */
export interface Step {
  /** One of the adapter's programs, by name, or the absolute path of what an earlier step built. */
  readonly program: string;
  readonly args: readonly string[];
  /** Exit codes that are an answer; 0 when not given. Any other is an error of the run. */
  readonly answers?: readonly number[];
}

export interface StepOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run of an adapter works with. */
export interface Bench {
  /** Absolute path of the workspace: the current folder of every step. */
  readonly workspace: string;
  /** The arguments, globs expanded, checked against the descriptor's `inputs`. */
  readonly values: WithValues;
  /** Absolute path of a new, empty folder; it is gone after the run. */
  readonly folder: string;
  /** Made up for this run: what carries it was not written before. */
  readonly nonce: string;
  /**
   * Starts a program and waits for its end, within the time limit of the whole run. What did not
   * end by itself, or with an exit code that is no answer, is an error: pass it on.
   */
  readonly step: (step: Step) => Promise<Result<StepOutput, EnvelopeError>>;
  /** Shows something at its line; it is no part of the verdict. */
  readonly finding: (finding: Finding) => void;
}

import { randomBytes } from 'node:crypto';
import { appendFileSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { VygesEvent } from '../generated/documents.ts';
import { runChild } from '../process/run-child.ts';
import { err, ok, type Result } from '../values/result.ts';
import { printable } from '../values/text.ts';
import type { Adapter, AdapterAnswer, Bench, Step, StepOutput } from './adapters/adapter.ts';
import type { EnvelopeError } from './envelope.ts';
import { type EventTrail, findingEvent, tellStrays } from './events.ts';
import { faultOf, notWritten } from './faults.ts';
import type { Places } from './find-engine.ts';
import type { Prepared } from './prepared.ts';

/** Bytes of one stream of one step that are kept; what is read for a verdict is read whole or not at all. */
const STREAM_LIMIT = 64 * 1024 * 1024;

/** What the run of an adapter works with, beyond what was prepared. */
export interface AdapterRunRequest {
  readonly places: Places;
  /** The whole environment of every step. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds for all steps together. */
  readonly timeoutMs: number;
  /** Keeps what the steps print, in their order. */
  readonly captureFolder: string;
  /** Absolute path of a private folder. */
  readonly scratch: string;
  /** Absolute path of the work folder to be made in it. */
  readonly folder: string;
  readonly trail: EventTrail;
  readonly onEvent?: (event: VygesEvent) => void;
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface AdapterRun {
  readonly answer: Result<AdapterAnswer, EnvelopeError>;
  readonly durationMs: number;
}

/**
 * Runs an adapter to its end: each step is a child of its own with the environment of an engine, all
 * of them under one time limit. What a step printed is kept beside the envelope.
 */
export async function runAdapter(
  adapter: Adapter,
  prepared: Prepared,
  request: AdapterRunRequest,
): Promise<AdapterRun> {
  const started = performance.now();
  mkdirSync(request.folder);
  const steps = new Steps(adapter.name, prepared.programPaths, request, started);
  const bench: Bench = {
    workspace: request.places.workspace,
    values: prepared.values,
    folder: request.folder,
    nonce: randomBytes(16).toString('hex'),
    step: (step) => steps.run(step),
    finding: (finding) => {
      const event = findingEvent(adapter.name, finding);
      request.trail.add(event);
      request.onEvent?.(event);
    },
  };
  const answer = await answerOf(adapter, bench);
  return { answer, durationMs: Math.round(performance.now() - started) };
}

/** What is thrown is a fault of ours, and of this stage alone: the others are judged all the same. */
async function answerOf(
  adapter: Adapter,
  bench: Bench,
): Promise<Result<AdapterAnswer, EnvelopeError>> {
  try {
    return await adapter.run(bench);
  } catch (cause) {
    const { message, stack } = cause instanceof Error ? cause : new Error(String(cause));
    return err({
      code: 'engine_nonzero',
      message: printable(`the adapter ${adapter.name} broke off: ${message}`),
      exit_code: null,
      ...(stack === undefined ? {} : { stderr_tail: stack }),
    });
  }
}

class Steps {
  readonly #adapter: string;
  readonly #paths: Readonly<Record<string, string>>;
  readonly #request: AdapterRunRequest;
  readonly #started: number;
  #count = 0;

  constructor(
    adapter: string,
    paths: Readonly<Record<string, string>>,
    request: AdapterRunRequest,
    started: number,
  ) {
    this.#adapter = adapter;
    this.#paths = paths;
    this.#request = request;
    this.#started = started;
  }

  async run(step: Step): Promise<Result<StepOutput, EnvelopeError>> {
    const { program: name, args, answers = [0] } = step;
    const program = isAbsolute(name) ? name : this.#paths[name];
    if (program === undefined) {
      return err({ code: 'engine_not_found', message: `there is no program \`${name}\`` });
    }
    const { places, env, timeoutMs, scratch, trail, signal, onLine } = this.#request;
    const left = timeoutMs - (performance.now() - this.#started);
    const order = ++this.#count;
    const stdoutFile = join(scratch, `${order}.stdout`);
    const stderrFile = join(scratch, `${order}.stderr`);
    const outcome = await runChild({
      program,
      args,
      cwd: places.workspace,
      env,
      timeoutMs: Math.max(1, left),
      stdoutFile,
      stdoutLimit: STREAM_LIMIT,
      stderrFile,
      stderrLimit: STREAM_LIMIT,
      ...(onLine ? { onStderrLine: onLine } : {}),
      ...(signal ? { signal } : {}),
    });
    tellStrays(outcome.strays, trail);
    this.#keep(`$ ${name} ${args.join(' ')}`, stdoutFile, stderrFile);
    const fault = faultOf(this.#adapter, outcome, timeoutMs);
    if (fault && outcome.end !== 'exited') return err(fault);
    const exitCode = outcome.end === 'exited' ? outcome.exitCode : -1;
    const stdout = readStream(stdoutFile, outcome.stdoutBytes);
    const stderr = readStream(stderrFile);
    if (stdout === undefined || stderr === undefined) {
      return err(notWritten(`what ${name} printed cannot be read back whole`));
    }
    if (fault && !answers.includes(exitCode)) {
      return err({ ...fault, message: `${name} exited with code ${exitCode}` });
    }
    return ok({ exitCode, stdout, stderr });
  }

  /** For people; no verdict is read from it. */
  #keep(title: string, stdoutFile: string, stderrFile: string): void {
    for (const [stream, file] of [
      ['stdout', stdoutFile],
      ['stderr', stderrFile],
    ] as const) {
      try {
        const kept = join(this.#request.captureFolder, stream);
        appendFileSync(kept, `${printable(title, 2000)}\n`);
        appendFileSync(kept, readFileSync(file));
      } catch {
        // It was not written: the step itself says so.
      }
    }
  }
}

/** @param printed how many bytes came out of it, where that was counted */
function readStream(file: string, printed?: number): string | undefined {
  try {
    if (!lstatSync(file).isFile()) return undefined;
    const bytes = readFileSync(file);
    const isWhole = printed === undefined ? bytes.length < STREAM_LIMIT : bytes.length === printed;
    return isWhole ? bytes.toString('utf8') : undefined;
  } catch {
    return undefined;
  }
}

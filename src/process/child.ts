/** What to start, within which bounds, and where its output is kept. */
export interface ChildRequest {
  /** Absolute path of the program; nothing is looked up on PATH and no shell takes part. */
  readonly program: string;
  readonly args: readonly string[];
  /** Working folder of the child. */
  readonly cwd: string;
  /**
   * The whole environment of the child. Its marker (`MARKER_VARIABLE`) must be this child's own:
   * every process that carries it is ended when the child has ended. Without one, one is made up.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds until the process group is ended; longer than 24.8 days counts as 24.8 days. */
  readonly timeoutMs: number;
  readonly stdoutFile: string;
  /** Bytes; more than this ends the process group. */
  readonly stdoutLimit: number;
  readonly stderrFile: string;
  /** Bytes; what comes after it is dropped, and the file's last line says how much. */
  readonly stderrLimit: number;
  /** Called with each line of stderr while the child runs. */
  readonly onStderrLine?: ((line: string) => void) | undefined;
  /** Ends the process group when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** How a child came to its end. Only `exited` says anything about the program's own opinion. */
export type ChildEnd =
  | { readonly end: 'exited'; readonly exitCode: number }
  /** Ended by a signal that this gate did not send. */
  | { readonly end: 'signalled'; readonly signal: string }
  | { readonly end: 'timed-out' }
  /** The request's own AbortSignal fired. */
  | { readonly end: 'interrupted' }
  | { readonly end: 'output-too-large'; readonly limit: number }
  /** The program, or the interpreter that its first line names, is not there. */
  | { readonly end: 'not-found'; readonly message: string }
  | { readonly end: 'not-executable'; readonly message: string }
  | { readonly end: 'start-failed'; readonly message: string }
  /** The output could not be kept whole: disk full, folder missing, a failed read of the pipe. */
  | { readonly end: 'not-written'; readonly message: string }
  /** Some process of the run may still be alive, so its output files may still change. */
  | { readonly end: 'not-ended'; readonly message: string };

/** What was seen of a child, however it ended. */
export interface ChildFacts {
  /** Whole milliseconds on the monotonic clock, from the start to the exit of the program itself. */
  readonly durationMs: number;
  /** Bytes in the stdout file. */
  readonly stdoutBytes: number;
  /** The last 4,000 characters of stderr at most. */
  readonly stderrTail: string;
  /** Processes outside the child's own group that it left behind and that were ended. */
  readonly strays: number;
}

export type ChildOutcome = ChildEnd & ChildFacts;

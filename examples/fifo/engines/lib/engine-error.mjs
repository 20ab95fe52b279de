/** The engine could not do its work. That says nothing about the design. */
export class EngineError extends Error {
  /** `file` is `path:line` where the trouble has a place. */
  constructor(message, { code = 'ENGINE-ERROR', file, exitCode = 1 } = {}) {
    super(message);
    this.code = code;
    this.file = file;
    this.exitCode = exitCode;
  }
}

/** The caller's arguments are wrong. */
export class UsageError extends EngineError {
  constructor(message) {
    super(message, { code: 'USAGE', exitCode: 2 });
  }
}

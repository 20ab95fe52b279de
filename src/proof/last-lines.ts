/** As much of an envelope's error as its words are read from. */
export interface EngineError {
  readonly code: string;
  readonly message: string;
  readonly stderr_tail?: string;
}

/** The last lines that an engine which came to no end of its own printed on stderr, for people. */
export function lastLines({ stderr_tail: tail = '' }: EngineError, most: number): string[] {
  return tail
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('"vyges-events/'))
    .slice(-most);
}

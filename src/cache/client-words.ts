import { readFileSync } from 'node:fs';
import { printable } from '../values/text.ts';

/** Most UTF-16 units of a reason that people are shown. */
const MOST_SHOWN = 300;

/**
 * A reason for people, made of what the client, the service or an archive said: one line, without
 * an address that may be signed, and nothing that a runner takes for a command. The older form of a
 * command, `##[`, is found anywhere in a line.
 */
export function shown(text: string): string {
  const plain = text
    .replace(/^::[a-z-]+[^:]*::/, '')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%')
    .replace(/\bhttps?:\/\/\S+/gi, '(address)')
    .replaceAll('##[', '## [');
  return printable(plain.trim(), MOST_SHOWN);
}

/** What the client printed last, its debug lines and the secrets that it has masked left out. */
export function lastSaid(stdoutFile: string): string | undefined {
  return lastLine(stdoutFile, (line) => !/^::(?:debug|add-mask)::/.test(line));
}

/** The failure that the client told of last: of an attempt, or of the whole. */
export function lastFailure(stdoutFile: string): string | undefined {
  return lastLine(stdoutFile, (line) =>
    /^(?:Attempt \d+ of \d+ failed|Failed to |::(?:warning|error)::)/.test(line),
  );
}

function lastLine(file: string, wanted: (line: string) => boolean): string | undefined {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = lines.findLast((candidate) => candidate.trim() !== '' && wanted(candidate));
    return line === undefined ? undefined : shown(line);
  } catch {
    return undefined;
  }
}

/** An archive that does not unpack says nothing about the service; a missing `tar` does not go away. */
export function isAboutArchive(warning: string): boolean {
  return (
    /\b(?:tar|zstd|gzip|unzstd|exit code)\b/i.test(warning) &&
    !/unable to locate executable/i.test(warning)
  );
}

/** The service will not keep a second result under one key, nor need it. */
export function saysTaken(warning: string): boolean {
  return /\breserv/i.test(warning) && /\(409\)|already exists/i.test(warning);
}

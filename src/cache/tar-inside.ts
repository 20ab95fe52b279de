import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '../process/find-program.ts';

/**
 * Puts a `tar` in front of a PATH that drops `-P`. The client asks for absolute names and `..` to
 * be honoured, which would let an archive write anywhere.
 *
 * @param bin absolute path of a folder that is made; without `:`, or a PATH could not hold it
 * @returns the PATH that begins with it
 */
export function makeTarInside(bin: string, path: string): string {
  mkdirSync(bin);
  for (const name of ['tar', 'gtar']) {
    const real = findOnPath(name, path);
    if (real === undefined) continue;
    const script = [
      '#!/bin/sh',
      'first=1',
      'for argument; do',
      '  if [ -n "$first" ]; then set --; first=; fi',
      '  case "$argument" in -P | --absolute-names) ;; *) set -- "$@" "$argument" ;; esac',
      'done',
      `exec '${real.replaceAll("'", "'\\''")}' "$@"`,
      '',
    ].join('\n');
    writeFileSync(join(bin, name), script, { mode: 0o755 });
  }
  return path === '' ? bin : `${bin}:${path}`;
}

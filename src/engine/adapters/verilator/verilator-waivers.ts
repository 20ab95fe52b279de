import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';

/** One place where a warning is switched off. */
export interface Waiver {
  /** `CODE@FILE:LINE`, or `CODE@flag`. */
  readonly name: string;
  readonly isAllowed: (allowed: readonly string[]) => boolean;
}

/** In a comment, `verilator lint_off CODE`; in a configuration, `lint_off -rule CODE`. */
const LINT_OFF = /\blint_off\b(?:[ \t]+(?:-rule[ \t]+)?([A-Z][A-Z0-9_]*))?/g;

/**
 * Every waiver in force: flags, and whatever says `lint_off` in any file that was opened, comments
 * and configuration files alike. What cannot be read could hold one.
 *
 * @param files what the tool opened, relative to the workspace or absolute
 */
export function waiversIn(
  files: readonly string[],
  flags: readonly string[],
  workspace: string,
): Result<Waiver[], string> {
  const waivers: Waiver[] = flags.map((code) => waiver(code, 'flag', ''));
  for (const file of files) {
    let text: string;
    try {
      text = readFileSync(isAbsolute(file) ? file : join(workspace, file), 'utf8');
    } catch (cause) {
      return err(`${file} cannot be searched for waivers: ${String(cause)}`);
    }
    for (const [index, line] of text.split('\n').entries()) {
      for (const [, code] of line.matchAll(LINT_OFF)) {
        waivers.push(waiver(code ?? '*', file, `:${index + 1}`));
      }
    }
  }
  return ok(waivers);
}

function waiver(code: string, source: string, line: string): Waiver {
  const names = [code, `${code}@${source}`, '*', `*@${source}`];
  return {
    name: `${code}@${source}${line}`,
    isAllowed: (allowed) => allowed.some((one) => names.includes(one)),
  };
}

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

/** What exempts a signal or a statement from warnings, beside what it is written for. */
const EXEMPTING =
  'full_case|parallel_case|public\\w*|clock_enable|(?:no_)?clocker|forceable|timing_off';
const IN_COMMENT = new RegExp(
  `/[/*][ \\t]*(?:verilator|synopsys|synthesis|pragma|ambit|cadence)[ \\t]+(${EXEMPTING})\\b`,
  'g',
);
const IN_CONFIGURATION = new RegExp(`\\b(${EXEMPTING})\\b`, 'g');
/** Text that this tool alone sees, or does not see. */
const OF_THIS_TOOL = /`(?:ifn?def|elsif)[ \t]+(VERILATOR)/g;
/** In a configuration, a macro could be any of all these. */
const MACRO = /`(?!verilator_config\b)/;

function otherWaivers(line: string, isConfiguration: boolean): string[] {
  const words = line.matchAll(isConfiguration ? IN_CONFIGURATION : IN_COMMENT);
  return [
    ...[...words, ...line.matchAll(OF_THIS_TOOL)].map(([, word = '']) => word.toUpperCase()),
    ...(isConfiguration && MACRO.test(line) ? ['*'] : []),
  ];
}

/**
 * Every waiver in force: flags, and in any file that was opened, comments and configuration files
 * alike, whatever says `lint_off` or keeps the tool from warning in another way. What cannot be read
 * could hold one.
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
      const codes = [
        ...[...line.matchAll(LINT_OFF)].map(([, code]) => code ?? '*'),
        ...otherWaivers(line, text.includes('`verilator_config')),
      ];
      for (const code of codes) waivers.push(waiver(code, file, `:${index + 1}`));
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

import { CONSTRAINTS, FIGURES, NETLIST, RECORDS, WORK } from './opensta-tcl.ts';

/** What one run of the tool is to read, and where it is to put what it finds; see {@link oddName}. */
export interface StaJob {
  readonly top: string;
  readonly liberties: readonly string[];
  readonly netlist: string;
  readonly sdc: string;
  readonly spef: string | undefined;
  /** Absolute paths: the records, the constraints as the tool took them, the report for people. */
  readonly records: string;
  readonly constraints: string;
  readonly report: string;
  /** Most paths of the report, for setup and for hold each. */
  readonly paths: number;
  readonly nonce: string;
}

/** Why a script of Tcl cannot hold one of these names; undefined when it can. */
export function oddName(names: readonly string[]): string | undefined {
  const odd = names.find(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    (name) => /[\u0000-\u001f\u007f{}[\]\\"$;]|^[-+|~<>&@]/.test(name),
  );
  return odd === undefined
    ? undefined
    : `a script of sta cannot name the file ${odd}: rename it without brackets, quotes and the like`;
}

/**
 * The script of a run. What it finds goes line by line into a file of ours, each line with the nonce
 * and the last one `done`: the tool's own exit code is 0 whatever happens.
 */
export function staScript(job: StaJob): string {
  const settings = Object.entries({
    top: job.top,
    netlist: job.netlist,
    sdc: job.sdc,
    spef: job.spef ?? '',
    constraints: job.constraints,
    report: job.report,
    paths: String(job.paths),
    nonce: job.nonce,
  }).map(([name, value]) => `variable ${name} {${value}}`);
  const liberties = job.liberties.map((path) => `{${path}}`).join(' ');
  return [
    'namespace eval ::gate {',
    ...settings,
    `variable liberties {${liberties}}`,
    `variable records [open {${job.records}} w]`,
    '}',
    RECORDS,
    CONSTRAINTS,
    NETLIST,
    FIGURES,
    WORK,
  ].join('\n');
}

import { basename } from 'node:path';

/** What the gate keeps in a workspace: committed or not, as a team likes; not by default. */
export const IGNORED = [
  '# signoff-gate',
  'events.jsonl',
  '.signoff/*',
  '!.signoff/flow.schema.json',
] as const;

/** A committed log is merged line by line and reaches every checkout as it is. */
export const ATTRIBUTES = ['events.jsonl merge=union -text'] as const;

/** Where editors find the shape of the flow file: a copy that is committed with it. */
export const SCHEMA_FILE = '.signoff/flow.schema.json';

/**
 * A flow to start from: what is in the folder decides which stages are offered, with the choices
 * that only its owner can make left as comments.
 *
 * @param files paths relative to the folder
 */
export function flowTemplate(directory: string, files: readonly string[]): string {
  const sources = globsOf(files, ['.v', '.sv', '.vh', '.svh', '.vhd', '.vhdl']);
  const hasMake = files.includes('Makefile');
  const inputs = sources.length > 0 ? sources : ['**'];
  return `# yaml-language-server: $schema=${SCHEMA_FILE}
# What this design must prove before it may be merged. Every stage has to report pass;
# unknown counts as not proven.
name: ${JSON.stringify(basename(directory))}

stages:
  # A command of yours, with the evidence that it writes. An exit code alone proves little:
  # name a report (junit, lcov, json, sarif) that holds one entry for each thing that was checked.
  ${hasMake ? 'regress' : 'check'}:
    run: ${hasMake ? 'make regress' : 'echo "replace me by your command" >&2; exit 1'}
    tools: [${hasMake ? 'make' : 'bash'}]
    # Every file that is read. Whatever is not listed can change unseen.
    inputs:
${[...inputs, ...(hasMake ? ['Makefile'] : [])].map((glob) => `      - ${JSON.stringify(glob)}`).join('\n')}
    evidence: { junit: build/results.xml }
    timeout-minutes: 30

  # An engine that describes itself (--describe): a program on PATH, or a path.
  # timing:
  #   uses: vyges-sta-si
  #   with: { job: sta/top.sta, out: build/timing.rpt }
  #   inputs: ["sta/**", "build/top.netlist.v"]   # an output of another stage makes it a dependency
  #   outputs: [build/timing.rpt]
  #   floors: { endpoints: { min: 1 } }           # a pass with nothing checked is no pass

  # A judgement that somebody else makes: the gate can judge it, not run it.
  # review:
  #   by: person
  #   inputs: ["docs/**"]
`;
}

/** One glob a folder and file ending, in place of a list of files. */
function globsOf(files: readonly string[], endings: readonly string[]): string[] {
  const globs = new Set<string>();
  for (const file of files) {
    const ending = endings.find((candidate) => file.endsWith(candidate));
    if (ending === undefined) continue;
    const [top = '', ...rest] = file.split('/');
    globs.add(rest.length === 0 ? `*${ending}` : `${top}/**/*${ending}`);
  }
  return [...globs];
}

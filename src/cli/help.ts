const TRUST = `  --base REF           judge a change as on a pull request: compare with this commit
  --trust WHOSE        whose records count: base (default with --base), log (the answer is then
                       "trusted"), none; without both the log is your own
  --accept-judging     accept what the change does to the flow, the floors, the engines`;

const COMMANDS: Readonly<Record<string, string>> = {
  run: `signoff-gate run [STAGE…] [--concurrency N] [--rerun] [--lock-wait SECONDS]
                 [--cache auto|github|directory|off] [--cache-dir DIR]
                 [--base REF] [--trust base|log|none] [--accept-judging]
  The gate: runs the stages that are missing, stale or blocked, then judges the whole flow.
  With names, only those and what they need are run; all are judged all the same.
  --concurrency N      most runs at once (default: the number of processors)
  --rerun              run failed stages again, and the named ones whatever their status
  --cache KIND         where results are kept and taken from (default: auto, which is a directory,
                       and on a GitHub runner the Actions cache)
  --cache-dir DIR      that directory (default: signoff-gate in $XDG_CACHE_HOME or ~/.cache)
  --lock-wait SECONDS  how long to wait for another gate in the workspace (default: 600)
${TRUST}`,
  check: `signoff-gate check [--base REF] [--trust base|log|none] [--accept-judging]
  Judges what is recorded. Runs no stage, writes nothing.
${TRUST}`,
  status: `signoff-gate status
  The status of each stage.`,
  plan: `signoff-gate plan
  What \`run\` would do, stage by stage, and why. It never says proven.`,
  explain: `signoff-gate explain STAGE
  Why a stage has its status: what changed, from and to which fingerprint, since which run.`,
  decide: `signoff-gate decide [--closing] [--wake STAGE:RUN]
  The single next action: dispatch a stage, collect a run, wait, ask somebody, or done.
  --closing          done means that nothing stands in the way of a sign-off, and shows its basis
  --wake STAGE:RUN   a run whose executor has ended, with or without a result`,
  consequences: `signoff-gate consequences PATH…
  Which valid conclusions a change of each path would end.`,
  signoff: `signoff-gate signoff --dry-run
  Whether the workspace may be signed off. Only for workspaces that VeriPower drives.`,
  doctor: `signoff-gate doctor
  Which programs of the flow are on this machine, in which versions, what is missing and how to
  install it, and which stages can run here.`,
  engine: `signoff-gate engine list [NAME…]
signoff-gate engine describe NAME
signoff-gate engine run NAME [-i KEY=VALUE…] [--timeout-minutes N]
  One engine: the engines of the flow or those named, a descriptor, a run with its envelope.
  Adapters for known tools come with the gate: verilator-lint and the like; \`engine list\` in a folder
  without a flow names them.
  A KEY given more than once makes a list.`,
  init: `signoff-gate init [--workspace DIR] [--workflow]
  Writes a commented flow file for what it finds in the folder, its schema for editors, and the
  lines for .gitignore and .gitattributes. Nothing is overwritten.
  --workflow  also the workflow for GitHub, at the root of the repository`,
};

const GENERAL = `Every command: [--workspace DIR] [--flow FILE|veripower] [--json]
  --workspace DIR  the folder that holds the flow and events.jsonl (default: the current one)
  --flow FILE      the flow file, if it is not signoff.yaml or signoff.json at its root
  --flow veripower the folder is one that VeriPower drives; found out where no flow file is
  --json           one JSON document on stdout; its schema is in schemas/

Exit: 0 proven, or the question was answered · 1 not proven, or refused · 2 usage, flow or log at
fault · 70 a fault of the gate`;

/** The usage of one command, or of all. */
export function helpText(command: string | undefined): string {
  const one =
    command !== undefined && Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  return one === undefined
    ? `signoff-gate: is this design proven?\n\n${Object.values(COMMANDS).join('\n\n')}\n\n${GENERAL}`
    : `${one}\n\n${GENERAL}`;
}

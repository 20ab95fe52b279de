/**
 * `npm run demo`: the gate on a copy of examples/fifo, step by step, in .demo/ (which git
 * ignores). Every step says what should happen, then checks that it did; the demo ends with
 * exit 1 as soon as the gate answers anything else.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './install-if-needed.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const example = path.join(root, 'examples/fifo');
const workspace = path.join(root, '.demo/fifo');
const secondWorkspace = path.join(root, '.demo/fifo-again');
/** Of this demo alone: what an earlier one has proven must not stand in for what this one shows. */
const cache = path.join(root, '.demo/cache');
const cli = path.join(root, 'dist/cli.mjs');
const STAGES = ['structure', 'prove', 'synth', 'equiv', 'cells'];

if (process.exitCode) process.exit(); // the installation failed, and has said so
if (!existsSync(cli)) stop('dist/cli.mjs is missing: run `npm run build`');

title('1. A fresh copy of the example');
rmSync(cache, { recursive: true, force: true });
copyExample(workspace);
say('examples/fifo is now in .demo/fifo. Nothing was ever run there, so nothing is proven.');

title('2. The gate runs every stage');
const first = gate();
check(first.code === 0 && first.verdict === 'proven', 'exit 0, the verdict is proven');
check(sameSet(first.ran, STAGES), 'all five stages ran');
check(allPass(first), 'each of them is valid, with the verdict pass');

title('3. The gate is asked again');
const second = gate();
check(second.code === 0 && second.verdict === 'proven', 'exit 0, still proven');
check(second.ran.length === 0, 'no stage ran: every byte is as it was');

title('4. Another copy, as another machine would have it: an empty log and a warm cache');
copyExample(secondWorkspace);
const warm = gate(secondWorkspace);
check(warm.code === 0 && warm.verdict === 'proven', 'exit 0, proven');
check(warm.ran.length === 0, 'no stage ran');
check(
  STAGES.every((name) => warm.stages[name].how === 'restored'),
  'every stage was restored: each digest checked, each verdict derived again',
);

title('5. A comment is edited in rtl/fifo_ctrl.v');
const netlist = readFileSync(inWorkspace('build/fifo.netlist.v'));
const source = inWorkspace('rtl/fifo_ctrl.v');
writeFileSync(source, `// A comment, and nothing else.\n${readFileSync(source, 'utf8')}`);
say('The RTL has other bytes, so what was claimed about it no longer holds. Synthesis writes the');
say('same netlist as before, so what was claimed about the netlist alone does.');
const third = gate();
check(third.code === 0 && third.verdict === 'proven', 'exit 0, proven again');
check(sameSet(third.ran, ['structure', 'prove', 'synth', 'equiv']), 'what reads the RTL ran again');
check(
  readFileSync(inWorkspace('build/fifo.netlist.v')).equals(netlist),
  'the netlist has the same bytes',
);
check(third.stages.cells.how === 'reused', 'cells, which reads only the netlist, did not run');

title('6. A bug is planted: a push is accepted while the FIFO is full');
cpSync(inWorkspace('twins/bad/overflow'), workspace, { recursive: true });
say('It synthesises, and the netlist is equivalent to it. Only the properties tell.');
const fourth = gate();
check(fourth.code === 1 && fourth.verdict === 'not-proven', 'exit 1, the verdict is NOT PROVEN');
check(
  fourth.stages.prove.status === 'failed' && fourth.stages.prove.verdict === 'fail',
  'the stage that failed is prove',
);
check(
  STAGES.every((name) => name === 'prove' || fourth.stages[name].verdict === 'pass'),
  'every other stage passed, which is not enough',
);
say('');
say(`prove: ${fourth.stages.prove.reason}`);

title('The gate did all that it claims.');
say('The copy is in .demo/fifo: look at its events.jsonl, or run the gate there yourself.');

function copyExample(target) {
  rmSync(target, { recursive: true, force: true });
  cpSync(example, target, {
    recursive: true,
    // Not what somebody's own run in examples/fifo left behind.
    filter: (file) => !['.signoff', 'build', 'events.jsonl'].includes(path.basename(file)),
  });
}

/** Runs the gate on a copy, prints what each stage came to, and returns its answer. */
function gate(folder = workspace) {
  const args = ['run', '--workspace', path.relative(root, folder)];
  args.push('--cache-dir', path.relative(root, cache));
  say(`$ node dist/cli.mjs ${args.join(' ')}`);
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [cli, ...args, '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) stop(error.message);
  const answer = parse(stdout);
  if (answer?.stages === undefined) stop(`no answer, exit ${status}\n${stdout}${stderr}`);

  const stages = Object.entries(answer.stages);
  for (const [name, { how, status, verdict, duration_ms: duration }] of stages) {
    const time =
      how === 'ran' && Number.isFinite(duration) ? `${(duration / 1000).toFixed(1)} s` : '';
    say(
      `    ${[name, how, status, verdict, time].map((word) => word.padEnd(11)).join('')}`.trimEnd(),
    );
  }
  return {
    code: status,
    verdict: answer.verdict,
    stages: answer.stages,
    ran: stages.filter(([, { how }]) => how === 'ran').map(([name]) => name),
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function allPass({ stages }) {
  return STAGES.every(
    (name) => stages[name]?.status === 'valid' && stages[name].verdict === 'pass',
  );
}

function sameSet(some, others) {
  return some.length === others.length && some.every((name) => others.includes(name));
}

function inWorkspace(file) {
  return path.join(workspace, file);
}

function title(text) {
  console.log(`\n${text}`);
}

function say(text) {
  console.log(`  ${text}`.trimEnd());
}

function check(holds, claim) {
  if (!holds) stop(`this does not hold: ${claim}`);
  say(`ok: ${claim}`);
}

function stop(message) {
  console.error(`\ndemo: ${message}`);
  process.exit(1);
}

#!/usr/bin/env node
// Plays one recorded run of an engine. It is copied under the engine's name, beside a
// `recording.json` that says what to answer. A call that was not recorded exits 99 and says why.
const { mkdirSync, readFileSync, writeFileSync, writeSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');

const [, program, ...args] = process.argv;
const recording = JSON.parse(readFileSync(join(__dirname, 'recording.json'), 'utf8'));

const differences = [
  ...compare('the program', basename(program), recording.program),
  ...Object.entries(recording.env).flatMap(([name, value]) =>
    compare(`the variable ${name}`, process.env[name], value),
  ),
];
if (differences.length > 0) refuse(differences);

if (isCall('--describe')) answer(recording.describe);
else if (isCall('--version')) answer(recording.version);
else play();

function play() {
  const found = recording.isOrderFree ? optionsSorted(args) : args;
  const different = compare(
    'the argument vector',
    JSON.stringify(found),
    JSON.stringify(recording.args),
  );
  if (different.length > 0) refuse(different);
  for (const [path, content] of Object.entries(recording.written)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'zeros' in content ? Buffer.alloc(content.zeros) : content.text);
  }
  answer(recording.run);
}

/** As `comparable` in recordings.ts. */
function optionsSorted(all) {
  const options = [];
  const others = [];
  for (const arg of all) {
    const last = options.at(-1);
    if (arg.startsWith('-')) options.push([arg]);
    else if (last?.length === 1) last.push(arg);
    else others.push(arg);
  }
  return [...others, ...options.map((option) => option.join(' ')).sort()];
}

/** A probe; a recorded run may have the same arguments, and then has the same answer. */
function isCall(option) {
  return args.length === 1 && args[0] === option;
}

function answer({ stdout, stderr = '', exit_code: exitCode }) {
  print(2, stderr);
  print(1, stdout);
  process.exit(exitCode);
}

function print(descriptor, text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

function compare(what, found, recorded) {
  return found === recorded ? [] : [`${what} is ${found}, recorded was ${recorded}`];
}

function refuse(reasons) {
  print(2, `replay: ${reasons.join('; ')}\n`);
  process.exit(99);
}

/** A log of many years: `status` against a Node that only parses each line of it. */
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { node } from '../lib/process.mjs';
import {
  note,
  passingRun,
  pastDispatch,
  pastOutcome,
  pin,
  reopen,
  STAGES,
  statusOf,
  writePublished,
} from '../lib/veripower.mjs';

const EVENTS = 200_000;
const CHUNK_CHARACTERS = 1_000_000;

const PARSE_EACH_LINE = `
const text = require('node:fs').readFileSync(process.argv[1], 'utf8');
let start = 0;
for (let end; (end = text.indexOf('\\n', start)) !== -1; start = end + 1) JSON.parse(text.slice(start, end));
`;

export const longLog = {
  name: 'long-log',
  title: `status on a log of ${EVENTS.toLocaleString('en')} events`,
  bounds: { milliseconds: 1500, megabytes: 200 },
  prepare(folder) {
    writePublished(folder);
    const log = path.join(folder, 'events.jsonl');
    writeLines(log, events(folder));
    const names = STAGES.map(({ name }) => name);
    return { ours: statusOf(folder, names), peer: node('-e', PARSE_EACH_LINE, log) };
  },
};

/** Many runs of every stage, some failed or blocked, and last one that passed and still holds. */
function* events(folder) {
  const last = STAGES.flatMap((stage) => passingRun(folder, stage, EVENTS));
  let left = EVENTS - last.length;
  for (let run = 1; left > 0; run++) {
    for (const stage of STAGES) {
      const records = turn(stage, run);
      // None is left in flight where the number is full.
      const fitting = records.length <= left ? records : Array.from({ length: left }, note);
      yield* fitting;
      left -= fitting.length;
    }
  }
  yield* last;
}

function turn(stage, run) {
  const number = (run + STAGES.indexOf(stage)) % 10;
  const verdict = number === 0 ? 'blocked' : number < 3 ? 'fail' : 'pass';
  const records = [pastDispatch(stage, run), pastOutcome(stage, run, verdict)];
  if (number === 4) records.push(pin(stage, run));
  if (number === 5) records.push(reopen(stage));
  if (number === 6) records.push(note());
  return records;
}

/** A part at a time: the log as one text would be most of this process's memory. */
function writeLines(file, lines) {
  const descriptor = openSync(file, 'w');
  let chunk = '';
  const flush = () => {
    writeSync(descriptor, chunk);
    chunk = '';
  };
  for (const line of lines) {
    chunk += `${JSON.stringify(line)}\n`;
    if (chunk.length > CHUNK_CHARACTERS) flush();
  }
  flush();
  closeSync(descriptor);
}

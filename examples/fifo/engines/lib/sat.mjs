/** Reads what the `sat` command of Yosys says. Anything that is not recognised is no answer. */
import { EngineError } from './engine-error.mjs';

/**
 * The answer of `sat -tempinduct` or `-tempinduct-baseonly`: `proven`, `refuted` or
 * `exhausted`, and the step at which it came. Beware of `-seq N` beside it: the first N cycles
 * are then left out of the proof.
 */
export function readInduction(text) {
  const steps = [...text.matchAll(/^\[(?:base case|induction step) (\d+)\]/gm)];
  const step = Number(steps.at(-1)?.[1] ?? 0);
  if (/^Induction step proven: SUCCESS!/m.test(text)) return { answer: 'proven', step };
  if (/model found for base case: FAIL!/.test(text)) return { answer: 'refuted', step };
  if (/^Reached maximum number of time steps/m.test(text)) return { answer: 'exhausted', step };
  throw new EngineError('the solver gave no answer');
}

/** Whether a plain `sat` found values that satisfy all constraints. */
export function readModelFound(text) {
  if (/^SAT solving finished - model found:/m.test(text)) return true;
  if (/^SAT solving finished - no model found\./m.test(text)) return false;
  throw new EngineError('the solver gave no answer');
}

/**
 * Signals of a counterexample, cycle by cycle, out of the WaveJSON that `-dump_json` writes.
 * `keep(name)` chooses the signals; values are bits.
 */
export function readCounterexample(text, cycles, keep) {
  const waves = JSON.parse(text)
    .signal.filter(({ name }) => keep(name))
    .map(({ name, wave, data }) => [name, readWave(wave, data)]);
  return Array.from({ length: cycles }, (_, cycle) =>
    // Counted from the end: a design with state has a column before the first cycle.
    Object.fromEntries(waves.map(([name, values]) => [name, values.at(cycle - cycles)])),
  );
}

/** `=` and `4` (unknown) take the next entry of `data` if there is any, `.` repeats. */
function readWave(wave, data) {
  const rest = [...(data ?? [])];
  const values = [];
  for (const mark of wave) {
    if (mark === '.') values.push(values.at(-1));
    else if (rest.length > 0) values.push(rest.shift());
    else values.push(mark);
  }
  return values;
}

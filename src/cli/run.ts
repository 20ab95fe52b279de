import { availableParallelism } from 'node:os';
import { openCache } from '../gate/open-cache.ts';
import { runGate } from '../gate/run.ts';
import { onInterrupt } from '../process/interrupt.ts';
import { type Answer, refusal } from './answer.ts';
import { answerJudgement } from './answer-judgement.ts';
import { chooseCache } from './cache-option.ts';
import { consoleEmitter } from './console-events.ts';
import { groundsFor } from './grounds.ts';
import { COMMON, numberOption, openNamed, parse, TRUST, wantsJson } from './options.ts';
import { tell } from './output.ts';
import { unknownStage } from './with-workspace.ts';

const OPTIONS = {
  ...COMMON,
  ...TRUST,
  concurrency: { type: 'string' },
  cache: { type: 'string' },
  'cache-dir': { type: 'string' },
  rerun: { type: 'boolean' },
  'lock-wait': { type: 'string' },
} as const;

const LOCK_WAIT_SECONDS = 600;

/** `run [STAGE…]`: the gate: runs what does not hold, then judges all. */
export async function run(args: readonly string[]): Promise<Answer> {
  const isJson = wantsJson(args);
  const parsed = parse(args, OPTIONS, { least: 0, most: 1000, names: 'stages' });
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const { values, positionals } = parsed.value;
  const concurrency = numberOption('concurrency', values.concurrency, availableParallelism(), {
    least: 1,
    most: 1024,
    isWhole: true,
  });
  if (!concurrency.ok) return refusal(concurrency.error, isJson);
  const lockWait = numberOption('lock-wait', values['lock-wait'], LOCK_WAIT_SECONDS, {
    least: 0,
    most: 86_400,
    isWhole: false,
  });
  if (!lockWait.ok) return refusal(lockWait.error, isJson);
  const cache = chooseCache(values.cache, values['cache-dir']);
  if (!cache.ok) return refusal(cache.error, isJson);
  const workspace = openNamed(values);
  if (!workspace.ok) return refusal(workspace.error, isJson);

  const { stages } = workspace.value.flow;
  const unknown = positionals.find((name) => !stages.some((stage) => stage.name === name));
  if (unknown !== undefined) return refusal([unknownStage(unknown, stages)], isJson);

  const emit = consoleEmitter();
  const interruption = onInterrupt(tell);
  const grounds = await groundsFor(values, workspace.value, interruption.signal);
  if (!grounds.ok) return refusal(grounds.error, isJson);
  const result = await runGate({
    workspace: workspace.value,
    only: positionals,
    rerun: values.rerun ?? false,
    concurrency: concurrency.value,
    lockWaitMs: lockWait.value * 1000,
    command: 'signoff-gate run',
    cache: openCache(cache.value, emit),
    grounds: grounds.value,
    emit,
    signal: interruption.signal,
  });
  interruption.stop();
  if (!result.ok) return refusal(result.error, isJson);
  return answerJudgement(result.value, isJson);
}

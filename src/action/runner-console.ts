import { randomUUID } from 'node:crypto';
import * as core from '@actions/core';
import { eventLine } from '../gate/event-line.ts';
import type { Emit, GateEvent } from '../gate/events.ts';

/** More lines of one stage than a reader of a log looks at; its run folder keeps all. */
const FIRST_LINES = 500;
const LAST_LINES = 500;

/** The lines of a stage that is running: the first, and the last so far. */
interface KeptLines {
  readonly first: string[];
  readonly last: string[];
  dropped: number;
}

/**
 * Prints for a runner's log. Whatever an engine says is data: command processing is off but for the
 * moments in which the action itself gives a command, and is turned on again by a word that nobody
 * else knows.
 */
export class RunnerConsole {
  #token: string | undefined;
  readonly #lines = new Map<string, KeptLines>();

  /** Turns command processing off until {@link resume}. */
  start(): void {
    if (this.#token !== undefined) return;
    this.#token = randomUUID();
    write(`::stop-commands::${this.#token}`);
  }

  /** Lets the runner take commands again. */
  resume(): void {
    if (this.#token === undefined) return;
    write(`::${this.#token}::`);
    this.#token = undefined;
  }

  /** Gives a command of the action's own. */
  command(give: () => void): void {
    const wasOff = this.#token !== undefined;
    this.resume();
    give();
    if (wasOff) this.start();
  }

  readonly emit: Emit = (event) => {
    switch (event.kind) {
      case 'engine-event':
      case 'engine-line':
        this.#keep(event.stage, lineOf(event));
        return;
      case 'stage-finished':
        this.#printGroup(event.stage, lineOf(event));
        return;
      case 'notice':
        this.command(() => core.notice(lineOf(event)));
        return;
      default:
        write(lineOf(event));
    }
  };

  /** Lines of stages run side by side would mix: each stage's are kept until it ends. */
  #keep(stage: string, line: string): void {
    const lines = this.#lines.get(stage) ?? { first: [], last: [], dropped: 0 };
    this.#lines.set(stage, lines);
    if (lines.first.length < FIRST_LINES) {
      lines.first.push(line);
      return;
    }
    lines.last.push(line);
    // Cut back now and then: to take off the first of many for each line would cost as many moves.
    if (lines.last.length >= 2 * LAST_LINES) dropOldest(lines);
  }

  #printGroup(stage: string, title: string): void {
    const lines = this.#lines.get(stage);
    this.#lines.delete(stage);
    if (!lines) {
      write(title);
      return;
    }
    dropOldest(lines);
    this.command(() => core.startGroup(title));
    for (const line of lines.first) write(line);
    if (lines.dropped > 0) {
      write(`(${lines.dropped} lines are left out here; the folder of the run has them)`);
    }
    for (const line of lines.last) write(line);
    this.command(() => core.endGroup());
  }
}

function dropOldest(lines: KeptLines): void {
  const extra = Math.max(0, lines.last.length - LAST_LINES);
  lines.last.splice(0, extra);
  lines.dropped += extra;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One line. It begins with a name, so it is no command; the older form of one may stand anywhere. */
function lineOf(event: GateEvent): string {
  return eventLine(event).replaceAll('##[', '## [');
}

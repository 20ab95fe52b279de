import { randomUUID } from 'node:crypto';
import * as core from '@actions/core';
import { eventLine } from '../gate/event-line.ts';
import type { Emit, GateEvent } from '../gate/events.ts';

/** More lines of one stage than a reader of a log looks at; its run folder keeps all. */
const MOST_LINES = 1000;

/**
 * Prints for a runner's log. Whatever an engine says is data: command processing is off but for the
 * moments in which the action itself gives a command, and is turned on again by a word that nobody
 * else knows.
 */
export class RunnerConsole {
  #token: string | undefined;
  readonly #lines = new Map<string, { kept: string[]; dropped: number }>();

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
    const lines = this.#lines.get(stage) ?? { kept: [], dropped: 0 };
    this.#lines.set(stage, lines);
    if (lines.kept.length < MOST_LINES) lines.kept.push(line);
    else lines.dropped++;
  }

  #printGroup(stage: string, title: string): void {
    const lines = this.#lines.get(stage);
    this.#lines.delete(stage);
    if (!lines) {
      write(title);
      return;
    }
    this.command(() => core.startGroup(title));
    for (const line of lines.kept) write(line);
    if (lines.dropped > 0) write(`(${lines.dropped} more lines are in the folder of the run)`);
    this.command(() => core.endGroup());
  }
}

/** One line. Nothing in it can be taken for a command, even where command processing is on. */
function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The older form of a command is looked for anywhere in a line. */
function lineOf(event: GateEvent): string {
  return eventLine(event).replaceAll('##[', '## [');
}

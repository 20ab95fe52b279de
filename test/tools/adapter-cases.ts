import { afterAll, expect, test } from 'vitest';
import type { WithValue } from '../../src/flow/stage.ts';
import type { VerdictStatus } from '../../src/proof/verdict.ts';
import { type Called, callEngine, type EngineRoom, engineRoom } from '../support/engine-room.ts';

/** One use of an adapter, with the real tool, and what it must come to. */
export interface AdapterCase {
  /** What the case is, in the words of a user. */
  readonly name: string;
  /** The workspace, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly with: Readonly<Record<string, WithValue>>;
  readonly expected: VerdictStatus;
  /** What the summary of the verdict, or the message of the error, must say. */
  readonly says: RegExp;
  /** Code of the envelope's error; null, the usual, means that the execution was an answer. */
  readonly error?: string | null;
  /** Changes the room before the run: another PATH, a program that is not the real one. */
  readonly arrange?: (room: EngineRoom) => EngineRoom;
  readonly timeoutMs?: number;
  readonly check?: (called: Called) => void;
}

/**
 * Runs every case with the real tool and prints a table of what was expected and what came. There is
 * no list of exceptions: a case that comes to something else fails.
 */
export function adapterCases(adapter: string, cases: readonly AdapterCase[]): void {
  const rows: string[] = [];
  afterAll(() => {
    process.stdout.write(`\n${adapter}\n${rows.join('\n')}\n`);
  });
  test.each(cases)('$expected: $name', async (one) => {
    const room = engineRoom(one.files);
    const called = await callEngine(one.arrange ? one.arrange(room) : room, {
      uses: adapter,
      with: one.with,
      ...(one.timeoutMs === undefined ? {} : { timeoutMs: one.timeoutMs }),
    });
    const { envelope } = called;
    const { status, summary } = envelope.engineering;
    rows.push(`  ${one.expected.padEnd(8)} ${status.padEnd(8)} ${one.name}`);
    expect(`${status}: ${envelope.error?.message ?? summary}`).toMatch(
      new RegExp(`^${one.expected}: [\\s\\S]*(?:${one.says.source})`, one.says.flags),
    );
    expect(envelope.error?.code ?? null).toBe(one.error ?? null);
    expect(called.isValid).toBe(true);
    one.check?.(called);
  });
}

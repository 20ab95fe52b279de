import { describe, expect, it } from 'vitest';
import { textTail } from '../../src/process/tail.ts';

function tailOf(limit: number, chunks: readonly (string | Uint8Array)[]): string {
  const tail = textTail(limit);
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.text();
}

describe('the tail of a stream', () => {
  it('is all of it while it is short', () => {
    expect(tailOf(10, ['ab', 'cd'])).toBe('abcd');
    expect(tailOf(10, [])).toBe('');
  });

  it('is its last characters, however they were cut into chunks', () => {
    const bytes = Buffer.from(`${'x'.repeat(100)}é↯🂡0123456`);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(tailOf(10, [bytes.subarray(0, cut), bytes.subarray(cut)])).toBe('↯🂡0123456');
    }
  });

  it('never begins with half a character', () => {
    expect(tailOf(3, ['🂡🂡'])).toBe('🂡');
    expect(tailOf(2, ['↯↯↯🂡x'])).toBe('x');
    expect(tailOf(2, ['aaaaé↯↯'])).toBe('↯↯');
    expect(tailOf(2, ['🂡↯'])).toBe('↯');
  });

  it('shows a stray continuation byte of a whole stream instead of hiding it', () => {
    expect(tailOf(10, [Uint8Array.of(0x80, 0x61)])).toBe('\ufffda');
  });

  it('does not keep a large chunk in memory', () => {
    const tail = textTail(4);
    const large = new Uint8Array(1024).fill(0x61);
    tail.push(large);
    large.fill(0x62);
    expect(tail.text()).toBe('aaaa');
  });
});

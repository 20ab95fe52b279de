import { describe, expect, it } from 'vitest';
import { lineSplitter } from '../../src/process/lines.ts';

function split(chunks: readonly (string | Uint8Array)[], limit?: number): string[] {
  const lines: string[] = [];
  const splitter = lineSplitter((line) => lines.push(line), limit);
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

describe('lines out of chunks', () => {
  it('come out the same wherever the chunks are cut, also inside characters', () => {
    const text = 'plain\n\n  é ↯ 🂡 end\r\nlast 🂡';
    const bytes = Buffer.from(text);
    const expected = ['plain', '', '  é ↯ 🂡 end', 'last 🂡'];
    for (let a = 0; a <= bytes.length; a++) {
      for (let b = a; b <= bytes.length; b++) {
        const chunks = [bytes.subarray(0, a), bytes.subarray(a, b), bytes.subarray(b)];
        expect(split(chunks)).toEqual(expected);
      }
    }
  });

  it('come out the same byte by byte', () => {
    const bytes = Buffer.from('ä\nöß\n');
    expect(split([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(['ä', 'öß']);
  });

  it('are given as soon as their line feed is there', () => {
    const lines: string[] = [];
    const splitter = lineSplitter((line) => lines.push(line));
    splitter.push(Buffer.from('one\ntw'));
    expect(lines).toEqual(['one']);
    splitter.push(Buffer.from('o\n'));
    expect(lines).toEqual(['one', 'two']);
  });

  it('include a last line without line feed, and no empty one after the last line feed', () => {
    expect(split(['a\nb'])).toEqual(['a', 'b']);
    expect(split(['a\n'])).toEqual(['a']);
    expect(split([])).toEqual([]);
  });

  it('lose one CR before the LF and no other', () => {
    expect(split(['a\r', '\nb\r\r\nc\rd\n\r\ne\r'])).toEqual(['a', 'b\r', 'c\rd', '', 'e\r']);
  });

  it('show bytes that are not UTF-8 as replacement characters', () => {
    expect(split([Uint8Array.of(0x61, 0xff, 0x62, 0x0a, 0xe2, 0x86)])).toEqual([
      'a\ufffdb',
      '\ufffd',
    ]);
  });

  it('keep a byte order mark', () => {
    expect(split(['\ufeffa\n'])).toEqual(['\ufeffa']);
  });

  it('are cut at the limit and say how much was cut', () => {
    expect(split(['12345', '678', '9\nnext\n'], 5)).toEqual(['12345… (cut, 4 bytes more)', 'next']);
  });

  it('of exactly the limit are whole, also before CR LF', () => {
    expect(split(['12345\n12345\r\n12345'], 5)).toEqual(['12345', '12345', '12345']);
  });

  it('are cut before a character that the limit would halve', () => {
    expect(split(['123é\n'], 4)).toEqual(['123… (cut, 2 bytes more)']);
    expect(split(['1🂡\n'], 4)).toEqual(['1… (cut, 4 bytes more)']);
    expect(split(['12é5\n'], 4)).toEqual(['12é… (cut, 1 bytes more)']);
  });

  it('longer than a mebibyte are cut there unless told otherwise', () => {
    const mebibyte = 1024 * 1024;
    const [line = ''] = split([Buffer.alloc(mebibyte, 'x'), Buffer.alloc(mebibyte, 'y')]);
    expect(line.startsWith('x'.repeat(mebibyte))).toBe(true);
    expect(line.slice(mebibyte)).toBe(`… (cut, ${mebibyte} bytes more)`);
  });
});

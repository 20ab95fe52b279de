import { describe, expect, test } from 'vitest';
import { stageGraph } from '../../src/report/graph.ts';
import { type MadeStage, made } from './made.ts';

function graphOf(stages: Readonly<Record<string, MadeStage>>): string {
  return stageGraph(made({ stages }).result);
}

/** Stages that each write a file, and one that reads them all. */
function fan(count: number, readers = 1): Record<string, MadeStage> {
  const writers = Array.from({ length: count }, (_, index) => [
    `w${index}`,
    { flow: `inputs: [a], outputs: [b/${index}.v]` },
  ]);
  const all = Array.from({ length: readers }, (_, index) => [
    `r${index}`,
    { flow: 'inputs: ["b/*.v"]' },
  ]);
  return Object.fromEntries([...writers, ...all]) as Record<string, MadeStage>;
}

describe('the diagram of a flow', () => {
  test('has a box for each stage and an arrow for each need, by number', () => {
    const graph = graphOf({
      synth: { status: 'valid', flow: 'inputs: [a], outputs: [n.v]' },
      end: { status: 'failed', flow: 'inputs: [n.v]' },
      '0.a-b_c': { status: 'stale', flow: 'inputs: [a], after: [synth]' },
    });
    expect(graph.split('\n').slice(0, 7)).toEqual([
      '```mermaid',
      'flowchart LR',
      '  s0["synth"]:::valid',
      '  s1["end"]:::failed',
      '  s2["0.a-b_c"]:::open',
      '  s0 --> s1',
      '  s0 -.-> s2',
    ]);
  });

  test.each([
    ['one stage', { a: {} }],
    ['stages that have nothing to do with each other', { a: {}, b: {} }],
    ['more stages than a picture shows', fan(151)],
    ['more arrows than can be drawn', fan(30, 20)],
  ])('is left out for %s', (_, stages) => {
    expect(graphOf(stages)).toBe('');
  });

  test('may be large', () => {
    const graph = graphOf(fan(40, 5));
    expect(graph.match(/-->/g)).toHaveLength(200);
    expect(graph.length).toBeLessThan(50_000);
  });
});

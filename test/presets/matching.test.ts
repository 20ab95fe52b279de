import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { globDisk } from '../../src/flow/presets/veripower/disk-glob.ts';
import { matchesName } from '../../src/flow/presets/veripower/name-match.ts';
import {
  inputClosure,
  producerOf,
  producersOf,
} from '../../src/flow/presets/veripower/registry.ts';
import {
  ADVISORY_AFTER,
  PIPELINE_INPUTS,
  STAGE_DATA,
} from '../../src/flow/presets/veripower/registry-data.ts';
import { PresetWorkspace } from './workspace.ts';

/** The two matchers of spec/06 §6.3, and the registry of §6.1. */

describe('on names', () => {
  test.each([
    ['Design/specification/spec-review/x.md', 'Design/specification/*.md', true],
    ['Design/specification/runs/1/design.md', 'Design/specification/*.md', true],
    ['a\nb.md', '*.md', true],
    ['a.md\n', '*.md', false],
    ['.md', '*.md', true],
    ['a.MD', '*.md', false],
    ['ab', 'a?', true],
    ['a/', 'a?', true],
    ['a', '[ab]', true],
    ['c', '[!ab]', true],
    ['b', '[a-c]', true],
    ['b', '[c-a]', false],
    [']', '[]]', true],
    ['[', '[', true],
    ['a[1].v', 'a[1].v', false],
    ['a.b', 'a+b', false],
    ['{a}', '{a}', true],
  ])('%j by %s: %s', (name, selector, expected) => {
    expect(matchesName(name, selector)).toBe(expected);
  });

  const recorded: { names: string[]; matched: Record<string, string[]> } = JSON.parse(
    readFileSync(new URL('vectors/fnmatch.json', import.meta.url), 'utf8'),
  );

  test.each(Object.entries(recorded.matched))(
    '%j matches what Python matches',
    (selector, matched) => {
      expect(recorded.names.filter((name) => matchesName(name, selector))).toEqual(matched);
    },
  );
});

describe('on disk', () => {
  function found(selector: string): string[] {
    const w = new PresetWorkspace();
    for (const path of [
      'd/a.v',
      'd/.h.v',
      'd/B.V',
      'd/sub/c.v',
      'd/{e}.v',
      'd/\ue000.v',
      'd/\u{1f600}.v',
    ]) {
      w.write(path, '1');
    }
    w.folder('d/dir.v');
    w.link('d/gone.v', 'nowhere');
    w.link('d/to.v', 'sub');
    w.link('d/literal', 'nowhere');
    const { matches, unreadable } = globDisk(w.root, selector);
    expect(unreadable).toEqual([]);
    return matches.map(({ path }) => path);
  }

  test.each([
    ['d/*.v', ['.h.v', 'a.v', 'dir.v', 'gone.v', 'to.v', '{e}.v', '\ue000.v', '\u{1f600}.v']],
    ['d/?.v', ['a.v', '\ue000.v', '\u{1f600}.v']],
    ['d/[ab].v', ['a.v']],
    ['d/*/c.v', ['sub/c.v', 'to.v/c.v']],
    ['d/a.v', ['a.v']],
    ['d/literal', []],
    ['d/a.v/x', []],
    ['gone/*', []],
  ])('%s', (selector, expected) => {
    expect(found(selector)).toEqual(expected.map((name) => `d/${name}`));
  });
});

describe('the registry', () => {
  const declared = JSON.parse(
    readFileSync(new URL('vectors/stages.json', import.meta.url), 'utf8'),
  );

  test('is what the engine declares', () => {
    expect(PIPELINE_INPUTS).toEqual(declared.pipeline_inputs);
    expect(Object.fromEntries(ADVISORY_AFTER)).toEqual(declared.advisory_after);
    const stages = declared.stages.map((stage: Record<string, unknown>) => ({
      name: stage.name,
      execution: stage.execution,
      root: stage.root,
      inputs: Object.values(stage.inputs as Record<string, string[]>).flat(),
      outputs: stage.outputs,
      oracle: stage.oracle ?? undefined,
      params: stage.params,
      triage: stage.triage ?? undefined,
      carry: stage.carry,
      noCarry: stage.no_carry,
    }));
    const ours = STAGE_DATA.map((stage) => ({
      ...stage,
      oracle: stage.oracle && { ...stage.oracle, selector: stage.oracle.selector ?? null },
    }));
    expect(ours).toEqual(stages);
  });

  test.each([
    ['specification', []],
    ['rtl-design', ['specification']],
    ['simulation-plan', ['specification']],
    ['lint-cdc', ['rtl-design', 'specification']],
    ['synthesis', ['rtl-design', 'specification']],
    ['timing-analysis', ['synthesis']],
    ['simulation', ['rtl-design', 'simulation-plan', 'specification']],
    ['power-analysis', ['simulation', 'simulation-plan', 'specification', 'synthesis']],
    ['simulation-triage', ['rtl-design', 'simulation', 'simulation-plan', 'specification']],
  ])('%s reads from %j', (name, expected) => {
    expect([...producersOf(name)].sort()).toEqual(expected);
  });

  test('a closure goes all the way up, and never holds the stage itself', () => {
    expect([...inputClosure('timing-analysis')].sort()).toEqual([
      'rtl-design',
      'specification',
      'synthesis',
    ]);
  });

  test('the first owner in the registry wins', () => {
    expect(producerOf('Design/specification/runs/1/design.md')?.name).toBe('specification');
    expect(producerOf('Design/rtl-design/x.vh')).toBeUndefined();
  });
});

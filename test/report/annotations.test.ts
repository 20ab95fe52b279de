import { describe, expect, test } from 'vitest';
import type { VygesEvent } from '../../src/generated/documents.ts';
import { type Annotations, annotate } from '../../src/report/annotations.ts';
import { problem } from '../../src/values/problem.ts';
import { type Made, made } from './made.ts';

function remarksOf(one: Made, folder = ''): Annotations {
  return annotate([{ folder, root: '/repo/ip', reported: made(one), problems: [] }]);
}

function filesOf(events: readonly Partial<VygesEvent>[], folder = ''): (string | undefined)[] {
  const { shown } = remarksOf({ stages: { a: { status: 'failed', events } } }, folder);
  return shown.slice(1).map(({ file, line }) => `${file}:${line}`);
}

function many(count: number, severity: VygesEvent['severity']): Partial<VygesEvent>[] {
  return Array.from({ length: count }, (_, index) => ({
    severity,
    raw_msg: `${severity} ${index}`,
    file: `a.v:${index + 1}`,
  }));
}

describe('the remarks on a judgement', () => {
  test('are its problems and what is not proven, each at its place', () => {
    const { shown } = remarksOf(
      {
        stages: {
          good: { status: 'valid', events: many(3, 'error') },
          bad: { status: 'failed', reason: 'it\nviolates', flow: 'inputs: [a]' },
          held: { status: 'missing', held: 'it needs bad, which is failed' },
        },
        problems: [
          problem('log/anomaly', 'torn', {
            at: { file: 'events.jsonl', line: 9 },
            remedy: 'Run it',
          }),
        ],
      },
      'ip',
    );
    expect(shown).toMatchObject([
      { level: 'error', message: 'torn. Run it', file: 'ip/events.jsonl', line: 9 },
      { title: 'bad is not proven: failed', message: 'it\\nviolates', line: 3 },
      { title: 'held is not proven: missing', message: 'not run: it needs bad, which is failed' },
    ]);
  });

  test('name files of the repository, however the engine names them, and no others', () => {
    const files = ['rtl/a.v:3', './rtl/b.v:4:9', '/repo/ip/rtl/c.v:5'];
    const foreign = ['../x.v:1', '/etc/passwd:1', 'a/../../x:1', 'C:\\x.v:1', 'a.v', ':1', ''];
    expect(
      filesOf(
        [...files, ...foreign].map((file) => ({ file })),
        'ip',
      ),
    ).toEqual(['ip/rtl/a.v:3', 'ip/rtl/b.v:4', 'ip/rtl/c.v:5']);
  });

  test('are the events of an engine by their severity, without the small talk', () => {
    const severities = ['trace', 'debug', 'info', 'warn', 'error'] as const;
    const events = severities.map((severity) => ({ severity, file: 'a.v:1', code: 'X-1' }));
    const { shown } = remarksOf({ stages: { a: { status: 'blocked', events } } });
    expect(shown.slice(1).map(({ level, title }) => [level, title])).toEqual([
      ['error', 'a X-1'],
      ['warning', 'a X-1'],
      ['notice', 'a X-1'],
    ]);
  });

  test('are as many as a runner shows beside the message that fails the job; the rest is counted', () => {
    const events = [...many(30, 'info'), ...many(20, 'warn'), ...many(15, 'error')];
    const { shown, left } = remarksOf({
      stages: { a: { status: 'failed', events }, b: { status: 'missing' } },
    });
    const count = (wanted: string): number => shown.filter(({ level }) => level === wanted).length;
    expect([count('error'), count('warning'), count('notice')]).toEqual([9, 10, 10]);
    expect(left).toEqual({ error: 15 + 2 - 9, warning: 10, notice: 20 });
    // Both stages come before any event.
    expect(shown.slice(0, 2).map(({ title }) => title)).toEqual([
      'a is not proven: failed',
      'b is not proven: missing',
    ]);
  });

  test('are the problems where no judgement was made', () => {
    const problems = [problem('flow/syntax', 'odd', { at: { file: 'signoff.yaml', line: 2 } })];
    const { shown } = annotate([{ folder: 'ip', root: '/repo/ip', reported: undefined, problems }]);
    expect(shown).toMatchObject([{ message: 'odd', file: 'ip/signoff.yaml', line: 2 }]);
  });
});

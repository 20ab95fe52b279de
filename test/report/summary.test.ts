import { describe, expect, test } from 'vitest';
import { annotate } from '../../src/report/annotations.ts';
import { planAnswer } from '../../src/report/answers.ts';
import type { ReportedResult } from '../../src/report/result.ts';
import { summaryMarkdown } from '../../src/report/summary.ts';
import { problem } from '../../src/values/problem.ts';
import { readableSummary } from '../support/summary.ts';
import { type MadeStage, made } from './made.ts';
import { badRun, goodRun, unknownRun } from './runs.ts';

function summaryOf(...reported: readonly ReportedResult[]): string {
  return summaryMarkdown(reported.map((one) => ({ kind: 'judged', reported: one })));
}

/** One line a remark, as a runner would show them. */
function remarksOf(reported: ReportedResult): string {
  const { shown, left } = annotate([{ folder: '', root: '/ws', reported, problems: [] }]);
  const lines = shown.map(({ level, title, message, file, line }) => {
    const place = [file, line].filter((part) => part !== undefined).join(':');
    return `${level} | ${place} | ${title} | ${message}`;
  });
  return `${[...lines, `left: ${JSON.stringify(left)}`].join('\n')}\n`;
}

describe('a real run as a reader sees it', () => {
  test.each([
    ['good', goodRun],
    ['bad', badRun],
    ['unknown', unknownRun],
  ])('%s', async (name, run) => {
    const reported = await run();
    const summary = summaryOf(reported);
    await expect(summary).toMatchFileSnapshot(`snapshots/summary-${name}.md`);
    await expect(remarksOf(reported)).toMatchFileSnapshot(`snapshots/annotations-${name}.md`);
    const seen = readableSummary(summary);
    expect(seen.lookedFor).toEqual([]);
    expect(seen.columns).toEqual([7]);
  });
});

/** Everything that has a meaning to Markdown, HTML, GitHub or a diagram. */
const HOSTILE = [
  'a|b <script>alert(1)</script> `x` ``` ~~~ @octocat #1 [x](http://evil.example) www.evil.example',
  '## ✅ Proven: all of it',
  '| `forged` | ✅ valid | pass |',
  '</details><details open> :tada: $x$ *y* __z__ end;-->"]:::valid --- s0 %%{init}%%',
].join('\n');

describe('hostile text', () => {
  const stages: Record<string, MadeStage> = {
    first: {
      status: 'failed',
      verdict: 'fail',
      assertion: HOSTILE,
      reason: HOSTILE,
      how: 'ran',
      flow: 'inputs: [a], outputs: [b]',
      payload: { [HOSTILE]: 7, note: HOSTILE },
      events: [{ code: HOSTILE, raw_msg: HOSTILE, file: `${HOSTILE}:1` }],
      stderrTail: `${HOSTILE}\n\`\`\`\n## ✅ Proven`,
      changes: [
        { what: 'input', name: HOSTILE, recorded: HOSTILE, current: null },
        { what: 'output', name: `\`${HOSTILE}\``, recorded: null, current: '`' },
      ],
    },
    second: { status: 'missing', held: HOSTILE, flow: 'inputs: [b]' },
  };
  const reported = made({
    name: HOSTILE,
    workspace: HOSTILE,
    stages,
    problems: [
      problem('log/anomaly', HOSTILE, { at: { file: HOSTILE, line: 1 }, remedy: HOSTILE }),
      problem('log/anomaly', HOSTILE, { stage: HOSTILE }),
    ],
  });

  test('changes nothing in the build of the summary, wherever it stands', () => {
    const seen = readableSummary(summaryOf({ ...reported, flowFile: HOSTILE }));
    expect(seen.headings.map((heading) => heading.slice(0, 24))).toEqual([
      '## ❌ Not proven: a&#124;',
      '### What is not proven, ',
      '### What needs what',
    ]);
    expect(seen.tags).toEqual(['code', 'details', 'span', 'summary']);
    expect(seen.columns).toEqual([7]);
    expect(seen.lookedFor).toEqual([]);
    expect(seen.text).toContain('<script>alert(1)</script>');
  });

  test('changes nothing in that of several, of a plan and of a refusal', () => {
    const assessed = reported.result.stages.map(({ assessment }) => assessment);
    const whole = { workspace: HOSTILE, flow: HOSTILE, problems: reported.result.problems };
    const planned = assessed.map((assessment) => ({
      assessment,
      action: 'run' as const,
      reason: HOSTILE,
    }));
    const seen = readableSummary(
      summaryMarkdown([
        { kind: 'judged', reported },
        { kind: 'planned', plan: planAnswer(whole, planned) },
        { kind: 'refused', name: HOSTILE, problems: reported.result.problems },
      ]),
    );
    expect(seen.headings.map((heading) => heading.split(':')[0])).toEqual([
      '# ❌ Not proven',
      '## ❌ Not proven',
      '## 📋 Plan, not proven',
      '## ❌ Not proven',
      '### What is not proven, and why',
      '### What needs what',
    ]);
    expect(seen.tags).toEqual(['code', 'details', 'span', 'summary']);
    expect(seen.columns).toEqual([7, 4]);
    expect(seen.lookedFor).toEqual([]);
  });
});

describe('a summary that is too large', () => {
  const MAX = 900 * 1024;

  test('keeps the verdicts and the rows of what is not proven, and says what was cut', () => {
    const long = '漢$@x '.repeat(100);
    const stages = Array.from({ length: 2000 }, (_, index): [string, MadeStage] => [
      `s-${index}`,
      index % 4 === 0
        ? { status: 'failed', verdict: 'fail', reason: long, events: [{ raw_msg: long }] }
        : { status: 'valid', verdict: 'pass', reason: long },
    ]);
    const one = made({ name: 'many', stages: Object.fromEntries(stages) });
    const summary = summaryOf(one, made({ name: 'last', isProven: true, stages: { a: {} } }));
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(MAX);
    expect(Buffer.byteLength(summary)).toBeGreaterThan(MAX - 20_000);
    expect(summary.startsWith('# ❌ Not proven: 1 of 2 workspaces\n\n## ❌ Not proven: many')).toBe(
      true,
    );
    expect(summary).toContain('## ✅ Proven: last');
    expect(summary.match(/^\| `s-\d+` \| ❌/gm)).toHaveLength(500);
    expect(summary).toMatch(
      /\*\*Left out for want of room: \d+ × row of the table, \d+ × details\.\*\*/,
    );
    expect(readableSummary(summary).columns).toEqual([7]);
  });

  test('is within the limit whatever it is that is too much', () => {
    const problems = Array.from({ length: 3000 }, () => problem('log/anomaly', HOSTILE.repeat(20)));
    const summary = summaryMarkdown([
      { kind: 'judged', reported: made({ stages: { a: { status: 'valid' } }, problems }) },
      { kind: 'refused', name: HOSTILE, problems },
    ]);
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(MAX);
    expect(summary).toContain('| `a` | ✅');
    expect(summary).toContain('Left out for want of room');
  });
});

describe('what a reader is told to do', () => {
  test.each([
    ['failed', {}, 'Fix the design'],
    ['blocked', {}, 'See to what the reason names'],
    ['stale', {}, 'Run it again: its result is of other files'],
    ['in-flight', {}, 'Run the gate again: it closes what a run that was killed left open'],
    ['missing', {}, 'Run it.'],
    ['missing', { held: 'it needs x, which is failed' }, 'See to what kept it from being run'],
  ] as const)('about a stage that is %s %o', (status, more, words) => {
    const summary = summaryOf(made({ stages: { a: { status, ...more } } }));
    expect(summary).toContain(`**What to do:** ${words}`);
  });

  test('is a command that a shell reads back, whatever the folder is called', () => {
    const one = made({ workspace: "ip/it's a $(mess)", stages: { a: { status: 'stale' } } });
    expect(summaryOf({ ...one, flowFile: 'flows/a b.yaml' })).toContain(
      "signoff-gate run --workspace 'ip/it'\\''s a $(mess)' --flow 'flows/a b.yaml' --rerun a\n",
    );
  });

  test('says that all hold where only the whole is wrong', () => {
    const problems = [problem('log/torn-tail', 'a record is lost')];
    const summary = summaryOf(made({ stages: { a: { status: 'valid' } }, problems }));
    expect(summary).toContain('**All of 1 stage hold. 1 problem besides.**');
  });
});

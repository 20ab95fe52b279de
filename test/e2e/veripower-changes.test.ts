import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JudgementAnswer } from '../../src/generated/documents.ts';
import { validateAnswerJudgement } from '../../src/generated/validators.js';
import {
  baseWorkspace,
  type Event,
  type PresetWorkspace,
  reopen,
  signoff,
  stamp,
} from '../presets/workspace.ts';
import { type ActionOptions, type ActionRun, commandsNamed, runAction } from '../support/action.ts';
import { documentIn } from '../support/cli.ts';
import { GitRepository } from '../support/git.ts';
import { cloneOf, type Reviewed } from '../support/reviewed-repository.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';

/**
 * Pull requests to a repository with a workspace that VeriPower drives, judged by the built action.
 * The gate can run none of its stages: what the base has recorded is all that proves anything.
 */

const FOLDER = 'hw/uart';
const SOURCE = 'Design/rtl-design/top.v';
const REVIEW = 'Design/rtl-design/semantic-review/review.md';

let proven: Reviewed;
beforeAll(() => {
  proven = repositoryWith(() => undefined);
});

/** What is done to a workspace that VeriPower has proven from end to end. */
type Change = (workspace: PresetWorkspace) => void;

/** The workspace with a change, and its log as it is then. */
function changed(change: Change): PresetWorkspace {
  const workspace = baseWorkspace();
  change(workspace);
  workspace.write('events.jsonl', workspace.text());
  return workspace;
}

/** A repository whose base has the workspace. */
function repositoryWith(change: Change): Reviewed {
  const root = scratchFolder();
  writeFiles(root, {
    '.gitattributes': 'events.jsonl merge=union -text\n',
    'README.md': 'A UART.\n',
  });
  cpSync(changed(change).root, join(root, FOLDER), { recursive: true });
  const repository = new GitRepository(root);
  return { repository, base: repository.commit('the workspace as it was reviewed') };
}

interface Judged {
  readonly run: ActionRun;
  readonly answer: JudgementAnswer;
}

/** A pull request that changes the workspace of the base into one that was changed so. */
async function judge(base: Reviewed, change: Change, options: ActionOptions = {}): Promise<Judged> {
  const clone = cloneOf(base);
  rmSync(join(clone.root, FOLDER), { recursive: true });
  cpSync(changed(change).root, join(clone.root, FOLDER), {
    recursive: true,
    verbatimSymlinks: true,
  });
  clone.commit('a change');
  return judgeClone(clone, base, options);
}

async function judgeClone(
  { root }: GitRepository,
  { base }: Reviewed,
  options: ActionOptions = {},
): Promise<Judged> {
  const run = await runPreset(root, { base, ...options });
  return {
    run,
    answer: documentIn(
      readFileSync(join(root, 'gate.json'), 'utf8'),
      validateAnswerJudgement,
      run.log,
    ),
  };
}

function runPreset(root: string, options: ActionOptions): Promise<ActionRun> {
  return runAction(root, {
    event: 'pull_request',
    ...options,
    inputs: {
      flow: 'veripower',
      mode: 'check',
      workspace: FOLDER,
      report: 'gate.json',
      ...options.inputs,
    },
  });
}

/** Everything that the answer says, a line a stage and a line a problem. */
function told({ answer }: Judged): string[] {
  return [
    ...Object.entries(answer.stages).map(
      ([name, { status, reason }]) => `${name} ${status} ${reason}`,
    ),
    ...answer.problems.map(({ code, stage, message }) => `${code} ${stage ?? '-'}: ${message}`),
  ];
}

const verdictOf = ({ run }: Judged): string | undefined => run.verdicts.at(-1);

const statusesOf = ({ answer }: Judged): Record<string, string> =>
  Object.fromEntries(Object.entries(answer.stages).map(([name, { status }]) => [name, status]));

const ALL = [
  'specification',
  'simulation-plan',
  'rtl-design',
  'lint-cdc',
  'synthesis',
  'timing-analysis',
  'simulation',
  'power-analysis',
] as const;

const isPinOf =
  (ref: string) =>
  ({ type, oracle_ref }: Event): boolean =>
    type === 'pin' && oracle_ref === ref;

const plantBug: Change = (workspace) => workspace.write(SOURCE, 'module top; BUG endmodule\n');
/** What an agent publishes of its own review, without any hand but its own. */
const rewriteReview: Change = (workspace) => workspace.write(REVIEW, 'looks good\n');

/** Runs of every stage that never were, on the files as they are, and pins of what nobody read. */
const forgeAll: Change = (workspace) => {
  for (const name of ALL) workspace.run(name, 2, 'pass');
  for (const name of ['specification', 'simulation-plan', 'rtl-design', 'simulation']) {
    workspace.append(workspace.pin(name));
  }
  workspace.append(signoff());
};

const SELF_REPORTED = /self-reported: nothing that this judgement rests on has recorded it/;

interface Attack {
  readonly name: string;
  readonly change: Change;
  readonly says: RegExp;
}

const attacks: readonly Attack[] = [
  {
    name: 'an altered source',
    change: plantBug,
    says: /^lint-cdc stale since run 1: .*top\.v changed$/,
  },
  {
    name: 'an altered source, and runs of all stages that never were',
    change: (workspace) => {
      plantBug(workspace);
      forgeAll(workspace);
    },
    says: SELF_REPORTED,
  },
  {
    name: 'an altered source, and one outcome in the words of the last',
    change: (workspace) => {
      plantBug(workspace);
      workspace.append(workspace.end('lint-cdc', 1, 'pass'));
    },
    says: /^log\/anomaly lint-cdc: run 1 is ended on line 22, and was already on line 8$/,
  },
  {
    name: 'an altered source, and a sign-off',
    change: (workspace) => {
      plantBug(workspace);
      workspace.append(signoff());
    },
    says: /^rtl-design stale since run 1: output .*top\.v changed$/,
  },
  {
    name: 'a review written anew, with a run and a pin for it',
    change: (workspace) => {
      rewriteReview(workspace);
      workspace.run('rtl-design', 2, 'pass');
      workspace.append(workspace.pin('rtl-design'));
    },
    says: /^rtl-design stale since run 1: output .*review\.md changed; run 2 is self-reported/,
  },
  {
    name: 'a review written anew, with a pin for it',
    change: (workspace) => {
      rewriteReview(workspace);
      workspace.append(workspace.pin('rtl-design'));
    },
    says: /^rtl-design stale since run 1: output .*review\.md changed/,
  },
  {
    name: 'a failure that it recorded itself',
    change: (workspace) => workspace.run('lint-cdc', 2, 'fail'),
    says: /^lint-cdc failed run 2 failed/,
  },
  {
    name: 'a run that it left in flight',
    change: (workspace) => workspace.append(workspace.start('lint-cdc', 2)),
    says: /^lint-cdc in-flight run 2 was started and has no outcome/,
  },
  {
    name: 'a reopened oracle',
    change: (workspace) => workspace.append(reopen('semantic-review')),
    says: /^rtl-design stale its oracle was reopened after its run began, and is not pinned/,
  },
  {
    name: 'an input that nobody verified',
    change: (workspace) => workspace.write('Design/rtl-design/more.v', 'module more; endmodule\n'),
    says: /more\.v/,
  },
  {
    name: 'a source that is a link to a file outside, with the same bytes',
    change: (workspace) => {
      const outside = scratchFolder();
      writeFiles(outside, { 'top.v': workspace.read(SOURCE) });
      workspace.remove(SOURCE);
      workspace.link(SOURCE, join(outside, 'top.v'));
    },
    says: /top\.v/,
  },
  {
    name: 'an outcome that is gone',
    change: (workspace) =>
      workspace.without(({ type, rule }) => type === 'outcome' && rule === 'power-analysis'),
    says: /^trust\/record-lost -: line 16 of the base's log is gone or was altered: .*"power-analysis"/,
  },
  {
    name: 'a sign-off that is gone',
    change: (workspace) => workspace.without(({ type }) => type === 'signoff'),
    says: /^trust\/record-lost -: line 21 of the base's log is gone or was altered: .*"signoff"/,
  },
  {
    name: 'a pin that is gone',
    change: (workspace) => workspace.without(isPinOf('semantic-review')),
    says: /^trust\/record-lost -: line 19 of the base's log is gone or was altered: .*"semantic-review"/,
  },
  {
    name: 'a record that says something else',
    change: (workspace) => {
      workspace.events = workspace.events.map((event) =>
        isPinOf('semantic-review')(event) ? { ...event, provenance: 'manager' } : event,
      );
    },
    says: /^trust\/record-lost -: line 19 of the base's log is gone or was altered: .*"engineer"/,
  },
  {
    name: 'records in another order',
    change: (workspace) => workspace.events.reverse(),
    says: /^trust\/record-lost -: line \d+ of the base's log was moved before others that it came after/,
  },
  {
    name: 'a log that begins anew',
    change: (workspace) => {
      plantBug(workspace);
      workspace.events = [];
      forgeAll(workspace);
    },
    says: /^trust\/record-lost -: and 6 more records of the base$/,
  },
];

describe.concurrent('a pull request is not proven that has', () => {
  test.each(attacks)('$name', async ({ change, says }) => {
    const judged = await judge(proven, change);
    expect(judged.run.verdicts).not.toContain('proven');
    expect([judged.run.status, verdictOf(judged), judged.answer.verdict]).toEqual([
      1,
      'not-proven',
      'not-proven',
    ]);
    const lines = told(judged);
    expect(
      lines.filter((line) => says.test(line)),
      lines.join('\n'),
    ).not.toEqual([]);
  });

  test('a pin of an oracle that the base has not pinned: the answer says whose it is', async () => {
    const unpinned: Change = (workspace) => workspace.without(isPinOf('semantic-review'));
    const base = repositoryWith(unpinned);
    const untouched = await judge(base, unpinned);
    expect(told(untouched).join('\n')).toMatch(/rtl-design: .*no pin endorses what is there now/);
    const judged = await judge(base, (workspace) => {
      unpinned(workspace);
      workspace.append(workspace.pin('rtl-design'));
    });
    expect(verdictOf(judged)).toBe('not-proven');
    // To a reader of the log a pin is there: why it does not count must be said.
    expect(told(judged).join('\n')).toMatch(/pin .*(?:self-reported|the change|of the base)/);
  });

  test('lost the workspace, or renamed it', async () => {
    const clone = cloneOf(proven);
    renameSync(join(clone.root, FOLDER), join(clone.root, 'hw/serial'));
    clone.commit();
    const judged = await judgeClone(clone, proven, { inputs: { workspace: 'hw/*' } });
    expect(verdictOf(judged)).toBe('not-proven');
    expect(judged.answer.judging?.changes).toEqual([
      { stage: null, message: `the workspace ${FOLDER} was removed or renamed` },
    ]);
    expect(told(judged).join('\n')).toMatch(SELF_REPORTED);
  });

  test('a workspace that the base has not', async () => {
    const root = scratchFolder();
    writeFiles(root, { 'README.md': 'A UART.\n' });
    const repository = new GitRepository(root);
    const base = { repository, base: repository.commit() };
    const clone = cloneOf(base);
    cpSync(changed(() => undefined).root, join(clone.root, FOLDER), { recursive: true });
    clone.commit();
    const judged = await judgeClone(clone, base);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(new Set(Object.values(statusesOf(judged)))).toEqual(new Set(['missing']));
    expect(told(judged)[0]).toMatch(SELF_REPORTED);
  });
});

describe.concurrent('a pull request rests on what the base recorded', () => {
  const allValid = Object.fromEntries(ALL.map((name) => [name, 'valid']));

  test.each<readonly [string, Change]>([
    ['if it changes nothing', () => undefined],
    ['if it changes what no stage reads', (workspace) => workspace.write('notes.txt', 'later\n')],
    ['if it signs off what was proven', (workspace) => workspace.append(signoff())],
    [
      'if it pins once more what was pinned',
      (workspace) => workspace.append(workspace.pin('simulation')),
    ],
    [
      'if it adds what nobody judges by, wherever a merge put it',
      (workspace) => workspace.events.splice(3, 0, { ...stamp('note'), text: 'a remark' }),
    ],
  ])('%s', async (_, change) => {
    const judged = await judge(proven, change);
    expect([verdictOf(judged), told(judged).join('\n')]).toEqual([
      'proven',
      ALL.map((name) => `${name} valid run 1 passed, and all that it recorded is as it was`).join(
        '\n',
      ),
    ]);
    expect(judged.answer).toMatchObject({
      trust: 'base',
      judging: { accepted: false, changes: [] },
      counts: { stages: 8, proven: 8, ran: 0, reused: 8, self_reported: 8 },
    });
  });

  test('and once it is merged, what it recorded is what the base recorded', async () => {
    const remark: Change = (workspace) => {
      workspace.write(SOURCE, 'module top; endmodule // a remark\n');
      forgeAll(workspace);
    };
    const first = await judge(proven, remark);
    expect(verdictOf(first)).toBe('not-proven');
    const merged = repositoryWith(remark);
    const next = await judge(merged, remark);
    expect([verdictOf(next), statusesOf(next)]).toEqual(['proven', allValid]);
  });

  test('on a push to the default branch, what that was before', async () => {
    const judged = await judge(proven, () => undefined, { event: 'push' });
    expect(verdictOf(judged)).toBe('proven');
    const altered = await judge(proven, plantBug, { event: 'push' });
    expect(verdictOf(altered)).toBe('not-proven');
  });
});

describe.concurrent('who is to be believed can be said:', () => {
  const log = { inputs: { trust: 'log' } };
  const goOn: Change = (workspace) => {
    workspace.write(SOURCE, 'module top; endmodule // a remark\n');
    forgeAll(workspace);
  };

  test('`trust: log` takes an honest continuation, and says that it is trusted', async () => {
    const judged = await judge(proven, goOn, log);
    expect([judged.run.status, verdictOf(judged), judged.answer.verdict]).toEqual([
      0,
      'trusted',
      'trusted',
    ]);
    expect(judged.run.verdicts).not.toContain('proven');
    expect(judged.run.summary).toMatch(/^## 🟦 Trusted: veripower in `hw\/uart`/);
    expect(judged.answer.trust).toBe('log');
  });

  test('`trust: log` misses no record of the base, and no workspace', async () => {
    const lost = await judge(
      proven,
      (workspace) => {
        goOn(workspace);
        workspace.without(({ type, run }) => type === 'outcome' && run === 1);
      },
      log,
    );
    expect([lost.run.status, verdictOf(lost)]).toEqual([1, 'not-proven']);
    const told = lost.answer.problems.filter(({ code }) => code === 'trust/record-lost');
    expect(told).toHaveLength(8);
  });

  test('`trust: log` still looks at the bytes', async () => {
    const judged = await judge(
      proven,
      (workspace) => {
        goOn(workspace);
        plantBug(workspace);
      },
      log,
    );
    expect(verdictOf(judged)).toBe('not-proven');
    expect(statusesOf(judged)).toMatchObject({ 'lint-cdc': 'stale' });
  });

  test('`trust: none` proves nothing', async () => {
    const judged = await judge(proven, () => undefined, { inputs: { trust: 'none' } });
    expect(verdictOf(judged)).toBe('not-proven');
    for (const line of told(judged)) expect(line).toMatch(SELF_REPORTED);
  });
});

describe.concurrent('what the gate cannot do is refused, with what works:', () => {
  const refusal = async (inputs: Readonly<Record<string, string>>): Promise<string> => {
    const run = await runPreset(cloneOf(proven).root, { base: proven.base, inputs });
    expect([run.status, run.verdicts.at(-1)]).toEqual([2, 'not-proven']);
    expect(run.summary).toContain('could not be judged');
    return commandsNamed(run, 'error')
      .map(({ data }) => data)
      .join('\n');
  };

  test.each([
    ['a run', { mode: 'run' }],
    ['a plan', { mode: 'plan' }],
    ['some stages', { stages: 'lint-cdc' }],
  ])('%s', async (_, inputs) => {
    expect(await refusal(inputs)).toContain(
      'a workspace that VeriPower drives is read, never run [usage/bad-value] Use `mode: check`, without `stages`.',
    );
  });

  test('a judgement of an event that has no base', async () => {
    const judged = await judge(proven, () => undefined, { event: 'release' });
    expect(verdictOf(judged)).toBe('not-proven');
    expect(judged.answer.problems).toContainEqual({
      code: 'trust/base-missing',
      message: 'there is no base, so nothing can be compared with it',
      remedy: 'Name one with `base`, or take the log on trust with `trust: log`.',
    });
  });

  test('a comparison with a base that a shallow history lacks', async () => {
    const grown = { ...proven, repository: cloneOf(proven) };
    writeFiles(grown.repository.root, { 'README.md': 'A better UART.\n' });
    grown.repository.commit();
    const judged = await judgeClone(cloneOf(grown, '--depth', '1'), proven);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(judged.answer.problems).toEqual([
      {
        code: 'trust/base-missing',
        message: `the base ${proven.base} is not in this checkout, whose history is shallow`,
        remedy: 'Check out with `fetch-depth: 0`.',
      },
    ]);
  });
});

describe.concurrent('what was judged is what the commit holds, or it is listed:', () => {
  test('a source that the commit has otherwise', async () => {
    const clone = cloneOf(proven);
    const good = readFileSync(join(clone.root, FOLDER, SOURCE), 'utf8');
    writeFiles(join(clone.root, FOLDER), { [SOURCE]: 'module top; BUG endmodule\n' });
    clone.commit('a bug');
    // Some step before the gate puts back what was proven.
    writeFiles(join(clone.root, FOLDER), { [SOURCE]: good });
    const judged = await judgeClone(clone, proven);
    expect(judged.answer.not_from_commit).toEqual([
      { path: SOURCE, why: 'it differs from the commit' },
    ]);
  });

  test('a source that a sparse checkout left out is told as that', async () => {
    const clone = cloneOf(proven, '--sparse');
    clone.git('sparse-checkout', 'set', '--no-cone', '/*', `!/${FOLDER}/${SOURCE}`);
    const judged = await judgeClone(clone, proven);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(JSON.stringify(judged.answer.problems)).toContain('sparse');
  });

  test('a Git LFS pointer in place of a source is told as that', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 9\n`;
    const judged = await judge(proven, (workspace) => workspace.write(SOURCE, pointer));
    expect(verdictOf(judged)).toBe('not-proven');
    expect(told(judged).join('\n')).toContain(
      `${SOURCE} is a Git LFS pointer in place of the file itself: check out with \`lfs: true\``,
    );
  });

  test('line ends that a checkout converted are told as that', async () => {
    const clone = cloneOf(proven, '-c', 'core.autocrlf=true');
    const judged = await judgeClone(clone, proven);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(told(judged).join('\n')).toContain(
      `the line ends of ${SOURCE} were converted at checkout: set \`* -text\` in .gitattributes, or core.autocrlf to false`,
    );
  });
});

describe.concurrent('branches that each recorded runs and are merged', () => {
  /** Both branches add runs; git merges their logs line by line. */
  function merge(ours: Change, theirs: Change): { clone: GitRepository; theirs: Reviewed } {
    const clone = cloneOf(proven);
    const branch = (name: string, change: Change): string => {
      clone.git('checkout', '--quiet', '-b', name, proven.base);
      rmSync(join(clone.root, FOLDER), { recursive: true });
      cpSync(changed(change).root, join(clone.root, FOLDER), { recursive: true });
      return clone.commit(name);
    };
    const base = branch('theirs', theirs);
    branch('ours', ours);
    clone.git('merge', '--quiet', 'theirs');
    return { clone, theirs: { repository: clone, base } };
  }

  test('keep the records of both', async () => {
    const { clone, theirs } = merge(
      (workspace) => workspace.run('lint-cdc', 2, 'pass'),
      (workspace) => workspace.run('power-analysis', 2, 'pass'),
    );
    for (const base of [proven, theirs]) {
      expect(verdictOf(await judgeClone(clone, base))).toBe('proven');
    }
  });

  test('have two runs under one number, and that is told until there is a newer one', async () => {
    const run =
      (params: object): Change =>
      (workspace) => {
        workspace.run('lint-cdc', 2, 'pass');
        const start = workspace.last('dispatch', 'lint-cdc');
        workspace.events = workspace.events.map((event) =>
          event === start ? { ...event, params } : event,
        );
        // One of two engines may be quicker than the other.
        Object.assign(workspace.last('outcome', 'lint-cdc'), {
          duration_ms: Object.keys(params).length,
        });
      };
    const { clone, theirs } = merge(run({}), run({ fast: true }));
    const judged = await judgeClone(clone, theirs);
    expect(verdictOf(judged)).toBe('not-proven');
    const twice = told(judged).filter((line) => line.includes('run 2 is'));
    expect(twice).toHaveLength(2);
    expect(twice[0]).toMatch(
      /lint-cdc: run 2 is (?:started|ended) on line \d+, and was already on line \d+/,
    );
  });
});

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JudgementAnswer } from '../../src/generated/documents.ts';
import { validateAnswerJudgement } from '../../src/generated/validators.js';
import { type ActionOptions, type ActionRun, runAction } from '../support/action.ts';
import { documentIn } from '../support/cli.ts';
import { GitRepository } from '../support/git.ts';
import {
  cloneOf,
  FLOW,
  type Reviewed,
  recordReview,
  reviewedRepository,
  runGate,
} from '../support/reviewed-repository.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';
import { startCli } from './built-cli.ts';

/**
 * Checkouts as runners make them, whole and not whole, judged by the built action: what is missing
 * is told in words of its own, with what to do; and what was judged is what the commit holds, or it
 * is listed.
 */

let reviewed: Reviewed;
/** As {@link reviewed}, with the outputs and all that the gate keeps ignored. */
let unkept: Reviewed;
beforeAll(() => {
  reviewed = reviewedRepository();
  unkept = withoutOutputs(reviewed);
});

interface Judged {
  readonly run: ActionRun;
  readonly answer: JudgementAnswer;
}

type Change = (repository: GitRepository) => void;

async function judge(
  root: string,
  base: string | undefined,
  options: ActionOptions = {},
): Promise<Judged> {
  moveOn(root, base);
  const run = await runAction(root, {
    event: 'pull_request',
    ...(base === undefined ? {} : { base }),
    ...options,
    inputs: { workspace: 'uart', cache: 'off', report: 'gate.json', ...options.inputs },
  });
  const text = readFileSync(join(root, 'gate.json'), 'utf8');
  return { run, answer: documentIn(text, validateAnswerJudgement, run.log) };
}

/** A change is a commit of its own, if only an empty one. */
function moveOn(root: string, base: string | undefined): void {
  try {
    const who = ['-c', 'user.name=A Designer', '-c', 'user.email=d@example.org'];
    const git = ['-C', root, '-c', 'safe.directory=*', ...who];
    const head = execFileSync('git', [...git, 'rev-parse', 'HEAD'], { stdio: 'pipe' });
    if (String(head).trim() !== base) return;
    const tree = [...git, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'nothing'];
    const commit = String(execFileSync('git', tree, { stdio: 'pipe' })).trim();
    execFileSync('git', [...git, 'update-ref', 'HEAD', commit], { stdio: 'pipe' });
  } catch {
    // There is no repository to commit in.
  }
}

/** Every problem as its code, message and remedy. */
function problemsOf({ answer }: Judged): string[] {
  return answer.problems.map(
    ({ code, message, remedy }) => `${code}: ${message}. ${remedy ?? 'No remedy.'}`,
  );
}

/** What is listed as not from the commit, by path. */
function straysOf({ answer }: Judged): Record<string, string> {
  return Object.fromEntries((answer.not_from_commit ?? []).map(({ path, why }) => [path, why]));
}

function verdictOf({ run }: Judged): string | undefined {
  return run.verdicts.at(-1);
}

function edit({ root }: GitRepository, path: string, change: (text: string) => string): void {
  const text = readFileSync(join(root, path), 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} did not change`);
  writeFileSync(join(root, path), changed);
}

const remark = (repository: GitRepository, path: string): void =>
  edit(repository, path, (text) => `// a remark\n${text}`);

/** The repository with a commit more. */
function changed({ repository }: Reviewed, ...changes: readonly Change[]): Reviewed {
  const clone = cloneOf({ repository, base: '' });
  for (const change of changes) change(clone);
  return { repository: clone, base: clone.commit() };
}

function withoutOutputs(from: Reviewed): Reviewed {
  return changed(from, (clone) => {
    clone.git('rm', '-rq', '--cached', 'uart/.signoff', 'uart/build', 'uart/events.jsonl');
    const ignored = ['uart/.signoff/', 'uart/build/', 'uart/events.jsonl', 'gate.json', ''];
    writeFileSync(join(clone.root, '.gitignore'), ignored.join('\n'));
    edit(clone, 'uart/signoff.yaml', (text) => text.replace(/ {2}review:[\s\S]*$/, ''));
  });
}

/** A clone by git as it is called, under options of its own. */
function clonedBy({ repository }: Reviewed, ...options: readonly string[]): GitRepository {
  const root = join(scratchFolder(), 'clone');
  execFileSync(
    'git',
    [...ALLOWS_FILES, 'clone', '--quiet', ...options, `file://${repository.root}`, root],
    {
      stdio: 'pipe',
    },
  );
  return new GitRepository(root);
}

const ALLOWS_FILES = ['-c', 'protocol.file.allow=always'];

function addSubmodule({ root }: GitRepository, from: GitRepository, path: string): void {
  const add = [...ALLOWS_FILES, 'submodule', '--quiet', 'add', `file://${from.root}`, path];
  execFileSync('git', add, { cwd: root, stdio: 'pipe' });
}

/** A repository that is used as a submodule. */
function library(files: Readonly<Record<string, string>>): GitRepository {
  const root = scratchFolder();
  writeFiles(root, files);
  const repository = new GitRepository(root);
  repository.commit();
  return repository;
}

const readsLibrary: Change = (clone) =>
  edit(clone, 'uart/signoff.yaml', (text) =>
    text.replace('inputs: [rtl/*.v]', 'inputs: [rtl/*.v, "ip/**/*.v"]'),
  );

const canSha256 = ((): boolean => {
  try {
    execFileSync('git', ['init', '--quiet', '--object-format=sha256', '--bare', '/dev/null/no'], {
      stdio: 'pipe',
    });
    return true;
  } catch (cause) {
    return !/object-format|object format/.test(String((cause as { stderr?: unknown }).stderr));
  }
})();

describe.concurrent('a base that cannot be read is told, with what to do, and no record counts:', () => {
  const selfReported = expect.stringContaining('is self-reported');
  const expectUncounted = ({ answer, run }: Judged): void => {
    expect(run.status).toBe(1);
    expect(run.verdicts).not.toContain('proven');
    expect(answer).not.toHaveProperty('judging');
    expect(answer.stages).toMatchObject({
      lint: { how: 'ran' },
      review: { status: 'missing', reason: selfReported },
    });
  };

  test('a shallow history', async () => {
    const { repository } = changed(reviewed, (clone) => remark(clone, 'uart/docs/spec.md'));
    const clone = clonedBy({ repository, base: '' }, '--depth', '1');
    const judged = await judge(clone.root, reviewed.base);
    expectUncounted(judged);
    expect(problemsOf(judged)).toEqual([
      `trust/base-missing: the base ${reviewed.base} is not in this checkout, whose history is shallow. Check out with \`fetch-depth: 0\`.`,
    ]);
  });

  test('a shallow history that reaches the base is deep enough', async () => {
    const clone = clonedBy(reviewed, '--depth', '1');
    const judged = await judge(clone.root, reviewed.base);
    expect([verdictOf(judged), ...problemsOf(judged)]).toEqual(['proven']);
  });

  test.each([
    ['a commit of another repository', '9049f1265b7d61be4a8904a9a27120d2064dab3b'],
    ['a branch that was not fetched', 'refs/remotes/origin/release'],
    ['a word that git could take for an option', '--output=report'],
    ['a file of the commit, not a commit', 'HEAD:uart/signoff.yaml'],
  ])('%s', async (_, base) => {
    const judged = await judge(cloneOf(reviewed).root, undefined, { inputs: { base } });
    expectUncounted(judged);
    expect(problemsOf(judged)).toHaveLength(1);
    expect(problemsOf(judged)[0]).toMatch(
      /^trust\/base-missing: the base .* is not in this checkout \(.+\)\. Fetch it before the gate runs\. A checkout of a fork lacks the base repository/,
    );
  });

  test.each([
    ['files', 'blob:none'],
    ['folders', 'tree:0'],
  ])('a partial clone without the %s of the base', async (_, filter) => {
    const grown = changed(reviewed, (clone) => {
      remark(clone, 'uart/rtl/b.v');
      runGate(join(clone.root, 'uart'));
    });
    grown.repository.git('config', 'uploadpack.allowFilter', 'true');
    const clone = clonedBy(grown, `--filter=${filter}`);
    const judged = await judge(clone.root, reviewed.base, { inputs: { mode: 'check' } });
    expect(verdictOf(judged)).toBe('not-proven');
    expect(problemsOf(judged)).toHaveLength(1);
    expect(problemsOf(judged)[0]).toMatch(
      /^trust\/base-.* the clone is partial and the gate fetches nothing\. Check out without `filter`\.$/,
    );
  });

  test('a partial clone that has all of the base that is asked for is whole enough', async () => {
    reviewed.repository.git('config', 'uploadpack.allowFilter', 'true');
    const judged = await judge(clonedBy(reviewed, '--filter=blob:none').root, reviewed.base);
    expect([verdictOf(judged), ...problemsOf(judged)]).toEqual(['proven']);
  });

  test('no repository', async () => {
    const root = scratchFolder();
    cpSync(join(reviewed.repository.root, 'uart'), join(root, 'uart'), { recursive: true });
    const judged = await judge(root, reviewed.base);
    expectUncounted(judged);
    expect(problemsOf(judged)).toEqual([
      `trust/no-repository: ${root}/uart is in no git checkout that can be read (fatal: not a git repository (or any of the parent directories): .git). Check the repository out with its history: \`actions/checkout\` with \`fetch-depth: 0\`, and git in the container.`,
    ]);
  });

  test('a repository without a commit', async () => {
    const root = scratchFolder();
    cpSync(join(reviewed.repository.root, 'uart'), join(root, 'uart'), { recursive: true });
    new GitRepository(root);
    const judged = await judge(root, reviewed.base);
    expectUncounted(judged);
    expect(problemsOf(judged)[0]).toMatch(/^trust\/no-repository: .*`fetch-depth: 0`/);
  });

  test('no git', async () => {
    const PATH = scratchFolder();
    for (const program of ['sh', 'cat', 'grep', 'mkdir']) {
      symlinkSync(programNamed(program), join(PATH, program));
    }
    const { root } = cloneOf(reviewed);
    const judged = await judge(root, reviewed.base, { environment: { PATH } });
    expectUncounted(judged);
    expect(problemsOf(judged)).toEqual([
      `trust/no-repository: ${root}/uart is in no git checkout that can be read (there is no program \`git\` on PATH). Check the repository out with its history: \`actions/checkout\` with \`fetch-depth: 0\`, and git in the container.`,
    ]);
  });

  test('on the default branch it is told as well, and is no problem by itself', async () => {
    const { repository } = changed(unkept, (clone) => remark(clone, 'uart/rtl/a.v'));
    const clone = clonedBy({ repository, base: '' }, '--depth', '1');
    const judged = await judge(clone.root, unkept.base, { event: 'push' });
    expect([verdictOf(judged), ...problemsOf(judged)]).toEqual(['proven']);
    expect(judged.run.log + judged.run.summary).toMatch(/base .*not in this checkout.*shallow/);
  });
});

function programNamed(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return execFileSync('sh', ['-c', `command -v ${name}`], {
    encoding: 'utf8',
    env: { PATH: folders.join(delimiter) },
  }).trim();
}

describe.concurrent('a file that Git LFS keeps', () => {
  const real = 'module memory;\nendmodule\n';
  const digest = createHash('sha256').update(real).digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${digest}\nsize ${real.length}\n`;
  const withPointer = (): Reviewed =>
    changed(unkept, (clone) => writeFileSync(join(clone.root, 'uart/rtl/memory.v'), pointer));

  test('and that is a pointer here is told, for each stage that reads it', async () => {
    const { repository, base } = withPointer();
    const judged = await judge(repository.root, base);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(problemsOf(judged)).toEqual(
      Array(3).fill(
        'checkout/lfs-pointer: rtl/memory.v is a Git LFS pointer in place of the file itself. Check out with `lfs: true`, or run `git lfs pull`.',
      ),
    );
    expect(judged.answer.problems.map(({ stage }) => stage)).toEqual(['lint', 'synth', 'regress']);
  });

  test('and that was fetched is what the commit holds', async () => {
    const { repository, base } = withPointer();
    writeFileSync(join(repository.root, 'uart/rtl/memory.v'), real);
    const judged = await judge(repository.root, base);
    expect([verdictOf(judged), problemsOf(judged), straysOf(judged)]).toEqual(['proven', [], {}]);
  });

  test('and that holds other bytes than its pointer says is listed', async () => {
    const { repository, base } = withPointer();
    writeFileSync(join(repository.root, 'uart/rtl/memory.v'), `${real}\n`);
    expect(straysOf(await judge(repository.root, base))).toEqual({
      'rtl/memory.v': 'it differs from the commit',
    });
  });
});

describe.concurrent('a submodule', () => {
  const ip = (): GitRepository => library({ 'ip.v': 'module ip;\nendmodule\n' });
  const withLibrary = (from = ip()): Reviewed =>
    changed(unkept, readsLibrary, (clone) => addSubmodule(clone, from, 'uart/ip'));

  test('that is not checked out is told, under a stage that reads it', async () => {
    const grown = withLibrary();
    const judged = await judge(clonedBy(grown).root, grown.base);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(judged.answer.problems).toContainEqual({
      code: 'checkout/submodule-absent',
      message: 'the submodule ip is not checked out',
      stage: 'lint',
      remedy: 'Check out with `submodules: true` (`recursive` if it has some of its own).',
    });
  });

  test('that is not checked out and that no stage reads is no problem', async () => {
    const grown = changed(unkept, (clone) => addSubmodule(clone, ip(), 'uart/manual'));
    const judged = await judge(clonedBy(grown).root, grown.base);
    expect([verdictOf(judged), ...problemsOf(judged)]).toEqual(['proven']);
  });

  test('that is checked out is part of the commit', async () => {
    const grown = withLibrary();
    const judged = await judge(clonedBy(grown, '--recurse-submodules').root, grown.base);
    expect([verdictOf(judged), problemsOf(judged), straysOf(judged)]).toEqual(['proven', [], {}]);
  });

  test('that differs from its commit is listed, file by file', async () => {
    const grown = withLibrary();
    const clone = clonedBy(grown, '--recurse-submodules');
    remark(clone, 'uart/ip/ip.v');
    writeFileSync(join(clone.root, 'uart/ip/more.v'), 'module more;\nendmodule\n');
    expect(straysOf(await judge(clone.root, grown.base))).toEqual({
      'ip/ip.v': 'it differs from the commit',
      'ip/more.v': 'git does not track it',
    });
  });

  test('that is at another commit than ours names is listed', async () => {
    const from = ip();
    const grown = withLibrary(from);
    remark(from, 'ip.v');
    from.commit();
    const clone = clonedBy(grown, '--recurse-submodules');
    const update = [...ALLOWS_FILES, 'submodule', '--quiet', 'update', '--remote'];
    execFileSync('git', update, { cwd: clone.root, stdio: 'pipe' });
    expect(straysOf(await judge(clone.root, grown.base))).toEqual({
      'ip/ip.v': 'it differs from the commit',
    });
  });

  test('in a submodule is part of the commit as well, or told if it is not there', async () => {
    const inner = library({ 'core.v': 'module core;\nendmodule\n' });
    const outer = ip();
    addSubmodule(outer, inner, 'inner');
    outer.commit();
    const grown = withLibrary(outer);
    const half = clonedBy(grown);
    const update = [...ALLOWS_FILES, 'submodule', '--quiet', 'update', '--init'];
    execFileSync('git', update, { cwd: half.root, stdio: 'pipe' });
    expect(problemsOf(await judge(half.root, grown.base))).toEqual([
      'checkout/submodule-absent: the submodule ip/inner is not checked out. Check out with `submodules: true` (`recursive` if it has some of its own).',
    ]);
    const whole = await judge(clonedBy(grown, '--recurse-submodules').root, grown.base);
    expect([verdictOf(whole), problemsOf(whole), straysOf(whole)]).toEqual(['proven', [], {}]);
  });

  test('whose judge was altered with the commit that it is at is a judge that was altered', async () => {
    const tools = library({
      'judge.sh': readFileSync(join(unkept.repository.root, 'uart/scripts/judge.sh'), 'utf8'),
    });
    const grown = changed(unkept, (clone) => {
      addSubmodule(clone, tools, 'uart/tools');
      edit(clone, 'uart/signoff.yaml', (text) =>
        text.replaceAll('scripts/judge.sh', 'tools/judge.sh'),
      );
    });
    edit(tools, 'judge.sh', (text) => text.replace('passed=false', 'passed=true'));
    tools.commit();
    const clone = clonedBy(grown, '--recurse-submodules');
    const update = [...ALLOWS_FILES, 'submodule', '--quiet', 'update', '--remote'];
    execFileSync('git', update, { cwd: clone.root, stdio: 'pipe' });
    clone.commit('newer tools');
    const judged = await judge(clone.root, grown.base);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(judged.answer.judging?.changes).toEqual([
      { stage: 'regress', message: 'what judges it was altered: tools/judge.sh' },
    ]);
  });

  // It has a history, a base and a flow of its own, and all of them are the contributor's.
  test('in the place of the workspace is not judged by itself', async () => {
    const theirs = changed(reviewed, (clone) => {
      cpSync(join(clone.root, 'uart'), clone.root, { recursive: true });
      rmSync(join(clone.root, '.signoff'), { recursive: true });
      rmSync(join(clone.root, 'events.jsonl'));
      edit(clone, 'rtl/a.v', (text) => text.replace('endmodule', 'BUG\nendmodule'));
      const stage =
        '{ run: "mkdir -p build; echo > build/x", inputs: [rtl/*.v], outputs: [build/x], evidence: exit-code }';
      writeFileSync(join(clone.root, 'signoff.yaml'), `name: uart\nstages:\n  lint: ${stage}\n`);
    });
    const ours = changed(reviewed, (clone) => {
      clone.git('rm', '-rq', 'uart');
      rmSync(join(clone.root, 'uart'), { recursive: true, force: true });
      addSubmodule(clone, theirs.repository, 'uart');
    });
    const judged = await judge(clonedBy(ours, '--recurse-submodules').root, reviewed.base);
    expect(verdictOf(judged)).toBe('not-proven');
  });
});

describe.concurrent('a checkout that alters files', () => {
  test('in their line ends is told for each input', async () => {
    const grown = changed(unkept, (clone) =>
      writeFileSync(join(clone.root, '.gitattributes'), '*.sh eol=lf\n'),
    );
    const clone = clonedBy(grown, '-c', 'core.autocrlf=true');
    const judged = await judge(clone.root, grown.base);
    const why =
      'its line ends were converted at checkout: set `* -text` in .gitattributes, or core.autocrlf to false';
    expect(straysOf(judged)).toEqual({ 'rtl/a.v': why, 'rtl/b.v': why });
    expect(judged.run.summary).toContain('Not from this commit: `rtl/a.v`');
  });

  test('in their line ends ends what was proven of them, and says why', async () => {
    const grown = changed(reviewed, (clone) =>
      writeFileSync(join(clone.root, '.gitattributes'), '* -text\nuart/rtl/* text\n'),
    );
    const clone = clonedBy(grown, '-c', 'core.autocrlf=true');
    const judged = await judge(clone.root, grown.base, { inputs: { mode: 'check' } });
    expect(verdictOf(judged)).toBe('not-proven');
    expect(judged.answer.stages['lint']).toMatchObject({ status: 'stale' });
    expect(Object.keys(straysOf(judged))).toEqual(['rtl/a.v', 'rtl/b.v']);
  });

  test('and leaves some out is told', async () => {
    const clone = clonedBy(unkept, '--sparse');
    clone.git('sparse-checkout', 'set', '--no-cone', '/*', '!/uart/rtl/b.v');
    const judged = await judge(clone.root, unkept.base);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(problemsOf(judged)).toEqual([
      'checkout/sparse: a sparse checkout leaves out rtl/b.v, which a stage reads. Check out without `sparse-checkout`, or with every folder of the workspace.',
    ]);
    expect(straysOf(judged)).toEqual({ 'rtl/b.v': 'the commit has it, and it is not here' });
  });

  test('and leaves out what no stage reads is as good as a whole one', async () => {
    const grown = changed(unkept, ({ root }) => writeFiles(root, { 'board/layout.txt': 'x' }));
    const clone = clonedBy(grown, '--sparse');
    clone.git('sparse-checkout', 'set', '--cone', 'uart');
    const judged = await judge(clone.root, grown.base);
    expect([verdictOf(judged), problemsOf(judged), straysOf(judged)]).toEqual(['proven', [], {}]);
  });
});

describe.concurrent('an input is what the commit holds, or it is listed:', () => {
  /** What is listed of a clone that is changed after it was made, in the answer and the summary. */
  async function listed(change: Change): Promise<Record<string, string>> {
    const clone = cloneOf(unkept);
    change(clone);
    const judged = await judge(clone.root, unkept.base);
    for (const path of Object.keys(straysOf(judged))) {
      expect(judged.run.summary).toContain(`Not from this commit: \`${path}\``);
    }
    return straysOf(judged);
  }

  test('none is, of a checkout that nobody touched', async () => {
    expect(await listed(() => undefined)).toEqual({});
  });

  test('one that git does not track', async () => {
    const stray = { 'rtl/c.v': 'git does not track it' };
    const add: Change = ({ root }) =>
      writeFiles(root, { 'uart/rtl/c.v': 'module c;\nendmodule\n' });
    expect(await listed(add)).toEqual(stray);
    // It is in no commit yet.
    const stage: Change = (clone) => {
      add(clone);
      clone.git('add', '--all');
    };
    expect(await listed(stage)).toEqual(stray);
  });

  test('one that git ignores', async () => {
    const ignore: Change = ({ root }) =>
      writeFiles(root, { '.git/info/exclude': '*.v\n', 'uart/rtl/c.v': 'module c;\nendmodule\n' });
    expect(await listed(ignore)).toEqual({ 'rtl/c.v': 'git does not track it' });
  });

  test('one that is tracked and was altered, removed or made a link', async () => {
    const alter: Change = (clone) => {
      remark(clone, 'uart/rtl/a.v');
      rmSync(join(clone.root, 'uart/rtl/b.v'));
    };
    expect(await listed(alter)).toEqual({
      'rtl/a.v': 'it differs from the commit',
      'rtl/b.v': 'the commit has it, and it is not here',
    });
    const link: Change = ({ root }) => {
      rmSync(join(root, 'uart/rtl/b.v'));
      symlinkSync('a.v', join(root, 'uart/rtl/b.v'));
    };
    expect(await listed(link)).toEqual({
      'rtl/b.v': 'it is another kind of file than the commit has',
    });
  });

  test('one that git was told to take for unaltered', async () => {
    const hide: Change = (clone) => {
      clone.git('update-index', '--assume-unchanged', 'uart/rtl/a.v');
      clone.git('update-index', '--skip-worktree', 'uart/rtl/b.v');
      remark(clone, 'uart/rtl/a.v');
      remark(clone, 'uart/rtl/b.v');
    };
    expect(Object.keys(await listed(hide))).toEqual(['rtl/a.v', 'rtl/b.v']);
  });

  const names = [
    'a b.v',
    `it's "so".v`,
    'new\nline.v',
    'tab\t.v',
    'größe.v',
    '回路.v',
    '-dash.v',
    '$(x) `y`.v',
    'back\\slash.v',
    'x[1]*.v',
    ':(glob).v',
  ];

  test('whatever its name', async () => {
    const grown = changed(unkept, ({ root }) =>
      writeFiles(
        root,
        Object.fromEntries(names.map((name) => [`uart/rtl/${name}`, 'module x;\nendmodule\n'])),
      ),
    );
    const whole = await judge(cloneOf(grown).root, grown.base);
    expect([verdictOf(whole), problemsOf(whole), straysOf(whole)]).toEqual(['proven', [], {}]);
    const clone = cloneOf(grown);
    for (const name of names) remark(clone, `uart/rtl/${name}`);
    const altered = await judge(clone.root, grown.base);
    expect(straysOf(altered)).toEqual(
      Object.fromEntries(names.map((name) => [`rtl/${name}`, 'it differs from the commit'])),
    );
    // What a stage that the base has proven reads is found by its name all the same.
    expect(Object.keys(altered.answer.stages).sort()).toEqual([
      'equiv',
      'lint',
      'regress',
      'synth',
    ]);
  });

  test('the target of a link that leads to a file of the commit counts too', async () => {
    const grown = changed(unkept, ({ root }) => {
      writeFiles(root, { 'lib/core.v': 'module core;\nendmodule\n' });
      symlinkSync('../../lib/core.v', join(root, 'uart/rtl/core.v'));
    });
    const whole = await judge(cloneOf(grown).root, grown.base);
    expect([verdictOf(whole), problemsOf(whole), straysOf(whole)]).toEqual(['proven', [], {}]);
    const clone = cloneOf(grown);
    remark(clone, 'lib/core.v');
    const altered = await judge(clone.root, grown.base);
    expect(verdictOf(altered)).toBe('not-proven');
    expect(problemsOf(altered)[0]).toMatch(
      /^trust\/link-outside: rtl\/core\.v is a link to a file that differs from the commit\./,
    );
  });
});

/**
 * A stage that the change adds is run with all others. Whatever it writes beside its outputs, the
 * others must not be judged on that.
 */
describe.concurrent('a stage that the change adds, and that runs first,', () => {
  const BUILD = 'mkdir -p build; date > build/prepared';
  const prepare =
    (script: string): Change =>
    (clone) =>
      edit(clone, 'uart/signoff.yaml', (text) =>
        text.replace(
          'stages:\n',
          `stages:\n  prepare: { run: "${script}; ${BUILD}", inputs: none, outputs: [build/prepared], evidence: exit-code }\n`,
        ),
      );
  const plantBug: Change = (clone) =>
    edit(clone, 'uart/rtl/a.v', (text) => text.replace('endmodule', 'BUG\nendmodule'));
  const one = { inputs: { concurrency: '1' } };

  test('does not make the gate look at another source than the commit has', async () => {
    const keepGood: Change = ({ root }) =>
      cpSync(join(root, 'uart/rtl/a.v'), join(root, 'uart/good.txt'));
    const hostile = changed(reviewed, keepGood, plantBug, prepare('cp good.txt rtl/a.v'));
    const judged = await judge(hostile.repository.root, reviewed.base, one);
    expect(straysOf(judged)).toEqual({ 'rtl/a.v': 'it differs from the commit' });
    expect(verdictOf(judged)).toBe('not-proven');
  });

  test('does not make another judge of one in the tree', async () => {
    const hostile = changed(
      unkept,
      plantBug,
      prepare('sed -i s/grep/false/ engines/*.sh scripts/*.sh'),
    );
    const judged = await judge(hostile.repository.root, unkept.base, one);
    expect(verdictOf(judged)).toBe('not-proven');
  });
});

// The first push fails, and is the commit before the second: nobody has accepted what it holds.
test('a push to a branch is not judged by what an earlier push to that branch brought', async () => {
  const clone = cloneOf(reviewed);
  edit(clone, 'uart/docs/spec.md', (text) => `${text}It has no parity.\n`);
  recordReview(join(clone.root, 'uart'), 2);
  edit(clone, 'uart/signoff.yaml', (text) => text.replace('{ min: 3 }', '{ min: 0 }'));
  const first = clone.commit('a forged review, a lowered floor');
  const one = await judge(clone.root, reviewed.base, { event: 'branch' });
  expect(verdictOf(one)).toBe('not-proven');
  clone.git('reset', '--quiet', '--hard');
  clone.git('clean', '-dfxq');
  clone.commit('nothing');
  const two = await judge(clone.root, first, { event: 'branch' });
  expect(verdictOf(two)).toBe('not-proven');
});

describe.concurrent('a repository is read as it is:', () => {
  test.runIf(canSha256)('with objects named by SHA-256', async () => {
    const root = join(scratchFolder(), 'sha256');
    const isGit = (path: string): boolean => basename(path) === '.git';
    cpSync(cloneOf(unkept).root, root, { recursive: true, filter: (path) => !isGit(path) });
    execFileSync('git', ['init', '--quiet', '--object-format=sha256', root], { stdio: 'pipe' });
    const repository = new GitRepository(root);
    const base = repository.commit();
    expect(base).toMatch(/^[0-9a-f]{64}$/);
    const whole = await judge(root, base);
    expect([verdictOf(whole), problemsOf(whole), straysOf(whole)]).toEqual(['proven', [], {}]);
    remark(repository, 'uart/rtl/a.v');
    edit(repository, 'uart/signoff.yaml', (text) => text.replace('{ min: 3 }', '{ min: 2 }'));
    const altered = await judge(root, base);
    expect(straysOf(altered)).toEqual({ 'rtl/a.v': 'it differs from the commit' });
    expect(altered.answer.judging?.changes).toHaveLength(1);
  });

  test('that is reached by a link', async () => {
    const link = join(scratchFolder(), 'link');
    symlinkSync(cloneOf(reviewed).root, link);
    const judged = await judge(link, reviewed.base);
    expect([verdictOf(judged), problemsOf(judged), straysOf(judged)]).toEqual(['proven', [], {}]);
  });

  test('whose workspace is reached by a link', async () => {
    const { repository } = changed(reviewed, ({ root }) =>
      symlinkSync('uart', join(root, 'serial')),
    );
    const judged = await judge(repository.root, reviewed.base, { inputs: { workspace: 'serial' } });
    expect([verdictOf(judged), problemsOf(judged), straysOf(judged)]).toEqual(['proven', [], {}]);
  });

  test('whose workspace is a link to a folder outside', async () => {
    const { repository } = changed(reviewed, ({ root }) => {
      const outside = join(scratchFolder(), 'uart');
      renameSync(join(root, 'uart'), outside);
      symlinkSync(outside, join(root, 'uart'));
    });
    const judged = await judge(repository.root, reviewed.base);
    expect(verdictOf(judged)).toBe('not-proven');
    expect(problemsOf(judged)[0]).toMatch(/^trust\/no-repository: /);
  });

  test.each(['as it is', 'reached by a link'])('whose flow lies elsewhere, %s', async (how) => {
    const moved = changed(reviewed, (clone) => {
      mkdirSync(join(clone.root, 'flows'));
      renameSync(join(clone.root, 'uart/signoff.yaml'), join(clone.root, 'flows/uart.yaml'));
    });
    const lowered = changed(moved, (clone) =>
      edit(clone, 'flows/uart.yaml', (text) => text.replace('{ min: 3 }', '{ min: 0 }')),
    );
    const link = join(scratchFolder(), 'link');
    symlinkSync(lowered.repository.root, link);
    const root = how === 'as it is' ? lowered.repository.root : link;
    const judged = await judge(root, moved.base, { inputs: { flow: 'flows/uart.yaml' } });
    expect(verdictOf(judged)).toBe('not-proven');
    expect(judged.answer.judging?.changes).toEqual([
      { stage: 'lint', message: 'the floor checked is at least 0, and was at least 3' },
    ]);
  });

  // One folder of engines for many workspaces.
  test('whose engines lie beside the workspaces', async () => {
    const shared = changed(unkept, ({ root }) =>
      renameSync(join(root, 'uart/engines'), join(root, 'engines')),
    );
    edit(shared.repository, 'uart/signoff.yaml', (text) =>
      text.replaceAll('./engines/', '../engines/'),
    );
    const base = shared.repository.commit();
    const whole = await judge(shared.repository.root, base);
    expect([verdictOf(whole), ...problemsOf(whole)]).toEqual(['proven']);
    edit(shared.repository, 'engines/lint.sh', (text) =>
      text.replace('"clean": false', '"clean": true'),
    );
    shared.repository.commit();
    const judged = await judge(shared.repository.root, base);
    expect(judged.answer.judging?.changes).toContainEqual({
      stage: 'lint',
      message: expect.stringMatching(/^what judges it was altered: .*engines\/lint\.sh$/),
    });
    expect(verdictOf(judged)).toBe('not-proven');
  });

  test('that is one of several worktrees', async () => {
    const root = join(scratchFolder(), 'tree');
    cloneOf(reviewed).git('worktree', 'add', '--quiet', '-b', 'other', root);
    const judged = await judge(root, reviewed.base);
    expect([verdictOf(judged), problemsOf(judged), straysOf(judged)]).toEqual(['proven', [], {}]);
  });

  test.runIf(process.getuid?.() === 0)(
    'that belongs to somebody else, as in a container',
    async () => {
      const { root } = cloneOf(reviewed);
      execFileSync('chown', ['-R', '1234:1234', root]);
      const judged = await judge(root, reviewed.base);
      expect([verdictOf(judged), problemsOf(judged), straysOf(judged)]).toEqual(['proven', [], {}]);
    },
  );

  test('whatever its own configuration says', async () => {
    const clone = cloneOf(reviewed);
    const trace = join(clone.root, '../started');
    for (const [key, value] of [
      ['core.fsmonitor', `touch ${trace}`],
      ['core.pager', `touch ${trace}; cat`],
      ['core.quotePath', 'true'],
      ['alias.ls-tree', `!touch ${trace}`],
      ['ls-tree.full', 'no'],
      ['core.precomposeUnicode', 'true'],
    ] as const) {
      clone.git('config', key, value);
    }
    const judged = await judge(clone.root, reviewed.base);
    expect([verdictOf(judged), problemsOf(judged), straysOf(judged)]).toEqual(['proven', [], {}]);
    expect(() => readFileSync(trace)).toThrow('ENOENT');
  });

  test('with no object in the place of another', async () => {
    const clone = cloneOf(reviewed);
    edit(clone, 'uart/signoff.yaml', (text) => text.replace('{ min: 3 }', '{ min: 0 }'));
    const lowered = clone.commit();
    clone.git('replace', reviewed.base, lowered);
    expect((await judge(clone.root, reviewed.base)).answer.judging?.changes).toHaveLength(1);
  });
});

describe.concurrent('branches that each ran the gate and are merged', () => {
  /** Ours with theirs merged into it; both ran every stage but the review as their run 2. */
  function merge(): { readonly repository: GitRepository; readonly theirs: string } {
    const clone = cloneOf(reviewed);
    const branch = (name: string, path: string): string => {
      clone.git('checkout', '--quiet', '-b', name, reviewed.base);
      remark(clone, path);
      runGate(join(clone.root, 'uart'));
      return clone.commit(name);
    };
    const theirs = branch('theirs', 'uart/rtl/a.v');
    branch('ours', 'uart/rtl/b.v');
    // The logs are merged line by line; of the files of a run, which collide too, one side's stay.
    clone.git('merge', '--quiet', '--strategy-option', 'ours', 'theirs');
    return { repository: clone, theirs };
  }

  async function gate(
    { root }: GitRepository,
    ...args: readonly string[]
  ): Promise<JudgementAnswer> {
    const { status, stdout, stderr } = await startCli([...args, '--json'], {
      cwd: join(root, 'uart'),
    }).ended;
    const answer = documentIn(stdout, validateAnswerJudgement, stderr);
    expect(status).toBe(answer.verdict === 'proven' ? 0 : 1);
    return answer;
  }

  test('have two runs under one number: that is told, with what to do, until it is done', async () => {
    const { repository, theirs } = merge();
    const stages = ['lint', 'synth', 'regress', 'equiv'];
    for (const base of [[], ['--base', theirs]]) {
      const { verdict, problems } = await gate(repository, 'check', ...base);
      expect(verdict).toBe('not-proven');
      expect(problems.map(({ code, stage }) => `${code} ${stage}`)).toEqual(
        expect.arrayContaining(stages.map((stage) => `log/anomaly ${stage}`)),
      );
      expect(problems).toHaveLength(8);
      for (const { message, remedy, stage } of problems) {
        expect(message).toMatch(
          /^run 2 is (?:dispatched|ended) on line \d+, and was already on line \d+: two runs under one number, as when branches that each ran it are merged$/,
        );
        expect(remedy).toBe(
          `Run it anew, which takes a number of its own: \`signoff-gate run --rerun ${stage}\`.`,
        );
      }
    }

    const first = await gate(repository, 'run', '--cache', 'off', '--rerun', 'lint');
    expect(first.stages['lint']).toMatchObject({ status: 'valid', run: 4 });
    expect(first.problems.map(({ stage }) => stage)).not.toContain('lint');
    const all = await gate(repository, 'run', '--cache', 'off', '--rerun', ...stages);
    expect([all.verdict, all.problems]).toEqual(['proven', []]);
    expect(await gate(repository, 'check')).toMatchObject({ verdict: 'proven', problems: [] });

    // Merged, it is the base of what comes after.
    const base = repository.commit('both');
    const next = await judge(cloneOf({ repository, base }).root, base, {
      inputs: { mode: 'check' },
    });
    expect([verdictOf(next), ...problemsOf(next)]).toEqual(['proven']);
  });

  test('are proven by a job that runs what the merge made anew', async () => {
    const { repository, theirs } = merge();
    const judged = await judge(repository.root, theirs);
    expect(judged.answer.counts).toMatchObject({ ran: 4, reused: 1 });
    expect(problemsOf(judged).filter((text) => !text.startsWith('trust/output-differs'))).toEqual(
      [],
    );
    // The netlist that the merge left is no netlist of the merged sources.
    repository.git('add', 'uart/build');
    repository.commit();
    const again = await judge(repository.root, theirs);
    expect([verdictOf(again), ...problemsOf(again)]).toEqual(['proven']);
  });

  test('keep every record of the base, wherever the other side put its own', async () => {
    const { repository, theirs } = merge();
    for (const base of [reviewed.base, theirs, 'HEAD^1', 'HEAD^2']) {
      const { problems } = await gate(repository, 'check', '--base', base);
      expect(problems.filter(({ code }) => code === 'trust/record-lost')).toEqual([]);
    }
  });

  test('of which one lost the records of the other are not', async () => {
    const { repository, theirs } = merge();
    const ours = repository.git('show', 'HEAD^1:uart/events.jsonl');
    writeFileSync(join(repository.root, 'uart/events.jsonl'), `${ours}\n`);
    const { verdict, problems } = await gate(repository, 'check', '--base', theirs);
    expect(verdict).toBe('not-proven');
    expect(problems.filter(({ code }) => code === 'trust/record-lost')).toHaveLength(8);
  });
});

test('the flow of these tests has the stages that they speak of', () => {
  expect([...FLOW.matchAll(/^ {2}([a-z]+):$/gm)].map(([, name]) => name)).toEqual([
    'lint',
    'synth',
    'equiv',
    'regress',
    'review',
  ]);
});

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import {
  openVeripower,
  type PresetAction,
  type VeripowerWorkspace,
  veripowerConsequences,
  veripowerDecide,
  veripowerRefusal,
  veripowerStatus,
} from '../../src/flow/presets/veripower/veripower.ts';
import {
  validateAnswerConsequences,
  validateAnswerDecide,
  validateAnswerJudgement,
  validateAnswerSignoff,
  validateAnswerStatus,
} from '../../src/generated/validators.js';
import type { Result } from '../../src/values/result.ts';
import { scratchFolder } from '../support/scratch.ts';

interface Vector {
  readonly id: string;
  readonly files: Record<string, { text?: string; symlink?: string; dir?: boolean }>;
  readonly expected: {
    readonly stages: Record<string, string>;
    readonly signed_off: boolean;
    readonly decide: PresetAction;
    readonly decide_closing: PresetAction;
    readonly consequences: Record<string, string[]>;
    readonly signoff_gate: string | null;
    readonly truncated_last_line: boolean;
  };
}

const vectors: Vector[] = gunzipSync(
  readFileSync(new URL('vectors/workflow-engine.jsonl.gz', import.meta.url)),
)
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

function writeVector({ files }: Vector): string {
  const root = scratchFolder();
  for (const [path, { text, symlink, dir }] of Object.entries(files)) {
    const absolute = join(root, path);
    mkdirSync(dir ? absolute : dirname(absolute), { recursive: true });
    if (symlink !== undefined) symlinkSync(symlink, absolute);
    else if (text !== undefined) writeFileSync(absolute, text);
    else if (!dir) throw new Error(`${path} is neither text, link nor folder`);
  }
  return root;
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

async function command(name: string, ...args: string[]) {
  const run = await commands[name]?.();
  if (!run) throw new Error(`no command ${name}`);
  const { exitCode, stdout } = await run([...args, '--json']);
  return { exitCode, document: JSON.parse(stdout) };
}

test('there are 40 vectors', () => expect(vectors).toHaveLength(40));

describe.each(vectors)('vector $id', (vector) => {
  const { expected } = vector;
  const root = writeVector(vector);
  // Each question on its own, as a command would ask it.
  const open = (): VeripowerWorkspace => value(openVeripower(root));

  test('stages and signed_off', () => {
    const { stages, isSignedOff } = value(veripowerStatus(open()));
    expect(Object.fromEntries(stages)).toEqual(expected.stages);
    expect(isSignedOff).toBe(expected.signed_off);
  });

  test('decide', () => {
    const decided = value(veripowerDecide(open(), { closing: false, wake: undefined }));
    expect(decided).toEqual(expected.decide);
  });

  test('decide --closing', () => {
    const decided = value(veripowerDecide(open(), { closing: true, wake: undefined }));
    expect(decided).toEqual(expected.decide_closing);
  });

  test('consequences', () => {
    const paths = Object.keys(expected.consequences);
    const found = value(veripowerConsequences(open(), paths));
    expect(Object.fromEntries(found)).toEqual(expected.consequences);
  });

  test('the sign-off gate, word for word', () => {
    expect(value(veripowerRefusal(open())) ?? null).toBe(expected.signoff_gate);
  });

  test('a truncated last line', () => {
    expect(open().facts.log.tornLine !== undefined).toBe(expected.truncated_last_line);
  });
});

describe.each(vectors.filter(({ id }) => ['7-1', '7-6', '7-8', '7-25', '7-38'].includes(id)))(
  'vector $id on the command line',
  (vector) => {
    const { expected } = vector;
    const where = ['--flow', 'veripower', '--workspace', writeVector(vector)];

    test('status', async () => {
      const { exitCode, document } = await command('status', ...where);
      expect(exitCode).toBe(0);
      expect(validateAnswerStatus(document)).toBe(true);
      expect(document.stages).toEqual(expected.stages);
      expect(document.signed_off).toBe(expected.signed_off);
    });

    test('decide', async () => {
      const { exitCode, document } = await command('decide', ...where);
      expect(exitCode).toBe(0);
      expect(validateAnswerDecide(document)).toBe(true);
      expect(document).toEqual(expected.decide);
      const closing = await command('decide', '--closing', ...where);
      expect(validateAnswerDecide(closing.document)).toBe(true);
      expect(closing.document).toEqual(expected.decide_closing);
    });

    test('consequences', async () => {
      const paths = Object.keys(expected.consequences);
      const { exitCode, document } = await command('consequences', ...paths, ...where);
      expect(exitCode).toBe(0);
      expect(validateAnswerConsequences(document)).toBe(true);
      expect(document).toEqual({ paths: expected.consequences });
    });

    test('signoff --dry-run', async () => {
      const reason = expected.signoff_gate;
      const { exitCode, document } = await command('signoff', '--dry-run', ...where);
      expect(exitCode).toBe(reason === null ? 0 : 1);
      expect(validateAnswerSignoff(document)).toBe(true);
      expect(document).toEqual({ ok: reason === null, reason });
    });

    test('check', async () => {
      const { exitCode, document } = await command('check', ...where);
      expect(validateAnswerJudgement(document)).toBe(true);
      // The only one of these whose log has nothing in it that we know better about.
      const isProven = vector.id === '7-25';
      expect(document.verdict).toBe(isProven ? 'proven' : 'not-proven');
      expect(exitCode).toBe(isProven ? 0 : 1);
    });
  },
);

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { FLOW_FILES, loadFlow } from '../../flow/load-flow.ts';
import type { Flow } from '../../flow/stage.ts';
import type { Variables } from '../../flow/variables.ts';
import type { Problem } from '../../values/problem.ts';
import { ok, type Result } from '../../values/result.ts';
import { type Checkout, type Commit, readBlob } from './checkout.ts';

/** The flow that the base judges a workspace by, or in words why there is none to compare with. */
export type BaseFlow =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Git does not have its bytes. */
  | { readonly kind: 'absent'; readonly problem: Problem }
  | { readonly kind: 'flow'; readonly flow: Flow };

/**
 * Reads the base's flow of the workspace: from the file that ours is in, or from where it is usual,
 * so that another file or another ending does not hide it.
 */
export async function readBaseFlow(
  ours: Flow,
  checkout: Checkout,
  base: Commit,
  variables: Variables,
): Promise<BaseFlow> {
  const named = relative(checkout.top, realPath(ours.path));
  const usual = FLOW_FILES.map((file) => join(checkout.folder, file));
  const path = [named, ...usual].find((candidate) => base.tree.has(candidate));
  const entry = path === undefined ? undefined : base.tree.get(path);
  if (path === undefined || !entry) return { kind: 'none' };
  const bytes = await readBlob(checkout.git, path, entry.oid);
  if (!bytes.ok) return { kind: 'absent', problem: bytes.error };
  const flow = loadFrom(bytes.value, path, variables);
  return flow.ok ? { kind: 'flow', flow: flow.value } : { kind: 'unreadable', why: flow.error };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function loadFrom(bytes: Buffer, path: string, variables: Variables): Result<Flow, string> {
  const folder = mkdtempSync(join(tmpdir(), 'signoff-gate-base-'));
  try {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    const flow = loadFlow(dirname(file), file, variables);
    if (flow.ok) return ok(flow.value);
    const [first] = flow.error;
    return { ok: false, error: first?.message ?? 'it cannot be read' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

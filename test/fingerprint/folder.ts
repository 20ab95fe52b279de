import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** What a test puts on disk under a path: text of a file, or what the functions below make. */
export type Item = string | Uint8Array | ((absolute: string) => void);

/** A new folder that goes with the test. Paths that end in `/` are empty folders. */
export function makeFolder(items: Readonly<Record<string, Item>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fingerprint-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  put(root, items);
  return root;
}

export function put(root: string, items: Readonly<Record<string, Item>>): void {
  for (const [path, item] of Object.entries(items)) {
    const absolute = join(root, path);
    mkdirSync(path.endsWith('/') ? absolute : dirname(absolute), { recursive: true });
    if (path.endsWith('/')) continue;
    if (typeof item === 'function') item(absolute);
    else writeFileSync(absolute, item);
  }
}

export function linkTo(target: string): Item {
  return (absolute) => symlinkSync(target, absolute);
}

export function fifo(absolute: string): void {
  execFileSync('mkfifo', [absolute]);
}

/** A socket that lives until the test ends. */
export async function listenAt(absolute: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(absolute, resolve);
  });
  onTestFinished(() => {
    server.close();
  });
}

/** Permissions bind no superuser: there, `nobody` does the work. */
export function asOrdinaryUser<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

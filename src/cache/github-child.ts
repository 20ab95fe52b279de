import { writeFileSync, writeSync } from 'node:fs';
import { restoreCache, saveCache } from '@actions/cache';

/**
 * The program that speaks to the cache service: `restore|save KEY PATH REPLY-FILE`. Its parent ends
 * it when it takes too long. What it found goes to a file, since the client prints on stdout.
 */
const [action, key = '', path = '', replyFile = ''] = process.argv.slice(2);

/**
 * The client tells of its failures only in what it prints; why a key could not be reserved, only in
 * a debug line.
 */
const FAILURE =
  /^(?:::(?:warning|error)::|::debug::(?=Failed to reserve cache)|(?=Failed to (?:save|restore)))(.+)/s;

/** The first failure that the client told of: what comes later follows from it. */
let warning: string | undefined;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((chunk: string | Uint8Array, ...rest: []) => {
  const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
  warning ??= FAILURE.exec(text)?.[1]?.trim();
  return write(chunk, ...rest);
}) as typeof process.stdout.write;

async function restore(): Promise<string | null> {
  const found = await restoreCache([path], key, undefined, { lookupOnly: true });
  writeSync(2, 'looked-up\n');
  if (found === undefined) return null;
  // Another key than asked for is told, not fetched.
  if (found !== key) return found;
  return (await restoreCache([path], key)) ?? null;
}

async function save(): Promise<string | null> {
  // A save has no look-up of its own: only the longer limit holds.
  writeSync(2, 'looked-up\n');
  const id = await saveCache([path], key);
  return id === -1 ? null : String(id);
}

function reply(answer: string | null, failure: string | undefined): void {
  const said = failure === undefined ? { answer } : { answer, warning: failure };
  writeFileSync(replyFile, JSON.stringify(said));
  // Sockets that the client left open must not keep the process.
  process.exit(0);
}

// The client waits for ever for the rest of an answer whose connection is gone.
process.once('beforeExit', () => reply(null, warning ?? 'the connection ended before the answer'));

(action === 'save' ? save() : restore()).then(
  (answer) => reply(answer, warning),
  (cause: unknown) => reply(null, cause instanceof Error ? cause.message : String(cause)),
);

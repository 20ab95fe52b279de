import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, onTestFinished } from 'vitest';

export interface Bundle {
  /** The folder of the bundle, with `native/` in it, as in dist/. */
  readonly folder: string;
  readonly script: string;
}

/**
 * Bundles one of test/log/children as the product is bundled.
 *
 * @param whenDone registers the removal: `onTestFinished` inside a test
 */
export async function bundleChild(
  name: string,
  whenDone: (remove: () => void) => void = afterAll,
): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'signoff-bundle-'));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`../children/${name}.ts`, import.meta.url))],
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const native = join(folder, 'native');
  mkdirSync(native);
  copyFileSync(packagedAddon(), join(native, addonName()));
  return { folder, script };
}

export function addonName(): string {
  return `lock-${process.platform}-${process.arch}.node`;
}

function packagedAddon(): string {
  const manifest = createRequire(import.meta.url).resolve('fs-native-extensions/package.json');
  const platform = `${process.platform}-${process.arch}`;
  return join(dirname(manifest), 'prebuilds', platform, 'fs-native-extensions.node');
}

/** A child process that prints JSON lines. It is killed when the test is over. */
export class Child {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<void>;
  readonly #lines: AsyncIterator<string>;
  #errors = '';

  constructor(command: string, args: readonly string[]) {
    this.process = spawn(command, args);
    this.process.stderr.on('data', (text: Buffer) => {
      this.#errors += text.toString();
    });
    this.ended = new Promise((resolve) => this.process.once('close', () => resolve()));
    this.#lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    onTestFinished(() => {
      this.process.kill('SIGKILL');
    });
  }

  static run(bundle: Bundle, ...args: readonly string[]): Child {
    return new Child(process.execPath, [bundle.script, ...args]);
  }

  /** The next line, parsed. */
  async next(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done === true) {
      throw new Error(`${basename(this.process.spawnfile)} ended without a word: ${this.#errors}`);
    }
    return JSON.parse(value);
  }

  /** Every line that is left, parsed. */
  async rest(): Promise<unknown[]> {
    const lines: unknown[] = [];
    for (let next = await this.#lines.next(); next.done !== true; next = await this.#lines.next()) {
      lines.push(JSON.parse(next.value));
    }
    return lines;
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}

/** Yosys as a library: WebAssembly from the @yowasp/yosys package, no installed tool needed. */
import { readFileSync } from 'node:fs';
import { EngineError } from './engine-error.mjs';

const PACKAGE = '@yowasp/yosys';

/** The version of the package that would run, read from that package. */
export function yosysVersion() {
  const manifest = new URL('../package.json', locatePackage());
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

function locatePackage() {
  try {
    const location = import.meta.resolve(PACKAGE);
    readFileSync(new URL(location)); // Node 20 resolves a name without looking at the disk
    return location;
  } catch {
    throw new EngineError(
      `${PACKAGE} is not installed: run \`npm ci\` at the root of the repository`,
      { code: 'YOSYS-MISSING' },
    );
  }
}

/**
 * Runs a script over some files and returns `{log, text(name)}`: what Yosys printed, and the
 * files that it wrote.
 *
 * Throws an EngineError unless Yosys came to the end of the script: an exit code of 0 is not
 * enough, since an empty script has it too.
 */
export async function runYosysScript(commands, files, report) {
  locatePackage();
  const { runYosys, Exit } = await import(PACKAGE);
  const tree = { 'run.ys': `${commands.join('\n')}\n` };
  for (const { path, bytes } of files) put(tree, path, bytes);

  const decoder = new TextDecoder();
  let log = '';
  const collect = (bytes) => {
    if (bytes) log += decoder.decode(bytes, { stream: true });
  };
  // Without a timer Node may find nothing left to wait for while WebAssembly compiles.
  const keepAlive = setInterval(() => {}, 1000);
  let written;
  try {
    written = await runYosys(['-s', 'run.ys'], tree, {
      stdin: null,
      stdout: collect, // left out, both would go to our stdout and spoil the JSON
      stderr: collect,
      decodeASCII: false,
    });
  } catch (error) {
    if (!(error instanceof Exit)) throw new EngineError(`Yosys broke down: ${error.message}`);
    throw describeFailure(log);
  } finally {
    clearInterval(keepAlive);
  }
  if (!/^End of script\./m.test(log)) throw new EngineError('Yosys did not finish its script');
  reportWarnings(log, report);
  return { log, text: (name) => readText(written, name) };
}

function put(tree, path, bytes) {
  const parts = path.split('/');
  const name = parts.pop();
  let folder = tree;
  for (const part of parts) {
    folder[part] ??= {};
    folder = folder[part];
  }
  folder[name] = bytes;
}

function readText(tree, name) {
  const bytes = tree[name];
  if (bytes === undefined) throw new EngineError(`Yosys did not write ${name}`);
  return new TextDecoder().decode(bytes);
}

const MESSAGE = /^(?:(?<file>\S+:\d+)(?:\.\S+)?: )?(?<kind>ERROR|Warning): (?<text>.*)$/gm;

function describeFailure(log) {
  for (const { groups } of log.matchAll(MESSAGE)) {
    if (groups.kind === 'ERROR') {
      return new EngineError(`Yosys: ${groups.text}`, { code: 'YOSYS-ERROR', file: groups.file });
    }
  }
  return new EngineError('Yosys failed without a message', { code: 'YOSYS-ERROR' });
}

function reportWarnings(log, report) {
  for (const { groups } of log.matchAll(MESSAGE)) {
    if (groups.kind === 'Warning') {
      report('warn', groups.text, { code: 'YOSYS-WARNING', file: groups.file });
    }
  }
}

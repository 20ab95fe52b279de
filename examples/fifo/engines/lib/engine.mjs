/**
 * What all engines of this example share: they describe themselves, state their version, and
 * otherwise print exactly one JSON object on stdout. Everything else goes to stderr.
 *
 * Exit 0: the work was done, and the verdict field says what came out, whatever it is.
 * Exit 1: it could not be done (a file is missing, the sources do not parse).
 * Exit 2: the arguments are wrong.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';
import { EngineError } from './engine-error.mjs';
import { createReporter } from './events.mjs';
import { yosysVersion } from './yosys.mjs';

const ENGINE_VERSION = '1.0.0';

/** V8 must see this on its command line: compiling Yosys by its fast tier halves each run. */
const FAST_COMPILE = '--liftoff-only';

/**
 * Runs the engine whose file is `url`. `work(arguments, report)` returns the payload, or throws
 * an EngineError.
 */
export async function runEngine(url, descriptor, work) {
  const argv = process.argv.slice(2);
  const report = createReporter(descriptor.name);
  try {
    if (argv.includes('--describe')) {
      printJson({ schema: 'vyges-tool-descriptor/1.1', ...descriptor });
    } else if (argv.includes('--version')) {
      process.stdout.write(`${descriptor.name} ${ENGINE_VERSION} (yosys ${yosysVersion()})\n`);
    } else if (!process.execArgv.includes(FAST_COMPILE)) {
      runAgainCompilingFast(fileURLToPath(url), argv);
    } else {
      printJson(await work(readArguments(descriptor, argv), report));
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    report('error', error.message, { code: error.code, file: error.file });
    process.exitCode = error.exitCode;
  }
}

function printJson(value) {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/**
 * The child shares our process group, so a kill of the group ends both. A signal that was
 * meant for us alone is passed on.
 */
function runAgainCompilingFast(engine, argv) {
  const child = spawn(process.execPath, [FAST_COMPILE, engine, ...argv], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

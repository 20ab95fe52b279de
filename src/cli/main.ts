import { nearest } from '../flow/schema-problems.ts';
import { problem } from '../values/problem.ts';
import { type Answer, crash, print, refusal, textAnswer } from './answer.ts';
import { commands } from './commands.ts';
import { helpText } from './help.ts';

/**
 * The terminal edge. The exit code is 70 from the first line on; only an answer changes it, so a
 * promise that never settles, or an error that nobody saw coming, cannot end in green.
 */
process.exitCode = 70;
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

async function answer(argv: readonly string[]): Promise<Answer> {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    return textAnswer(name === undefined ? 2 : 0, helpText(rest[0]));
  }
  if (name === '--version' || name === 'version') {
    const { version } = await import('./version.ts');
    return textAnswer(0, `signoff-gate ${version}`);
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const near = nearest(name, Object.keys(commands));
    return refusal(
      [
        problem('usage/unknown-command', `there is no command \`${name}\``, {
          remedy:
            near === undefined
              ? `Commands: ${Object.keys(commands).join(', ')}.`
              : `Did you mean \`${near}\`?`,
        }),
      ],
      rest.includes('--json'),
    );
  }
  if (rest.includes('--help') || rest.includes('-h')) return textAnswer(0, helpText(name));
  const run = await command();
  return run(rest);
}

answer(process.argv.slice(2)).then(print).catch(crash);

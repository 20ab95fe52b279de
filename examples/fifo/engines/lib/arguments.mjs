/**
 * Reads an argument vector by the descriptor's own template, so that what an engine says about
 * its arguments and what it accepts cannot drift apart.
 */
import { parseArgs } from 'node:util';
import { UsageError } from './engine-error.mjs';

/** Named values; an array parameter gets all arguments without a flag. */
export function readArguments({ invocation, inputs }, argv) {
  const { command, flags, list } = readTemplate(invocation);
  const { values, positionals } = parse(argv, Object.values(flags));
  if (positionals[0] !== command) throw new UsageError(`the first argument must be "${command}"`);

  const result = {};
  for (const [name, flag] of Object.entries(flags)) {
    if (values[flag] !== undefined) result[name] = convert(name, values[flag], inputs);
  }
  const rest = positionals.slice(1);
  if (list !== undefined && rest.length > 0) {
    result[list] = inputs.properties[list].type === 'array' ? rest : onlyOne(list, rest);
  }
  for (const name of inputs.required) {
    if (result[name] === undefined) throw new UsageError(`${name} is missing`);
  }
  return result;
}

/** `["check", "--top", "{top}", "{files}"]`: a command, flags with a value, and the rest. */
function readTemplate({ args_template: [command, ...tokens], optional = [] }) {
  const flags = {};
  let list;
  for (const [index, token] of tokens.entries()) {
    const name = /^\{(\w+)\}$/.exec(token)?.[1];
    if (name === undefined) continue;
    const flag = /^--(.+)$/.exec(tokens[index - 1] ?? '')?.[1];
    if (flag === undefined) list = name;
    else flags[name] = flag;
  }
  for (const { arg, flag } of optional) flags[arg] = flag.slice(2);
  return { command, flags, list };
}

function parse(argv, flags) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' }, // the payload is JSON with or without it
        ...Object.fromEntries(flags.map((flag) => [flag, { type: 'string' }])),
      },
    });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function convert(name, text, inputs) {
  if (inputs.properties[name].type === 'string') return text;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) {
    throw new UsageError(`${name} is not a number: ${text}`);
  }
  return number;
}

function onlyOne(name, values) {
  if (values.length > 1) throw new UsageError(`${name} is one file, not ${values.length}`);
  return values[0];
}

import { compileSelector, type Selector } from '../fingerprint/selector.ts';
import type { InputSelector, Inputs, Output } from './stage.ts';
import type { StageReader } from './stage-reader.ts';

/** Reads the selectors of a stage: every file that it reads. */
export function readInputs(reader: StageReader): Inputs | 'none' | undefined {
  const { inputs } = reader.document;
  if (inputs === 'none') return 'none';
  if (inputs === undefined) {
    reader.report('flow/schema', [], `stage \`${reader.name}\` has no \`inputs\``, {
      remedy: 'List every file that it reads as globs, or say `inputs: none` to run it each time.',
    });
    return undefined;
  }
  const include: InputSelector[] = [];
  const exclude: Selector[] = [];
  for (const [index, entry] of inputs.entries()) {
    const glob = typeof entry === 'string' ? entry : entry.glob;
    const isExclusion = glob.startsWith('!');
    const selector = compileSelector(isExclusion ? glob.slice(1) : glob);
    const at = reader.source.place(['stages', reader.name, 'inputs', index]);
    if (!selector.ok) {
      reader.report(
        'flow/bad-selector',
        ['inputs', index],
        `the selector \`${glob}\` cannot be used: ${selector.error}`,
      );
    } else if (isExclusion) {
      exclude.push(selector.value);
    } else {
      include.push({
        selector: selector.value,
        optional: typeof entry !== 'string' && entry.optional === true,
        at,
      });
    }
  }
  if (include.length === 0 && exclude.length > 0) {
    reader.report(
      'flow/bad-selector',
      ['inputs'],
      'only exclusions are listed; nothing is selected',
    );
  }
  if (include.length > 0)
    include.push({ ...INTENT, at: reader.source.place(['stages', reader.name, 'inputs']) });
  return { include, exclude };
}

/** What a design is meant to be, written down in this folder, is an input of every stage. */
const INTENT = { selector: intentSelector(), optional: true } as const;

function intentSelector(): Selector {
  const selector = compileSelector('intent/**');
  if (!selector.ok) throw new Error(selector.error);
  return selector.value;
}

/** Reads the outputs of a stage: literal files and folders. */
export function readOutputs(reader: StageReader): Output[] {
  const outputs: Output[] = [];
  for (const [index, text] of (reader.document.outputs ?? []).entries()) {
    const pointer = ['outputs', index];
    if (/[*?[\]{}!]/.test(text)) {
      reader.report('flow/bad-path', pointer, `the output \`${text}\` holds glob characters`, {
        remedy: 'Outputs are literal files, or a folder ending in `/`.',
      });
      continue;
    }
    const isFolder = text.endsWith('/');
    const path = reader.path(pointer, isFolder ? text.slice(0, -1) : text);
    if (path === undefined) continue;
    // Where case does not count on a disk, `.Git` is git's too.
    const folded = path.toLowerCase();
    const [top] = folded.split('/');
    if (
      top === '.git' ||
      top === '.signoff' ||
      folded === 'events.jsonl' ||
      folded === reader.source.file.toLowerCase()
    ) {
      reader.report(
        'flow/bad-path',
        pointer,
        `\`${path}\` cannot be an output: it is the gate's own or git's`,
      );
      continue;
    }
    outputs.push({ path, isFolder });
  }
  return outputs;
}

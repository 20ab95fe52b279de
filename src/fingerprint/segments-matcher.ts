import type { GlobSegment } from './glob-syntax.ts';
import { compileSegment } from './segment-matcher.ts';

/** How far a path got in a glob: bit i is set when the segments before i may have matched it. */
export type States = number;

/** The wild part of a glob, from its first segment with a wildcard on. */
export interface SegmentsMatcher {
  /** Before the first segment. */
  readonly start: States;
  /** After the folders in `path` from one offset up to another; 0 when nothing beneath can match. */
  enter(path: string, from: number, to: number): States;
  matchesName(states: States, name: string): boolean;
  /** Whether all further paths match, but for names with a leading dot. */
  acceptsAll(states: States): boolean;
}

/** One more for a last `**` must still fit into the bits of a number. */
export const MAX_SEGMENTS = 28;

type NameTest = (name: string) => boolean;

/**
 * Follows all ways to match at once, so that the time is bounded by the product of the two lengths
 * whatever the glob and the path are; that of one regular expression with several `**` is not.
 */
export function createSegmentsMatcher(segments: readonly GlobSegment[]): SegmentsMatcher {
  const { steps, last } = compileSteps(segments);
  const lastState = 1 << steps.length;

  /** Adds what is reached without a folder: `**` may stand for none at all. */
  function settle(states: States): States {
    let settled = states;
    for (let i = 0; i < steps.length; i++) {
      if (settled & (1 << i) && steps[i] === 'folders') settled |= 1 << (i + 1);
    }
    return settled;
  }

  function enterFolder(states: States, name: string): States {
    let next = 0;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i];
      if (!(states & (1 << i)) || step === undefined) continue;
      if (step !== 'folders') next |= step(name) ? 1 << (i + 1) : 0;
      else if (isVisible(name)) next |= 1 << i;
    }
    return settle(next);
  }

  const start = settle(1);
  return {
    start,
    enter(path, from, to) {
      let states = start;
      for (let begin = from; states !== 0 && begin < to; ) {
        const slash = path.indexOf('/', begin);
        const end = slash < 0 ? to : slash;
        states = enterFolder(states, path.slice(begin, end));
        begin = end + 1;
      }
      return states;
    },
    matchesName: (states, name) => (states & lastState) !== 0 && last(name),
    acceptsAll: (states) =>
      last === isVisible && steps.at(-1) === 'folders' && (states & (lastState >> 1)) !== 0,
  };
}

/** What a path must get through: `steps` its folders, `last` its name. */
function compileSteps(segments: readonly GlobSegment[]): {
  steps: readonly ('folders' | NameTest)[];
  last: NameTest;
} {
  const steps: ('folders' | NameTest)[] = [];
  for (const segment of segments) {
    if (segment.kind !== 'globstar') steps.push(nameTest(segment));
    else if (steps.at(-1) !== 'folders') steps.push('folders');
  }
  const last = steps.pop();
  if (typeof last === 'function') return { steps, last };
  // A last `**` stands for at least one name: `a/**` is what `a` holds.
  return { steps: [...steps, 'folders'], last: isVisible };
}

function nameTest(segment: Exclude<GlobSegment, { kind: 'globstar' }>): NameTest {
  if (segment.kind === 'literal') return (name) => name === segment.text;
  const [first, ...others] = segment.alternatives;
  if (others.length === 0 && first?.length === 1 && first[0]?.kind === 'star') return isVisible;
  const expression = compileSegment(segment.alternatives);
  return (name) => expression.test(name);
}

function isVisible(name: string): boolean {
  return !name.startsWith('.');
}

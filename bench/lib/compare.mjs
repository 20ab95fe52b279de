/** A command against its peer, and whether its bounds hold. */
import { measure, peakMegabytes } from './process.mjs';

/** How often the peak of memory is looked at: it hardly varies. */
const PEAKS = 3;

/**
 * @param benchmark `title`, and the `bounds` on the median ratio, on the median `milliseconds`,
 *   on the `overhead` over the peer and on the peak in `megabytes`; any may be absent
 * @param commands `ours` and `peer`, each a program, its arguments and a current folder
 */
export function compare({ title, bounds }, { ours, peer }, pairs) {
  // Once for the caches of the disk, which are not what is measured.
  for (const command of [ours, peer]) measure(command);
  const times = [];
  for (let pair = 0; pair < pairs; pair++) times.push([measure(ours), measure(peer)]);
  const [own, others] = [0, 1].map((column) => times.map((time) => time[column]));
  const ratio = median(times.map(([a, b]) => a / b));
  const [fastest, fastestPeer] = [Math.min(...own), Math.min(...others)];
  const findings = [
    within('ratio median', ratio, bounds.ratio, 2),
    `of the fastest ${(fastest / fastestPeer).toFixed(2)} (${fastest.toFixed(0)} ms / ${fastestPeer.toFixed(0)} ms)`,
    within('median of its own', median(own), bounds.milliseconds, 0, ' ms'),
  ];
  if (bounds.overhead !== undefined) {
    const { milliseconds, of, what } = bounds.overhead;
    const over = median(times.map(([a, b]) => a - b)) / of;
    findings.push(within(`median over its peer, a ${what}`, over, milliseconds, 0, ' ms'));
  }
  if (bounds.megabytes !== undefined) {
    const peaks = Array.from({ length: PEAKS }, () => peakMegabytes(ours));
    findings.push(within('peak memory', Math.max(...peaks), bounds.megabytes, 0, ' MB'));
  }
  const isHeld = findings.every((finding) => typeof finding === 'string' || finding.isHeld);
  const texts = findings.map((finding) => finding.text ?? finding);
  return { text: `${title}: ${pairs} pairs, ${texts.join(', ')}`, isHeld };
}

function within(what, value, bound, digits, unit = '') {
  const text = `${what} ${value.toFixed(digits)}${unit}`;
  if (bound === undefined) return text;
  const isHeld = value <= bound;
  return { text: `${text} (bound ${bound}${unit}${isHeld ? '' : ': NOT HELD'})`, isHeld };
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

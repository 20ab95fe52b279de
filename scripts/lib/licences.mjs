/**
 * Licences ask that their text goes with copies of the work. What we copy into dist/ no longer
 * has its package around it, so the texts are gathered in one file beside it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { root } from './root.mjs';

/** @param {string[]} names of installed packages */
export function licenceList(names) {
  return names.map((name) => section(name)).join(`\n${'-'.repeat(80)}\n\n`);
}

function section(name) {
  const folder = new URL(`node_modules/${name}/`, root);
  const { version, license } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(new URL(file, folder), 'utf8') : noText(name, license);
  return `${name} ${version} (${license})\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;
}

function noText(name, license) {
  if (!license) throw new Error(`${name} states no licence`);
  return 'The package states this licence and carries no text of it.';
}

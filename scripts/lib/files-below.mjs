import { existsSync, readdirSync } from 'node:fs';

/**
 * @param {URL} folder ending in `/`
 * @returns {string[]} every file below it, relative, with `/`; none if there is no such folder
 */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(new URL(`${entry.name}/`, folder)).map((name) => `${entry.name}/${name}`)
      : [entry.name],
  );
}

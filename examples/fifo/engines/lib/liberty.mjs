/** What Yosys read from a Liberty file, out of `write_json` directly after `read_liberty -lib`. */

/** Names of the library cells that have an area. One without would be a cell for nothing. */
export function readLibraryCells(text) {
  return Object.entries(JSON.parse(text).modules)
    .filter(([, { attributes }]) => Number(attributes.area) > 0)
    .map(([name]) => name);
}

/**
 * Reads schemas/*.schema.json and names what is generated from each: `flow-file.schema.json`
 * gives the validator `validateFlowFile`; the type is named by the schema's `title`.
 */
import { readdirSync, readFileSync } from 'node:fs';

const suffix = '.schema.json';
/** A schema of these keywords alone only keeps definitions for others: it describes no document. */
const notShape = ['$schema', '$id', '$comment', '$defs', 'title', 'description'];

/**
 * @param {URL} folder
 * @returns {{ file: string, id: string, type: string, validator: string, isDocument: boolean,
 *   schema: object }[]} in the order of the file names
 */
export function readSchemas(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(suffix));
  return files.sort().map((file) => {
    const schema = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    if (schema.$id !== file) throw new Error(`${file}: $id must be the file's name`);
    if (!/^[A-Z][A-Za-z0-9]*$/.test(schema.title ?? '')) {
      throw new Error(`${file}: title must be the name of its type, such as FlowDocument`);
    }
    return {
      file,
      id: schema.$id,
      type: schema.title,
      validator: `validate${pascalCase(file.slice(0, -suffix.length))}`,
      isDocument: Object.keys(schema).some((key) => !notShape.includes(key)),
      schema,
    };
  });
}

/** `stage-name`, `stage_name` and `stageName` all give `StageName`. */
export function pascalCase(name) {
  return name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first) => first.toUpperCase());
}

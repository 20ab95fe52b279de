/**
 * The files that an engine was given, and no others. Yosys runs in a file system of its own in
 * memory; what is not put there does not exist for it, so nothing can be read unseen.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EngineError, UsageError } from './engine-error.mjs';

/**
 * Reads Verilog files and headers.
 * `modules` are the files to compile, `folders` the places where headers lie.
 */
export function readSources(paths) {
  const files = paths.map(readSource);
  const headers = files.filter(({ path }) => /\.s?vh$/.test(path));
  const modules = files.filter((file) => !headers.includes(file));
  if (modules.length === 0) throw new UsageError('there is no Verilog file among the files');
  const folders = [...new Set(headers.map((header) => path.posix.dirname(header.path)))];
  return { files, modules, folders };
}

/** One file as `{path, bytes, digest}`, its path as Yosys will see it. */
export function readSource(name) {
  const clean = path.posix.normalize(name);
  // The names go into a Yosys script, which has no quoting worth the name.
  if (!/^[\w./+-]+$/.test(clean) || clean.startsWith('-')) {
    throw new UsageError(`Yosys cannot be given a file of this name: ${name}`);
  }
  if (path.posix.isAbsolute(clean) || clean.startsWith('..') || clean.startsWith('share/')) {
    // Yosys' own library takes the place of share/, and a leading .. means its root.
    throw new UsageError(`a source must lie in the workspace, outside share/: ${name}`);
  }
  try {
    const bytes = readFileSync(clean);
    return { path: clean, bytes, digest: digest(bytes) };
  } catch (error) {
    throw new EngineError(`cannot read ${clean}: ${error.code}`, { code: 'FILE-UNREADABLE' });
  }
}

/** SHA-256 of bytes or text, as the gate writes fingerprints. */
export function digest(content) {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** The command that reads these sources; `options` are Yosys' own. */
export function readVerilog({ modules, folders }, options) {
  const include = folders.map((folder) => `-I ${folder}`);
  return ['read_verilog -sv', options, ...include, ...modules.map(({ path }) => path)].join(' ');
}

/** A module name is part of a script, so it must be a plain Verilog identifier. */
export function checkModuleName(name) {
  if (!/^[A-Za-z_][A-Za-z0-9_$]*$/.test(name)) {
    throw new UsageError(`not a module name: ${name}`);
  }
  return name;
}

/**
 * Installs the locked dependencies when node_modules does not hold them, so that `npm test`,
 * `npm run demo` and `.ci/run` work in a fresh clone that has nothing but Node and npm.
 *
 * npm records what it installed in node_modules/.package-lock.json, last of all, so an
 * interrupted install is noticed. That record is compared with package-lock.json: no marker
 * file of our own can go out of date. Node built-ins only, since nothing may be installed yet.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** The `packages` of a lock file, without the project itself; undefined if there is none. */
function readPackages(name) {
  try {
    const { '': _project, ...packages } = JSON.parse(
      readFileSync(new URL(name, root), 'utf8'),
    ).packages;
    return packages;
  } catch {
    return undefined;
  }
}

/** Packages for other platforms are locked but not installed: those are the optional ones. */
function isInstalled(locked, installed) {
  if (installed === undefined) return false;
  const missing = Object.keys(locked).some((path) => !installed[path] && !locked[path].optional);
  const differs = Object.keys(installed).some(
    (path) => installed[path].integrity !== locked[path]?.integrity,
  );
  return !missing && !differs;
}

const locked = readPackages('package-lock.json');
if (locked === undefined) throw new Error('package-lock.json is missing or is not JSON');

if (!isInstalled(locked, readPackages('node_modules/.package-lock.json'))) {
  const { status, error } = spawnSync('npm', ['ci'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  process.exitCode = status ?? 1;
}

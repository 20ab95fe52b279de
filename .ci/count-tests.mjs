/** Prints the sum over the vitest JSON reports in a folder: `N passed, N failed, N skipped`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name))));
const sum = (key) => reports.reduce((total, report) => total + report[key], 0);

console.log(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed, ${sum('numPendingTests')} skipped`,
);

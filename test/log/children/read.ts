/** Reads the log argv[2] and prints what it found and how much memory that took at most. */
import { readLog } from '../../../src/log/read.ts';
import { say } from './say.ts';

const [file = ''] = process.argv.slice(2);
const log = readLog(file);
say({
  ...(log.ok ? { records: log.value.records.length } : { code: log.error.code, at: log.error.at }),
  megabytes: process.resourceUsage().maxRSS / 1024,
});

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeReportFile } from '../../src/action/report-file.ts';
import { scratchFolder } from '../support/scratch.ts';

const REPORT = '{"verdict":"not-proven","stages":{},"problems":[]}\n';

describe('a report is written', () => {
  it.each(['gate.json', 'build/out/gate.json', 'gate.xml'])('to %s, and again', (path) => {
    const repository = scratchFolder();
    const text = path.endsWith('.xml') ? '<?xml version="1.0"?>\n<testsuites tests="0"/>' : REPORT;
    writeReportFile(repository, path, text);
    writeReportFile(repository, path, `${text} `);
    expect(readFileSync(join(repository, path), 'utf8')).toBe(`${text} `);
  });
});

describe('a report is not written', () => {
  it.each([
    ['over a source', 'rtl/a.v', 'no report of the gate'],
    ['over JSON of somebody else', 'package.json', 'no report of the gate'],
    ['over the flow', 'signoff.yaml', "the gate's own"],
    ['over the log of a workspace', 'ip/events.jsonl', "the gate's own"],
    ['over an envelope', '.signoff/runs/lint/1/envelope.json', "the gate's own"],
    ['into the folder of git', '.git/config', "git's"],
    ['outside the repository', '../gate.json', 'outside the repository'],
    ['at an absolute path outside', '/tmp/gate.json', 'outside the repository'],
    ['through a link', 'link.json', 'no report of the gate'],
    ['below a link', 'out/gate.json', 'no folder'],
    ['below a file', 'rtl/a.v/gate.json', 'no folder'],
  ])('%s', (_, path, why) => {
    const repository = scratchFolder();
    const outside = scratchFolder();
    mkdirSync(join(repository, 'rtl'));
    writeFileSync(join(repository, 'rtl/a.v'), 'module a; endmodule\n');
    writeFileSync(join(repository, 'package.json'), '{"name":"x"}\n');
    writeFileSync(join(outside, 'victim'), REPORT);
    symlinkSync(join(outside, 'victim'), join(repository, 'link.json'));
    symlinkSync(outside, join(repository, 'out'));
    expect(() => writeReportFile(repository, path, REPORT)).toThrow(why);
    expect(readFileSync(join(repository, 'rtl/a.v'), 'utf8')).toBe('module a; endmodule\n');
  });
});

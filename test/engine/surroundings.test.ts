import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Called,
  callEngine,
  descriptor,
  type EngineRoom,
  engineRoom,
  writeProgram,
} from '../support/engine-room.ts';

/** Prints, as its payload, all that an engine can see of where it runs. */
const PROBE = `#!/usr/bin/env node
const fs = require('node:fs');
const described = ${JSON.stringify(JSON.stringify(descriptor()))};
if (process.argv[2] === '--describe') {
  process.stdout.write(described);
} else if (process.argv[2] !== '--version') {
  const stat = fs.readFileSync('/proc/self/stat', 'latin1');
  const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const { HOME, TMPDIR } = process.env;
  process.stdout.write(JSON.stringify({
    clean: true,
    env: process.env,
    args: process.argv.slice(2),
    cwd: process.cwd(),
    stdin: fs.readlinkSync('/proc/self/fd/0'),
    files: fs.readdirSync('/proc/self/fd').map(Number).filter((fd) => fd > 2 && isPassedOn(fd)),
    leadsGroup: Number(group) === process.pid && Number(session) === process.pid,
    home: fs.readdirSync(HOME),
    tmp: fs.readdirSync(TMPDIR),
  }));
  fs.writeFileSync(HOME + '/left', 'x');
  fs.writeFileSync(TMPDIR + '/left', 'x');
}
/** A file that was opened by somebody else than Node's own runtime. */
function isPassedOn(fd) {
  try {
    return fs.readlinkSync('/proc/self/fd/' + fd).startsWith('/') && fs.fstatSync(fd).isFile();
  } catch {
    return false;
  }
}
`;

const OF_THE_GATE = {
  GITHUB_TOKEN: 'secret',
  ACTIONS_RUNTIME_TOKEN: 'secret',
  INPUT_TOKEN: 'secret',
  RUNNER_TEMP: '/secret',
  NODE_OPTIONS: '--no-warnings',
  LD_LIBRARY_PATH: '/secret',
  HTTP_PROXY: 'http://secret',
  VYGES_LOG: 'trace',
};

describe.skipIf(process.platform !== 'linux')('an engine that runs', () => {
  let room: EngineRoom;
  let called: Called;
  let seen: Record<string, unknown>;
  let seenEnv: Record<string, string>;

  beforeAll(async () => {
    room = engineRoom({ 'rtl/a.v': '' });
    writeProgram(join(room.bin, 'probe'), PROBE);
    const before = { ...process.env };
    Object.assign(process.env, OF_THE_GATE);
    try {
      called = await callEngine(room, { env: { PDK_ROOT: '/pdk', LANG: 'de_DE.UTF-8' } });
    } finally {
      for (const name of Object.keys(OF_THE_GATE)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
    expect(called.envelope.error).toBeNull();
    seen = called.envelope.result as Record<string, unknown>;
    seenEnv = seen['env'] as Record<string, string>;
  });

  test('has exactly the environment that is promised, and nothing of the gate', () => {
    const { HOME, TMPDIR, SIGNOFF_GATE_RUN, ...rest } = seenEnv;
    expect(rest).toEqual({
      PATH: room.searchPath,
      LANG: 'de_DE.UTF-8',
      VYGES_LOG_FORMAT: 'json',
      VYGES_LOG: 'info',
      PDK_ROOT: '/pdk',
    });
    expect(SIGNOFF_GATE_RUN).toMatch(/^[0-9a-f-]{36}$/);
    expect(HOME).not.toBe(TMPDIR);
  });

  test('has a home and a temporary folder of its own, empty and gone afterwards', () => {
    expect(seen).toMatchObject({ home: [], tmp: [] });
    for (const folder of [seenEnv['HOME'], seenEnv['TMPDIR']]) {
      expect(folder).toMatch(/signoff-gate/);
      expect(existsSync(folder ?? '')).toBe(false);
    }
  });

  test('starts in the workspace, reads nothing, inherits no file and leads its own group', () => {
    expect(seen).toMatchObject({
      cwd: room.root,
      stdin: '/dev/null',
      files: [],
      leadsGroup: true,
      args: ['check', '--json'],
    });
  });

  test('leaves nothing in the workspace that it did not write', () => {
    expect(readdirSync(room.root)).toEqual(['rtl']);
  });

  test('is recorded with the environment that was declared, and not with the rest', () => {
    expect(called.envelope.provenance.env).toEqual({ PDK_ROOT: '/pdk', LANG: 'de_DE.UTF-8' });
  });
});

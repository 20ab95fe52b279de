import { describe, expect, it } from 'vitest';
import { engineEnvironment, MARKER_VARIABLE } from '../../src/process/environment.ts';
import { runChild } from '../../src/process/run-child.ts';
import { read, shellRequest, uniqueMarker } from './helpers.ts';

const parts = { path: '/bin:/usr/bin', home: '/home/none', tmp: '/tmp/none', marker: 'm-1' };

describe('the environment of an engine', () => {
  it('finds no program by way of the workspace', () => {
    const env = engineEnvironment({
      path: '/usr/bin:.:bin::/bin',
      home: '/h',
      tmp: '/t',
      declared: {},
      marker: 'm',
    });
    expect(env['PATH']).toBe('/usr/bin:/bin');
  });

  it('is exactly what the design names', () => {
    expect(engineEnvironment({ ...parts, declared: {} })).toEqual({
      PATH: '/bin:/usr/bin',
      HOME: '/home/none',
      TMPDIR: '/tmp/none',
      LANG: 'C.UTF-8',
      VYGES_LOG_FORMAT: 'json',
      VYGES_LOG: 'info',
      SIGNOFF_GATE_RUN: 'm-1',
    });
  });

  it('takes declared entries over its own, save the marker', () => {
    const declared = { LANG: 'de_DE.UTF-8', PDK_ROOT: '/pdk', [MARKER_VARIABLE]: 'theirs' };
    const environment = engineEnvironment({ ...parts, declared });
    expect(environment).toMatchObject({ LANG: 'de_DE.UTF-8', PDK_ROOT: '/pdk' });
    expect(environment[MARKER_VARIABLE]).toBe('m-1');
  });

  it('is all that the engine sees, whatever the gate itself was started with', async () => {
    process.env.SECRET_OF_THE_GATE = 'secret';
    const env = engineEnvironment({ ...parts, marker: uniqueMarker(), declared: { A: '1' } });
    const request = shellRequest('env', { env });
    await runChild(request);
    delete process.env.SECRET_OF_THE_GATE;
    const names = read(request, 'stdout.log').match(/^\w+(?==)/gm) ?? [];
    // The shell adds these three on its own.
    const own = names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name));
    expect(own.sort()).toEqual(Object.keys(env).sort());
  });
});

import { describe, expect, test } from 'vitest';
import { EventTrail, ownEvent, parseEventLine } from '../../src/engine/events.ts';
import type { VygesEvent } from '../../src/generated/documents.ts';
import { callEngine, descriptor, engineRoom, writeEngine } from '../support/engine-room.ts';

const EVENT: VygesEvent = {
  schema: 'vyges-events/1.0',
  ts_ms: 1_700_000_000_000,
  tool: 'vyges-drc',
  severity: 'warn',
  raw_msg: 'space violation',
};

function line(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...EVENT, ...changes });
}

describe('a line of stderr is an event', () => {
  test('with the required fields alone', () => {
    expect(parseEventLine(line())).toEqual(EVENT);
  });

  test('with every optional field', () => {
    const full = {
      run_id: 'r1',
      stage: 'drc',
      step_index: 3,
      code: 'DRC-SPACE',
      msg_template: 'space violation on {layer}',
      objects: ['layer:66', 'net:a'],
      file: 'rtl/a.v:12',
    };
    expect(parseEventLine(line(full))).toEqual({ ...EVENT, ...full });
  });

  test.each(['trace', 'debug', 'info', 'warn', 'error'] as const)('of severity %s', (severity) => {
    expect(parseEventLine(line({ severity }))?.severity).toBe(severity);
  });

  test('of a later minor, without the fields that are not known yet', () => {
    const later = line({ schema: 'vyges-events/1.9', span: { id: 7 }, level: 'high' });
    expect(parseEventLine(later)).toEqual({ ...EVENT, schema: 'vyges-events/1.9' });
  });

  test('without what it would bring along as a prototype', () => {
    const read = parseEventLine(line().replace('{', '{"__proto__":{"code":"X"},'));
    expect(read).toEqual(EVENT);
    expect(read?.code).toBeUndefined();
  });
});

describe('a line of stderr is text', () => {
  test.each<[string, string]>([
    ['plain text', 'wrote out.sdf'],
    ['an empty line', ''],
    ['a command to a runner', '::error file=a.v,line=1::not an event'],
    ['another JSON object', '{"level":"info","message":"vyges-events/1.0"}'],
    ['an event with text before it', ` ${line()}`],
    ['an event with text after it', `${line()} done`],
    ['two events', `${line()}${line()}`],
    ['a list of events', `[${line()}]`],
    ['an event that is cut', line().slice(0, -1)],
    ['an event of another major', line({ schema: 'vyges-events/2.0' })],
    ['an event of no version', line({ schema: 'vyges-events/1' })],
    ['an event of another severity', line({ severity: 'fatal' })],
    ['an event whose severity is in capitals', line({ severity: 'WARN' })],
    ['an event without a message', line({ raw_msg: undefined })],
    ['an event without a tool', line({ tool: undefined })],
    ['an event whose time is a text', line({ ts_ms: '1' })],
    ['an event whose time is a fraction', line({ ts_ms: 1.5 })],
    ['an event with an object that is no text', line({ objects: ['a', 7] })],
    ['an event with a code of null', line({ code: null })],
    ['an event that says its severity twice', line().replace('{', '{"severity":"error",')],
  ])('%s', (_, text) => {
    expect(parseEventLine(text)).toBeUndefined();
  });
});

describe('the trail of a run', () => {
  test('is null when there was no event', () => {
    expect(new EventTrail().toLogs()).toBeNull();
  });

  test('counts by severity and lists the codes once, in the order in which they came', () => {
    const trail = new EventTrail();
    for (const code of ['B', 'A', 'B', undefined]) {
      trail.add({ ...EVENT, ...(code === undefined ? {} : { code }) });
    }
    trail.add({ ...EVENT, severity: 'error', code: 'C' });
    expect(trail.toLogs()).toMatchObject({
      count: 5,
      summary: { warn_count: 4, error_count: 1, codes: ['B', 'A', 'C'] },
    });
    expect(trail.toLogs()?.summary).not.toHaveProperty('info_count');
  });

  test('keeps the first events, and errors and words of the gate even when they come late', () => {
    const trail = new EventTrail();
    for (let i = 0; i < 5000; i++) trail.add({ ...EVENT, raw_msg: String(i) });
    trail.add({ ...EVENT, severity: 'error', raw_msg: 'late error' });
    trail.add(ownEvent('warn', 'ARTIFACT-ABSENT', 'late word'));
    const logs = trail.toLogs();
    expect(logs?.count).toBe(5002);
    expect(logs?.events[0]?.raw_msg).toBe('0');
    expect(logs?.events.slice(-2).map(({ raw_msg }) => raw_msg)).toEqual([
      'late error',
      'late word',
    ]);
    expect(logs?.events.length).toBeLessThan(2500);
  });

  test.each<[string, () => VygesEvent, number]>([
    ['many errors', () => ({ ...EVENT, severity: 'error' }), 100_000],
    ['long messages', () => ({ ...EVENT, raw_msg: 'x'.repeat(500_000) }), 40],
    ['long codes', () => ({ ...EVENT, code: `${Math.random()}${'x'.repeat(500_000)}` }), 40],
    [
      'long lists of objects',
      () => ({ ...EVENT, objects: Array.from({ length: 10_000 }, () => 'cell:u_core_register') }),
      50,
    ],
  ])('stays bounded over %s', (_, event, times) => {
    const trail = new EventTrail();
    for (let i = 0; i < times; i++) trail.add(event());
    trail.add({ ...EVENT, severity: 'error', raw_msg: 'the reason' });
    const logs = trail.toLogs();
    expect(logs?.count).toBe(times + 1);
    expect(JSON.stringify(logs).length).toBeLessThan(10_000_000);
  });

  test('has room for an error after long messages', () => {
    const trail = new EventTrail();
    for (let i = 0; i < 40; i++) trail.add({ ...EVENT, raw_msg: 'x'.repeat(500_000) });
    trail.add({ ...EVENT, severity: 'error', raw_msg: 'the reason' });
    expect(trail.toLogs()?.events.at(-1)?.raw_msg).toBe('the reason');
  });
});

describe.concurrent('what an engine says on stderr', () => {
  test('is told apart into events and lines, in order, while it runs', async () => {
    const room = engineRoom();
    const said = [
      line({ code: 'A' }),
      'wrote out.sdf',
      '::error::from a contributor',
      line({ code: 'B', unknown: 'field' }),
      '##[group]',
      'no line feed at the end',
    ];
    writeEngine(room, 'probe', {
      describe: descriptor(),
      stdout: '{"clean":true}',
      run: `printf '%s' '${said.join('\n')}' >&2`,
    });
    const { envelope, events, lines } = await callEngine(room);
    expect(events).toEqual([
      { ...EVENT, code: 'A' },
      { ...EVENT, code: 'B' },
    ]);
    expect(lines).toEqual([said[1], said[2], said[4], said[5]]);
    expect(envelope.logs).toEqual({
      count: 2,
      events,
      summary: { warn_count: 2, codes: ['A', 'B'] },
    });
  });

  test('has no say in the verdict: errors on a good run, none on a bad one', async () => {
    const room = engineRoom();
    const shout = `echo '${line({ severity: 'error' })}' >&2`;
    writeEngine(room, 'loud', { describe: descriptor(), stdout: '{"clean":true}', run: shout });
    writeEngine(room, 'calm', { describe: descriptor(), stdout: '{"clean":false}' });
    expect((await callEngine(room, { uses: 'loud' })).verdict.status).toBe('pass');
    expect((await callEngine(room, { uses: 'calm' })).verdict.status).toBe('fail');
  });

  test('may be 100,000 events: all are counted and told, and the envelope stays small', async () => {
    const room = engineRoom();
    writeEngine(room, 'probe', {
      describe: descriptor(),
      stdout: '{"clean":true}',
      run: `yes '${line({ code: 'DRC-SPACE' })}' | head -n 100000 >&2`,
    });
    const { envelope, isValid, verdict, events } = await callEngine(room);
    expect(envelope.logs).toMatchObject({
      count: 100_000,
      summary: { warn_count: 100_000, codes: ['DRC-SPACE'] },
    });
    expect(events).toHaveLength(100_000);
    expect(JSON.stringify(envelope).length).toBeLessThan(1_000_000);
    expect(isValid).toBe(true);
    expect(verdict.status).toBe('pass');
  });

  test('may be a line without end: it is cut and no event', async () => {
    const room = engineRoom();
    const run = `printf '{"schema":"vyges-events/1.0","raw_msg":"' >&2; head -c 3000000 /dev/zero | tr '\\0' x >&2`;
    writeEngine(room, 'probe', { describe: descriptor(), stdout: '{"clean":true}', run });
    const { envelope, lines } = await callEngine(room);
    expect(envelope.logs).toBeNull();
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThan(1_100_000);
  });
});

import { findAdapter } from './adapters/registry.ts';
import { type Arguments, buildArguments } from './arguments.ts';
import { askTools } from './ask-tools.ts';
import { findCommand, findEngine } from './find-engine.ts';
import { prepareAdapter } from './prepare-adapter.ts';
import {
  describePrepared,
  type Prepared,
  type PrepareRequest,
  type ProgramWork,
  probeSettingOf,
} from './prepared.ts';
import { introduce } from './probe.ts';
import { checkVersion } from './version-range.ts';

/** Resolves, probes and checks an invocation without starting it. */
export async function prepare(request: PrepareRequest): Promise<Prepared> {
  const { work } = request;
  if (work.kind === 'command') return prepareCommand(request, work);
  const adapter = findAdapter(work.uses);
  return adapter ? prepareAdapter(adapter, request, work) : prepareEngine(request, work);
}

async function prepareEngine(
  request: PrepareRequest,
  work: ProgramWork & { kind: 'engine' },
): Promise<Prepared> {
  const { places } = request;
  const found = findEngine(work.uses, places);
  const nothing: Arguments = { args: [], values: work.with, isRaw: false };
  if (!found.ok)
    return describePrepared(request, work.uses, { problem: found.error, arguments: nothing });
  const program = found.value;
  const [introduced, tools] = await Promise.all([
    introduce(program, probeSettingOf(request)),
    askTools(request),
  ]);
  if (!introduced.ok) {
    return describePrepared(request, work.uses, {
      problem: introduced.error,
      program,
      arguments: nothing,
    });
  }
  const { descriptor, versionLine } = introduced.value;
  const known = {
    program,
    versionLine,
    descriptor: typeof descriptor === 'string' ? undefined : descriptor,
    versions: tools.versions,
  };
  const version = work.version === undefined ? undefined : checkVersion(work.version, versionLine);
  if (version && !version.ok) {
    return describePrepared(request, work.uses, {
      ...known,
      problem: version.error,
      arguments: nothing,
    });
  }
  const built = await buildArguments(descriptor, work.with, request.walk);
  return describePrepared(request, work.uses, {
    ...known,
    problem: built.ok ? tools.problem : built.error,
    arguments: built.ok ? built.value : nothing,
  });
}

async function prepareCommand(
  request: PrepareRequest,
  work: ProgramWork & { kind: 'command' },
): Promise<Prepared> {
  const { places } = request;
  const [name, ...args] = work.argv;
  const found = findCommand(name, places);
  const tools = await askTools(request);
  return describePrepared(request, name, {
    problem: found.ok ? tools.problem : found.error,
    program: found.ok ? found.value : undefined,
    arguments: { args, values: {}, isRaw: false },
    versions: tools.versions,
  });
}

import { isRaw } from '../proof/claim.ts';
import { ok, type Result } from '../values/result.ts';
import type { JsonObject } from '../values/strict-json.ts';
import type { Adapter, AdapterProgram, WithValues } from './adapters/adapter.ts';
import { findAdapterProgram, programsNeeded } from './adapters/find-program.ts';
import { type Arguments, buildArguments } from './arguments.ts';
import { askTools } from './ask-tools.ts';
import { badArgument } from './bad-argument.ts';
import { type Descriptor, readDescriptor } from './descriptor.ts';
import type { Places } from './find-engine.ts';
import {
  describePrepared,
  type Known,
  type Prepared,
  type PrepareRequest,
  type ProgramWork,
  probeSettingOf,
} from './prepared.ts';
import { askVersion, type ProbeSetting, versionIn } from './probe.ts';
import { checkVersion } from './version-range.ts';

/** As for an engine of its own, with the adapter's word in place of what `--describe` prints. */
export async function prepareAdapter(
  adapter: Adapter,
  request: PrepareRequest,
  work: ProgramWork & { kind: 'engine' },
): Promise<Prepared> {
  const { places } = request;
  const nothing: Arguments = { args: [], values: work.with, isRaw: false };
  const describe = (known: Omit<Known, 'adapter'>): Prepared =>
    describePrepared(request, work.uses, { ...known, adapter });
  const [tool] = adapter.programs;
  const found = findAll(adapter, work.with, places);
  if (!found.ok) return describe({ problem: found.error, arguments: nothing });
  const program = found.value.get(tool);
  const [lines, tools] = await Promise.all([
    askVersions(found.value, probeSettingOf(request)),
    askTools(request),
  ]);
  const versionLine = lines.get(tool) ?? null;
  const introduced = introduceAdapter(adapter, lines);
  if (!introduced.ok) return describe({ problem: introduced.error, program, arguments: nothing });
  const descriptor = introduced.value;
  const versions: Record<string, string> = { ...tools.versions };
  for (const [{ name }, line] of lines) {
    const version = versionIn(line);
    if (version !== null) versions[name] = version;
  }
  const known = { program, versionLine, descriptor, versions };
  if (isRaw(work.with)) {
    const problem = badArgument('args', `${adapter.name} takes no raw argument vector`);
    return describe({ ...known, problem, arguments: nothing });
  }
  const version = work.version === undefined ? undefined : checkVersion(work.version, versionLine);
  if (version && !version.ok) {
    return describe({ ...known, problem: version.error, arguments: nothing });
  }
  const built = await buildArguments(descriptor, work.with, request.walk);
  return describe({
    ...known,
    problem: built.ok ? tools.problem : built.error,
    arguments: built.ok ? built.value : nothing,
  });
}

/** The descriptor of an adapter as it holds for the versions that are here. */
export async function describeAdapter(
  adapter: Adapter,
  setting: ProbeSetting,
): Promise<Result<{ readonly descriptor: Descriptor; readonly versionLine: string | null }>> {
  const found = findAll(adapter, {}, setting);
  if (!found.ok) return found;
  const lines = await askVersions(found.value, setting);
  const descriptor = introduceAdapter(adapter, lines);
  const versionLine = lines.get(adapter.programs[0]) ?? null;
  return descriptor.ok ? ok({ descriptor: descriptor.value, versionLine }) : descriptor;
}

type Found = ReadonlyMap<AdapterProgram, string>;
type VersionLines = ReadonlyMap<AdapterProgram, string | null>;

function findAll(adapter: Adapter, values: WithValues, places: Places): Result<Found> {
  const paths = new Map<AdapterProgram, string>();
  for (const program of programsNeeded(adapter, values)) {
    const found = findAdapterProgram(adapter, program.name, places);
    if (!found.ok) return found;
    paths.set(program, found.value);
  }
  return ok(paths);
}

async function askVersions(found: Found, setting: ProbeSetting): Promise<VersionLines> {
  const asked = [...found].filter(([{ version }]) => version !== undefined);
  return new Map(
    await Promise.all(
      asked.map(
        async ([program, path]) =>
          [program, await askVersion(path, setting, program.version)] as const,
      ),
    ),
  );
}

/** A version that no case was run with is told, and lowers what a verdict is worth. */
function introduceAdapter(adapter: Adapter, lines: VersionLines): Result<Descriptor> {
  const untested = [...lines].flatMap(([{ name, tested }, line]) =>
    tested === undefined || checkVersion(tested, line).ok
      ? []
      : [`${name} is ${versionIn(line) ?? 'of no known version'}; tested with ${tested}.`],
  );
  const raw: JsonObject =
    untested.length === 0
      ? adapter.descriptor
      : {
          ...adapter.descriptor,
          maturity: 'structured',
          provenance_limitations: [...adapter.descriptor.provenance_limitations, ...untested],
        };
  const descriptor = readDescriptor(raw);
  if (!descriptor.ok) return descriptor;
  if (typeof descriptor.value !== 'string') return ok(descriptor.value);
  // A descriptor of ours that is none is a bug; a test reads every one of them.
  throw new Error(`${adapter.name}: ${descriptor.value}`);
}

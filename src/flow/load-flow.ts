import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { validateFlow } from '../generated/validators.js';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { readFlowSource } from './document.ts';
import { linkStages } from './graph.ts';
import { schemaProblems } from './schema-problems.ts';
import type { Flow } from './stage.ts';
import { readStages } from './stages.ts';
import type { Variables } from './variables.ts';

export const FLOW_FILES = ['signoff.yaml', 'signoff.json'] as const;

/**
 * Reads the flow of a workspace, or every problem found in it. Nothing but the file is looked at:
 * engines and inputs are the business of the rooms above.
 *
 * @param workspace absolute path of the workspace root
 * @param flowFile the flow file if it is not the one at the root
 */
export function loadFlow(
  workspace: string,
  flowFile: string | undefined,
  variables: Variables,
): Result<Flow, Problem[]> {
  const found =
    flowFile === undefined ? findFlowFile(workspace) : ok({ path: flowFile, file: flowFile });
  if (!found.ok) return err([found.error]);
  const source = readFlowSource(found.value.path, found.value.file);
  if (!source.ok) return source;
  const { data } = source.value;
  if (!validateFlow(data)) return err(schemaProblems(source.value, validateFlow.errors ?? []));
  if (Object.keys(data.stages).length === 0) {
    return err([
      problem('flow/no-stage', 'the flow has no stage; an empty flow proves nothing', {
        at: source.value.place(['stages']),
        remedy: 'Add a stage under `stages`.',
      }),
    ]);
  }
  const { stages, problems } = readStages(source.value, data, variables);
  if (problems.length > 0) return err(problems);
  const linked = linkStages(source.value, stages);
  if (!linked.ok) return linked;
  const retired = data.retired ?? {};
  const contradicted = Object.keys(retired).filter((name) => Object.hasOwn(data.stages, name));
  if (contradicted.length > 0) {
    return err(
      contradicted.map((name) =>
        problem('flow/schema', `\`${name}\` is a stage of this flow and listed as retired`, {
          at: source.value.place(['retired', name], 'key'),
        }),
      ),
    );
  }
  return ok({
    name: data.name ?? basename(workspace),
    file: found.value.file,
    path: found.value.path,
    text: source.value.text,
    stages: linked.value,
    retired,
  });
}

function findFlowFile(workspace: string): Result<{ path: string; file: string }> {
  const present = FLOW_FILES.filter((name) => exists(join(workspace, name)));
  const [file, second] = present;
  if (file === undefined) {
    return err(
      problem(
        'flow/missing',
        `there is no flow file (${FLOW_FILES.join(' or ')}) in ${workspace}`,
        {
          remedy: 'Run `signoff-gate init` there, or name another folder with --workspace.',
        },
      ),
    );
  }
  if (second !== undefined) {
    return err(
      problem('flow/ambiguous-file', `both ${file} and ${second} are there`, {
        at: { file: second },
        remedy: 'Keep one of the two.',
      }),
    );
  }
  return ok({ path: join(workspace, file), file });
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

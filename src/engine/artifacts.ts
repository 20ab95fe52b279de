import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fingerprintFile } from '../fingerprint/file.ts';
import { fingerprintTree } from '../fingerprint/tree.ts';
import type { WithValue } from '../flow/stage.ts';
import type { LoomResult } from '../generated/documents.ts';
import { type JsonObject, own } from '../values/strict-json.ts';
import type { Descriptor } from './descriptor.ts';

export interface FoundArtifacts {
  readonly artifacts: LoomResult['artifacts'];
  /** One sentence for each file that was declared and is not there. */
  readonly absent: readonly string[];
}

/**
 * Finds and hashes what a run produced (spec 01 "artifacts", spec 02): paths are given relative to
 * the workspace when inside, as they are otherwise. A field or argument that was not given names no
 * artifact; a named file that is absent is told.
 */
export function findArtifacts(
  descriptor: Descriptor,
  payload: JsonObject | null,
  values: Readonly<Record<string, WithValue>>,
  workspace: string,
): FoundArtifacts {
  const artifacts: LoomResult['artifacts'] = [];
  const absent: string[] = [];
  for (const { role, from } of descriptor.artifacts) {
    const named = 'field' in from ? payload && own(payload, from.field) : own(values, from.arg);
    const paths = (Array.isArray(named) ? named : [named]).filter(
      (item): item is string => typeof item === 'string' && item !== '',
    );
    for (const path of paths) {
      const absolute = resolve(workspace, path);
      const file = fingerprintFile(absolute);
      const hash =
        !file.ok && file.error.code === 'file/not-regular'
          ? fingerprintTree(absolute, workspace, { links: 'refuse' })
          : file;
      if (hash.ok)
        artifacts.push({ role, path: portablePath(absolute, path, workspace), hash: hash.value });
      else absent.push(`the artifact ${role} (${path}) is not listed: ${hash.error.message}`);
    }
  }
  return { artifacts, absent };
}

function portablePath(absolute: string, asGiven: string, workspace: string): string {
  const inside = pathInside(workspace, absolute);
  if (inside !== undefined) return inside;
  // The engine may report the real path of a workspace that is reached through a link.
  try {
    return pathInside(realpathSync(workspace), realpathSync(absolute)) ?? asGiven;
  } catch {
    return asGiven;
  }
}

function pathInside(folder: string, absolute: string): string | undefined {
  const path = relative(folder, absolute);
  const isInside = path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path);
  return isInside ? path : undefined;
}

import { problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import { isJsonObject, type JsonObject, own } from '../../values/strict-json.ts';
import { type OnFinding, sarifFinding } from './finding.ts';

/**
 * Reads a SARIF 2.x log: at least one run, each with a list of results and none that says its
 * execution failed. Errors and warnings that are not suppressed are findings; suppressed ones are
 * counted, so that a reviewer sees them.
 */
export function readSarif(log: JsonObject, onFinding?: OnFinding): Result<JsonObject> {
  const version = own(log, 'version');
  if (typeof version !== 'string' || !version.startsWith('2.')) {
    return err(
      problem(
        'evidence/unreadable',
        `the SARIF log has version ${JSON.stringify(version)}; 2.x is read`,
      ),
    );
  }
  const runs = own(log, 'runs');
  if (!Array.isArray(runs))
    return err(problem('evidence/unreadable', 'the SARIF log has no list of runs'));
  const counts = { results: 0, findings: 0, suppressed: 0, notes: 0 };
  let isOpen = runs.length === 0;
  for (const run of runs) {
    const results = isJsonObject(run) ? own(run, 'results') : undefined;
    if (!isJsonObject(run) || !Array.isArray(results) || !executionsSucceeded(run)) {
      isOpen = true;
      continue;
    }
    for (const result of results) {
      counts.results++;
      const kind = classify(result);
      if (kind === 'open') isOpen = true;
      else if (kind !== 'clean') counts[kind]++;
      const isTold = kind === 'findings' || kind === 'notes';
      const finding = isTold && isJsonObject(result) ? sarifFinding(result) : undefined;
      if (finding) onFinding?.(finding);
    }
  }
  const clean = counts.findings > 0 ? false : isOpen ? null : true;
  return ok({ clean, runs: runs.length, ...counts });
}

function executionsSucceeded(run: JsonObject): boolean {
  const invocations = own(run, 'invocations');
  if (invocations === undefined) return true;
  return (
    Array.isArray(invocations) &&
    invocations.every((item) => isJsonObject(item) && own(item, 'executionSuccessful') !== false)
  );
}

function classify(result: unknown): 'findings' | 'suppressed' | 'notes' | 'open' | 'clean' {
  if (!isJsonObject(result)) return 'open';
  const kind = own(result, 'kind') ?? 'fail';
  if (kind === 'pass' || kind === 'notApplicable' || kind === 'informational') {
    // Only what failed has a level: one that passed as an error contradicts itself.
    return (own(result, 'level') ?? 'none') === 'none' ? 'clean' : 'open';
  }
  if (kind !== 'fail') return 'open';
  if (own(result, 'baselineState') === 'absent') return 'clean';
  const suppressions = own(result, 'suppressions');
  const isSuppressed =
    Array.isArray(suppressions) && suppressions.length > 0 && suppressions.every(isAccepted);
  if (isSuppressed) return 'suppressed';
  const level = own(result, 'level') ?? 'warning';
  return level === 'note' || level === 'none' ? 'notes' : 'findings';
}

/** One that is under review or was rejected suppresses nothing, and the others beside it neither. */
function isAccepted(suppression: unknown): boolean {
  if (!isJsonObject(suppression)) return false;
  const status = own(suppression, 'status');
  return status === undefined || status === 'accepted';
}

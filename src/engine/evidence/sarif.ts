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
  let why = runs.length === 0 ? 'the log holds no run' : undefined;
  for (const run of runs) {
    const results = isJsonObject(run) ? own(run, 'results') : undefined;
    const fault = whyIncomplete(run, results);
    why ??= fault;
    if (!Array.isArray(results)) continue;
    for (const result of results) {
      counts.results++;
      const kind = classify(result);
      if (kind === 'open') why ??= 'a result is still to be reviewed, or contradicts itself';
      else if (kind !== 'clean') counts[kind]++;
      const isTold = kind === 'findings' || kind === 'notes';
      const finding = isTold && isJsonObject(result) ? sarifFinding(result) : undefined;
      if (finding) onFinding?.(finding);
    }
  }
  const clean = counts.findings > 0 ? false : why === undefined ? true : null;
  const summary = clean === null && why !== undefined ? { summary: why } : {};
  return ok({ clean, ...summary, runs: runs.length, ...counts });
}

/** Why a run of a tool does not tell all: it failed, or its results are elsewhere. */
function whyIncomplete(run: unknown, results: unknown): string | undefined {
  if (!isJsonObject(run) || !Array.isArray(results)) return 'a run has no list of results';
  const elsewhere = own(run, 'externalPropertyFileReferences');
  if (isJsonObject(elsewhere) && own(elsewhere, 'results') !== undefined) {
    return 'the results of a run are in another file';
  }
  const invocations = own(run, 'invocations') ?? [];
  const haveSucceeded = Array.isArray(invocations) && invocations.every(succeeded);
  return haveSucceeded ? undefined : 'a run says that its execution failed';
}

function succeeded(invocation: unknown): boolean {
  if (!isJsonObject(invocation)) return false;
  const word = own(invocation, 'executionSuccessful');
  const exitCode = own(invocation, 'exitCode');
  const notes = own(invocation, 'toolExecutionNotifications') ?? [];
  const isErrorFree =
    Array.isArray(notes) &&
    notes.every((note) => !isJsonObject(note) || own(note, 'level') !== 'error');
  // Tools exit with a number of their own when they find something; with none, 0 is meant.
  return (word === undefined || word === true) && (word === true || !exitCode) && isErrorFree;
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
  // A failure without a level contradicts itself.
  if (level === 'none') return 'open';
  return level === 'note' ? 'notes' : 'findings';
}

/** One that is under review or was rejected suppresses nothing, and the others beside it neither. */
function isAccepted(suppression: unknown): boolean {
  if (!isJsonObject(suppression)) return false;
  const status = own(suppression, 'status');
  return status === undefined || status === 'accepted';
}

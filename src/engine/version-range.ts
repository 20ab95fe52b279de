import semver from 'semver';
import { problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { versionIn } from './probe.ts';

/**
 * Does a version satisfy a range such as `>=1.2.0, <2.0.0` (spec 03 "Contract versions")? A version
 * that cannot be read satisfies none.
 */
export function checkVersion(range: string, versionLine: string | null): Result<void> {
  const wanted = semver.validRange(withoutLeadingZeros(range.replaceAll(',', ' ')));
  if (wanted === null) {
    return err(
      problem('engine/version-mismatch', `the version range \`${range}\` cannot be read`, {
        remedy: 'Write it as `>=1.2.0 <2.0.0`, `^1.2.0` or `1.2.3`.',
      }),
    );
  }
  // Not the first digit of the line, which may stand in the name of the tool.
  const named = withoutLeadingZeros(versionIn(versionLine) ?? '');
  const version = semver.coerce(named, { includePrerelease: true });
  if (version !== null && semver.satisfies(version, wanted, { includePrerelease: true }))
    return ok(undefined);
  return err(
    problem(
      'engine/version-mismatch',
      version === null
        ? `the flow asks for version ${range} and the engine names none`
        : `the flow asks for version ${range} and the engine is ${version.version}`,
    ),
  );
}

/** Verilator counts 5.020, which semantic versioning does not know. */
function withoutLeadingZeros(text: string): string {
  return text.replace(/\b0+(?=\d)/g, '');
}

/** Where `init --workflow` puts it, from the root of the repository. */
export const WORKFLOW_FILE = '.github/workflows/sign-off.yml';

/**
 * The workflow to start from. One job stands for all as the required check: GitHub takes a required
 * job that was skipped for a success, so this one always runs and counts skipped as not passed.
 *
 * @param workspace folder of the flow file, from the root of the repository
 */
export function workflowTemplate(workspace: string): string {
  return `name: sign-off

on:
  pull_request:
    # A label accepts what a change does to the flow, the floors or the engines.
    types: [opened, synchronize, reopened, labeled, unlabeled]
  merge_group:
  push:
    branches: [main]
  # A release is run from a clean tree and restores nothing.
  release:
    types: [published]

permissions:
  contents: read

jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 120
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # the gate compares with the base
      # Install the tools of your flow here: the gate runs them, it does not bring them.
      - uses: OWNER/signoff-gate@v1
        with:
          workspace: ${JSON.stringify(workspace)}

  # Make this job, and only this, the required check of the branch. No path filter above.
  sign-off:
    if: always()
    needs: [gate]
    runs-on: ubuntu-latest
    steps:
      - env:
          RESULTS: \${{ join(needs.*.result, ' ') }}
        run: |
          for result in $RESULTS; do
            test "$result" = success || { echo "Not proven: $RESULTS"; exit 1; }
          done
          test -n "$RESULTS"
`;
}

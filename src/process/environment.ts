import { delimiter, isAbsolute } from 'node:path';

/** Every process of a run carries this variable; strays are found by its value. */
export const MARKER_VARIABLE = 'SIGNOFF_GATE_RUN';

/**
 * The whole environment of an engine (design §3). Nothing is inherited from the gate, so a result
 * cannot depend on a variable that is neither fixed here nor declared in the flow.
 *
 * @param parts.home an empty folder of the engine's own
 * @param parts.declared the flow's `env` of the stage; overrides all but the marker
 * @param parts.marker unique to this one child: whatever carries it is ended with the child
 */
export function engineEnvironment(parts: {
  readonly path: string;
  readonly home: string;
  readonly tmp: string;
  readonly declared: Readonly<Record<string, string>>;
  readonly marker: string;
}): Record<string, string> {
  return {
    // A relative entry would find what lies in the workspace, which nothing has digested.
    PATH: parts.path.split(delimiter).filter(isAbsolute).join(delimiter),
    HOME: parts.home,
    TMPDIR: parts.tmp,
    LANG: 'C.UTF-8',
    VYGES_LOG_FORMAT: 'json',
    VYGES_LOG: 'info',
    ...parts.declared,
    [MARKER_VARIABLE]: parts.marker,
  };
}

/** Variables of a runner that no engine and no flow may see: they hold its tokens. */
const WITHHELD = /^(?:ACTIONS|GITHUB|INPUT|RUNNER)_/;

/** The variables that `${NAME}` in a flow is replaced from. */
export interface Variables {
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Which names a flow may use; the action allows only those in its input `pass-env`. */
  readonly allows: (name: string) => boolean;
}

/**
 * Replaces `${NAME}`; `$${NAME}` stands for the text `${NAME}` itself.
 *
 * @returns the text, or a sentence that says which variable cannot be used and why
 */
export function substitute(
  text: string,
  variables: Variables,
): { ok: true; text: string } | { ok: false; why: string } {
  let why: string | undefined;
  // Only own names: every object, the environment too, answers to `toString`.
  const lookUp = (name: string): string | undefined =>
    Object.hasOwn(variables.values, name) ? variables.values[name] : undefined;
  const replaced = text.replace(/\$?\$\{([^}]*)\}/g, (match, name: string) => {
    if (match.startsWith('$$')) return match.slice(1);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      why ??= `\`\${${name}}\` is no variable name`;
    } else if (WITHHELD.test(name)) {
      why ??= `the variable ${name} belongs to the runner and is never passed on`;
    } else if (!variables.allows(name)) {
      why ??= `the variable ${name} is not listed in the action's input \`pass-env\``;
    } else if (lookUp(name) === undefined) {
      why ??= `the variable ${name} is not set`;
    }
    return lookUp(name) ?? '';
  });
  return why === undefined ? { ok: true, text: replaced } : { ok: false, why };
}

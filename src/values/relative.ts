/**
 * The text with absolute paths inside the workspace made relative to it, wherever they stand in it
 * (`--lib=/ws/lib/a.lib`, `-I/ws/inc`, `+incdir+/ws/inc`): digests of two checkouts in different
 * folders must agree.
 *
 * @param root absolute path of the workspace, without a trailing slash
 */
export function relativeToRoot(text: string, root: string): string {
  if (!text.includes(root)) return text;
  if (text === root) return '.';
  const escaped = root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(
    new RegExp(`(?<=^|^-[A-Za-z]|[=:,;+\\s'"(@])${escaped}(/|(?![^:,;+\\s'")]))`, 'g'),
    (_, slash: string) => (slash === '/' ? '' : '.'),
  );
}

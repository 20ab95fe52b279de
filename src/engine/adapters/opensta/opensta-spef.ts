import { err, ok, type Result } from '../../../values/result.ts';

/** The nets of a SPEF file as far as it says what is connected with what. */
export interface SpefNets {
  /** Does a path of resistors lead from the one pin to the other? Names as the netlist has them. */
  readonly joins: (from: string, to: string) => boolean;
}

/**
 * Reads what a SPEF file (IEEE 1481) says of connections: the tool takes a load that no resistor
 * leads to for one without a wire, and of two descriptions of a net the last, without a word.
 *
 * @returns or why it cannot be used, as the end of a sentence that begins with its name
 */
export function readSpef(text: string): Result<SpefNets, string> {
  const names = new Map<string, string>();
  const nets = new Set<string>();
  const parents = new Map<string, string>();
  let delimiter = ':';
  let divider = '/';
  let section = '';
  const plain = (name: string): string =>
    (names.get(name) ?? name).replaceAll(divider, '/').replace(/\\(.)/g, '$1');
  const node = (name: string): string => {
    const at = name.lastIndexOf(delimiter);
    return at === -1 ? plain(name) : `${plain(name.slice(0, at))}/${name.slice(at + 1)}`;
  };
  const rootOf = (name: string): string => {
    let root = name;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== name) parents.set(name, root);
    return root;
  };
  for (const line of text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ').split('\n')) {
    const words = line.trim().split(/\s+/);
    const [first = '', second = '', third = ''] = words;
    if (first === '*DELIMITER') delimiter = second;
    else if (first === '*DIVIDER') divider = second;
    else if (first === '*D_NET' || first === '*R_NET') {
      const net = plain(second);
      if (nets.has(net)) return err(`describes the net ${net} twice`);
      if (first === '*R_NET') return err(`gives the net ${net} reduced, which is not looked into`);
      nets.add(net);
      section = first;
    } else if (/^\*[A-Z_]+$/.test(first) && !['*I', '*P', '*N'].includes(first)) section = first;
    else if (section === '*NAME_MAP' && /^\*\d+$/.test(first)) names.set(first, second);
    else if (section === '*RES' && words.length >= 4) {
      const [from, to] = [rootOf(node(second)), rootOf(node(third))];
      if (from !== to) parents.set(from, to);
    }
  }
  return ok({ joins: (from, to) => rootOf(from) === rootOf(to) });
}

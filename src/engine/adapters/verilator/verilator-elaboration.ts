import { isAbsolute, relative } from 'node:path';
import { SaxesParser } from 'saxes';
import { err, ok, type Result } from '../../../values/result.ts';

/** What Verilator built from the sources. */
export interface Elaboration {
  /** Every file that it opened, relative to the workspace where inside, its own left out. */
  readonly files: readonly string[];
  /** Those of which a module is in the hierarchy. */
  readonly moduleFiles: readonly string[];
  /** The instance at the root of the hierarchy. */
  readonly top: string | undefined;
  readonly modules: number;
  readonly cells: number;
}

const END = '</verilator_xml>';

/**
 * Reads what `--xml-only` wrote (5.006): its files and its hierarchy. The netlist, which is most of
 * it, is left out, so it must be seen first that the document is whole.
 */
export function readElaboration(xml: string, workspace: string): Result<Elaboration, string> {
  if (!xml.trimEnd().endsWith(END)) return err('what verilator elaborated was cut short');
  const netlist = xml.indexOf('<netlist>');
  if (netlist === -1) return err('what verilator elaborated holds no netlist');
  const files: string[] = [];
  const moduleFiles: string[] = [];
  const modules = new Set<string>();
  let top: string | undefined;
  let cells = 0;
  let section = '';
  let fault: string | undefined;
  const parser = new SaxesParser();
  parser.on('error', (cause) => {
    fault ??= cause.message;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'files' || name === 'module_files' || name === 'cells') section = name;
    if (name === 'file') {
      const path = pathOf(attributes['filename'] ?? '', workspace);
      if (path !== undefined) (section === 'files' ? files : moduleFiles).push(path);
    }
    if (name === 'cell') {
      cells++;
      modules.add(attributes['submodname'] ?? '');
      if (cells === 1) top = attributes['hier'];
    }
  });
  parser.write(`${xml.slice(0, netlist)}${END}`).close();
  if (fault !== undefined) return err(`what verilator elaborated is no XML: ${fault}`);
  return ok({ files, moduleFiles, top, modules: modules.size, cells });
}

/** undefined for what is Verilator's own. */
function pathOf(name: string, workspace: string): string | undefined {
  if (/^<.*>$/.test(name)) return undefined;
  const inside = isAbsolute(name) ? relative(workspace, name) : name.replace(/^(?:\.\/)+/, '');
  const isOutside = isAbsolute(name) && inside.startsWith('../');
  if (isOutside && /\/verilated_std(?:_waiver)?\.(?:sv|vlt)$/.test(name)) return undefined;
  return inside.startsWith('../') ? name : inside;
}

/** Whether the path is the folder or lies in it; both absolute and without links, dots or doubled slashes. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

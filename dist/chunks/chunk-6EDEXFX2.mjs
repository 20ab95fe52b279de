import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function kindOf(there){return there.isFile()?"a regular file":there.isDirectory()?"a folder":there.isSymbolicLink()?"a link":there.isFIFO()?"a FIFO":there.isSocket()?"a socket":"a device"}export{kindOf};

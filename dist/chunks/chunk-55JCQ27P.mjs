import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{__commonJS}from"./chunk-YHA5FVYJ.mjs";var require_node_os=__commonJS({"builtin:node:os"(exports,module){module.exports=process.getBuiltinModule("node:os")}});export{require_node_os};

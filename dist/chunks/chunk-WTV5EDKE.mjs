import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{__commonJS}from"./chunk-YHA5FVYJ.mjs";var require_node_util=__commonJS({"builtin:node:util"(exports,module){module.exports=process.getBuiltinModule("node:util")}});export{require_node_util};

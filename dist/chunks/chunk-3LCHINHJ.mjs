import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{eventLine}from"./chunk-VZRVHZIF.mjs";import{tell}from"./chunk-QFJQBX67.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{tell}from"./chunk-GZAFTLBR.mjs";import{eventLine}from"./chunk-H7IOCKMM.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{eventLine}from"./chunk-H3UDVK3J.mjs";import{tell}from"./chunk-37FXDJRW.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

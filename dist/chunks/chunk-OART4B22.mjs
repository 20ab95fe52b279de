import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{eventLine}from"./chunk-ZQ34PVK7.mjs";import{tell}from"./chunk-STQB56RE.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

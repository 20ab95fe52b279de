import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{eventLine}from"./chunk-NIUEPQDP.mjs";import{tell}from"./chunk-37FXDJRW.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

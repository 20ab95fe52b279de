import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{eventLine}from"./chunk-SGRAXXTE.mjs";import{tell}from"./chunk-XDNJYUNX.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{eventLine}from"./chunk-ED4OEBGS.mjs";import{tell}from"./chunk-5Z2POZID.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

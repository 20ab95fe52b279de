import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{eventLine}from"./chunk-C2Y4HNUI.mjs";import{tell}from"./chunk-5Z2POZID.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

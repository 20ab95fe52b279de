import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{eventLine}from"./chunk-IKGWN2PJ.mjs";import{tell}from"./chunk-A3ZSLGUI.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

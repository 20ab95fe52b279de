import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{tell}from"./chunk-JWTDHL3D.mjs";import{eventLine}from"./chunk-3XSBME33.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{tell}from"./chunk-LQ6SF7VX.mjs";import{eventLine}from"./chunk-5HSHIHN3.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

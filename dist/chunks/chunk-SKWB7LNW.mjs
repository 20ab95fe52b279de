import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{tell}from"./chunk-JOOYIU67.mjs";import{eventLine}from"./chunk-KRD2VVJI.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}export{consoleEmitter};

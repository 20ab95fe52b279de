import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{problem}from"./chunk-DAH662L2.mjs";function badArgument(parameter,why,more={}){return problem("engine/bad-arguments",`parameter \`${parameter}\`: ${why}`,more)}export{badArgument};

import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{problem}from"./chunk-DQN3DIA5.mjs";function badArgument(parameter,why,more={}){return problem("engine/bad-arguments",`parameter \`${parameter}\`: ${why}`,more)}export{badArgument};

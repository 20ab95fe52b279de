import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function duration(ms){if(ms<1e3)return`${ms} ms`;if(ms<6e4)return`${(ms/1e3).toFixed(1)} s`;let seconds=Math.round(ms/1e3);return`${Math.floor(seconds/60)} min ${seconds%60} s`}export{duration};

import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function isWithin(folder,path){return path===folder||path.startsWith(folder.endsWith("/")?folder:`${folder}/`)}export{isWithin};

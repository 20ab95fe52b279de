import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{tell}from"./chunk-CKR3GBWS.mjs";import{eventLine}from"./chunk-5H2MOCBV.mjs";function consoleEmitter(){return event=>tell(eventLine(event))}function table(head,rows){let all=[head,...rows],widths=head.map((_,column)=>Math.max(...all.map(row=>(row[column]??"").length)));return all.map(row=>row.map((cell,column)=>column===row.length-1?cell:cell.padEnd(widths[column]??0)).join("  ").trimEnd()).join(`
`)}export{consoleEmitter,table};

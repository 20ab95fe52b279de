import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{printable}from"./chunk-Y4B7WD3X.mjs";function table(head,rows){let all=[head,...rows].map(row=>row.map(cell=>printable(cell))),widths=head.map((_,column)=>Math.max(...all.map(row=>(row[column]??"").length)));return all.map(row=>row.map((cell,column)=>column===row.length-1?cell:cell.padEnd(widths[column]??0)).join("  ").trimEnd()).join(`
`)}export{table};

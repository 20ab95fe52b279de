import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function table(head,rows){let all=[head,...rows],widths=head.map((_,column)=>Math.max(...all.map(row=>(row[column]??"").length)));return all.map(row=>row.map((cell,column)=>column===row.length-1?cell:cell.padEnd(widths[column]??0)).join("  ").trimEnd()).join(`
`)}function duration(ms){return ms<1e3?`${ms} ms`:ms<6e4?`${(ms/1e3).toFixed(1)} s`:`${Math.floor(ms/6e4)} min ${Math.round(ms%6e4/1e3)} s`}export{table,duration};

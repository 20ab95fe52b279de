import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{FLOW_FILES,jsonAnswer,parse,refusal,textAnswer,walkWorkspace,wantsJson}from"./chunk-RQ3X3ROE.mjs";import{require_node_fs,require_node_path}from"./chunk-CLXMOT5D.mjs";import{problem}from"./chunk-YYX4274J.mjs";import{__toESM}from"./chunk-YHA5FVYJ.mjs";var import_node_fs=__toESM(require_node_fs(),1),import_node_path2=__toESM(require_node_path(),1);var import_node_path=__toESM(require_node_path(),1),IGNORED=["# signoff-gate","events.jsonl",".signoff/"],SCHEMA="https://raw.githubusercontent.com/signoff-gate/signoff-gate/main/schemas/flow.schema.json";function flowTemplate(directory,files){let sources=globsOf(files,[".v",".sv",".vh",".svh",".vhd",".vhdl"]),hasMake=files.includes("Makefile"),inputs=sources.length>0?sources:["**"];return`# yaml-language-server: $schema=${SCHEMA}
# What this design must prove before it may be merged. Every stage has to report pass;
# unknown counts as not proven.
name: ${JSON.stringify((0,import_node_path.basename)(directory))}

stages:
  # A command of yours, with the evidence that it writes. An exit code alone proves little:
  # name a report (junit, json, sarif) that holds one entry for each thing that was checked.
  ${hasMake?"regress":"check"}:
    run: ${hasMake?"make regress":'echo "replace me by your command" >&2; exit 1'}
    tools: [${hasMake?"make":"bash"}]
    # Every file that is read. Whatever is not listed can change unseen.
    inputs:
${[...inputs,...hasMake?["Makefile"]:[]].map(glob=>`      - ${JSON.stringify(glob)}`).join(`
`)}
    evidence: { junit: build/results.xml }
    timeout-minutes: 30

  # An engine that describes itself (--describe): a program on PATH, or a path.
  # timing:
  #   uses: vyges-sta-si
  #   with: { job: sta/top.sta, out: build/timing.rpt }
  #   inputs: ["sta/**", "build/top.netlist.v"]   # an output of another stage makes it a dependency
  #   outputs: [build/timing.rpt]
  #   floors: { endpoints: { min: 1 } }           # a pass with nothing checked is no pass

  # A judgement that somebody else makes: the gate can judge it, not run it.
  # review:
  #   by: person
  #   inputs: ["docs/**"]
`}function globsOf(files,endings){let globs=new Set;for(let file of files){let ending=endings.find(candidate=>file.endsWith(candidate));if(ending===void 0)continue;let[top="",...rest]=file.split("/");globs.add(rest.length===0?`*${ending}`:`${top}/**/*${ending}`)}return[...globs]}var OPTIONS={workspace:{type:"string"},json:{type:"boolean"}};function init(args){let isJson=wantsJson(args),parsed=parse(args,OPTIONS,{least:0,most:0,names:""});if(!parsed.ok)return refusal(parsed.error,isJson);let directory=(0,import_node_path2.resolve)(parsed.value.values.workspace??"."),present=FLOW_FILES.find(name=>(0,import_node_fs.existsSync)((0,import_node_path2.join)(directory,name)));if(present!==void 0)return refusal([problem("usage/exists",`${present} is already there`,{at:{file:present},remedy:"Edit it, or move it away first."})],isJson);let flowFile=FLOW_FILES[0],{entries,problems}=walkWorkspace(directory),[unreadable]=problems;if(unreadable)return refusal([unreadable.problem],isJson);let files=entries.filter(({kind})=>kind==="file").map(({path})=>path);try{(0,import_node_fs.writeFileSync)((0,import_node_path2.join)(directory,flowFile),flowTemplate(directory,files),{flag:"wx"}),addIgnoredLines((0,import_node_path2.join)(directory,".gitignore"))}catch(cause){let code=cause.code??String(cause);return refusal([problem("file/write-failed",`the flow cannot be written (${code})`,{at:{file:flowFile}})],isJson)}return isJson?jsonAnswer(0,{written:[flowFile,".gitignore"]}):textAnswer(0,`Wrote ${flowFile} and the lines for .gitignore. Read its comments, then: signoff-gate plan`)}function addIgnoredLines(path){let text=(0,import_node_fs.existsSync)(path)?(0,import_node_fs.readFileSync)(path,"utf8"):"",present=new Set(text.split(/\r?\n/)),missing=IGNORED.filter(line=>!present.has(line));if(missing.length===0)return;let separator=text===""||text.endsWith(`
`)?"":`
`;(0,import_node_fs.writeFileSync)(path,`${text}${separator}${missing.join(`
`)}
`)}export{init};

import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{walkWorkspace}from"./chunk-4P2ZSU3E.mjs";import"./chunk-MIKQ7YDR.mjs";import"./chunk-UHI2STAM.mjs";import{jsonAnswer,refusal,textAnswer}from"./chunk-37FXDJRW.mjs";import"./chunk-5PNAN7M6.mjs";import{parse,wantsJson}from"./chunk-2DX4QLPL.mjs";import"./chunk-5JGIMPQI.mjs";import{FLOW_FILES,flow_schema_default}from"./chunk-SAPINQHO.mjs";import"./chunk-5OGWY4N4.mjs";import"./chunk-WTV5EDKE.mjs";import"./chunk-GXMBNJEL.mjs";import"./chunk-JQTMVQL6.mjs";import{problem}from"./chunk-DQN3DIA5.mjs";import"./chunk-Y4B7WD3X.mjs";import{require_node_fs,require_node_path}from"./chunk-P3HUMLAD.mjs";import{__toESM}from"./chunk-YHA5FVYJ.mjs";var import_node_fs=__toESM(require_node_fs(),1),import_node_path2=__toESM(require_node_path(),1);var import_node_path=__toESM(require_node_path(),1),IGNORED=["# signoff-gate","events.jsonl",".signoff/*","!.signoff/flow.schema.json"],ATTRIBUTES=["events.jsonl merge=union -text"],SCHEMA_FILE=".signoff/flow.schema.json";function flowTemplate(directory,files){let sources=globsOf(files,[".v",".sv",".vh",".svh",".vhd",".vhdl"]),hasMake=files.includes("Makefile"),inputs=sources.length>0?sources:["**"];return`# yaml-language-server: $schema=${SCHEMA_FILE}
# What this design must prove before it may be merged. Every stage has to report pass;
# unknown counts as not proven.
name: ${JSON.stringify((0,import_node_path.basename)(directory))}

stages:
  # A command of yours, with the evidence that it writes. An exit code alone proves little:
  # name a report (junit, lcov, json, sarif) that holds one entry for each thing that was checked.
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
`}function globsOf(files,endings){let globs=new Set;for(let file of files){let ending=endings.find(candidate=>file.endsWith(candidate));if(ending===void 0)continue;let[top="",...rest]=file.split("/");globs.add(rest.length===0?`*${ending}`:`${top}/**/*${ending}`)}return[...globs]}var WORKFLOW_FILE=".github/workflows/sign-off.yml";function workflowTemplate(workspace){return`name: sign-off

on:
  pull_request:
    # A label accepts what a change does to the flow, the floors or the engines.
    types: [opened, synchronize, reopened, labeled, unlabeled]
  merge_group:
  push:
    branches: [main]
  # A release is run from a clean tree and restores nothing.
  release:
    types: [published]

permissions:
  contents: read

jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 120
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # the gate compares with the base
      # Install the tools of your flow here: the gate runs them, it does not bring them.
      - uses: OWNER/signoff-gate@v1
        with:
          workspace: ${JSON.stringify(workspace)}

  # Make this job, and only this, the required check of the branch. No path filter above.
  sign-off:
    if: always()
    needs: [gate]
    runs-on: ubuntu-latest
    steps:
      - env:
          RESULTS: \${{ join(needs.*.result, ' ') }}
        run: |
          for result in $RESULTS; do
            test "$result" = success || { echo "Not proven: $RESULTS"; exit 1; }
          done
          test -n "$RESULTS"
`}var OPTIONS={workspace:{type:"string"},workflow:{type:"boolean"},json:{type:"boolean"}};function init(args){let isJson=wantsJson(args),parsed=parse(args,OPTIONS,{least:0,most:0,names:""});if(!parsed.ok)return refusal(parsed.error,isJson);let{values}=parsed.value,directory=(0,import_node_path2.resolve)(values.workspace??"."),{entries,problems}=walkWorkspace(directory),[unreadable]=problems;if(unreadable)return refusal([unreadable.problem],isJson);let sources=entries.filter(({kind})=>kind==="file").map(({path})=>path),files=[{path:(0,import_node_path2.join)(directory,FLOW_FILES[0]),text:flowTemplate(directory,sources)}];if(values.workflow){let root=repositoryRoot(directory),workspace=(0,import_node_path2.relative)(root,directory)||".";files.push({path:(0,import_node_path2.join)(root,WORKFLOW_FILE),text:workflowTemplate(workspace)})}let present=[...FLOW_FILES.map(name=>(0,import_node_path2.join)(directory,name)),...files.map(({path})=>path)].find(import_node_fs.existsSync);if(present!==void 0)return refusal([alreadyThere((0,import_node_path2.relative)(directory,present))],isJson);let schema={path:(0,import_node_path2.join)(directory,SCHEMA_FILE),text:`${JSON.stringify(flow_schema_default,null,2)}
`};try{for(let{path,text}of[...files,schema])(0,import_node_fs.mkdirSync)((0,import_node_path2.dirname)(path),{recursive:!0}),(0,import_node_fs.writeFileSync)(path,text,{flag:path===schema.path?"w":"wx"});addLines((0,import_node_path2.join)(directory,".gitignore"),IGNORED),addLines((0,import_node_path2.join)(directory,".gitattributes"),ATTRIBUTES)}catch(cause){let code=cause.code??String(cause);return refusal([problem("file/write-failed",`the files cannot be written (${code})`)],isJson)}let written=[...files,schema].map(({path})=>(0,import_node_path2.relative)(directory,path));return isJson?jsonAnswer(0,{written:[...written,".gitignore",".gitattributes"]}):textAnswer(0,`Wrote ${written.join(", ")} and the lines for .gitignore and .gitattributes.
Read the comments in them, then: signoff-gate plan`)}function alreadyThere(file){return problem("usage/exists",`${file} is already there`,{at:{file},remedy:"Edit it, or move it away first."})}function repositoryRoot(directory){for(let folder=directory;;folder=(0,import_node_path2.dirname)(folder)){if((0,import_node_fs.existsSync)((0,import_node_path2.join)(folder,".git")))return folder;if(folder===(0,import_node_path2.dirname)(folder))return directory}}function addLines(path,lines){let text=(0,import_node_fs.existsSync)(path)?(0,import_node_fs.readFileSync)(path,"utf8"):"",present=new Set(text.split(/\r?\n/)),missing=lines.filter(line=>!present.has(line));if(missing.length===0)return;let separator=text===""||text.endsWith(`
`)?"":`
`;(0,import_node_fs.writeFileSync)(path,`${text}${separator}${missing.join(`
`)}
`)}export{init};

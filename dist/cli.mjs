#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{crash,print,refusal,textAnswer}from"./chunks/chunk-GVZC3VRF.mjs";import{problem}from"./chunks/chunk-5W6R6TEF.mjs";import"./chunks/chunk-I33YNFOH.mjs";var commands={run:async()=>(await import("./chunks/run-G7KV2A3H.mjs")).run,check:async()=>(await import("./chunks/check-K2NQZKNH.mjs")).check,status:async()=>(await import("./chunks/status-XJQHUR4B.mjs")).status,plan:async()=>(await import("./chunks/plan-3DE5G7AJ.mjs")).plan,explain:async()=>(await import("./chunks/explain-UZAG6YGV.mjs")).explain,engine:async()=>(await import("./chunks/engine-5M4O6LE6.mjs")).engine,init:async()=>(await import("./chunks/init-IV64PAVJ.mjs")).init};var COMMANDS={run:`signoff-gate run [STAGE…] [--concurrency N] [--rerun] [--lock-wait SECONDS]
  The gate: runs the stages that are missing, stale or blocked, then judges the whole flow.
  With names, only those and what they need are run; all are judged all the same.
  --concurrency N      most runs at once (default: the number of processors)
  --rerun              run failed stages again, and the named ones whatever their status
  --lock-wait SECONDS  how long to wait for another gate in the workspace (default: 600)`,check:`signoff-gate check
  Judges what is recorded. Runs nothing, writes nothing.`,status:`signoff-gate status
  The status of each stage.`,plan:"signoff-gate plan\n  What `run` would do, stage by stage, and why. It never says proven.",explain:`signoff-gate explain STAGE
  Why a stage has its status: what changed, from and to which fingerprint, since which run.`,engine:`signoff-gate engine list [NAME…]
signoff-gate engine describe NAME
signoff-gate engine run NAME [-i KEY=VALUE…] [--timeout-minutes N]
  One engine: the engines of the flow or those named, a descriptor, a run with its envelope.
  A KEY given more than once makes a list.`,init:`signoff-gate init [--workspace DIR]
  Writes a commented flow file for what it finds in the folder, and the lines for .gitignore.`},GENERAL=`Every command: [--workspace DIR] [--flow FILE] [--json]
  --workspace DIR  the folder that holds the flow and events.jsonl (default: the current one)
  --flow FILE      the flow file, if it is not signoff.yaml or signoff.json at its root
  --json           one JSON document on stdout; its schema is in schemas/

Exit: 0 proven, or the question was answered · 1 not proven, or refused · 2 usage, flow or log at
fault · 70 a fault of the gate`;function helpText(command){let one=command!==void 0&&Object.hasOwn(COMMANDS,command)?COMMANDS[command]:void 0;return one===void 0?`signoff-gate: is this design proven?

${Object.values(COMMANDS).join(`

`)}

${GENERAL}`:`${one}

${GENERAL}`}process.exitCode=70;process.on("uncaughtException",crash);process.on("unhandledRejection",crash);process.stdout.on("error",()=>process.exit());process.stderr.on("error",()=>{});async function answer(argv){let[name,...rest]=argv;if(name===void 0||name==="help"||name==="--help"||name==="-h")return textAnswer(name===void 0?2:0,helpText(rest[0]));if(name==="--version"||name==="version"){let{version}=await import("./chunks/version-YWHPB4TI.mjs");return textAnswer(0,`signoff-gate ${version}`)}let command=Object.hasOwn(commands,name)?commands[name]:void 0;if(!command){let{nearest}=await import("./chunks/schema-problems-CPJCJXFO.mjs"),near=nearest(name,Object.keys(commands));return refusal([problem("usage/unknown-command",`there is no command \`${name}\``,{remedy:near===void 0?`Commands: ${Object.keys(commands).join(", ")}.`:`Did you mean \`${near}\`?`})],rest.includes("--json"))}return rest.includes("--help")||rest.includes("-h")?textAnswer(0,helpText(name)):(await command())(rest)}answer(process.argv.slice(2)).then(print).catch(crash);

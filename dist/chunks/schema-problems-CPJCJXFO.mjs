import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{nearest,schemaProblems}from"./chunk-PK5AR7Y7.mjs";import"./chunk-5W6R6TEF.mjs";import"./chunk-I33YNFOH.mjs";export{nearest,schemaProblems};

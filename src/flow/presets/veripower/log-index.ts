import type { Problem } from '../../../values/problem.ts';
import { isJsonObject, type JsonObject, own } from '../../../values/strict-json.ts';
import { invalidRecord, type LogEvent, type RunKey, runKey } from './event.ts';
import { findPresetStage } from './registry.ts';

/** The start of a run, as much of it as is asked about. */
export interface Dispatch {
  readonly position: number;
  readonly line: number;
  readonly key: RunKey;
  /** As it was written. */
  readonly run: unknown;
  /** Where the run works; not checked. */
  readonly workdir: unknown;
}

/** The end of a run, as much of it as is asked about. */
export interface Ending {
  readonly position: number;
  readonly line: number;
  readonly key: RunKey;
  readonly run: unknown;
  readonly verdict: unknown;
}

/** An outcome that carries a proof of some name, the last that does. */
export interface ProofRecord {
  readonly outcome: LogEvent;
  readonly proof: JsonObject;
  /** What its run was started on, if a dispatch before it says so. */
  readonly startedOn: unknown;
}

/** The dispatches and outcomes of one registered stage, in file order. */
export interface StageLog {
  readonly dispatches: readonly Dispatch[];
  readonly endings: readonly Ending[];
  readonly lastOutcome: LogEvent | undefined;
}

/** The log of the preset, by what is asked of it. Unregistered stages and unknown types are left out. */
export interface PresetLog {
  readonly stages: ReadonlyMap<string, StageLog>;
  /** By the name of the proof, whatever stage the outcome is of (spec/06 §6.5). */
  readonly proofs: ReadonlyMap<string, ProofRecord>;
  /** The last outcome whose proofs cannot be looked through to the end. */
  readonly unscannable: { readonly position: number; readonly problem: Problem } | undefined;
  readonly pins: readonly LogEvent[];
  readonly reopens: readonly LogEvent[];
  readonly diagnoses: readonly LogEvent[];
  readonly hasSignoff: boolean;
  /** The line of a last record that was cut short: its event is lost. */
  readonly tornLine: number | undefined;
  /** The log is a link that leads nowhere. */
  readonly isDangling: boolean;
}

interface OpenStageLog {
  readonly dispatches: Dispatch[];
  readonly endings: Ending[];
  lastOutcome: LogEvent | undefined;
}

/**
 * Indexes events as they are read, so that of a long log only what can still be asked about is
 * kept: positions of all runs, and in full the last outcome of each stage and of each proof.
 */
export class LogIndex {
  private position = 0;
  private readonly stages = new Map<string, OpenStageLog>();
  private readonly proofs = new Map<string, ProofRecord>();
  private unscannable: PresetLog['unscannable'];
  private readonly pins: LogEvent[] = [];
  private readonly reopens: LogEvent[] = [];
  private readonly diagnoses: LogEvent[] = [];
  private hasSignoff = false;
  /** What the runs that have no outcome yet were started on, by stage. */
  private readonly startedOn = new Map<string, Map<RunKey, unknown>>();

  /** @returns the problem that the reference engine has with the event whatever it is asked */
  add(fields: JsonObject, line: number): Problem | undefined {
    const event: LogEvent = { position: this.position++, line, fields };
    if (!Object.hasOwn(fields, 'type')) return invalidRecord(line, 'the event has no `type`');
    switch (fields['type']) {
      case 'dispatch':
        return this.addDispatch(event);
      case 'outcome':
        return this.addOutcome(event);
      case 'pin':
        this.pins.push(event);
        return undefined;
      case 'reopen':
        this.reopens.push(event);
        return undefined;
      case 'diagnosis':
        this.diagnoses.push(event);
        return undefined;
      case 'signoff':
        this.hasSignoff = true;
        return undefined;
      default:
        return undefined;
    }
  }

  finish(tornLine: number | undefined, isDangling: boolean): PresetLog {
    const { stages, proofs, unscannable, pins, reopens, diagnoses, hasSignoff } = this;
    return {
      stages,
      proofs,
      unscannable,
      pins,
      reopens,
      diagnoses,
      hasSignoff,
      tornLine,
      isDangling,
    };
  }

  private addDispatch({ position, line, fields }: LogEvent): Problem | undefined {
    const rule = ruleOf(fields, line);
    if (typeof rule !== 'string') return rule;
    // Nothing more is asked of a stage that the registry does not know.
    if (!findPresetStage(rule)) return undefined;
    if (!Object.hasOwn(fields, 'run')) return invalidRecord(line, 'the event has no `run`');
    const key = runKey(fields['run'], line);
    if (isProblem(key)) return key;
    const workdir = own(fields, 'workdir');
    this.stage(rule).dispatches.push({ position, line, key, run: fields['run'], workdir });
    const started = this.startedOn.get(rule) ?? new Map<RunKey, unknown>();
    this.startedOn.set(rule, started);
    if (!started.has(key)) started.set(key, own(fields, 'inputs'));
    return undefined;
  }

  private addOutcome(event: LogEvent): Problem | undefined {
    const { position, line, fields } = event;
    const rule = ruleOf(fields, line);
    if (typeof rule === 'object') return rule;
    if (!Object.hasOwn(fields, 'run')) return invalidRecord(line, 'the event has no `run`');
    const key = runKey(fields['run'], line);
    if (isProblem(key)) return key;
    const isKnown = rule !== undefined && findPresetStage(rule) !== undefined;
    const startedOn = isKnown ? this.startedOn.get(rule)?.get(key) : undefined;
    const unreadable = this.scanProofs(event, startedOn);
    if (unreadable !== undefined) {
      this.unscannable = { position, problem: invalidRecord(line, unreadable) };
    }
    if (!isKnown) return undefined;
    this.startedOn.get(rule)?.delete(key);
    const stage = this.stage(rule);
    stage.lastOutcome = event;
    const verdict = own(fields, 'verdict');
    stage.endings.push({ position, line, key, run: fields['run'], verdict });
    return undefined;
  }

  /**
   * Looks through the proofs of an outcome as far as the reference engine can.
   *
   * @returns what it cannot read
   */
  private scanProofs(outcome: LogEvent, startedOn: unknown): string | undefined {
    const proofs = own(outcome.fields, 'proofs');
    if (!Array.isArray(proofs)) {
      // Text and objects can be gone through there; only without content does nothing go wrong.
      const isEmpty = proofs === '' || (isJsonObject(proofs) && Object.keys(proofs).length === 0);
      return isEmpty ? undefined : '`proofs` is not a list';
    }
    const named = new Set<string>();
    for (const proof of proofs) {
      if (!isJsonObject(proof)) return 'a proof is not an object';
      if (!Object.hasOwn(proof, 'name')) return 'a proof has no `name`';
      const { name } = proof;
      if (typeof name !== 'string' || !findPresetStage(name) || named.has(name)) continue;
      named.add(name);
      this.proofs.set(name, { outcome, proof, startedOn });
    }
    return undefined;
  }

  private stage(rule: string): OpenStageLog {
    const known = this.stages.get(rule);
    if (known) return known;
    const stage: OpenStageLog = { dispatches: [], endings: [], lastOutcome: undefined };
    this.stages.set(rule, stage);
    return stage;
  }
}

/** The stage of a record; `undefined` for a value that is no stage's name. */
function ruleOf(fields: JsonObject, line: number): string | undefined | Problem {
  if (!Object.hasOwn(fields, 'rule')) return invalidRecord(line, 'the event has no `rule`');
  const rule = fields['rule'];
  if (typeof rule === 'string') return rule;
  return typeof rule === 'object' && rule !== null
    ? invalidRecord(line, '`rule` is not a text')
    : undefined;
}

function isProblem(key: RunKey | Problem): key is Problem {
  return typeof key === 'object' && key !== null;
}

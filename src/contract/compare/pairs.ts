import { type Call, type Exchange, textOf } from '../engine/exchange.js';
import { jsonText } from '../engine/json.js';
import { operationOf } from '../engine/operations.js';
import type { Session, Step } from '../engine/session.js';
import { comparableText } from './comparable-text.js';

/** One of the two targets: `a` is the first. */
export type Side = 'a' | 'b';

/** The responses of both targets to the same step. */
export interface Pair {
  /** Clause or setup that the step belongs to. */
  readonly step: string;
  /** For example `GET /invoices/{invoice}`. */
  readonly operation: string;
  readonly a: Exchange;
  readonly b: Exchange;
}

/** A step that got a response from only one of the targets. */
export interface UnpairedStep {
  readonly side: Side;
  readonly step: string;
  readonly operation: string;
}

type RecordedRun = Pick<Session, 'steps' | 'runId'>;

/**
 * Pairs the steps of two runs: within each clause or setup, the nth call of each kind on one target with the nth on the
 * other.
 */
export function pairsOf(a: RecordedRun, b: RecordedRun): { readonly pairs: Pair[]; readonly unpaired: UnpairedStep[] } {
  const [groupsA, groupsB] = [groupSteps(a), groupSteps(b)];
  const pairs: Pair[] = [];
  const unpaired: UnpairedStep[] = [];
  for (const key of new Set([...groupsA.keys(), ...groupsB.keys()])) {
    const [stepsA, stepsB] = [groupsA.get(key) ?? [], groupsB.get(key) ?? []];
    for (let index = 0; index < Math.max(stepsA.length, stepsB.length); index++) {
      const [stepA, stepB] = [stepsA[index], stepsB[index]];
      const either = stepA ?? stepB;
      if (!either) continue;
      const { name: step, call } = either;
      const operation = operationNameOf(call);
      if (stepA?.exchange && stepB?.exchange) {
        pairs.push({ step, operation, a: stepA.exchange, b: stepB.exchange });
      } else if (stepA?.exchange) unpaired.push({ side: 'a', step, operation });
      else if (stepB?.exchange) unpaired.push({ side: 'b', step, operation });
    }
  }
  return { pairs, unpaired };
}

function groupSteps({ steps, runId }: RecordedRun): Map<string, Step[]> {
  const groups = new Map<string, Step[]>();
  for (const step of steps.filter(isLastPoll)) {
    const key = `${step.name}\n${keyOf(step.call, runId)}`;
    groups.set(key, [...(groups.get(key) ?? []), step]);
  }
  return groups;
}

/**
 * Returns whether a step is a write, or no identical read follows it. The suite polls until it sees an effect. Only the
 * last poll is compared, since the number of polls varies.
 */
function isLastPoll({ name, call }: Step, index: number, steps: readonly Step[]): boolean {
  const next = steps.slice(index + 1).find((step) => step.name === name);
  return call.method !== 'GET' || jsonText(next?.call) !== jsonText(call);
}

/** Returns a key that is the same for a call to either target: it leaves out ids, numbers and the run id. */
function keyOf(call: Call, runId: string): string {
  const { path, token = 'full', presentation = 'bearer', headers = {}, body } = call;
  const query = path.split('?')[1] ?? '';
  const sent = body === undefined ? '' : textOf(body);
  const names = Object.keys(headers).sort();
  return JSON.stringify([
    operationNameOf(call),
    comparableText(query, runId),
    token,
    presentation,
    names,
    comparableText(sent, runId),
  ]);
}

function operationNameOf({ method, path }: Call): string {
  const operation = operationOf({ method, path });
  const [pathname = ''] = path.split('?');
  return `${method} ${operation?.path ?? pathname.replace(/\d+/g, '*')}`;
}

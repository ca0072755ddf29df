import { memberOf } from '../lib/json.js';
import { matchesWildcard } from './matches-wildcard.js';

/**
 * When an effect of a fault applies. `request`: instead of the handler of a request; `response`: to the response of the
 * handler; `message`: to a webhook message before it is first sent; `attempt`: to every attempt to send a message.
 */
export type FaultStage = 'request' | 'response' | 'message' | 'attempt';

/** Stages of all effects. Each effect is implemented in a file of the same name in `src/faults/`. */
export const effectStages = {
  status: 'request',
  'rate-limited': 'request',
  hang: 'request',
  reset: 'request',
  outage: 'request',
  maintenance: 'request',
  latency: 'response',
  'lose-response': 'response',
  truncate: 'response',
  'malformed-json': 'response',
  'slow-body': 'response',
  'wrong-content-type': 'response',
  patch: 'response',
  drop: 'message',
  duplicate: 'message',
  delay: 'message',
  reorder: 'message',
  'tamper-body': 'message',
  'wrong-secret': 'message',
  'retired-secret': 'message',
  'no-signature': 'message',
  stale: 'message',
  burst: 'message',
  'receiver-fails': 'attempt',
} as const satisfies Record<string, FaultStage>;

/** Methods that a fault can match. */
export const requestMethods = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Name of an effect, as `billing-sim fault add` takes it. */
export type EffectName = keyof typeof effectStages;

const shortCircuits: ReadonlySet<string> = new Set(
  Object.entries(effectStages).flatMap(([name, stage]) => (stage === 'request' ? [name] : [])),
);

/**
 * True for an effect that responds in place of the service: before the request is handled, or after it if the fault
 * matches a status.
 * @param name name of an effect
 */
export function isShortCircuit(name: string): boolean {
  return shortCircuits.has(name);
}

/** Effects that forge a webhook: its body or signature is not what the service would send. */
const forgeries: ReadonlySet<EffectName> = new Set(['tamper-body', 'wrong-secret', 'retired-secret', 'no-signature']);

/** True if faults forged a message. A receiver that accepts it does not verify signatures correctly. */
export function isForged(appliedFaults: readonly EffectName[] = []): boolean {
  return appliedFaults.some((name) => forgeries.has(name));
}

/** Default status of the `receiver-fails` effect. */
export const defaultFailureStatus = 503;

/** One effect of a fault, with its options. */
export interface Effect {
  readonly name: EffectName;
  readonly [option: string]: unknown;
}

/**
 * Conditions on the requests or webhooks that a fault applies to. All must match. `*` matches any characters in `path`,
 * `token`, `event` and the strings of `body`.
 */
export interface FaultMatcher {
  /** operationId of the document. */
  readonly operation?: string;
  readonly method?: string;
  /** Path below `/api/v1`, without the query. */
  readonly path?: string;
  /** Status of the response, or a class such as `4xx`. The fault then acts after the handler has run. */
  readonly status?: number | string;
  /** Name of a token. */
  readonly token?: string;
  /** Event of a webhook. */
  readonly event?: string;
  /** Values of the request's or webhook's body by dotted path, such as `metadata.channel`. */
  readonly body?: Readonly<Record<string, string | number | boolean>>;
  /** Fires only on the nth request or webhook that the other matchers match. */
  readonly nth?: number;
  /** Fires only on every nth request or webhook that the other matchers match. */
  readonly every?: number;
  /** Probability from 0 to 1 that it fires; the account's random seed determines when. */
  readonly probability?: number;
}

/** The facts about an account that a new fault is checked against. */
export interface FaultContext {
  /** Names of the account's tokens. */
  readonly tokenNames: readonly string[];
  /** The account's time, in milliseconds since 1970. */
  readonly now: number;
}

/** A fault as a user requests it, after validation. */
export interface FaultRule {
  readonly effects: readonly Effect[];
  readonly match: FaultMatcher;
  /** Maximum number of times that it fires; null for no limit. */
  readonly times: number | null;
  /** Time at which it ends, on the account's clock; null for never. */
  readonly until: string | null;
  /** Milliseconds until it ends, instead of `until`; null if not used. */
  readonly for: number | null;
}

/** A fault of an account. */
export interface Fault extends Omit<FaultRule, 'for'> {
  readonly id: number;
  readonly stage: FaultStage;
  /**
   * Number of requests or messages that matched while it was active, whatever `nth`, `every` and `probability` say.
   * Requests and attempts for which an older fault fired are not counted, since only one fault can fire for each.
   */
  readonly times_matched: number;
  /** Number of times that it fired. */
  readonly times_fired: number;
  readonly created_at: string;
  readonly cleared_at: string | null;
}

/** A request or webhook to match against the faults. */
export interface FaultTarget {
  readonly operation?: string | null;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly token?: string | null;
  readonly event?: string;
  readonly body?: unknown;
}

/** `ended`: the fault can no longer fire, since its end time, `nth` or `times` is reached. */
export type FaultStatus = 'active' | 'ended';

export function faultStatus(
  {
    match: { nth },
    times,
    times_matched,
    times_fired,
    until,
  }: Pick<Fault, 'match' | 'times' | 'times_matched' | 'times_fired' | 'until'>,
  now: number,
): FaultStatus {
  const isUsedUp = (times !== null && times_fired >= times) || (nth !== undefined && times_matched >= nth);
  return isUsedUp || (until !== null && now >= Date.parse(until)) ? 'ended' : 'active';
}

export function isEffectName(name: unknown): name is EffectName {
  return typeof name === 'string' && Object.hasOwn(effectStages, name);
}

interface StagedRule {
  readonly effects: readonly { readonly name: EffectName }[];
  readonly match: { readonly status?: unknown };
}

/** Stage of a rule. A rule that matches the status of a response applies once there is a response. */
export function stageOf({ effects, match }: StagedRule): FaultStage {
  const stages = new Set<FaultStage>(effects.map(({ name }) => effectStages[name]));
  if (stages.has('attempt')) return 'attempt';
  if (stages.has('message')) return 'message';
  return stages.has('request') && match.status === undefined ? 'request' : 'response';
}

type TargetPredicate = (target: FaultTarget) => boolean;

/**
 * Compiles the matchers of a fault, except `nth`, `every` and `probability`, which `shouldFire` checks. Compiling once
 * pays off, since every request is matched against every fault.
 */
export function predicateOf({ operation, method, path, token, event, status, body }: FaultMatcher): TargetPredicate {
  const predicates: TargetPredicate[] = [];
  if (operation !== undefined) predicates.push((target) => target.operation === operation);
  if (method !== undefined) predicates.push((target) => target.method === method);
  if (path !== undefined) predicates.push((target) => matchesWildcard(path, target.path));
  if (token !== undefined) predicates.push((target) => matchesWildcard(token, target.token));
  if (event !== undefined) predicates.push((target) => matchesWildcard(event, target.event));
  if (status !== undefined) predicates.push((target) => matchesStatus(status, target.status));
  for (const [dotted, expected] of Object.entries(body ?? {}))
    predicates.push(bodyPredicate(dotted.split('.'), expected));
  // A loop takes half the time of `predicates.every()`.
  return (target) => {
    for (const predicate of predicates) if (!predicate(target)) return false;
    return true;
  };
}

/**
 * True if a fault fires on a match.
 * @param number number of the match, from 1
 * @param random returns a random number from 0 to 1, excluding 1
 */
export function shouldFire({ nth, every, probability }: FaultMatcher, number: number, random: () => number): boolean {
  if (nth !== undefined && number !== nth) return false;
  if (every !== undefined && number % every !== 0) return false;
  return probability === undefined || random() < probability;
}

/** @param expected a status, or a class of statuses such as `4xx` */
export function matchesStatus(expected: number | string, status: number | null | undefined): boolean {
  if (status === undefined || status === null) return false;
  return typeof expected === 'number' ? expected === status : `${Math.floor(status / 100)}xx` === expected;
}

function bodyPredicate(path: readonly string[], expected: string | number | boolean): TargetPredicate {
  if (typeof expected !== 'string') return ({ body }) => valueAt(body, path) === expected;
  // A command line can pass only strings, so `49.90` matches the number 49.9, too.
  const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(expected) ? Number(expected) : undefined;
  return ({ body }) => {
    const value = valueAt(body, path);
    return (number !== undefined && value === number) || matchesWildcard(expected, value);
  };
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce(memberOf, body);
}

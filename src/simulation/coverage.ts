import { hash } from 'node:crypto';
import {
  type CallCount,
  type DocumentedOperation,
  errorCoverage,
  keyCoverage,
  operationCoverage,
  scopeCoverage,
  sum,
} from '../domain/call-coverage.js';
import { eventCoverage, faultCoverage, transitionCoverage, transitionName } from '../domain/coverage.js';
import { isForged } from '../domain/faults.js';
import { type LostResponse, retryCoverage, retryOutcome } from '../domain/lost-responses.js';
import type { Attempt } from '../domain/records.js';
import { isDelivered } from '../domain/retries.js';
import type { components } from '../generated/control-validated-types.js';
import { fingerprintOf } from './operations/idempotency.js';
import type { AccountState } from './state/account-state.js';
import type { RowsByTable } from './state/changes.js';
import type { CommitObserver, ObservedCommit } from './state/commit-observer.js';

/**
 * Counts requests by operation, token and status of the response. Optimized, since every request is counted: two
 * lookups, and a new object only for a new combination.
 */
class CallCounts {
  readonly #counters = new Map<string, Map<number, { count: number }>>();

  /**
   * Counts one request.
   * @param token id of the token; 0 for none
   * @param status status of the response; 0 if there was none
   */
  add(operation: string, token: number, status: number): void {
    let counters = this.#counters.get(operation);
    if (!counters) {
      counters = new Map();
      this.#counters.set(operation, counters);
    }
    // Statuses are below 1,000, so one number can hold the token and the status.
    const key = token * 1_000 + status;
    const counter = counters.get(key);
    if (counter) counter.count += 1;
    else counters.set(key, { count: 1 });
  }

  /** Counts of all combinations. */
  all(): CallCount[] {
    return [...this.#counters].flatMap(([operation, counters]) =>
      [...counters].map(([key, { count }]) => ({
        operation,
        token: Math.floor(key / 1_000),
        status: key % 1_000,
        count,
      })),
    );
  }
}

/** Counts occurrences by name. */
class Counter {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.#counts.set(name, this.get(name) + by);
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

type AcceptedForgery = components['schemas']['AcceptedForgery'];

/** Maximum number of accepted forgeries to remember. */
const maxAcceptedForgeries = 1_000;

/** Counts what commits add: deposit transitions, events, and responses of the webhook receiver. */
class CommitCounts implements CommitObserver {
  /** Transitions of deposits, by name of the transition. */
  readonly transitions = new Counter();
  /** All events, by name. */
  readonly emitted = new Counter();
  /** Events that were not sent because no webhook URL was set, by name. */
  readonly unsent = new Counter();
  /** Attempts that the receiver accepted, by event; forged messages are not counted. */
  readonly delivered = new Counter();
  /**
   * Attempts that the receiver did not accept (another status, or no response), by event; forged messages are not
   * counted.
   */
  readonly refused = new Counter();
  /** Attempts with forged messages, by outcome: `accepted` or `refused`. */
  readonly forged = new Counter();
  /** Applied fault effects on webhooks, by name of the effect. */
  readonly effects = new Counter();
  #acceptedForgeries: AcceptedForgery[] = [];

  /** Latest forged messages that the receiver accepted, oldest first. */
  get acceptedForgeries(): readonly AcceptedForgery[] {
    return this.#acceptedForgeries;
  }

  /**
   * Counts what a commit adds. Called before the commit is applied to the account.
   * @returns an object that can undo the count; undefined if there is nothing to count
   */
  observe(changes: RowsByTable, account: AccountState): ObservedCommit | undefined {
    if (!changes.deposits && !changes.deliveries && !changes.attempts) return undefined;
    this.#count(changes, account, 1);
    return { undo: () => this.#count(changes, account, -1) };
  }

  /**
   * Adds what a commit adds to the counts, or subtracts it.
   * @param account the account without the commit
   */
  #count({ deposits = [], deliveries = [], attempts = [] }: RowsByTable, account: AccountState, sign: 1 | -1): void {
    for (const { id, history } of deposits) {
      const previousLength = account.deposits.get(id)?.history.length ?? 0;
      for (const step of history.slice(previousLength)) this.transitions.add(transitionName(step), sign);
    }
    for (const { event, url } of deliveries) {
      this.emitted.add(event, sign);
      if (url === null) this.unsent.add(event, sign);
    }
    for (const attempt of attempts) this.#countAttempt(attempt, account, sign);
  }

  #countAttempt(attempt: Attempt, account: AccountState, sign: 1 | -1): void {
    const { delivery_id: delivery, number, status, at, headers, applied_faults = [] } = attempt;
    for (const effect of applied_faults) this.effects.add(effect, sign);
    const event = account.deliveries.get(delivery)?.event;
    // Without headers, the receiver never got the message: a fault supplied the response or lost the message.
    const isSent = Object.keys(headers).length > 0;
    if (!event || !isSent) return;
    const isAccepted = isDelivered(status);
    if (!isForged(applied_faults)) {
      (isAccepted ? this.delivered : this.refused).add(event, sign);
      return;
    }
    this.forged.add(isAccepted ? 'accepted' : 'refused', sign);
    if (!isAccepted || status === null) return;
    const forgery = { delivery, attempt: number, event, how: applied_faults.join(' '), status, at };
    const earlier = this.#acceptedForgeries;
    // The latest commit is undone first, so what a commit added is last.
    this.#acceptedForgeries = sign === 1 ? [...earlier, forgery].slice(-maxAcceptedForgeries) : earlier.slice(0, -1);
  }
}

/** A request to an operation that changes something. */
export interface WriteRequest {
  /** Id of the request. */
  readonly request: string;
  readonly operation: string;
  /** True if the operation accepts an Idempotency-Key. */
  readonly takesKey: boolean;
  /** Idempotency-Key of the request, made unique to its owner by `scopedKey` in `operations/idempotency.ts`. */
  readonly key: string | undefined;
  /** Time at which the response for the key was stored, ISO 8601; undefined if none is stored. */
  readonly storedAt: string | undefined;
  readonly path: string;
  readonly body: unknown;
  /** Time of arrival, in milliseconds of a monotonic clock. */
  readonly startedAt: number;
}

interface RememberedResponse extends LostResponse {
  readonly path: string;
  /** Time at which the response was lost, on the same clock as `WriteRequest.startedAt`. */
  readonly lostAt: number;
}

/** Maximum number of lost responses to remember. */
const maxLostResponses = 1_000;
/** Maximum number of lost responses with which each request is compared. */
const maxUnhandled = 100;

/** Requests whose responses were lost, and how their clients handled that. */
export class LostResponses {
  #all: RememberedResponse[] = [];
  /** Latest entries without a retry so far, oldest first. */
  #unhandled: RememberedResponse[] = [];
  #count = 0;

  /** Number of lost responses, including those that are no longer remembered. */
  get count(): number {
    return this.#count;
  }

  /** The latest lost responses, oldest first. */
  get all(): readonly LostResponse[] {
    return this.#all;
  }

  /** True if any lost response has had no retry so far. */
  get hasUnhandled(): boolean {
    return this.#unhandled.length > 0;
  }

  /**
   * Records that the response of a request was lost.
   * @param how names of the fault effects
   * @returns function that removes the entry, in case the response arrives after all
   */
  recordLost(request: WriteRequest, how: string, lostAt: number): () => void {
    const entry: RememberedResponse = {
      ...identityOf(request),
      path: request.path,
      how,
      lostAt,
      isLookedUp: false,
      outcome: 'none',
      retry: null,
    };
    this.#count += 1;
    this.#all = [...this.#all.slice(1 - maxLostResponses), entry];
    this.#unhandled = [...this.#unhandled.slice(1 - maxUnhandled), entry];
    let isLost = true;
    return () => {
      if (!isLost) return;
      isLost = false;
      this.#count -= 1;
      this.#all = this.#all.filter((other) => other !== entry);
      this.#unhandled = this.#unhandled.filter((other) => other !== entry);
    };
  }

  /** Records the outcome of every lost response whose request this one retries. */
  recordRetry(request: WriteRequest): void {
    const later = identityOf(request);
    for (const entry of this.#unhandled) {
      const outcome = entry.lostAt <= request.startedAt ? retryOutcome(entry, later) : undefined;
      if (outcome) Object.assign(entry, { outcome, retry: later.request });
    }
    this.#unhandled = this.#unhandled.filter(({ outcome }) => outcome === 'none');
  }

  /**
   * Notes that the client has read a record or a list, from which it can learn the results of earlier requests with the
   * same path, or one below it: from `/deposits/8` that of `/deposits/8/capture`.
   */
  recordLookup({ startedAt, path }: Pick<WriteRequest, 'startedAt' | 'path'>): void {
    for (const entry of this.#unhandled)
      if (entry.lostAt <= startedAt && `${entry.path}/`.startsWith(`${path}/`)) entry.isLookedUp = true;
  }
}

function identityOf({ request, operation, takesKey, key, storedAt, path, body }: WriteRequest) {
  return {
    request,
    operation,
    takesKey,
    // Twelve hex digits distinguish the keys of a test run, but do not reveal a key.
    key: key === undefined ? null : hash('sha256', key).slice(0, 12),
    storedAt: storedAt ?? null,
    fingerprint: fingerprintOf({ path, body }),
  };
}

/** Report on coverage; described in openapi/control.yaml. */
export type CoverageReport = components['schemas']['Coverage'];

/**
 * Coverage of the API by the clients of an account. It is updated when a request ends or a change is committed, and kept
 * in memory. Resetting or restoring the account does not change it.
 */
export class Coverage {
  readonly calls = new CallCounts();
  /** Number of requests without an Idempotency-Key, by operation; only for operations that accept one. */
  readonly missingKeys = new Counter();
  /** Number of applied fault effects on requests, by name of the effect. */
  readonly effects = new Counter();
  readonly lostResponses = new LostResponses();
  readonly commitCounts = new CommitCounts();

  /** @param operations documented operations under the account's profile */
  report(operations: readonly DocumentedOperation[], { profile, tokens }: AccountState): CoverageReport {
    const { calls, missingKeys, effects, lostResponses, commitCounts } = this;
    const { transitions, emitted, unsent, delivered, refused, forged, acceptedForgeries } = commitCounts;
    const counts = calls.all();
    const countsIn = (counter: Counter) => (name: string) => counter.get(name);
    return {
      requests: sum(counts),
      operations: operationCoverage(operations, counts),
      errors: errorCoverage(operations, counts),
      faults: faultCoverage((effect) => effects.get(effect) + commitCounts.effects.get(effect)),
      events: eventCoverage({
        emitted: countsIn(emitted),
        unsent: countsIn(unsent),
        delivered: countsIn(delivered),
        refused: countsIn(refused),
      }),
      transitions: transitionCoverage(profile, countsIn(transitions)),
      scopes: scopeCoverage(operations, tokens.rows, counts),
      keys: keyCoverage(operations, counts, countsIn(missingKeys)),
      retries: retryCoverage(lostResponses.count, lostResponses.all),
      forged_webhooks: {
        sent: forged.get('accepted') + forged.get('refused'),
        refused: forged.get('refused'),
        accepted: acceptedForgeries,
      },
    };
  }
}

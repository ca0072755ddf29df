import { hash } from 'node:crypto';
import { type LostAnswer, retryOutcome } from '../../domain/lost-answers.js';
import { fingerprintOf } from '../operations/idempotency.js';

/** A request that changes something. */
export interface WriteRequest {
  /** Id of the request. */
  readonly request: string;
  readonly operation: string;
  /** Whether the operation accepts an Idempotency-Key. */
  readonly takesKey: boolean;
  /** Idempotency-Key of the request. */
  readonly key: string | undefined;
  readonly path: string;
  readonly body: unknown;
  /** Time of arrival, in milliseconds of a monotonic clock. */
  readonly startedAt: number;
}

interface Entry extends LostAnswer {
  /** Time at which the response was lost, on the same clock. */
  readonly lostAt: number;
}

/** Maximum number of lost responses to remember. */
const maxEntries = 1_000;
/** Maximum number of lost responses with which each request is compared. */
const maxUnhandled = 100;

/** Requests whose responses were lost, and how their clients handled that. */
export class LostAnswers {
  #all: Entry[] = [];
  /** Entries without a retry so far, oldest first. */
  #unhandled: Entry[] = [];
  #count = 0;

  /** Number of lost responses, including those that are no longer remembered. */
  get count(): number {
    return this.#count;
  }

  /** Oldest first. */
  get all(): readonly LostAnswer[] {
    return this.#all;
  }

  /** Whether any lost response has had no retry so far. */
  get hasUnhandled(): boolean {
    return this.#unhandled.length > 0;
  }

  /**
   * Records that the response of a request was lost.
   * @param how names of the fault effects
   * @returns function that removes the record, in case the response arrives after all
   */
  recordLost(request: WriteRequest, how: string, lostAt: number): () => void {
    const entry: Entry = { ...identityOf(request), how, lostAt, isLookedUp: false, outcome: 'none', retry: null };
    this.#count += 1;
    this.#all = [...this.#all.slice(1 - maxEntries), entry];
    this.#unhandled = [...this.#unhandled.slice(1 - maxUnhandled), entry];
    return () => {
      if (!this.#all.includes(entry)) return;
      this.#count -= 1;
      this.#all = this.#all.filter((other) => other !== entry);
      this.#unhandled = this.#unhandled.filter((other) => other !== entry);
    };
  }

  /** Records a request. If it retries earlier requests whose responses were lost, it determines their outcomes. */
  recordRetry(request: WriteRequest): void {
    const later = identityOf(request);
    for (const entry of this.#unhandled) {
      const outcome = entry.lostAt <= request.startedAt ? retryOutcome(entry, later) : undefined;
      if (outcome) Object.assign(entry, { outcome, retry: later.request });
    }
    this.#unhandled = this.#unhandled.filter(({ outcome }) => outcome === 'none');
  }

  /**
   * Records a request that reads records, which tells its client what became of earlier requests.
   * @param changesRecords returns whether an operation changes the records that were read
   */
  recordLookup(startedAt: number, changesRecords: (operation: string) => boolean): void {
    for (const entry of this.#unhandled)
      if (entry.lostAt <= startedAt && changesRecords(entry.operation)) entry.isLookedUp = true;
  }
}

function identityOf({ request, operation, takesKey, key, path, body }: WriteRequest) {
  return {
    request,
    operation,
    takesKey,
    // Twelve digits distinguish the keys of a test run, but do not reveal a key.
    key: key === undefined ? null : hash('sha256', key).slice(0, 12),
    fingerprint: fingerprintOf({ path, body }),
  };
}

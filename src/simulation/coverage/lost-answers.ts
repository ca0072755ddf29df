import { hash } from 'node:crypto';
import { type LostAnswer, retryOutcome } from '../../domain/lost-answers.js';
import { fingerprintOf } from '../operations/idempotency.js';

/** A request that changes something. */
export interface WriteRequest {
  /** Id of the request. */
  readonly request: string;
  readonly operation: string;
  readonly takesKey: boolean;
  /** Idempotency-Key as sent. */
  readonly key: string | undefined;
  readonly path: string;
  readonly body: unknown;
  /** Time of arrival, in real milliseconds since an arbitrary time. */
  readonly startedAt: number;
}

interface Entry extends LostAnswer {
  /** Time at which the response was lost, in the same milliseconds. */
  readonly at: number;
}

/** Maximum number of lost responses to remember. */
const maxRemembered = 1_000;
/** Maximum number of them to compare with each request. */
const maxWatched = 100;

/** Requests whose responses were lost, and how their clients handled that. */
export class LostAnswers {
  #all: Entry[] = [];
  /** Entries that no retry has been seen for, oldest first. */
  #unhandled: Entry[] = [];
  #lost = 0;

  get lost(): number {
    return this.#lost;
  }

  /** Oldest first. */
  get all(): readonly LostAnswer[] {
    return this.#all;
  }

  /** Whether later requests must be compared at all. */
  get hasUnhandled(): boolean {
    return this.#unhandled.length > 0;
  }

  /** @param how names of the effects @returns removes the entry, for a response that has arrived after all */
  recordLost(request: WriteRequest, how: string, at: number): () => void {
    const entry: Entry = { ...identityOf(request), how, at, isLookedUp: false, outcome: 'none', retry: null };
    this.#lost += 1;
    this.#all = [...this.#all.slice(1 - maxRemembered), entry];
    this.#unhandled = [...this.#unhandled.slice(1 - maxWatched), entry];
    return () => {
      if (!this.#all.includes(entry)) return;
      this.#lost -= 1;
      this.#all = this.#all.filter((other) => other !== entry);
      this.#unhandled = this.#unhandled.filter((other) => other !== entry);
    };
  }

  /** Sets the outcome of lost requests that a later request retries. */
  recordRetry(request: WriteRequest): void {
    const later = identityOf(request);
    for (const entry of this.#unhandled) {
      const outcome = entry.at <= request.startedAt ? retryOutcome(entry, later) : undefined;
      if (outcome) Object.assign(entry, { outcome, retry: later.request });
    }
    this.#unhandled = this.#unhandled.filter(({ outcome }) => outcome === 'none');
  }

  /** Marks lost requests whose records were read. @param changesRecords whether an operation changes these records */
  recordLookup(startedAt: number, changesRecords: (operation: string) => boolean): void {
    for (const entry of this.#unhandled)
      if (entry.at <= startedAt && changesRecords(entry.operation)) entry.isLookedUp = true;
  }
}

function identityOf({ request, operation, takesKey, key, path, body }: WriteRequest) {
  return {
    request,
    operation,
    takesKey,
    // Long enough to distinguish the keys of a test run, too short to guess a key from.
    key: key === undefined ? null : hash('sha256', key).slice(0, 12),
    fingerprint: fingerprintOf({ path, body }),
  };
}

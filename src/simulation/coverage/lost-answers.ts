import { hash } from 'node:crypto';
import { type LostAnswer, retryOutcome } from '../../domain/lost-answers.js';
import { fingerprintOf } from '../operations/idempotency.js';

/** A request that changes something. */
export interface Change {
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

/** Maximum number to remember, and maximum number to compare with each request. */
const maxRemembered = 1_000;
const maxWatched = 100;

/** Requests whose responses were lost, and how their clients handled that. */
export class LostAnswers {
  #all: Entry[] = [];
  /** Requests that were not handled yet, oldest first. */
  #open: Entry[] = [];
  #lost = 0;

  get lost(): number {
    return this.#lost;
  }

  /** Oldest first. */
  get all(): readonly LostAnswer[] {
    return this.#all;
  }

  /** Whether later requests must be compared at all. */
  get isWaiting(): boolean {
    return this.#open.length > 0;
  }

  /** @param how names of the effects @returns takes it back, if the response arrived after all */
  lose(change: Change, how: string, at: number): () => void {
    const entry: Entry = { ...identityOf(change), how, at, isLookedUp: false, outcome: 'none', retry: null };
    this.#lost += 1;
    this.#all = [...this.#all.slice(1 - maxRemembered), entry];
    this.#open = [...this.#open.slice(1 - maxWatched), entry];
    return () => {
      if (!this.#all.includes(entry)) return;
      this.#lost -= 1;
      this.#all = this.#all.filter((other) => other !== entry);
      this.#open = this.#open.filter((other) => other !== entry);
    };
  }

  /** Sets the outcome of lost requests that a later request retries. */
  retried(change: Change): void {
    const later = identityOf(change);
    for (const entry of this.#open) {
      const outcome = entry.at <= change.startedAt ? retryOutcome(entry, later) : undefined;
      if (outcome) Object.assign(entry, { outcome, retry: later.request });
    }
    this.#open = this.#open.filter(({ outcome }) => outcome === 'none');
  }

  /** Marks lost requests whose records were read. @param isOf whether an operation changes these records */
  lookedUp(startedAt: number, isOf: (operation: string) => boolean): void {
    for (const entry of this.#open) if (entry.at <= startedAt && isOf(entry.operation)) entry.isLookedUp = true;
  }
}

function identityOf({ request, operation, takesKey, key, path, body }: Change) {
  return {
    request,
    operation,
    takesKey,
    // Long enough to distinguish the keys of a test run, too short to guess a key from.
    key: key === undefined ? null : hash('sha256', key).slice(0, 12),
    fingerprint: fingerprintOf({ path, body }),
  };
}

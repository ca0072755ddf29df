import { hash } from 'node:crypto';
import { type LostAnswer, retryOutcome } from '../../domain/lost-answers.js';
import { fingerprintOf } from '../operations/idempotency.js';

/** A request to an operation that changes something. */
export interface Change {
  /** Id of the request. */
  readonly request: string;
  readonly operation: string;
  readonly takesKey: boolean;
  /** The Idempotency-Key as it was sent. */
  readonly key: string | undefined;
  readonly path: string;
  readonly body: unknown;
  /** When it came, in real milliseconds since any moment. */
  readonly startedAt: number;
}

interface Entry extends LostAnswer {
  /** When its answer was lost, in the same milliseconds. */
  readonly at: number;
}

/** How many are remembered, and how many of them are held against every request. */
const maxRemembered = 1_000;
const maxWatched = 100;

/** The requests whose answers were lost, and what their clients have done then. */
export class LostAnswers {
  #all: Entry[] = [];
  /** Those that nothing was done about, oldest first. */
  #open: Entry[] = [];
  #lost = 0;

  get lost(): number {
    return this.#lost;
  }

  /** Oldest first. */
  get all(): readonly LostAnswer[] {
    return this.#all;
  }

  /** Whether there are any that a request may be the retry of; if not, requests need not be shown. */
  get isWaiting(): boolean {
    return this.#open.length > 0;
  }

  /** @param how in the words of the effects @returns takes it back: the answer has arrived after all */
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

  /** Decides what has become of those that a later request is the retry of. */
  retried(change: Change): void {
    const later = identityOf(change);
    for (const entry of this.#open) {
      const outcome = entry.at <= change.startedAt ? retryOutcome(entry, later) : undefined;
      if (outcome) Object.assign(entry, { outcome, retry: later.request });
    }
    this.#open = this.#open.filter(({ outcome }) => outcome === 'none');
  }

  /** Some records were read. @param isOf whether they are those that an operation changes */
  lookedUp(startedAt: number, isOf: (operation: string) => boolean): void {
    for (const entry of this.#open) if (entry.at <= startedAt && isOf(entry.operation)) entry.isLookedUp = true;
  }
}

function identityOf({ request, operation, takesKey, key, path, body }: Change) {
  return {
    request,
    operation,
    takesKey,
    // Enough to tell the keys of a test run apart, and too little to guess one from.
    key: key === undefined ? null : hash('sha256', key).slice(0, 12),
    fingerprint: fingerprintOf({ path, body }),
  };
}

import { transitionName } from '../../domain/coverage.js';
import { isForged } from '../../domain/faults.js';
import type { Attempt } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { components } from '../../generated/control-validated-types.js';
import type { AccountState } from '../state/account-state.js';
import type { RowChanges } from '../state/changes.js';
import type { CommitObserver, ObservedCommit } from '../state/commit-observer.js';
import { Counter } from './counter.js';

type AcceptedForgery = components['schemas']['AcceptedForgery'];

/** Maximum number of accepted forgeries to remember. */
const maxAcceptedForgeries = 1_000;

/** Counts transitions of deposits, events, and responses of the webhook receiver. */
export class CoverageCounters implements CommitObserver {
  /** Transitions of deposits. */
  readonly transitions = new Counter();
  /** All events, and those that were not sent because no webhook URL was set. */
  readonly emitted = new Counter();
  readonly unsent = new Counter();
  /** Attempts that the receiver accepted or refused, by event; without forged messages. */
  readonly delivered = new Counter();
  readonly refused = new Counter();
  /** Attempts with forged messages, by outcome. */
  readonly forged = new Counter();
  /** Fault effects on webhooks. */
  readonly effects = new Counter();
  #accepted: AcceptedForgery[] = [];

  /** Forged messages that the receiver accepted: the last ones, oldest first. */
  get accepted(): readonly AcceptedForgery[] {
    return this.#accepted;
  }

  /**
   * Counts the effects of rows before they are applied to the account.
   * @returns how to undo the count; undefined if there is nothing to count
   */
  observe(changes: RowChanges, account: AccountState): ObservedCommit | undefined {
    if (!changes.deposits && !changes.deliveries && !changes.attempts) return undefined;
    const counted: [Counter, string][] = [];
    for (const { id, history } of changes.deposits ?? []) {
      const countedSteps = account.deposits.get(id)?.history.length ?? 0;
      for (const step of history.slice(countedSteps)) counted.push([this.transitions, transitionName(step)]);
    }
    for (const { event, url } of changes.deliveries ?? []) {
      counted.push([this.emitted, event]);
      if (url === null) counted.push([this.unsent, event]);
    }
    const attempts = changes.attempts?.map((attempt) => this.#countAttempt(attempt, account, counted)) ?? [];
    for (const [counter, name] of counted) counter.add(name);
    const accepted = attempts.flatMap((forgery) => forgery ?? []);
    if (accepted.length > 0) this.#accepted = [...this.#accepted, ...accepted].slice(-maxAcceptedForgeries);
    return {
      undo: () => {
        for (const [counter, name] of counted) counter.add(name, -1);
        this.#accepted = this.#accepted.filter((forgery) => !accepted.includes(forgery));
      },
    };
  }

  /** @returns the forged message that the receiver accepted, if any */
  #countAttempt(attempt: Attempt, account: AccountState, counted: [Counter, string][]): AcceptedForgery | undefined {
    const { delivery_id: delivery, number, status, at, headers, done = [] } = attempt;
    for (const effect of done) counted.push([this.effects, effect]);
    const event = account.deliveries.get(delivery)?.event;
    // No headers: a fault supplied the response or lost the message, so that the receiver never got it.
    const isSent = Object.keys(headers).length > 0;
    if (!event || !isSent) return undefined;
    const isAccepted = isDelivered(status);
    if (!isForged(done)) {
      counted.push([isAccepted ? this.delivered : this.refused, event]);
      return undefined;
    }
    counted.push([this.forged, isAccepted ? 'accepted' : 'refused']);
    if (!isAccepted || status === null) return undefined;
    return { delivery, attempt: number, event, how: done.join(' '), status, at };
  }
}

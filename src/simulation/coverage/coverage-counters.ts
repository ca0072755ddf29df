import { stepName } from '../../domain/coverage.js';
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

/** Counts transitions, events, and responses of the receiver. */
export class CoverageCounters implements CommitObserver {
  /** Transitions of deposits. */
  readonly steps = new Counter();
  /** Events, and those without a webhook URL. */
  readonly emitted = new Counter();
  readonly unsent = new Counter();
  /** Attempts by event. */
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
   * @returns undoes the count; undefined if there is nothing to count
   */
  observe(changes: RowChanges, account: AccountState): ObservedCommit | undefined {
    if (!changes.deposits && !changes.deliveries && !changes.attempts) return undefined;
    const counted: [Counter, string][] = [];
    for (const { id, history } of changes.deposits ?? []) {
      const known = account.deposits.get(id)?.history.length ?? 0;
      for (const step of history.slice(known)) counted.push([this.steps, stepName(step)]);
    }
    for (const { event, url } of changes.deliveries ?? []) {
      counted.push([this.emitted, event]);
      if (url === null) counted.push([this.unsent, event]);
    }
    const attempts = changes.attempts?.map((attempt) => this.#seeAttempt(attempt, account, counted)) ?? [];
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
  #seeAttempt(attempt: Attempt, account: AccountState, counted: [Counter, string][]): AcceptedForgery | undefined {
    const { delivery_id: delivery, number, status, at, headers, done = [] } = attempt;
    for (const effect of done) counted.push([this.effects, effect]);
    const event = account.deliveries.get(delivery)?.event;
    // If a fault answered, or the message was lost, the receiver was not involved.
    const isSent = Object.keys(headers).length > 0;
    if (!event || !isSent) return undefined;
    const isTaken = isDelivered(status);
    if (!isForged(done)) {
      counted.push([isTaken ? this.delivered : this.refused, event]);
      return undefined;
    }
    counted.push([this.forged, isTaken ? 'accepted' : 'refused']);
    if (!isTaken || status === null) return undefined;
    return { delivery, attempt: number, event, how: done.join(' '), status, at };
  }
}

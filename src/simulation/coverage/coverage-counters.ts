import { transitionName } from '../../domain/coverage.js';
import { isForged } from '../../domain/faults.js';
import type { Attempt } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { components } from '../../generated/control-validated-types.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';
import type { CommitObserver, ObservedCommit } from '../state/commit-observer.js';
import { Counter } from './counter.js';

type AcceptedForgery = components['schemas']['AcceptedForgery'];

/** Maximum number of accepted forgeries to remember. */
const maxAcceptedForgeries = 1_000;

/** Counts transitions of deposits, events, and responses of the webhook receiver. */
export class CoverageCounters implements CommitObserver {
  /** Transitions of deposits, by name of the transition. */
  readonly transitions = new Counter();
  /** All events, by name. */
  readonly emitted = new Counter();
  /** Events that were not sent because no webhook URL was set, by name. */
  readonly unsent = new Counter();
  /** Attempts that the receiver accepted, by event; without forged messages. */
  readonly delivered = new Counter();
  /** Attempts that the receiver refused, by event; without forged messages. */
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
   * @returns how to undo the count; undefined if there is nothing to count
   */
  observe(changes: RowsByTable, account: AccountState): ObservedCommit | undefined {
    if (!changes.deposits && !changes.deliveries && !changes.attempts) return undefined;
    const counted: [Counter, string][] = [];
    for (const { id, history } of changes.deposits ?? []) {
      const knownLength = account.deposits.get(id)?.history.length ?? 0;
      for (const step of history.slice(knownLength)) counted.push([this.transitions, transitionName(step)]);
    }
    for (const { event, url } of changes.deliveries ?? []) {
      counted.push([this.emitted, event]);
      if (url === null) counted.push([this.unsent, event]);
    }
    const accepted = (changes.attempts ?? []).flatMap((attempt) => this.#addCounts(attempt, account, counted) ?? []);
    for (const [counter, name] of counted) counter.add(name);
    if (accepted.length > 0)
      this.#acceptedForgeries = [...this.#acceptedForgeries, ...accepted].slice(-maxAcceptedForgeries);
    return {
      undo: () => {
        for (const [counter, name] of counted) counter.add(name, -1);
        this.#acceptedForgeries = this.#acceptedForgeries.filter((forgery) => !accepted.includes(forgery));
      },
    };
  }

  /**
   * Adds the counts of an attempt to `counted`.
   * @returns the forged message, if the receiver accepted one
   */
  #addCounts(attempt: Attempt, account: AccountState, counted: [Counter, string][]): AcceptedForgery | undefined {
    const { delivery_id: delivery, number, status, at, headers, done: appliedFaults = [] } = attempt;
    for (const effect of appliedFaults) counted.push([this.effects, effect]);
    const event = account.deliveries.get(delivery)?.event;
    // Without headers, the receiver never got the message: a fault supplied the response or lost the message.
    const isSent = Object.keys(headers).length > 0;
    if (!event || !isSent) return undefined;
    const isAccepted = isDelivered(status);
    if (!isForged(appliedFaults)) {
      counted.push([isAccepted ? this.delivered : this.refused, event]);
      return undefined;
    }
    counted.push([this.forged, isAccepted ? 'accepted' : 'refused']);
    if (!isAccepted || status === null) return undefined;
    return { delivery, attempt: number, event, how: appliedFaults.join(' '), status, at };
  }
}

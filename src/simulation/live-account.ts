import type { AgendaItem } from '../domain/agenda-item.js';
import type { Step } from '../domain/receipt.js';
import type { Delivery, Mail } from '../domain/records.js';
import type { WritableAccount } from './transaction.js';

/** An account in operation, as its schedule and its deliveries see it. */
export interface LiveAccount extends WritableAccount {
  /** Whether nothing waits to be sent and nothing is being sent. */
  readonly isIdle: boolean;
  /** Ids of what waits to be sent or is being sent. */
  readonly unsettled: string[];
  plan(item: AgendaItem): void;
  /** Sends a webhook message as soon as its turn comes. */
  enqueueDelivery(delivery: Delivery): void;
  /** Hands a mail to the SMTP server as soon as its turn comes. */
  enqueueMail(mail: Mail): void;
  /** Settles once everything in memory is stored. @throws ServiceError not-stored */
  stored(): Promise<void>;
  /** Settles once everything in memory is stored, or what could not be stored is undone. */
  whenStoredOrUndone(): Promise<void>;
  /** Settles once nothing waits to be sent and nothing is being sent. */
  whenIdle(): Promise<void>;
  /** Calls back with every step from now on, until the returned function is called. */
  watch(watcher: (step: Step) => void): () => void;
}

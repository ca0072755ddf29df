import type { Step } from '../domain/advance-report.js';
import type { AgendaItem } from '../domain/agenda-item.js';
import type { Delivery, Mail } from '../domain/records.js';
import type { ActivityLog } from './activity/activity-log.js';
import type { WritableAccount } from './transaction.js';

/** An account in operation: the interface that its schedule and deliveries use. */
export interface LiveAccount extends WritableAccount {
  readonly activity: ActivityLog;
  /** True while nothing is queued or in flight. */
  readonly isIdle: boolean;
  /** Like `isIdle`, but only for webhooks. */
  readonly areWebhooksIdle: boolean;
  /** Names of what is queued or in flight: ids of deliveries, and `email 3` for an email. */
  readonly inProgress: string[];
  /** Adds an item to the agenda. */
  plan(item: AgendaItem): void;
  /** Queues a webhook message. */
  enqueueDelivery(delivery: Delivery): void;
  /** Queues an email. */
  enqueueMail(mail: Mail): void;
  /** Resolves once everything in memory is stored. @throws ServiceError not-stored */
  whenStored(): Promise<void>;
  /** Calls `undo` if the changes that are not stored yet cannot be stored; see `PendingCommits.undoIfNotStored`. */
  undoIfNotStored(undo: () => void): void;
  /**
   * Resolves once everything in memory is stored, or undone after a storage failure, and the pause after the last
   * failure is over.
   */
  whenReadyToSend(): Promise<void>;
  /** Resolves once nothing is queued or in flight. */
  whenIdle(): Promise<void>;
  /** Like `whenIdle`, but only for webhooks. */
  whenWebhooksIdle(): Promise<void>;
  /** Calls back once when the account is closed, unless the returned function is called first. */
  onClose(callback: () => void): () => void;
  /** Calls back with every change that an advance report would list, until the returned function is called. */
  watch(watcher: (step: Step) => void): () => void;
}

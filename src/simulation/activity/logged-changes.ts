import type { Activity, ActivityDetail, RecordReference } from '../../domain/activity.js';
import type { Step } from '../../domain/advance-report.js';
import type { Delivery, StatusChange, Subject } from '../../domain/records.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';

/**
 * A change as the log stores it; readers get one or more entries for it. The entries of a row are computed when the log
 * is read: computing them earlier would slow down every request that writes, and most are never read.
 */
export type LoggedChange = LoggedDetail | LoggedRecord | LoggedEvent;

interface Logged {
  /** Sequence number of the first of its entries; 0 until the log sets it. */
  sequence: number;
  /** Empty until the log sets it. */
  correlation: string;
}

/** An entry that is stored in its final form. */
export interface LoggedDetail extends Logged {
  readonly table: undefined;
  readonly detail: ActivityDetail;
}

/** A record that a commit creates or changes. */
interface LoggedRecord extends Logged {
  readonly table: RecordTable;
  readonly row: RecordRow;
  /** Number of entries that its history had before the commit; undefined for a new record. */
  readonly previousHistoryLength: number | undefined;
  /** Time of the commit. */
  readonly at: string;
}

/** An event that a commit emits. */
interface LoggedEvent extends Logged {
  readonly table: 'deliveries';
  readonly row: Delivery;
  /** Always undefined: events have the same fields as records, so that V8 gives both one hidden class. */
  readonly previousHistoryLength: undefined;
  readonly at: string;
}

interface RecordRow {
  readonly id: number | string;
  /** Customers and payment links have none. */
  readonly history?: readonly StatusChange<string>[];
}

/** Tables of records whose changes are logged, with the resource that each contains. */
const resourcesByTable = {
  customers: 'customer',
  invoices: 'invoice',
  payment_links: 'payment_link',
  payments: 'payment',
  deposits: 'deposit',
} as const satisfies Partial<Record<keyof RowsByTable, RecordReference['resource']>>;

type RecordTable = keyof typeof resourcesByTable;

/**
 * Lists what a commit changes: the records that it creates, then those whose history it extends, then events, attempts,
 * emails and scenario runs. Call it before the commit is applied to the account.
 */
export function loggedChangesOf(changes: RowsByTable, account: AccountState, at: string): LoggedChange[] {
  const created: LoggedChange[] = [];
  const changed: LoggedChange[] = [];
  const { customers, invoices, payment_links, payments, deposits, deliveries = [] } = changes;
  if (customers) addRecords(created, changed, 'customers', customers, account.customers, at);
  if (invoices) addRecords(created, changed, 'invoices', invoices, account.invoices, at);
  if (payment_links) addRecords(created, changed, 'payment_links', payment_links, account.paymentLinks, at);
  if (payments) addRecords(created, changed, 'payments', payments, account.payments, at);
  if (deposits) addRecords(created, changed, 'deposits', deposits, account.deposits, at);
  const all = changed.length === 0 ? created : [...created, ...changed];
  for (const row of deliveries)
    all.push({ sequence: 0, correlation: '', table: 'deliveries', row, previousHistoryLength: undefined, at });
  if (changes.attempts || changes.mails || changes.runs)
    for (const step of stepsOfAttemptsMailsAndRuns(changes, account, at)) all.push(loggedDetail(step));
  return all;
}

function addRecords(
  created: LoggedChange[],
  changed: LoggedChange[],
  table: RecordTable,
  rows: readonly RecordRow[],
  current: { get(id: number | string): RecordRow | undefined },
  at: string,
): void {
  for (const row of rows) {
    const previous = current.get(row.id);
    const previousHistoryLength = previous && (previous.history?.length ?? 0);
    if (previousHistoryLength === undefined)
      created.push({ sequence: 0, correlation: '', table, row, previousHistoryLength, at });
    else if (row.history && row.history.length > previousHistoryLength)
      changed.push({ sequence: 0, correlation: '', table, row, previousHistoryLength, at });
  }
}

export function loggedDetail(detail: ActivityDetail): LoggedDetail {
  return { sequence: 0, correlation: '', table: undefined, detail };
}

/** Number of entries that readers get for a change. */
export function countEntries(change: LoggedChange): number {
  if (change.table === undefined || change.table === 'deliveries') return 1;
  const { history = [] } = change.row;
  return change.previousHistoryLength === undefined
    ? history.length + 1
    : history.length - change.previousHistoryLength;
}

/**
 * Lists the entries that readers get for a change: for a record, its creation if it is new, and its new transitions.
 */
export function entriesOf(change: LoggedChange): Activity[] {
  const { sequence, correlation } = change;
  return detailsOf(change).map((detail, index) => ({ sequence: sequence + index, correlation, detail }));
}

export function detailsOf(change: LoggedChange): ActivityDetail[] {
  if (change.table === undefined) return [change.detail];
  if (change.table === 'deliveries') return [eventStepOf(change.row)];
  const { table, row, previousHistoryLength, at } = change;
  const { id, history = [] } = row;
  const resource = resourcesByTable[table];
  const details: ActivityDetail[] =
    previousHistoryLength === undefined ? [{ kind: 'created', at, subject: { resource, id } }] : [];
  // Customers and payment links have no history.
  if (resource === 'customer' || resource === 'payment_link') return details;
  for (const entry of history.slice(previousHistoryLength)) details.push(transitionOf({ resource, id }, entry));
  return details;
}

/** Converts the delivery of an event to a step. */
function eventStepOf({ id, event, subject, url, created_at }: Delivery): Step {
  return { at: created_at, kind: 'event', id, event, subject, sent: url !== null };
}

/** Lists the steps of a commit that are attempts, emails or scenario runs. */
function stepsOfAttemptsMailsAndRuns(changes: RowsByTable, account: AccountState, now: string): Step[] {
  const steps: Step[] = [];
  for (const attempt of changes.attempts ?? []) {
    const event = account.deliveries.get(attempt.delivery_id)?.event;
    const { delivery_id, number, status, error, next_attempt_at, applied_faults = [] } = attempt;
    if (event) {
      const result = { number, status, error, next_attempt_at, applied_faults };
      steps.push({ at: attempt.at, kind: 'attempt', event, delivery_id, ...result });
    }
  }
  for (const { id, to, subject, attempts } of changes.mails ?? []) {
    steps.push({ at: now, kind: 'mail', id, to, subject, error: attempts.at(-1)?.error ?? null });
  }
  for (const { id, scenario, subject, status, completed_steps, reason } of changes.runs ?? []) {
    steps.push({ at: now, kind: 'scenario', id, scenario, subject, status, completed_steps, reason });
  }
  return steps;
}

/** Converts an entry of a record's history to a step. */
function transitionOf(subject: Subject, { at, cause, from, to }: StatusChange<string>): Step {
  return { at, kind: 'transition', subject, cause, from, to };
}

/**
 * Key of the event, email or scenario run that a change is about; undefined for other changes. A change without a known
 * cause, such as a later attempt, is stored with this key as its correlation. Readers get the correlation of the event,
 * email or run instead.
 */
export function keyOf(change: LoggedChange): string | undefined {
  if (change.table === 'deliveries') return change.row.id;
  return change.table === undefined ? keyOfDetail(change.detail) : undefined;
}

/** Like `keyOf`, for the detail of an entry. */
export function keyOfDetail(detail: ActivityDetail): string | undefined {
  switch (detail.kind) {
    case 'event':
      return detail.id;
    case 'attempt':
      return detail.delivery_id;
    case 'mail':
      return `mail_${detail.id}`;
    case 'scenario':
      return `run_${detail.id}`;
    default:
      return undefined;
  }
}

import type { AgendaItem, AgendaKind } from '../../domain/agenda-item.js';
import { markOverdue } from '../../domain/invoice-lifecycle.js';
import type { KeyedResponse } from '../../domain/records.js';
import type { LiveAccount } from '../live-account.js';
import { expireDeposit } from '../operations/deposits.js';
import { endPaymentOrMarkFailed } from '../operations/payments.js';
import { runDueSteps } from '../scenarios/scenarios.js';
import type { AccountState } from '../state/account-state.js';
import { type AgendaRows, type DueTimeRule, dueTimes } from '../state/apply-changes.js';

/** Runs an agenda item of one kind when it is due. */
type AgendaHandler<Kind extends AgendaKind> = (account: LiveAccount, row: AgendaRows[Kind]) => void;

const agendaHandlers: { readonly [Kind in AgendaKind]: AgendaHandler<Kind> } = {
  'invoice-falls-due': (account, invoice) =>
    account.transaction((tx) => tx.put({ invoices: [markOverdue(invoice, account.profile, account.now())] })),

  'deposit-expires': (account, { id }) => {
    expireDeposit(account, id);
  },

  'payment-ends': (account, { id, scheduled_end: scheduledEnd }) => {
    // A payment whose invoice can no longer be paid fails instead of succeeding.
    if (scheduledEnd) endPaymentOrMarkFailed(account, id, scheduledEnd.cause);
  },

  'key-forgotten': forgetKey,

  'delivery-attempt': (account, delivery) => account.enqueueDelivery(delivery),

  'mail-attempt': (account, mail) => account.enqueueMail(mail),

  'scenario-step': runDueSteps,
};

/**
 * Forgets an expired Idempotency-Key. Deletes its stored response from memory only: the next checkpoint of the store
 * leaves it out, and if the simulator restarts before that, the response is loaded and then deleted again.
 */
function forgetKey(account: LiveAccount, response: KeyedResponse): void {
  const { id } = response;
  account.keyedResponses.delete(id);
  // If storing the advance of the clock fails, the clock goes back to a time before the key expires, so the response is
  // put back.
  account.undoIfNotStored(() => {
    account.keyedResponses.set(id, response);
    const at = dueTimes['key-forgotten'].dueAt(account, response);
    if (at !== undefined) account.plan({ at, kind: 'key-forgotten', id });
  });
}

/** True if the row of an item still exists and is still due at the item's time. */
export function isCurrent(state: AccountState, item: AgendaItem): boolean {
  return currentRow(item.kind, state, item) !== undefined;
}

/** Runs an item, unless its row no longer exists or is due at another time. */
export function runItem(account: LiveAccount, item: AgendaItem): void {
  runItemOfKind(item.kind, account, item);
}

/** Generic in `kind`, so that TypeScript knows that the handler accepts the row. */
function runItemOfKind<Kind extends AgendaKind>(kind: Kind, account: LiveAccount, item: AgendaItem): void {
  const run: AgendaHandler<Kind> = agendaHandlers[kind];
  const row = currentRow(kind, account, item);
  if (row !== undefined) run(account, row);
}

/** Returns the row of an item; undefined if it no longer exists or is due at another time. */
function currentRow<Kind extends AgendaKind>(
  kind: Kind,
  state: AccountState,
  { id, at }: AgendaItem,
): AgendaRows[Kind] | undefined {
  const { rowsOf, dueAt }: DueTimeRule<AgendaRows[Kind]> = dueTimes[kind];
  const row = rowsOf(state).get(id);
  return row !== undefined && dueAt(state, row) === at ? row : undefined;
}

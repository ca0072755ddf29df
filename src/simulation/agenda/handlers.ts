import { expiresAt } from '../../domain/deposit-lifecycle.js';
import { fallDue, fallsDueAt, isUnpaid } from '../../domain/invoice-lifecycle.js';
import { isUnderWay } from '../../domain/payment-lifecycle.js';
import type { Delivery, Deposit, Invoice, Mail, Payment, Replay } from '../../domain/records.js';
import type { Run } from '../../domain/scenario.js';
import type { Account } from '../account.js';
import { dueAt } from '../delivery/attempts.js';
import { expireDeposit } from '../operations/deposits.js';
import { finishPayment } from '../operations/payments.js';
import { playNextStep } from '../scenarios/scenarios.js';
import type { Due, DueKind } from './agenda.js';

/** One kind of thing that falls due by itself. */
interface Kind<Row> {
  find(account: Account, id: Due['id']): Row | undefined;
  /** When it is due of this row, in milliseconds; undefined if it is not. */
  at(account: Account, row: Row): number | undefined;
  /** Brings it about, at its moment. */
  happen(account: Account, row: Row): void;
}

function define<Row>({ find, at, happen }: Kind<Row>) {
  const standing = (account: Account, due: Due): Row | undefined => {
    const row = find(account, due.id);
    return row !== undefined && at(account, row) === due.at ? row : undefined;
  };
  return {
    at,
    /** Whether an item of the agenda still stands: its row is there, and due when the item says. */
    stands: (account: Account, due: Due): boolean => standing(account, due) !== undefined,
    /** Brings an item about, if it still stands. */
    settle(account: Account, due: Due): void {
      const row = standing(account, due);
      if (row !== undefined) happen(account, row);
    },
  };
}

/** Everything that falls due, by what it is called on the agenda. */
export const dues = {
  'invoice-falls-due': define<Invoice>({
    find: (account, id) => account.invoices.get(id),
    at: (account, invoice) =>
      isUnpaid(invoice) && !invoice.past_due
        ? fallsDueAt(invoice, account.profile, account.record.time_zone)
        : undefined,
    happen: (account, invoice) => {
      account.commit({ invoices: [fallDue(invoice, account.profile, account.now())] });
    },
  }),

  'deposit-expires': define<Deposit>({
    find: (account, id) => account.deposits.get(id),
    at: (account, deposit) => expiresAt(deposit, account.profile),
    happen: (account, { id }) => {
      expireDeposit(account, id);
    },
  }),

  'payment-ends': define<Payment>({
    find: (account, id) => account.payments.get(id),
    at: (_account, { status, ends }) => (ends && isUnderWay(status) ? Date.parse(ends.at) : undefined),
    happen: (account, { id, ends }) => {
      if (ends) finishPayment(account, id, ends.cause);
    },
  }),

  'key-forgotten': define<Replay>({
    find: (account, id) => account.replays.get(String(id)),
    at: (account, replay) => {
      const retention = account.profile['deposit.key-retention'];
      if (retention === 'forever') return undefined;
      return Date.parse(replay.created_at) + (retention === 'day' ? 86_400_000 : retention.after);
    },
    // No commit: that a key is forgotten follows from its time, and the next snapshot leaves it out.
    happen: (account, { id }) => {
      account.replays.delete(id);
    },
  }),

  'delivery-attempt': define<Delivery>({
    find: (account, id) => account.deliveries.get(id),
    at: (account, delivery) => {
      const at = dueAt(account, delivery);
      return at === null ? undefined : Date.parse(at);
    },
    happen: (account, delivery) => account.post(delivery),
  }),

  'mail-attempt': define<Mail>({
    find: (account, id) => account.mails.get(id),
    at: (_account, { next_at }) => (next_at === null ? undefined : Date.parse(next_at)),
    happen: (account, mail) => account.handOver(mail),
  }),

  'scenario-step': define<Run>({
    find: (account, id) => account.runs.get(id),
    at: (_account, { due_at }) => (due_at === null ? undefined : Date.parse(due_at)),
    happen: playNextStep,
  }),
} satisfies Record<DueKind, unknown>;

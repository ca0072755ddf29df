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
import type { AgendaItem, AgendaKind } from './agenda.js';

/** One kind of thing that falls due by itself. */
interface AgendaHandler<Row> {
  find(account: Account, id: AgendaItem['id']): Row | undefined;
  /** When it is due of this row, in milliseconds; undefined if it is not. */
  dueAt(account: Account, row: Row): number | undefined;
  /** Brings it about, at its moment. */
  run(account: Account, row: Row): void;
}

function define<Row>({ find, dueAt, run }: AgendaHandler<Row>) {
  const current = (account: Account, item: AgendaItem): Row | undefined => {
    const row = find(account, item.id);
    return row !== undefined && dueAt(account, row) === item.at ? row : undefined;
  };
  return {
    dueAt,
    /** Whether the row of an item exists and is due when the item says. */
    isCurrent: (account: Account, item: AgendaItem): boolean => current(account, item) !== undefined,
    /** Runs an item that is current, and drops any other. */
    run(account: Account, item: AgendaItem): void {
      const row = current(account, item);
      if (row !== undefined) run(account, row);
    },
  };
}

/** Everything that falls due, by what it is called on the agenda. */
export const agendaHandlers = {
  'invoice-falls-due': define<Invoice>({
    find: (account, id) => account.invoices.get(id),
    dueAt: (account, invoice) =>
      isUnpaid(invoice) && !invoice.past_due
        ? fallsDueAt(invoice, account.profile, account.record.time_zone)
        : undefined,
    run: (account, invoice) => {
      account.commit({ invoices: [fallDue(invoice, account.profile, account.now())] });
    },
  }),

  'deposit-expires': define<Deposit>({
    find: (account, id) => account.deposits.get(id),
    dueAt: (account, deposit) => expiresAt(deposit, account.profile),
    run: (account, { id }) => {
      expireDeposit(account, id);
    },
  }),

  'payment-ends': define<Payment>({
    find: (account, id) => account.payments.get(id),
    dueAt: (_account, { status, ends }) => (ends && isUnderWay(status) ? Date.parse(ends.at) : undefined),
    run: (account, { id, ends }) => {
      if (ends) finishPayment(account, id, ends.cause);
    },
  }),

  'key-forgotten': define<Replay>({
    find: (account, id) => account.replays.get(String(id)),
    dueAt: (account, replay) => {
      const retention = account.profile['deposit.key-retention'];
      if (retention === 'forever') return undefined;
      return Date.parse(replay.created_at) + (retention === 'day' ? 86_400_000 : retention.after);
    },
    // No commit: that a key is forgotten follows from its time, and the next snapshot leaves it out.
    run: (account, { id }) => {
      account.replays.delete(id);
    },
  }),

  'delivery-attempt': define<Delivery>({
    find: (account, id) => account.deliveries.get(id),
    dueAt: (account, delivery) => {
      const at = dueAt(account, delivery);
      return at === null ? undefined : Date.parse(at);
    },
    run: (account, delivery) => account.post(delivery),
  }),

  'mail-attempt': define<Mail>({
    find: (account, id) => account.mails.get(id),
    dueAt: (_account, { next_at }) => (next_at === null ? undefined : Date.parse(next_at)),
    run: (account, mail) => account.handOver(mail),
  }),

  'scenario-step': define<Run>({
    find: (account, id) => account.runs.get(id),
    dueAt: (_account, { due_at }) => (due_at === null ? undefined : Date.parse(due_at)),
    run: playNextStep,
  }),
} satisfies Record<AgendaKind, unknown>;

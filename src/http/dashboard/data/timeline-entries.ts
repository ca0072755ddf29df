import { formatInstant } from '../../../domain/dates.js';
import type {
  Deposit,
  DepositStatus,
  Invoice,
  Payment,
  PaymentLink,
  StatusChange,
  Subject,
} from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { mailStatus } from '../../../simulation/delivery/mails.js';
import { deliveryDueAt, dueTimes } from '../../../simulation/state/apply-changes.js';
import { moneyIn } from '../../../text/format-money.js';
import { formatAttempt, isProblematicAttempt } from '../../../text/step-text.js';
import { sectionPath } from '../components/sections.js';
import { statusText, variantOf } from '../components/status.js';
import type { TimelineEntry } from '../components/timeline.js';

/** Past and planned events of a deposit, earliest first. */
export function depositEntries(account: Account, deposit: Deposit): TimelineEntry[] {
  const subject = { resource: 'deposit', id: deposit.id } as const;
  return sortByTime([
    ...statusEntries({ ...deposit, history: historyOf(deposit) }),
    ...webhookEntries(account, [subject]),
    ...scenarioEntries(account, subject),
    ...plannedEntries('expires', dueTimes['deposit-expires'].dueAt(account, deposit)),
  ]);
}

/**
 * The history of a deposit. A deposit of a seed has no history from before it was loaded, so those changes of status
 * are reconstructed from its timestamps.
 */
function historyOf(deposit: Deposit): readonly StatusChange<DepositStatus>[] {
  const { history, captures, authorized_at, released_at, expires_at } = deposit;
  const [first] = history;
  const seededStatus = first?.from ?? deposit.status;
  if (authorized_at === null || seededStatus === 'pending') return history;
  const seededCaptures = captures.filter(({ at }) => first === undefined || at < first.at);
  const changes: Omit<StatusChange<DepositStatus>, 'from'>[] = [
    { at: authorized_at, to: 'authorized', cause: 'authorize' },
    ...seededCaptures.map(({ at }, index) => {
      const isLast = index === seededCaptures.length - 1;
      const to = isLast && seededStatus === 'captured' ? 'captured' : 'partially_captured';
      return { at, to, cause: 'capture' } as const;
    }),
  ];
  if (seededStatus === 'released' && released_at) changes.push({ at: released_at, to: 'released', cause: 'release' });
  if (seededStatus === 'expired' && expires_at) changes.push({ at: expires_at, to: 'expired', cause: 'expire' });
  return [...changes.map((change, index) => ({ ...change, from: changes[index - 1]?.to ?? 'pending' })), ...history];
}

/** Past and planned events of a payment, earliest first. */
export function paymentEntries(account: Account, payment: Payment): TimelineEntry[] {
  return sortByTime([...statusEntries(payment), ...webhookEntries(account, [{ resource: 'payment', id: payment.id }])]);
}

/** Past and planned events of an invoice and its payments, earliest first. */
export function invoiceEntries(account: Account, invoice: Invoice): TimelineEntry[] {
  return sortByTime([
    ...statusEntries(invoice),
    ...relatedPaymentEntries(account, account.paymentsOfInvoice.all(invoice.id)),
    ...mailEntries(account, invoice),
    ...scenarioEntries(account, { resource: 'invoice', id: invoice.id }),
    ...plannedEntries('becomes overdue', dueTimes['invoice-falls-due'].dueAt(account, invoice)),
  ]);
}

/**
 * Past and planned events of a payment link, earliest first.
 * @param payments the latest payments of the link
 */
export function linkEntries(account: Account, link: PaymentLink, payments: readonly Payment[]): TimelineEntry[] {
  return sortByTime([
    ...linkStateEntries(account, link, payments),
    ...relatedPaymentEntries(account, payments),
    ...scenarioEntries(account, { resource: 'payment_link', id: link.id }),
  ]);
}

/** The creation of a link and, if a payment has deactivated it (gap link.deactivation), the deactivation. */
function linkStateEntries(account: Account, link: PaymentLink, payments: readonly Payment[]): TimelineEntry[] {
  const { created_at, is_active } = link;
  const deactivatedAt = is_active ? undefined : deactivationTime(account, payments);
  const state = is_active || deactivatedAt !== undefined ? 'active' : 'inactive';
  const common = { lane: 'State', variant: 'plain' } as const;
  return [
    { ...common, at: created_at, text: `created as ${state}`, state },
    ...(deactivatedAt === undefined
      ? []
      : [{ ...common, at: deactivatedAt, text: 'active → inactive (payment)', state: 'inactive' }]),
  ];
}

/**
 * The time at which a payment has deactivated its link: none was created later, except in a seed, where the first
 * successful one counts. Undefined if no payment has deactivated the link: the seed contains it as inactive.
 */
function deactivationTime({ profile }: Account, payments: readonly Payment[]): string | undefined {
  if (profile['link.deactivation'] !== 'after-payment') return undefined;
  const paidTimes = payments.flatMap(({ paid_at }) => paid_at ?? []).sort();
  return paidTimes.find((time) => payments.every(({ created_at }) => created_at <= time)) ?? paidTimes[0];
}

function sortByTime(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return [...entries].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function statusEntries<Status extends string>(record: {
  readonly created_at: string;
  readonly status: Status;
  readonly history: readonly StatusChange<Status>[];
}): TimelineEntry[] {
  const initialStatus = record.history[0]?.from ?? record.status;
  return [
    {
      at: record.created_at,
      lane: 'State',
      variant: variantOf(initialStatus),
      text: `created as ${initialStatus}`,
      state: initialStatus,
    },
    ...record.history.map(({ at, from, to, cause }) => {
      return { at, lane: 'State', variant: variantOf(to), text: `${from} → ${to} (${cause})`, state: to } as const;
    }),
  ];
}

function plannedEntries(text: string, at: number | undefined): TimelineEntry[] {
  return at === undefined ? [] : [{ at: formatInstant(at), lane: 'State', variant: 'planned', text }];
}

/** An entry for each payment, with its current status, and the entries of the webhooks about the payments. */
function relatedPaymentEntries(account: Account, rows: readonly Payment[]): TimelineEntry[] {
  const paymentEvents = rows.map(({ id, status, amount, currency, history, created_at }): TimelineEntry => {
    const text = `payment ${id} of ${moneyIn(currency)(amount)}: ${status}`;
    const at = history.at(-1)?.at ?? created_at;
    return { at, lane: 'Payments', variant: variantOf(status), text, href: sectionPath(account.id, 'payments', id) };
  });
  const subjects = rows.map(({ id }) => ({ resource: 'payment', id }) as const);
  return [...paymentEvents, ...webhookEntries(account, subjects)];
}

/** The webhooks about some records: an entry for each attempt with its outcome, and one for the next attempt. */
function webhookEntries(account: Account, subjects: readonly Subject[]): TimelineEntry[] {
  const subjectKeys = new Set(subjects.map(keyOf));
  const deliveries =
    subjectKeys.size === 0 ? [] : account.deliveries.rows.filter(({ subject }) => subjectKeys.has(keyOf(subject)));
  return deliveries.flatMap((delivery): TimelineEntry[] => {
    const { id, event, url, created_at } = delivery;
    const common = { lane: 'Webhooks', href: sectionPath(account.id, 'webhooks', id) } as const;
    if (url === null && !account.attemptsOfDelivery.has(id)) {
      return [{ ...common, at: created_at, variant: 'plain', text: `${event}, not sent: no webhook URL was set` }];
    }
    const next = deliveryDueAt(account, delivery);
    return [
      ...account.attemptsOfDelivery.all(id).map((attempt): TimelineEntry => {
        const variant = isProblematicAttempt(attempt) ? 'bad' : 'good';
        const text = `${event} → ${formatAttempt(attempt)}`;
        return { ...common, at: attempt.at, variant, text };
      }),
      ...(next === null ? [] : [{ ...common, at: next, variant: 'planned', text: `${event} will be sent` } as const]),
    ];
  });
}

function mailEntries(account: Account, invoice: Invoice): TimelineEntry[] {
  return account.mails.rows
    .filter(({ invoice_id }) => invoice_id === invoice.id)
    .map((mail) => {
      const status = mailStatus(account, mail);
      const text = `${mail.subject}, to ${mail.to}: ${statusText(status, 'mail')}`;
      const href = sectionPath(account.id, 'mails', mail.id);
      return { at: mail.created_at, lane: 'Emails', variant: variantOf(status, 'mail'), text, href };
    });
}

function scenarioEntries(account: Account, subject: Subject): TimelineEntry[] {
  const runs = account.runs.rows.filter((run) => keyOf(run.subject) === keyOf(subject));
  return runs.flatMap(({ scenario, due_at }) =>
    due_at === null
      ? []
      : [{ at: due_at, lane: 'State', variant: 'planned', text: `next step of scenario ${scenario}` } as const],
  );
}

function keyOf({ resource, id }: Subject): string {
  return `${resource} ${id}`;
}

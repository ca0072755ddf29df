import { html, type SafeHtml } from '@remix-run/html-template';
import { type DepositCause, depositLifecycle, remainingAmount } from '../../../domain/deposit-lifecycle.js';
import { allowedCauses } from '../../../domain/lifecycle.js';
import { type Deposit, depositStatuses } from '../../../domain/records.js';
import type { Profile } from '../../../openapi/gaps.js';
import { moneyIn, moneyInAnyCurrency, typedAmount } from '../../../text/format-money.js';
import { actionForm, advanceForm } from '../components/action-form.js';
import type { RelatedActivity } from '../components/chains.js';
import { addressOf, type DashboardLocation, dashboardPage } from '../components/dashboard.js';
import { lifecycle } from '../components/lifecycle.js';
import { type ListPage, list, table } from '../components/list.js';
import { collapsibleForm, newDepositForm } from '../components/new-records.js';
import { recordPage } from '../components/record.js';
import { nameOrElse } from '../components/record-link.js';
import { statusBadge } from '../components/status.js';
import type { TimelineEntry } from '../components/timeline.js';
import { relativeTime, timestamp } from '../components/timestamp.js';

/** The list of deposits. @param curl a command that creates one */
export function depositsPage(
  location: DashboardLocation,
  results: ListPage<Deposit>,
  { currency, curl }: { readonly currency: string; readonly curl: string },
): string {
  const money = moneyInAnyCurrency();
  const nextNumber = results.total + 1;
  return dashboardPage(
    location,
    'Deposits',
    html`${collapsibleForm(location, 'createDeposit', { label: 'New deposit', isOpen: results.total === 0, content: newDepositForm(location, currency, nextNumber) })}
${list(location, {
  ...results,
  noun: 'deposits',
  searchPlaceholder: 'id, booking reference, guest',
  statuses: depositStatuses,
  empty: html`<p>No deposits yet. Create one above, or through the API:</p><pre>${curl}</pre>`,
  columns: [
    {
      label: 'Booking',
      sort: 'booking_reference',
      show: (row) =>
        html`<a href="${addressOf(location.account, 'deposits', row.id)}">${nameOrElse(row.booking_reference, `deposit ${row.id}`)}</a>`,
    },
    { label: 'Id', sort: 'id', show: ({ id }) => id },
    { label: 'Guest', sort: 'guest', show: ({ customer }) => customer?.name ?? customer?.email ?? '' },
    { label: 'Status', sort: 'status', show: ({ status }) => statusBadge(status) },
    { label: 'Amount', sort: 'amount', isNumeric: true, show: (deposit) => money(deposit.amount, deposit.currency) },
    {
      label: 'Captured',
      sort: 'captured_amount',
      isNumeric: true,
      show: (deposit) => (deposit.captured_amount === 0 ? '' : money(deposit.captured_amount, deposit.currency)),
    },
    { label: 'Created', sort: 'created_at', show: ({ created_at }) => relativeTime(created_at, location.status.now) },
  ],
})}`,
  );
}

/** The data that the page of a deposit shows besides the deposit. */
interface DepositContext {
  readonly profile: Profile;
  readonly entries: readonly TimelineEntry[];
  readonly related: RelatedActivity;
  /** The page where the guest authorizes the deposit. */
  readonly authorizationUrl: string;
}

/** The page of a deposit. */
export function depositPage(
  location: DashboardLocation,
  deposit: Deposit,
  { profile, entries, related, authorizationUrl }: DepositContext,
): string {
  const { id, status, history, captures, customer, metadata } = deposit;
  const money = moneyIn(deposit.currency);
  return recordPage(location, {
    noun: 'deposit',
    title: `Deposit ${nameOrElse(deposit.booking_reference, String(id))}`,
    status,
    summary: html`${money(deposit.amount)}${deposit.captured_amount > 0 ? html`, of which ${money(deposit.captured_amount)} captured` : ''}`,
    actions: depositActions(location, deposit, profile),
    entries,
    related,
    moreSections: [
      lifecycle({ noun: 'deposit', transitions: depositLifecycle, profile, status, history }),
      captures.length === 0
        ? html``
        : html`<section class="sheet" aria-labelledby="captures"><h2 id="captures">Captures</h2>
${table<(typeof captures)[number]>(
  [
    { label: 'At (UTC)', show: ({ at }) => timestamp(at) },
    { label: 'Amount', isNumeric: true, show: ({ amount }) => money(amount) },
    { label: 'Description', show: ({ description }) => description },
  ],
  captures.slice(-25),
  captures.length > 25 ? 'The last 25 captures' : 'All captures',
)}</section>`,
    ],
    fields: [
      ['Id', id],
      ['Booking reference', deposit.booking_reference],
      ['Status', statusBadge(status)],
      ['Amount', money(deposit.amount)],
      ['Captured', money(deposit.captured_amount)],
      ['Remaining', money(remainingAmount(deposit))],
      ['Guest', customer?.name ?? null],
      ['Email', customer?.email ?? null],
      ['Check-in', deposit.check_in_date],
      ['Check-out', deposit.check_out_date],
      ['Created (UTC)', timestamp(deposit.created_at)],
      ['Authorized (UTC)', deposit.authorized_at && timestamp(deposit.authorized_at)],
      ['Held until (UTC)', deposit.expires_at && timestamp(deposit.expires_at)],
      ['Released (UTC)', deposit.released_at && timestamp(deposit.released_at)],
      ['Authorization page', html`<a href="${authorizationUrl}" hx-boost="false">${authorizationUrl}</a>`],
      ['Metadata', Object.keys(metadata).length === 0 ? null : html`<code>${JSON.stringify(metadata)}</code>`],
    ],
  });
}

/** The button for each action or event that changes the status. */
const buttons: Record<DepositCause, (location: DashboardLocation, deposit: Deposit) => SafeHtml> = {
  authorize: (location, { id }) => actionForm(location, { operation: 'authorizeDeposit', id, label: 'Authorize' }),
  decline: (location, { id }) =>
    actionForm(location, { operation: 'declineDeposit', id, label: 'Decline', isSecondary: true }),
  capture: (location, deposit) => captureForm(location, deposit),
  release: (location, { id }) =>
    actionForm(location, { operation: 'releaseDeposit', id, label: 'Release', isSecondary: true }),
  expire: (location, { id }) =>
    actionForm(location, { operation: 'expireDeposit', id, label: 'Expire now', isSecondary: true }),
};

/** Buttons for the transitions that are possible now and, during a hold, one that advances the clock past its end. */
function depositActions(location: DashboardLocation, deposit: Deposit, profile: Profile): SafeHtml[] {
  const allowed = allowedCauses(depositLifecycle, deposit.status, profile);
  const isHeld = deposit.status === 'authorized' || deposit.status === 'partially_captured';
  return [
    ...(isHeld ? [advanceForm(location, { by: '8d' }, 'Advance 8 days')] : []),
    ...allowed.map((cause) => buttons[cause](location, deposit)),
  ];
}

/** A form that captures an amount. */
function captureForm(location: DashboardLocation, deposit: Deposit): SafeHtml {
  const { id, currency } = deposit;
  const remaining = remainingAmount(deposit);
  return actionForm(location, { operation: 'captureDeposit', id, label: 'Capture', isSecondary: true }, ({ text }) =>
    text({
      name: 'amount:number',
      label: `Amount (${currency})`,
      attributes: html`inputmode="decimal" size="8" placeholder="${typedAmount(remaining, currency)}"`,
      hint: `Leave empty to capture the remaining ${moneyIn(currency)(remaining)}.`,
    }),
  );
}

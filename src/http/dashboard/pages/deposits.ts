import { html, type SafeHtml } from '@remix-run/html-template';
import {
  type DepositCause,
  daysUntilHoldsEnd,
  depositLifecycle,
  remainingAmount,
  shownRemainingAmount,
} from '../../../domain/deposit-lifecycle.js';
import { allowedCauses } from '../../../domain/lifecycle.js';
import { type Deposit, depositStatuses } from '../../../domain/records.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Profile } from '../../../openapi/profile.js';
import type { Account } from '../../../simulation/account.js';
import { getDeposit } from '../../../simulation/operations/deposits.js';
import { formatCount } from '../../../text/format.js';
import { moneyIn, moneyInAnyCurrency, plainAmount } from '../../../text/format-money.js';
import { actionForm, advanceForm } from '../components/action-form.js';
import { type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { exampleDepositCurl } from '../components/example-curl.js';
import { highlightedJson } from '../components/json.js';
import { lifecycle } from '../components/lifecycle.js';
import { createdColumn, list, statusColumn, table } from '../components/list.js';
import { collapsibleForm, newDepositForm } from '../components/new-records.js';
import { recordPage } from '../components/record.js';
import { nameOrElse } from '../components/record-link.js';
import { relatedActivity } from '../components/related-activity.js';
import { sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import { createExportRoutes } from '../data/list-export.js';
import { type ListSource, listPageOf, ownFields } from '../data/list-rows.js';
import { depositEntries } from '../data/timeline-entries.js';
import type { PageHandler, PageRoute } from '../routing/page.js';

export const depositList = (account: Account): ListSource<Deposit> => ({
  rows: account.deposits.rows,
  rowPositionsInTimeOrder: () => account.deposits.rowPositionsInTimeOrder(),
  searchTextsOf: ({ id, booking_reference, customer }) => [
    String(id),
    booking_reference,
    customer?.name ?? null,
    customer?.email ?? null,
  ],
  statusOf: ({ status }) => status,
  exportedFields: {
    ...ownFields('id', 'booking_reference'),
    guest: ({ customer }) => customer?.name ?? null,
    email: ({ customer }) => customer?.email ?? null,
    ...ownFields('status', 'amount', 'captured_amount', 'currency', 'created_at'),
  },
});

/** The list of deposits. */
const showDeposits: PageHandler = ({ account, location, views, query }) => {
  const results = listPageOf(query, depositList(account));
  const { currency } = account.record;
  const curl = exampleDepositCurl(views.baseUrl(), currency);
  const money = moneyInAnyCurrency();
  const depositCount = account.deposits.size;
  return dashboardPage(
    location,
    'Deposits',
    html`${collapsibleForm(location, 'createDeposit', { label: 'New deposit', isOpen: depositCount === 0, content: newDepositForm(location, currency, depositCount + 1) })}
${list(location, {
  ...results,
  noun: 'deposit',
  searchPlaceholder: 'id, booking reference, guest',
  statuses: depositStatuses,
  empty: html`<p>No deposits yet. Create one above, or through the API:</p><pre>${curl}</pre>`,
  columns: [
    {
      label: 'Booking',
      sort: 'booking_reference',
      show: (row) =>
        html`<a href="${sectionPath(location.account, 'deposits', row.id)}">${nameOrElse(row.booking_reference, `deposit ${row.id}`)}</a>`,
    },
    { label: 'Id', sort: 'id', show: ({ id }) => id },
    { label: 'Guest', sort: 'guest', show: ({ customer }) => customer?.name ?? customer?.email ?? '' },
    statusColumn,
    { label: 'Amount', sort: 'amount', isNumeric: true, show: (deposit) => money(deposit.amount, deposit.currency) },
    {
      label: 'Captured',
      sort: 'captured_amount',
      isNumeric: true,
      show: (deposit) => (deposit.captured_amount === 0 ? '' : money(deposit.captured_amount, deposit.currency)),
    },
    createdColumn(location.status.now),
  ],
})}`,
  );
};

/** The page of a deposit. */
const showDeposit: PageHandler = (context) => {
  const { account, location, views } = context;
  const { profile } = account;
  const deposit = getDeposit(account, integerOrText(context.idOrName));
  const authorizationUrl = views.authorizationUrl(account, deposit);
  const guestPageLink = html`<a href="${authorizationUrl}" hx-boost="false">${authorizationUrl}</a>`;
  const { id, status, history, captures, customer, metadata } = deposit;
  const money = moneyIn(deposit.currency);
  return recordPage(location, {
    noun: 'deposit',
    title: `Deposit ${nameOrElse(deposit.booking_reference, String(id))}`,
    status,
    summary: html`${money(deposit.amount)}${deposit.captured_amount > 0 ? html`, of which ${money(deposit.captured_amount)} captured` : ''}${status === 'pending' ? html`, to be authorized at ${guestPageLink}` : ''}`,
    actions: depositActions(location, deposit, profile),
    entries: depositEntries(account, deposit),
    related: relatedActivity(account, location, `deposit:${id}`),
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
      ['Remaining', money(shownRemainingAmount(deposit, profile))],
      ['Guest', customer?.name ?? null],
      ['Email', customer?.email ?? null],
      ['Check-in', deposit.check_in_date],
      ['Check-out', deposit.check_out_date],
      ['Created (UTC)', timestamp(deposit.created_at)],
      ['Authorized (UTC)', deposit.authorized_at && timestamp(deposit.authorized_at)],
      ['Held until (UTC)', deposit.expires_at && timestamp(deposit.expires_at)],
      ['Released (UTC)', deposit.released_at && timestamp(deposit.released_at)],
      ['Authorization page', guestPageLink],
      [
        'Metadata',
        Object.keys(metadata).length === 0 ? null : html`<code>${highlightedJson(JSON.stringify(metadata))}</code>`,
      ],
    ],
  });
};

/** The button for each cause of a transition. */
const buttons: Record<DepositCause, (location: DashboardLocation, deposit: Deposit) => SafeHtml> = {
  authorize: (location, { id }) => actionForm(location, { operation: 'authorizeDeposit', id, label: 'Authorize' }),
  decline: (location, { id }) =>
    actionForm(location, { operation: 'declineDeposit', id, label: 'Decline', isSecondary: true }),
  capture: captureForm,
  release: (location, { id }) =>
    actionForm(location, { operation: 'releaseDeposit', id, label: 'Release', isSecondary: true }),
  expire: (location, { id }) =>
    actionForm(location, { operation: 'expireDeposit', id, label: 'Expire now', isSecondary: true }),
};

/** Buttons for the transitions that are possible now. During a hold, another one advances past its expiry. */
function depositActions(location: DashboardLocation, deposit: Deposit, profile: Profile): SafeHtml[] {
  const allowed = allowedCauses(depositLifecycle, deposit.status, profile);
  const isHeld = deposit.status === 'authorized' || deposit.status === 'partially_captured';
  const days = daysUntilHoldsEnd(profile);
  return [
    ...(isHeld ? [advanceForm(location, { by: `${days}d` }, `Advance ${formatCount(days, 'day')}`)] : []),
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
      attributes: html`inputmode="decimal" size="8" placeholder="${plainAmount(remaining, currency)}"`,
      hint: `Leave empty to capture the remaining ${moneyIn(currency)(remaining)}.`,
    }),
  );
}

export const depositPages: readonly PageRoute[] = [
  ['/deposits', showDeposits],
  ['/deposits/:idOrName', showDeposit],
  ...createExportRoutes('deposits', depositList),
];

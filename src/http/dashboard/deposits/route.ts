import type { Deposit } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { getDeposit } from '../../../simulation/operations/deposits.js';
import { exampleCurl } from '../components/example-curl.js';
import { type ListSource, listPageOf } from '../routing/list.js';
import { createExportRoutes } from '../routing/list-export.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedActivity } from '../routing/related-activity.js';
import { depositEntries } from '../routing/timeline.js';
import { depositPage, depositsPage } from './view.js';

export const depositList = (account: Account): ListSource<Deposit> => ({
  rows: account.deposits.rows,
  rowPositionsInTimeOrder: () => account.deposits.rowPositionsInTimeOrder(({ created_at }) => created_at),
  searchTextsOf: ({ id, booking_reference, customer }) => [
    String(id),
    booking_reference,
    customer?.name ?? null,
    customer?.email ?? null,
  ],
  statusOf: ({ status }) => status,
  exportedFields: {
    id: ({ id }) => id,
    booking_reference: ({ booking_reference }) => booking_reference,
    guest: ({ customer }) => customer?.name ?? null,
    email: ({ customer }) => customer?.email ?? null,
    status: ({ status }) => status,
    amount: ({ amount }) => amount,
    captured_amount: ({ captured_amount }) => captured_amount,
    currency: ({ currency }) => currency,
    created_at: ({ created_at }) => created_at,
  },
});

const showDeposits: PageHandler = (context) => {
  const { account, views, query } = context;
  const listPage = listPageOf(query, depositList(context.account));
  const { currency } = account.record;
  const curl = exampleCurl(views.baseUrl(), '/deposits', { booking_reference: 'BOOKING-1', amount: 300, currency });
  return depositsPage(context.location, listPage, { currency, curl });
};

const showDeposit: PageHandler = (context) => {
  const { account, views } = context;
  const record = getDeposit(account, operationInput(context).id);
  return depositPage(context.location, record, {
    profile: account.profile,
    entries: depositEntries(account, record),
    related: relatedActivity(account, `deposit:${record.id}`),
    authorizationUrl: views.authorizationUrl(account, record),
  });
};

export const depositPages: readonly PageRoute[] = [
  ['/deposits', showDeposits],
  ['/deposits/:idOrName', showDeposit],
  ...createExportRoutes('deposits', depositList),
];

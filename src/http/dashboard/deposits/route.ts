import { instant } from '../../../domain/dates.js';
import { getDeposit } from '../../../simulation/operations/deposits.js';
import { readInteger } from '../../service/query.js';
import { creationCall } from '../components/creation-call.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { depositEntries } from '../routing/timeline.js';
import { depositPage, depositsPage } from './view.js';

const deposits: Show = (context) => {
  const { account, views, search } = context;
  const found = pageOf(account.deposits, search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ id, booking_reference, customer }) => [
      String(id),
      booking_reference,
      customer?.name ?? null,
      customer?.email ?? null,
    ],
    statusOf: ({ status }) => status,
  });
  const { currency } = account.record;
  const curl = creationCall(views.baseUrl(), '/deposits', { booking_reference: 'BOOKING-1', amount: 300, currency });
  return depositsPage(placeOf(context, 'deposits'), found, { currency, curl });
};

const deposit: Show = (context) => {
  const { account, views, request } = context;
  const record = getDeposit(account, readInteger(String(request.params['name'])));
  return depositPage(placeOf(context, 'deposits'), record, {
    profile: account.profile,
    entries: depositEntries(account, record),
    now: instant(account.now()),
    authorizationUrl: views.authorizationUrl(account, record),
  });
};

export const depositPages: readonly Page[] = [
  ['/deposits', deposits],
  ['/deposits/:name', deposit],
];

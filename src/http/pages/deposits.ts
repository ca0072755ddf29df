import { instant } from '../../domain/dates.js';
import { creationCall } from '../../pages/creation-call.js';
import { depositPage, depositsPage } from '../../pages/deposits.js';
import { getDeposit } from '../../simulation/deposits.js';
import { readInteger } from '../query.js';
import { pageOf } from './list.js';
import { type Page, placeOf, type Show } from './show.js';
import { depositEntries } from './timeline.js';

const deposits: Show = (asked) => {
  const { account, views, search } = asked;
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
  return depositsPage(placeOf(asked, 'deposits'), found, { currency, curl });
};

const deposit: Show = (asked) => {
  const { account, views, request } = asked;
  const record = getDeposit(account, readInteger(String(request.params['name'])));
  return depositPage(placeOf(asked, 'deposits'), record, {
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

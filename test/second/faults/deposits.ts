import { type Fault, inAscii, inData, inEach, onSuccess, put, without } from './fault.js';

const record = 'Security deposit';
const create = 'POST /deposits';
const capture = 'POST /deposits/{id}/capture';

export const depositFaults = {
  'authorization-url-missing': onSuccess(
    'deposit-create',
    `${record}: "The creation response contains authorization_url"`,
    inData(without('authorization_url')),
  ),
  'authorization-url-null': onSuccess(
    'deposit-create',
    `${record}: "authorization_url (string)"`,
    inData(put('authorization_url', () => null)),
  ),
  'authorization-url-no-url': onSuccess(
    'deposit-create',
    `${record}: "authorization_url …, the link to be sent to the guest" (a path)`,
    inData(put('authorization_url', ({ id = '' }) => `/authorize/${id}`)),
  ),
  'metadata-refused': { breaks: `${record}: "Fields accepted at creation: … metadata"` },
  'authorization-url-shared': {
    ...onSuccess(
      'deposit-create',
      `${record}: "authorization_url (string), the link to be sent to the guest" (the same for all)`,
      inData(put('authorization_url', ({ authorization_url: url }) => String(url).replace(/[^/]+$/, 'guest'))),
    ),
    inferred: true,
  },
  'booking-ascii': {
    ...onSuccess(
      'deposit-create',
      `${record}: "booking_reference | client's booking identifier" (in ASCII)`,
      inData(put('booking_reference', (deposit) => inAscii(String(deposit['booking_reference'])))),
    ),
    inferred: true,
  },
  'deposit-currency-euro': {
    ...onSuccess(
      'deposit-create',
      `${record}: "currency | ISO currency code" (always EUR)`,
      inData(put('currency', () => 'EUR')),
    ),
    inferred: true,
  },
  'replay-last-key-alone': {
    breaks: `${create}: "returns the original deposit" (only under the key that was used last)`,
  },
  'filter-booking-percent': { breaks: 'GET /deposits: "booking_reference" as query parameter (a % matches any text)' },
  'filter-booking-ascii': {
    breaks: 'GET /deposits: "booking_reference" as query parameter (nothing beyond ASCII is found)',
  },
  'filter-deposit-status-stale': {
    breaks:
      'GET /deposits: "status (one of the deposit statuses)" (all are found as pending, whatever they have come to)',
  },
  'deposit-list-total-stale': {
    breaks: 'Pagination envelope: "total | total number of records" (that of the first answer, in the deposit list)',
    inferred: true,
  },
  'capture-spreads': { breaks: `${capture}: "capture deposit" (all that are held of its booking)` },
  'capture-counts-last-part': {
    breaks: `${capture}: "when given, that part is captured" (of two parts, the second alone counts)`,
    inferred: true,
  },
  'remaining-amount-stuck': {
    breaks: `${capture}: "the full remaining amount" (remaining_amount never goes down)`,
    inferred: true,
    on: ['deposit-detail'],
    change: inData((deposit) => {
      if ('amount' in deposit) deposit['remaining_amount'] = deposit['amount'] ?? null;
    }),
  },
  'remaining-amount-of-captured': {
    breaks: `${capture}: "when omitted, the full remaining amount is captured" (a cent is said to remain)`,
    inferred: true,
    on: ['deposit-detail'],
    change: inData((deposit) => {
      if (deposit['status'] === 'captured') deposit['remaining_amount'] = 0.01;
    }),
  },
  'release-takes-captured-back': {
    breaks:
      'POST /deposits/{id}/release: "Releases the remaining card authorization" (what was captured counts as nothing)',
    inferred: true,
  },
  'release-counts-as-captured': {
    breaks: 'POST /deposits/{id}/release: "Releases the remaining card authorization" (it counts as captured)',
    inferred: true,
  },
  'release-spreads': {
    breaks: 'POST /deposits/{id}/release: "release deposit" (all that are held of its booking)',
  },
  'replay-new-deposit': { breaks: `${create}: "returns the original deposit and creates no duplicate" (key ignored)` },
  'replay-stores-second': { breaks: `${create}: "creates no duplicate" (the original is returned, a second is made)` },
  'replay-forgets-authorized': {
    breaks: `${create}: "returns the original deposit" (a new one once the first is no longer pending)`,
  },
  'deposit-status-unknown': {
    breaks: 'States, Security deposit: the seven statuses (authorized is called requires_capture)',
    on: ['deposit-list', 'deposit-detail'],
    change: inEach(put('status', ({ status = '' }) => (status === 'authorized' ? 'requires_capture' : status))),
  },
  'deposit-detail-latest': {
    breaks: 'GET /deposits/{id}: "one deposit", "deposit identifier" (the newest, whatever id)',
  },
  'filter-booking-ignored': { breaks: 'GET /deposits: "booking_reference" as query parameter (no effect)' },
  'filter-deposit-status-ignored': { breaks: 'GET /deposits: "status" as query parameter (no effect)' },
  'filter-deposit-status-refused': {
    breaks: 'GET /deposits: "status (one of the deposit statuses)" (partially_captured is refused)',
  },
  'deposit-list-size-ignored': { breaks: 'GET /deposits: "per_page (integer)" (no effect on the records)' },
  'capture-all-takes-half': { breaks: `${capture}: "when omitted, the full remaining amount is captured"` },
  'capture-part-takes-all': { breaks: `${capture}: "when given, that part is captured"` },
  'capture-takes-nothing': { breaks: `${capture}: "capture deposit" (success, but nothing is captured)` },
  'capture-amount-demanded': { breaks: `${capture}: "amount | no (not required)"`, demands: 'deposit-capture amount' },
  'capture-description-demanded': {
    breaks: `${capture}: "description | no (not required)"`,
    demands: 'deposit-capture description',
  },
  'capture-description-refused': { breaks: `${capture}: "description | reason for the capture"` },
  'release-keeps-hold': {
    breaks: 'POST /deposits/{id}/release: "Releases the remaining card authorization" (success, but it is kept)',
  },
} satisfies Record<string, Fault>;

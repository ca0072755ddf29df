import { isObject } from '../json.js';
import {
  type Fault,
  faultOnSuccess,
  inData,
  inEachRecord,
  inNested,
  nullIfNoRecords,
  removeFields,
  setField,
  toAscii,
} from './fault.js';

// Sections of the specification whose sentences these faults break.
const recordSection = 'Security deposit';
const createSection = 'POST /deposits';
const captureSection = 'POST /deposits/{id}/capture';

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const depositFaults = {
  'authorization-url-missing': faultOnSuccess(
    'deposit-create',
    `${recordSection}: "The creation response contains authorization_url"`,
    inData(removeFields('authorization_url')),
  ),
  'authorization-url-null': faultOnSuccess(
    'deposit-create',
    `${recordSection}: "authorization_url (string)"`,
    inData(setField('authorization_url', () => null)),
  ),
  'authorization-url-relative': faultOnSuccess(
    'deposit-create',
    `${recordSection}: "authorization_url …, the link to be sent to the guest" (only a path)`,
    inData(setField('authorization_url', ({ id = '' }) => `/authorize/${id}`)),
  ),
  'metadata-refused': { breaks: `${recordSection}: "Fields accepted at creation: … metadata"` },
  'authorization-url-shared': {
    ...faultOnSuccess(
      'deposit-create',
      `${recordSection}: "authorization_url (string), the link to be sent to the guest" (the same for all deposits)`,
      inData(setField('authorization_url', ({ authorization_url: url }) => String(url).replace(/[^/]+$/, 'guest'))),
    ),
    inferred: true,
  },
  'booking-ascii': {
    ...faultOnSuccess(
      'deposit-create',
      `${recordSection}: "booking_reference | client's booking identifier" (non-ASCII characters are replaced)`,
      inData(setField('booking_reference', (deposit) => toAscii(String(deposit['booking_reference'])))),
    ),
    inferred: true,
  },
  'filter-booking-underscore': {
    breaks: 'GET /deposits: query parameter "booking_reference" (a _ matches any character)',
  },
  'deposit-filter-total-unfiltered': {
    breaks: 'Pagination envelope: "total | total number of records" (with a filter, it still counts all deposits)',
    inferred: true,
  },
  'filter-booking-number': {
    breaks:
      'GET /deposits: query parameter "booking_reference (string)" (references of digits are compared as numbers)',
    inferred: true,
  },
  'metadata-json-string': {
    breaks: `${recordSection}: "metadata | object" (shown as a string of JSON)`,
    inferred: true,
    operations: ['deposit-create', 'deposit-list', 'deposit-detail'],
    change: inEachRecord(setField('metadata', ({ metadata = null }) => JSON.stringify(metadata))),
  },
  'metadata-first-key': {
    ...faultOnSuccess(
      'deposit-detail',
      `${recordSection}: "metadata | free key/value pairs chosen by the client" (only the first pair)`,
      inData(inNested('metadata', (metadata) => removeFields(...Object.keys(metadata).slice(1))(metadata))),
    ),
    inferred: true,
  },
  'deposit-customer-name-only': {
    breaks: `${recordSection}: "customer | object" (only the name)`,
    inferred: true,
    operations: ['deposit-create', 'deposit-list', 'deposit-detail'],
    change: inEachRecord(
      setField('customer', ({ customer = null }) => (isObject(customer) ? (customer['name'] ?? null) : null)),
    ),
  },
  'deposit-list-amount-in-cents': {
    ...faultOnSuccess(
      'deposit-list',
      `${recordSection}: "amount | amount to authorize" (in the list, it is in cents)`,
      inEachRecord(setField('amount', ({ amount = null }) => Number(amount) * 100)),
    ),
    inferred: true,
  },
  'deposit-detail-currency-euro': {
    ...faultOnSuccess(
      'deposit-detail',
      `${recordSection}: "currency | ISO currency code" (EUR in the detail of every deposit)`,
      inData(setField('currency', () => 'EUR')),
    ),
    inferred: true,
  },
  'deposit-currency-euro': {
    ...faultOnSuccess(
      'deposit-create',
      `${recordSection}: "currency | ISO currency code" (always EUR)`,
      inData(setField('currency', () => 'EUR')),
    ),
    inferred: true,
  },
  'replay-only-last-key': {
    breaks: `${createSection}: "returns the original deposit" (only under the key that was used last)`,
  },
  'filter-booking-omits-expired': {
    breaks: 'GET /deposits: query parameter "booking_reference" (expired deposits are not found)',
  },
  'filter-booking-omits-failed': {
    breaks: 'GET /deposits: query parameter "booking_reference" (failed deposits are not found)',
  },
  'filter-booking-splits-at-comma': {
    breaks: 'GET /deposits: query parameter "booking_reference" (taken for several references, separated by commas)',
  },
  'filter-booking-decoded-twice': {
    breaks: 'GET /deposits: query parameter "booking_reference" (a %41 in it is read as an A)',
  },
  'filter-booking-percent': { breaks: 'GET /deposits: query parameter "booking_reference" (a % matches any text)' },
  'filter-booking-ascii': {
    breaks: 'GET /deposits: query parameter "booking_reference" (non-ASCII references are not found)',
  },
  'filter-deposit-status-stale': {
    breaks: 'GET /deposits: "status (one of the deposit statuses)" (every deposit is found only as pending)',
  },
  'keyless-requests-share-a-key': {
    breaks: `${createSection}: "the same Idempotency-Key" (all requests without one are taken for the same)`,
    inferred: true,
  },
  'deposit-created-as-authorized': {
    ...faultOnSuccess(
      'deposit-create',
      'States, Security deposit: statuses (a new deposit is shown as authorized)',
      inData((deposit) => {
        if ('status' in deposit) deposit['status'] = 'authorized';
      }),
    ),
    inferred: true,
  },
  'deposit-list-shows-authorized-as-pending': {
    breaks: 'States, Security deposit: the seven statuses (the list shows authorized ones as pending)',
    inferred: true,
    operations: ['deposit-list'],
    change: inEachRecord((deposit) => {
      if (deposit['status'] === 'authorized') deposit['status'] = 'pending';
    }),
  },
  'expiry-takes-captured-back': {
    breaks: `${captureSection}: "when given, that part is captured" (0 once the authorization has expired)`,
    inferred: true,
    operations: ['deposit-detail'],
    change: inData((deposit) => {
      if (deposit['status'] === 'expired' && 'captured_amount' in deposit) deposit['captured_amount'] = 0;
    }),
  },
  'deposit-list-total-too-high': {
    breaks: 'Pagination envelope: "total | total number of records" (in the deposit list, one more than there are)',
    inferred: true,
    operations: ['deposit-list'],
    change: inData((page) => {
      if ('total' in page) page['total'] = Number(page['total']) + 1;
    }),
  },
  'deposit-list-total-stale': {
    breaks:
      'Pagination envelope: "total | total number of records" (in the deposit list, the total of the first response)',
    inferred: true,
  },
  'capture-affects-whole-booking': {
    breaks: `${captureSection}: "capture deposit" (affects all holds of the booking)`,
  },
  'capture-counts-only-last-part': {
    breaks: `${captureSection}: "when given, that part is captured" (of two parts, only the second counts)`,
    inferred: true,
  },
  'remaining-amount-constant': {
    breaks: `${captureSection}: "the full remaining amount" (remaining_amount never goes down)`,
    inferred: true,
    operations: ['deposit-detail'],
    change: inData((deposit) => {
      if ('amount' in deposit) deposit['remaining_amount'] = deposit['amount'] ?? null;
    }),
  },
  'remaining-amount-after-full-capture': {
    breaks: `${captureSection}: "when omitted, the full remaining amount is captured" (remaining_amount is 0.01)`,
    inferred: true,
    operations: ['deposit-detail'],
    change: inData((deposit) => {
      if (deposit['status'] === 'captured') deposit['remaining_amount'] = 0.01;
    }),
  },
  'release-takes-captured-back': {
    breaks: 'POST /deposits/{id}/release: "Releases the remaining card authorization" (also undoes earlier captures)',
    inferred: true,
  },
  'release-counts-as-captured': {
    breaks: 'POST /deposits/{id}/release: "Releases the remaining card authorization" (also counts it as captured)',
    inferred: true,
  },
  'release-affects-whole-booking': {
    breaks: 'POST /deposits/{id}/release: "release deposit" (affects all holds of the booking)',
  },
  'replay-creates-new-deposit': {
    breaks: `${createSection}: "returns the original deposit and creates no duplicate" (the key is ignored)`,
  },
  'replay-stores-duplicate': {
    breaks: `${createSection}: "creates no duplicate" (the original is returned, but a duplicate is stored)`,
  },
  'replay-forgets-authorized': {
    breaks: `${createSection}: "returns the original deposit" (creates a new one once the first is no longer pending)`,
  },
  'replay-forgets-captured': {
    breaks: `${createSection}: "returns the original deposit" (creates a new one once the first is captured)`,
    inferred: true,
  },
  'replay-forgets-released': {
    breaks: `${createSection}: "returns the original deposit" (creates a new one once the first is released)`,
    inferred: true,
  },
  'replay-forgets-failed': {
    breaks: `${createSection}: "returns the original deposit" (creates a new one once the card was declined)`,
    inferred: true,
  },
  'replay-creates-third-time': {
    breaks: `${createSection}: "returns the original deposit" (the third repetition creates a new one)`,
  },
  'replay-cuts-keys': {
    breaks: `${createSection}: "the same Idempotency-Key" (also another one with the same first 36 characters)`,
  },
  'replay-compares-bodies': {
    breaks: `${createSection}: "the same Idempotency-Key" (with another body, it creates another deposit)`,
    inferred: true,
  },
  'replay-forgets-key-after-refusal': {
    breaks: `${createSection}: "returns the original deposit" (not after a request with the same key and another body)`,
  },
  'replay-ignores-punctuation': {
    breaks: `${createSection}: "the same Idempotency-Key" (also one that differs in punctuation)`,
    inferred: true,
  },
  'replay-ignores-key-case': {
    breaks: `${createSection}: "the same Idempotency-Key" (also one that differs in case)`,
    inferred: true,
  },
  'deposit-status-unknown': {
    breaks: 'States, Security deposit: the seven statuses (authorized is called requires_capture)',
    operations: ['deposit-list', 'deposit-detail'],
    change: inEachRecord(
      setField('status', ({ status = '' }) => (status === 'authorized' ? 'requires_capture' : status)),
    ),
  },
  'deposit-list-status-stale': {
    breaks: 'States, Security deposit: the seven statuses (the list shows released ones as authorized)',
    inferred: true,
    operations: ['deposit-list'],
    change: inEachRecord((deposit) => {
      if (deposit['status'] === 'released') deposit['status'] = 'authorized';
    }),
  },
  'deposit-detail-always-newest': {
    breaks: 'GET /deposits/{id}: "one deposit", "deposit identifier" (always the newest deposit)',
  },
  'filter-booking-ignored': { breaks: 'GET /deposits: query parameter "booking_reference" (no effect)' },
  'filter-deposit-status-ignored': { breaks: 'GET /deposits: query parameter "status" (no effect)' },
  'filter-deposit-status-refused': {
    breaks: 'GET /deposits: "status (one of the deposit statuses)" (partially_captured is refused)',
  },
  'filter-authorized-with-captured': {
    breaks: 'GET /deposits: "status (one of the deposit statuses)" (authorized also finds partially_captured)',
  },
  'deposit-records-null-if-empty': {
    breaks: 'Pagination envelope: "data | array" (null if no deposit is found)',
    inferred: true,
    operations: ['deposit-list'],
    change: inData(nullIfNoRecords),
  },
  'deposit-list-size-ignored': { breaks: 'GET /deposits: "per_page (integer)" (no effect on the records)' },
  'capture-all-takes-half': { breaks: `${captureSection}: "when omitted, the full remaining amount is captured"` },
  'capture-part-takes-all': { breaks: `${captureSection}: "when given, that part is captured"` },
  'capture-above-remainder': {
    breaks: `${captureSection}: "the full remaining amount" (after a partial capture, the whole amount can be captured)`,
    inferred: true,
  },
  'capture-of-remainder-refused': {
    breaks: `${captureSection}: "when given, that part is captured" (an amount equal to the remaining amount is refused)`,
    inferred: true,
  },
  'capture-adds-floating-point': {
    breaks: `${captureSection}: "when given, that part is captured" (0.2 after 0.1 is refused, because their sum in floating point exceeds 0.3)`,
    inferred: true,
  },
  'capture-of-dollars-takes-nothing': {
    breaks: `${captureSection}: "when omitted, the full remaining amount is captured" (not of a deposit in dollars)`,
  },
  'capture-of-remainder-partial': {
    breaks: `${captureSection}: "when given, that part is captured" (still partially_captured after the last part)`,
    inferred: true,
  },
  'capture-truncates-cents': {
    breaks: `${captureSection}: "when given, that part is captured" (2.01 becomes 2)`,
    inferred: true,
  },
  'capture-reads-decimals-as-cents': {
    breaks: `${captureSection}: "when given, that part is captured" (2.5 becomes 2.05)`,
    inferred: true,
  },
  'deposit-amount-truncates-cents': {
    breaks: `${recordSection}: "amount | amount to authorize" (64.57 becomes 64.56)`,
    inferred: true,
  },
  'capture-takes-nothing': {
    breaks: `${captureSection}: "capture deposit" (success, but nothing is captured)`,
  },
  'capture-amount-required': {
    breaks: `${captureSection}: "amount | decimal | no" (the service requires it)`,
    makesRequired: 'deposit-capture amount',
  },
  'capture-description-required': {
    breaks: `${captureSection}: "description | string | no" (the service requires it)`,
    makesRequired: 'deposit-capture description',
  },
  'capture-description-refused': { breaks: `${captureSection}: "description | reason for the capture"` },
  'release-keeps-hold': {
    breaks: 'POST /deposits/{id}/release: "Releases the remaining card authorization" (success, but the hold is kept)',
  },
} satisfies Record<string, Fault>;

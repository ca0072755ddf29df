import { type Fault, inData, inEach, onSuccess, put, without } from './fault.js';

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

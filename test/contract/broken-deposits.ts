import type { Json, Patch } from './patched.js';
import { drop, onAnswer, onList, onRecord, onRequest } from './patches.js';

const deposits = '/deposits';
const one = /^\/deposits\/[^/]+$/;
const capture = /\/capture$/;
const release = /\/release$/;

const creation = (change: (deposit: Json) => void): Patch => onRecord('POST', deposits, change);
const reading = (change: (deposit: Json) => void): Patch => onRecord('GET', one, change);
const ignoring = (name: string): Patch => onRequest('GET', deposits, ({ query }) => query.delete(name));
const losing = (...names: readonly string[]): Patch =>
  onList(deposits, (rows, { query }) => (names.every((name) => query.has(name)) ? [] : rows));

/** A deposit that is in one status says that it is in another. */
const calling = (status: string, other: string): Patch =>
  reading((deposit) => {
    if (deposit['status'] === status) deposit['status'] = other;
  });

const refusing = (path: RegExp, isMeant: (body: Json) => boolean): Patch =>
  onAnswer('POST', path, (answered, { body }) => {
    if (isMeant(body)) answered.status = 422;
  });

/** Changes the answers to keys that were seen before. */
function onReplay(change: (answered: { status: number; body: Json }) => void): Patch {
  const seen = new Set<unknown>();
  return onAnswer('POST', deposits, (answered, { headers }) => {
    const key = headers['idempotency-key'];
    if (seen.has(key)) change(answered);
    seen.add(key);
  });
}

const inReplay = (change: (deposit: Json) => void): Patch =>
  onReplay((answered) => {
    const { data } = answered.body;
    if (typeof data === 'object' && data !== null) {
      const copy: Json = { ...data };
      change(copy);
      answered.body = { ...answered.body, data: copy };
    }
  });

/** Every request has a key of its own. */
function forgetKeys(): Patch {
  let count = 0;
  return onRequest('POST', deposits, ({ headers }) => {
    count += 1;
    headers['idempotency-key'] = `${headers['idempotency-key']} ${count}`;
  });
}

/** Of what the suite gives at creation, what a deposit shows in its place. */
const otherwise: readonly (readonly [field: string, value: unknown])[] = [
  ['booking_reference', 'BK-0'],
  ['amount', 1],
  ['currency', 'USD'],
  ['customer', { name: 'Somebody', email: 'guest@example.com' }],
  ['customer', { name: 'Contract Suite', email: 'somebody@example.com' }],
  ['check_in_date', '2020-01-01'],
  ['check_out_date', '2020-01-01'],
  ['metadata', { run: 'another' }],
];

const statuses = ['pending', 'authorized', 'partially_captured', 'captured', 'released', 'expired', 'failed'];

/** What a target may do wrong with deposits, by the clause that has to see it. */
export const brokenDeposits: Readonly<Record<string, Patch>> = {
  'DEP-CREATE-01': onAnswer('POST', deposits, (answered) => {
    answered.status = 500;
  }),
  'DEP-CREATE-02': creation((deposit) => drop(deposit, 'authorization_url')),
  'DEP-CREATE-03': creation((deposit) => Object.assign(deposit, { authorization_url: '/authorize/1' })),
  'DEP-CREATE-04': creation((deposit) => drop(deposit, 'id')),
  ...Object.fromEntries(
    otherwise.map(([field, value], index) => [
      `DEP-FIELD-0${index + 1}`,
      reading((deposit) => Object.assign(deposit, { [field]: value })),
    ]),
  ),
  'DEP-IDEM-01': onReplay((answered) => {
    answered.status = 409;
  }),
  'DEP-IDEM-02': inReplay((deposit) => Object.assign(deposit, { id: Number(deposit['id']) + 1 })),
  'DEP-IDEM-03': forgetKeys(),
  'DEP-IDEM-04': inReplay((deposit) => Object.assign(deposit, { authorization_url: 'https://pay.example/new' })),
  'DEP-IDEM-05': forgetKeys(),
  'DEP-IDEM-06': forgetKeys(),
  'DEP-IDEM-07': onRequest('POST', deposits, ({ headers }) => {
    headers['idempotency-key'] = String(headers['idempotency-key']).replace('-again', '');
  }),
  'DEP-READ-01': onAnswer('GET', one, (answered) => {
    answered.status = 404;
  }),
  'DEP-READ-02': reading((deposit) =>
    Object.assign(deposit, { id: 999, booking_reference: 'BK-0', authorization_url: 'https://pay.example/999' }),
  ),
  'DEP-READ-03': calling('authorized', 'requires_capture'),
  'DEP-READ-04': reading((deposit) => drop(deposit, 'status')),
  'DEP-READ-05': {
    answer(answered, { path }) {
      if (one.test(path)) answered.status = 200;
    },
  },
  'DEP-LIST-21': ignoring('per_page'),
  'DEP-FILTER-01': losing('booking_reference'),
  'DEP-FILTER-02': ignoring('booking_reference'),
  ...Object.fromEntries(statuses.map((_status, index) => [`DEP-FILTER-0${3 + index}`, ignoring('status')])),
  'DEP-FILTER-10': losing('booking_reference', 'status'),
  'DEP-FILTER-11': ignoring('status'),
  'DEP-CAPTURE-01': refusing(capture, (body) => body['amount'] !== undefined && body['description'] === undefined),
  'DEP-CAPTURE-02': refusing(capture, (body) => body['description'] !== undefined),
  'DEP-CAPTURE-03': calling('partially_captured', 'authorized'),
  'DEP-CAPTURE-04': reading((deposit) => Object.assign(deposit, { captured_amount: 0 })),
  'DEP-CAPTURE-05': refusing(capture, (body) => body['amount'] === undefined),
  'DEP-CAPTURE-06': calling('captured', 'partially_captured'),
  'DEP-CAPTURE-07': calling('captured', 'released'),
  'DEP-CAPTURE-08': refusing(capture, (body) => body['amount'] === undefined),
  'DEP-CAPTURE-09': calling('captured', 'partially_captured'),
  'DEP-CAPTURE-10': reading((deposit) => Object.assign(deposit, { captured_amount: 75.38 })),
  'DEP-CAPTURE-11': reading((deposit) => Object.assign(deposit, { captured_amount: 50.25 })),
  'DEP-CAPTURE-12': calling('partially_captured', 'captured'),
  'DEP-RELEASE-01': refusing(release, () => true),
  'DEP-RELEASE-02': calling('released', 'authorized'),
  'DEP-RELEASE-03': calling('released', 'captured'),
  'DEP-RELEASE-04': refusing(release, () => true),
  'DEP-RELEASE-05': calling('released', 'partially_captured'),
  'DEP-RELEASE-06': {
    answer(answered, { path }) {
      if (capture.test(path)) answered.status = 200;
    },
  },
  'DEP-STATE-01': calling('authorized', 'pending'),
  'DEP-STATE-02': calling('expired', 'authorized'),
  'DEP-STATE-03': calling('failed', 'authorized'),
};

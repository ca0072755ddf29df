import type { InterceptedRequest, Interceptor, Json } from '../../mutation/interceptor.js';
import {
  accept,
  keepFirst,
  onAny,
  onList,
  onRecord,
  onRequest,
  refuse,
  removeField,
  setFields,
} from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf, numbered, type Row } from '../../mutation/mutant.js';

const deposits = '/deposits';
const one = /^\/deposits\/[^/]+$/;

const created =
  (change: (deposit: Json) => void): (() => Interceptor) =>
  () =>
    onRecord('POST', deposits, change);
const read =
  (change: (deposit: Json) => void): (() => Interceptor) =>
  () =>
    onRecord('GET', one, change);

/** Created fields, and what a deposit shows instead. */
const otherwise: readonly (readonly [field: string, value: unknown, name?: string])[] = [
  ['booking_reference', 'BK-0'],
  ['amount', 1],
  ['currency', 'USD'],
  ['customer', { name: 'Somebody', email: 'guest@example.com' }, 'customer.name'],
  ['customer', { name: 'Contract Suite', email: 'somebody@example.com' }, 'customer.email'],
  ['check_in_date', '2020-01-01'],
  ['check_out_date', '2020-01-01'],
  ['metadata', { run: 'another' }],
];

/** Mutants of creating and reading deposits. */
export const depositMutants: readonly Mutant[] = mutantsOf([
  [
    'DEP-CREATE-01',
    'Creating a deposit with a token that has both scopes is refused.',
    () =>
      onAny(
        ({ method, path, token }, { status }) =>
          method === 'POST' && path === deposits && token === 'full' && status < 300,
        (response) => refuse(response, 500),
      ),
  ],
  [
    'DEP-CREATE-02',
    'A new deposit has no `authorization_url`.',
    created((deposit) => removeField(deposit, 'authorization_url')),
  ],
  [
    'DEP-CREATE-03',
    'The `authorization_url` is a path.',
    created((deposit) => setFields(deposit, { authorization_url: '/authorize/1' })),
  ],
  ['DEP-CREATE-04', 'A new deposit has no `id`.', created((deposit) => removeField(deposit, 'id'))],
  [
    'DEP-CREATE-05',
    'All deposits have the same `authorization_url`.',
    created((deposit) => setFields(deposit, { authorization_url: 'https://pay.example/authorize' })),
  ],
  [
    'DEP-FIELD-09',
    'The response to a creation has the booking reference in ASCII.',
    created((deposit) =>
      setFields(deposit, { booking_reference: String(deposit['booking_reference']).replace(/[^ -~]/gu, '?') }),
    ),
  ],
  ['DEP-FIELD-10', 'A new deposit is always in EUR.', created((deposit) => setFields(deposit, { currency: 'EUR' }))],
  ...otherwise.map(
    ([field, value, name = field], index): Row => [
      numbered('DEP-FIELD', index + 1),
      `A deposit is read with another \`${name}\`.`,
      read((deposit) => setFields(deposit, { [field]: value })),
    ],
  ),
  [
    'DEP-READ-01',
    'Reading a deposit with a token that has both scopes is refused.',
    () =>
      onAny(
        ({ method, path, token }, { status }) => method === 'GET' && one.test(path) && token === 'full' && status < 300,
        (response) => refuse(response, 404),
      ),
  ],
  [
    'DEP-READ-02',
    'A read returns another deposit.',
    read((deposit) =>
      setFields(deposit, { id: 999, booking_reference: 'BK-0', authorization_url: 'https://pay.example/999' }),
    ),
  ],
  [
    'DEP-READ-03',
    'An authorized deposit has an undocumented status.',
    read((deposit) => deposit['status'] === 'authorized' && setFields(deposit, { status: 'requires_capture' })),
  ],
  ['DEP-READ-04', 'A deposit is read without its `status`.', read((deposit) => removeField(deposit, 'status'))],
  [
    'DEP-READ-05',
    'A read of a nonexistent deposit succeeds.',
    () => onAny(({ method, path }, { status }) => method === 'GET' && one.test(path) && status === 404, accept),
  ],
]);

const statuses = ['pending', 'authorized', 'partially_captured', 'captured', 'released', 'expired', 'failed'];
const filters = ['booking_reference', 'status'];

/** Whether exactly these filters are used. */
const isGiven = ({ query }: InterceptedRequest, ...names: readonly string[]): boolean =>
  filters.every((name) => query.has(name) === names.includes(name));

/** A parameter that has no effect. */
const ignoreFilter =
  (name: string, isSelected: (request: InterceptedRequest) => boolean): (() => Interceptor) =>
  () =>
    onRequest('GET', deposits, (request) => isSelected(request) && request.query.delete(name));
/** Filters that find nothing in combination. */
const findNothing =
  (...names: readonly string[]): (() => Interceptor) =>
  () =>
    onList(deposits, (rows, request) => (isGiven(request, ...names) ? [] : rows));

/** Mutants of the list of deposits. */
export const depositListMutants: readonly Mutant[] = mutantsOf([
  [
    'DEP-LIST-21',
    'A page of one is never given.',
    ignoreFilter('per_page', ({ query }) => query.get('per_page') === '1'),
  ],
  ['DEP-FILTER-01', '`booking_reference` alone finds nothing.', findNothing('booking_reference')],
  [
    'DEP-FILTER-02',
    '`booking_reference` is ignored if it is the only filter.',
    ignoreFilter('booking_reference', (request) => isGiven(request, 'booking_reference')),
  ],
  ...statuses.map(
    (status, index): Row => [
      numbered('DEP-FILTER', 3 + index),
      `The filter \`status=${status}\` of deposits is ignored if it is the only filter.`,
      ignoreFilter('status', (request) => isGiven(request, 'status') && request.query.get('status') === status),
    ],
  ),
  [
    'DEP-FILTER-12',
    'A `%` in `booking_reference` stands for any text.',
    () =>
      onRequest('GET', deposits, ({ query }) => {
        const text = query.get('booking_reference') ?? '';
        if (text.endsWith('%')) query.set('booking_reference', `${text.slice(0, -1)} booking`);
      }),
  ],
  [
    'DEP-FILTER-13',
    '`booking_reference` finds nothing that is not ASCII.',
    () => onList(deposits, (rows, { query }) => (/[^ -~]/u.test(query.get('booking_reference') ?? '') ? [] : rows)),
  ],
  [
    'DEP-FILTER-14',
    '`status` matches only the initial status.',
    () => onList(deposits, (rows, { query }) => ((query.get('status') ?? 'pending') === 'pending' ? rows : [])),
  ],
  ['DEP-LIST-22', 'The `total` of deposits never changes.', () => onRecord('GET', deposits, keepFirst('total'))],
  ['DEP-FILTER-10', '`status` finds nothing beside `booking_reference`.', findNothing('booking_reference', 'status')],
  [
    'DEP-FILTER-11',
    '`status` is ignored in combination with `booking_reference`.',
    ignoreFilter('status', (request) => isGiven(request, 'booking_reference', 'status')),
  ],
]);

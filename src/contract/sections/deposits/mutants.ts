import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../lib/json.js';
import { numberedId } from '../../engine/clause.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldRemover,
  fieldSetter,
  firstValueRepeater,
  onData,
  onList,
  onRecords,
  onRequest,
  onResponse,
  recordsOf,
  refuseFullToken,
  removeField,
  replaceWithSuccess,
  setFields,
  setUnusedId,
} from '../../mutation/interceptors.js';
import { type Mutant, type MutantRow, mutantsOf } from '../../mutation/mutant.js';
import { depositStatuses } from './setups.js';

const depositsPath = '/deposits';
const detailPath = /^\/deposits\/[^/]+$/;

/** Changes the deposit in the response to its creation. */
const onCreation = (change: (deposit: JsonObject) => void): Interceptor => onData('POST', depositsPath, change);
/** Changes the deposit in the response to a read. */
const onRead = (change: (deposit: JsonObject) => void): Interceptor => onData('GET', detailPath, change);

/**
 * Fields of a deposit, and wrong values that a read returns for them. `wrongPath` leads to the wrong part of the value,
 * if only a part of it is wrong.
 */
const wrongFields: readonly (readonly [field: string, wrongValue: unknown, wrongPath?: string])[] = [
  ['booking_reference', 'BK-0'],
  ['amount', 1],
  ['currency', 'USD'],
  ['customer', { name: 'Somebody', email: 'guest@example.com' }, 'customer.name'],
  ['customer', { name: 'Contract Suite', email: 'somebody@example.com' }, 'customer.email'],
  ['check_in_date', '2020-01-01'],
  ['check_out_date', '2020-01-01'],
  ['metadata', { run: 'another' }],
];

/** Returns an object with only the first key and value of another. */
function firstPairOf(metadata: unknown): JsonObject {
  return isRecord(metadata) ? Object.fromEntries(Object.entries(metadata).slice(0, 1)) : {};
}

/** Mutants of creating and reading deposits, each with the id of the clause that must detect it. */
export const depositMutants: readonly Mutant[] = mutantsOf([
  [
    'DEP-CREATE-01',
    'Creating a deposit with a token that has both scopes fails.',
    refuseFullToken('POST', depositsPath, 500),
  ],
  ['DEP-CREATE-02', 'A new deposit has no `authorization_url`.', onCreation(fieldRemover('authorization_url'))],
  [
    'DEP-CREATE-03',
    'The `authorization_url` is a path.',
    onCreation(fieldSetter({ authorization_url: '/authorize/1' })),
  ],
  ['DEP-CREATE-04', 'A new deposit has no `id`.', onCreation(fieldRemover('id'))],
  [
    'DEP-CREATE-05',
    'All deposits have the same `authorization_url`.',
    onCreation(fieldSetter({ authorization_url: 'https://pay.example/authorize' })),
  ],
  [
    'DEP-CREATE-06',
    'A deposit that is created with a token that only allows writing has no `authorization_url`.',
    onData('POST', depositsPath, (deposit, { token }) => {
      if (token === 'write') removeField(deposit, 'authorization_url');
    }),
    { runsAfter: 'AUTH-ADMITS-11' },
  ],
  [
    'DEP-FIELD-13',
    'A deposit is read with null as its `check_out_date`.',
    onRead(fieldSetter({ check_out_date: null })),
  ],
  [
    'DEP-FIELD-09',
    'In the response to a create request, non-ASCII characters of the booking reference become question marks.',
    onCreation(fieldConverter('booking_reference', (text) => String(text).replace(/[^ -~]/gu, '?'))),
  ],
  ['DEP-FIELD-10', 'A new deposit is always in EUR.', onCreation(fieldSetter({ currency: 'EUR' }))],
  [
    'DEP-FIELD-11',
    'A deposit is read with only the first of its metadata.',
    onRead(fieldConverter('metadata', firstPairOf)),
  ],
  [
    'DEP-FIELD-14',
    'The empty metadata of a deposit are read as an empty array.',
    onRead(fieldConverter('metadata', (metadata) => (isDeepStrictEqual(metadata, {}) ? [] : metadata))),
  ],
  [
    'DEP-FIELD-12',
    'In the response to a create request, a booking reference of digits becomes a number.',
    onCreation((deposit) => {
      const { booking_reference: reference } = deposit;
      if (/^\d+$/.test(String(reference))) setFields(deposit, { booking_reference: Number(reference) });
    }),
  ],
  ...wrongFields.map(
    ([field, wrongValue, wrongPath = field], index): MutantRow => [
      numberedId('DEP-FIELD', index + 1),
      `A deposit is read with a different \`${wrongPath}\`.`,
      onRead(fieldSetter({ [field]: wrongValue })),
    ],
  ),
  [
    'DEP-READ-06',
    'With a token that only allows reading, a read returns a different deposit.',
    onData('GET', detailPath, (deposit, { token }) => {
      if (token === 'read') setUnusedId(deposit);
    }),
    { runsAfter: 'AUTH-ADMITS-12' },
  ],
  [
    'DEP-READ-01',
    'Reading a deposit with a token that has both scopes is refused.',
    refuseFullToken('GET', detailPath, 404),
  ],
  [
    'DEP-READ-02',
    'A read returns a different deposit.',
    onRead(fieldSetter({ id: 999, booking_reference: 'BK-0', authorization_url: 'https://pay.example/999' })),
  ],
  [
    'DEP-READ-03',
    'An authorized deposit has an undocumented status.',
    onRead((deposit) => deposit['status'] === 'authorized' && setFields(deposit, { status: 'requires_capture' })),
  ],
  [
    'DEP-READ-04',
    'A captured deposit is read without its `status`.',
    onRead((deposit) => deposit['status'] === 'captured' && removeField(deposit, 'status')),
    { runsAfter: 'DEP-CAPTURE-07' },
  ],
  [
    'DEP-READ-05',
    'A read of a nonexistent deposit succeeds.',
    onResponse(
      ({ method, path }, { status }) => method === 'GET' && detailPath.test(path) && status === 404,
      replaceWithSuccess,
    ),
  ],
]);

const filters = ['booking_reference', 'status'];

/** True if a request uses exactly these filters. */
const hasOnlyFilters = ({ query }: InterceptedRequest, ...names: readonly string[]): boolean =>
  filters.every((name) => query.has(name) === names.includes(name));

/** Removes a query parameter from the selected requests for the list. */
const ignoreFilter = (name: string, isSelected: (request: InterceptedRequest) => boolean): Interceptor =>
  onRequest('GET', depositsPath, (request) => isSelected(request) && request.query.delete(name));
/** Makes the list empty if exactly these filters are used. */
const findNothing = (...names: readonly string[]): Interceptor =>
  onList(depositsPath, (records, request) => (hasOnlyFilters(request, ...names) ? [] : records));

/** Mutants of the list of deposits, each with the id of the clause that must detect it. */
export const depositListMutants: readonly Mutant[] = mutantsOf([
  [
    'DEP-LIST-21',
    'A page size of one is ignored.',
    ignoreFilter('per_page', ({ query }) => query.get('per_page') === '1'),
  ],
  [
    'DEP-LIST-24',
    'Without a filter by `status`, all deposits are listed as `pending`.',
    onRecords(depositsPath, (record, { query }) => query.has('status') || setFields(record, { status: 'pending' })),
  ],
  [
    'DEP-LIST-23',
    'The page size is ignored in combination with filters.',
    ignoreFilter('per_page', ({ query }) => filters.some((name) => query.has(name))),
  ],
  ['DEP-FILTER-01', '`booking_reference` alone finds nothing.', findNothing('booking_reference')],
  [
    'DEP-FILTER-02',
    '`booking_reference` is ignored if it is the only filter.',
    ignoreFilter('booking_reference', (request) => hasOnlyFilters(request, 'booking_reference')),
  ],
  ...depositStatuses.map(
    (status, index): MutantRow => [
      numberedId('DEP-FILTER', 3 + index),
      `The filter \`status=${status}\` of deposits is ignored if it is the only filter.`,
      ignoreFilter('status', (request) => hasOnlyFilters(request, 'status') && request.query.get('status') === status),
    ],
  ),
  [
    'DEP-FILTER-12',
    'A `%` in `booking_reference` stands for any text.',
    onRequest('GET', depositsPath, ({ query }) => {
      // The clause searches for the run's prefix and `%`; the suite's deposit has the prefix and ` booking`.
      const text = query.get('booking_reference') ?? '';
      if (text.endsWith('%')) query.set('booking_reference', `${text.slice(0, -1)} booking`);
    }),
  ],
  [
    'DEP-FILTER-17',
    'A `_` in `booking_reference` stands for a space.',
    onRequest('GET', depositsPath, ({ query }) => {
      const text = query.get('booking_reference');
      if (text !== null) query.set('booking_reference', text.replaceAll('_', ' '));
    }),
  ],
  [
    'DEP-FILTER-18',
    'In `booking_reference`, a zero before other digits is ignored.',
    onRequest('GET', depositsPath, ({ query }) => {
      const text = query.get('booking_reference') ?? '';
      if (/^0\d+$/.test(text)) query.set('booking_reference', text.slice(1));
    }),
  ],
  [
    'DEP-FILTER-13',
    'A `booking_reference` with non-ASCII characters finds nothing.',
    onList(depositsPath, (records, { query }) => (/[^ -~]/u.test(query.get('booking_reference') ?? '') ? [] : records)),
  ],
  [
    'DEP-FILTER-14',
    '`status` matches only the initial status.',
    onList(depositsPath, (records, { query }) => ((query.get('status') ?? 'pending') === 'pending' ? records : [])),
  ],
  [
    'DEP-LIST-22',
    'The `total` of deposits never changes.',
    () => onData('GET', depositsPath, firstValueRepeater('total')),
  ],
  [
    'DEP-FILTER-10',
    '`status` and `booking_reference` together find nothing.',
    findNothing('booking_reference', 'status'),
  ],
  [
    'DEP-FILTER-11',
    '`status` is ignored in combination with `booking_reference`.',
    ignoreFilter('status', (request) => hasOnlyFilters(request, 'booking_reference', 'status')),
  ],
  [
    'DEP-FILTER-15',
    '`data.data` of the list of deposits is null if no deposit matches.',
    onData('GET', depositsPath, (page) => recordsOf(page).length === 0 && setFields(page, { data: null })),
    { runsAfter: 'DEP-FILTER-02' },
  ],
  [
    'DEP-FILTER-16',
    '`status=authorized` is ignored in combination with `booking_reference`.',
    ignoreFilter(
      'status',
      (request) =>
        hasOnlyFilters(request, 'booking_reference', 'status') && request.query.get('status') === 'authorized',
    ),
  ],
]);

import { isRecord } from '../../../lib/json.js';
import type { InterceptedRequest, InterceptedResponse, Interceptor } from '../../mutation/interceptor.js';
import { onResponse, replaceWithError } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';

/** Refuses the selected requests at a path. */
const refuseIf = (
  method: 'GET' | 'POST',
  path: string | RegExp,
  isSelected: (request: InterceptedRequest, response: InterceptedResponse) => boolean = () => true,
): Interceptor =>
  onResponse(
    (request, response) =>
      request.method === method &&
      (typeof path === 'string' ? request.path === path : path.test(request.path)) &&
      isSelected(request, response),
    (response) => replaceWithError(response),
  );

const hasQuery =
  (name: string, value: string) =>
  ({ query }: InterceptedRequest): boolean =>
    query.get(name) === value;

/** True if the response shows a record with this status. */
const showsStatus =
  (status: string) =>
  (_request: InterceptedRequest, { body: { data } }: InterceptedResponse): boolean =>
    isRecord(data) && data['status'] === status;

/**
 * Mutants for the clauses about valid requests (ENV-VALID): they refuse such requests. The clauses only examine responses
 * to requests of other clauses, so `runsAfter` names a clause that sends such a request.
 */
export const validRequestMutants: readonly MutantRow[] = [
  [
    'ENV-VALID-01',
    'The list of invoices refuses `per_page=6`.',
    refuseIf('GET', '/invoices', hasQuery('per_page', '6')),
    { runsAfter: 'INV-LIST-16' },
  ],
  [
    'ENV-VALID-02',
    'An invoice with three items is refused.',
    refuseIf('POST', '/invoices', ({ body: { items } }) => Array.isArray(items) && items.length === 3),
    { runsAfter: 'INV-CREATE-36' },
  ],
  [
    'ENV-VALID-03',
    'A paid invoice cannot be read.',
    refuseIf('GET', /^\/invoices\/\d+$/, showsStatus('paid')),
    { runsAfter: 'INV-DETAIL-43' },
  ],
  ['ENV-VALID-04', 'The statistics cannot be read.', refuseIf('GET', '/invoices/stats')],
  ['ENV-VALID-05', 'The overdue list cannot be read.', refuseIf('GET', '/invoices/overdue')],
  [
    'ENV-VALID-07',
    'The list of payment links refuses `per_page=2`.',
    refuseIf('GET', '/payment-links', hasQuery('per_page', '2')),
    { runsAfter: 'LINK-LIST-10' },
  ],
  [
    'ENV-VALID-08',
    'A link with an integer amount is refused.',
    refuseIf('POST', '/payment-links', ({ body: { amount } }) => Number.isInteger(amount)),
    { runsAfter: 'LINK-SLUG-02' },
  ],
  [
    'ENV-VALID-09',
    'The list of payments refuses `per_page=2`.',
    refuseIf('GET', '/payments', hasQuery('per_page', '2')),
    { runsAfter: 'PAY-LIST-10' },
  ],
  [
    'ENV-VALID-10',
    'The list of deposits refuses a `booking_reference`.',
    refuseIf('GET', '/deposits', ({ query }) => query.has('booking_reference')),
    { runsAfter: 'DEP-FILTER-01' },
  ],
  [
    'ENV-VALID-11',
    'A deposit with a booking reference that is not ASCII is refused.',
    refuseIf('POST', '/deposits', ({ body: { booking_reference: reference } }) => /[^ -~]/.test(String(reference))),
    { runsAfter: 'DEP-FILTER-13' },
  ],
  [
    'ENV-VALID-12',
    'An authorized deposit cannot be read.',
    refuseIf('GET', /^\/deposits\/[^/]+$/, showsStatus('authorized')),
    { runsAfter: 'DEP-STATE-01' },
  ],
];

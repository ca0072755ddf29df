import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { type MutableResponse, setValueAt } from './altering-proxy.js';
import { reportDeviations as reportDeviationsOf, type ServiceRequest } from './report-deviations.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => simulator.close());

/**
 * Sends a request through the proxy, and returns the reported deviations, here of single values, pages and filtered
 * lists, one line each: severity, side, part, place, violated rule, and the gaps that permit the deviation. Example:
 * `note response body data.amount type [decimal.encoding]`
 */
const reportDeviations = async (
  request: ServiceRequest,
  alter: (response: MutableResponse) => void,
): Promise<string[]> => (await reportDeviationsOf(simulator.url, request, alter)).lines;

const post = (path: string, json?: unknown): ServiceRequest => ({
  path,
  method: 'POST',
  ...(json === undefined ? {} : { body: JSON.stringify(json) }),
});

/** Returns a function that sets values in the body of a response, by path. */
const setValues =
  (values: Readonly<Record<string, unknown>>) =>
  ({ body }: MutableResponse): void => {
    for (const [path, value] of Object.entries(values)) setValueAt(body, path, value);
  };

const invoice = {
  customer_id: 1,
  date: '2026-03-01',
  due_date: '2026-03-31',
  items: [{ description: 'Work', quantity: 1, unit_price: 10 }],
};
const deposit = { booking_reference: 'BK-1', amount: 5 };

describe('the proxy reports exactly the deviations of a response with a changed value:', () => {
  test.each<[title: string, request: ServiceRequest, values: Record<string, unknown>, lines: string[]]>([
    [
      'the status of a new invoice',
      post('/invoices', invoice),
      { 'data.status': 'draft' },
      ['error response body data.status const'],
    ],
    [
      'the message of a new invoice',
      post('/invoices', invoice),
      { message: 'Created' },
      ['error response body message const'],
    ],
    [
      'the status of a new invoice: an unknown status is reported as `enum`, and not also as `const`',
      post('/invoices', invoice),
      { 'data.status': 'new' },
      ['error response body data.status enum'],
    ],
    [
      'the message of a reminder',
      post('/invoices/2/reminder'),
      { message: 'Sent' },
      ['error response body message const'],
    ],
    [
      'the error of a reminder of an unknown invoice',
      post('/invoices/999/reminder'),
      { error: 'Not found' },
      ['error response body error const'],
    ],
    [
      'the error of a reminder of a paid invoice',
      post('/invoices/5/reminder'),
      { error: 'The invoice has already been paid.' },
      ['error response body error const'],
    ],
    [
      'the error of a reminder: a reason that the specification does not mention',
      post('/invoices/5/reminder'),
      { error: 'Invoice is a draft' },
      ['note response body error const [invoice.reminder-cancelled]'],
    ],
    [
      'the error of a reminder with an invalid id, for which the specification has no text',
      post('/invoices/abc/reminder'),
      { error: 'No such id' },
      [],
    ],
    [
      'the page number: 0',
      { path: '/invoices' },
      { 'data.current_page': 0 },
      ['error response body data.current_page minimum'],
    ],
    [
      'the page size: 101',
      { path: '/payments' },
      { 'data.per_page': 101 },
      ['error response body data.per_page maximum'],
    ],
    ['the page size: 100', { path: '/payment-links?per_page=100' }, { 'data.per_page': 100 }, []],
    [
      'the page size: 0',
      { path: '/payment-links' },
      { 'data.per_page': 0 },
      ['error response body data.per_page minimum'],
    ],
    [
      'the page size of deposits, for which the specification has no maximum',
      { path: '/deposits' },
      { 'data.per_page': 500 },
      [],
    ],
    ...(
      [
        ['/invoices/stats', 'data.total_invoices', 'data.total_invoices'],
        ['/invoices/stats', 'data.overdue_invoices', 'data.overdue_invoices'],
        ['/invoices/overdue', 'count', 'count'],
        ['/invoices', 'data.total', 'data.total'],
        ['/invoices', 'data.last_page', 'data.last_page'],
        ['/payment-links', 'data.data.0.payments_count', 'data.data.*.payments_count'],
      ] as const
    ).map(([path, field, place]): [string, ServiceRequest, Record<string, unknown>, string[]] => [
      `a negative number of records: ${field} of ${path}`,
      { path },
      { [field]: -1 },
      [`error response body ${place} minimum`],
    ]),
    [
      'a negative number of deposits, whose fields the specification does not show',
      { path: '/deposits' },
      { 'data.total': -1 },
      ['note response body data.total minimum [deposit.fields]'],
    ],
    [
      'the URL of a payment link',
      { path: '/payment-links' },
      { 'data.data.0.url': '/pay/march' },
      ['error response body data.data.*.url format'],
    ],
    [
      'the URL of a new payment link',
      post('/payment-links', { description: 'March', amount: 5 }),
      { 'data.url': 'march' },
      ['error response body data.url format'],
    ],
    [
      'the URL of the link of a payment',
      { path: '/payments' },
      { 'data.data.0.payment_link_url': 'march' },
      ['error response body data.data.*.payment_link_url format'],
    ],
    [
      'the payment link of an overdue invoice',
      { path: '/invoices/overdue' },
      { 'data.0.payment_link': '' },
      ['error response body data.*.payment_link format'],
    ],
    [
      'the payment link of an overdue invoice: null',
      { path: '/invoices/overdue' },
      { 'data.0.payment_link': null },
      [],
    ],
    [
      'the days overdue: a negative number',
      { path: '/invoices/overdue' },
      { 'data.0.days_overdue': -1 },
      ['error response body data.*.days_overdue minimum'],
    ],
    ['the days overdue: 0', { path: '/invoices/overdue' }, { 'data.0.days_overdue': 0 }, []],
    [
      'the authorization URL of a new deposit',
      post('/deposits', deposit),
      { 'data.authorization_url': 'soon' },
      ['error response body data.authorization_url format'],
    ],
    [
      'the authorization URL of an existing deposit, where it is optional',
      { path: '/deposits/2' },
      { 'data.authorization_url': 'soon' },
      ['note response body data.authorization_url format [deposit.fields]'],
    ],
  ])('%s', async (_title, request, values, lines) => {
    expect(await reportDeviations(request, setValues(values))).toEqual(lines);
  });

  const otherSize = 'error response body data.per_page const';
  const otherPage = 'error response body data.current_page const';

  test.each<[path: string, values: Record<string, unknown>, lines: string[]]>([
    ['/invoices', { 'data.per_page': 15 }, [otherSize]],
    ['/invoices?per_page=2', { 'data.per_page': 25 }, [otherSize]],
    ['/payment-links?per_page=2', { 'data.per_page': 1 }, [otherSize, 'error response body data.data maxItems']],
    ['/payment-links', { 'data.total': 2 }, ['error response body data.total minimum']],
    ['/payments?per_page=1', { 'data.data': [] }, []],
    ['/payments?per_page=100', {}, []],
    ['/invoices?per_page=2&page=2', { 'data.current_page': 1 }, [otherPage]],
    ['/invoices?per_page=2', { 'data.current_page': 2 }, [otherPage]],
    // For a page beyond the last, a target may return the last page, or an empty page with the requested number.
    ['/invoices?per_page=2&page=99', { 'data.current_page': 5, 'data.last_page': 5 }, []],
    ['/invoices?per_page=2&page=99', {}, []],
    ['/invoices?per_page=2&page=99', { 'data.current_page': 4, 'data.last_page': 5 }, [otherPage]],
    // The simulator shows 2^53 - 1.
    ['/invoices?page=9007199254740993', {}, []],
    // For other lists, the specification names no `page` parameter, and for deposits no default of `per_page`.
    [
      '/payments?per_page=1&page=2',
      { 'data.current_page': 1 },
      ['note request query page unknown-parameter [page.page-everywhere]'],
    ],
    ['/deposits?per_page=2', { 'data.per_page': 1, 'data.total': 1 }, []],
    ['/invoices?page=', {}, ['note request query page empty [query.empty]']],
    ['/invoices?per_page=101', {}, ['note request query per_page maximum [page.over-maximum]']],
  ])('the page of %s with %j', async (path, values, lines) => {
    expect(await reportDeviations({ path }, setValues(values))).toEqual(lines);
  });

  test.each<[name: string, value: string, lines: string[]]>([
    ['X-RateLimit-Limit', '0', ['error response header X-RateLimit-Limit minimum']],
    ['X-RateLimit-Limit', '1', []],
    ['X-RateLimit-Remaining', '-1', ['error response header X-RateLimit-Remaining minimum']],
    ['X-RateLimit-Remaining', '0', []],
  ])('%s: %s', async (name, value, lines) => {
    const changeHeader = ({ headers }: MutableResponse): void => {
      headers[name.toLowerCase()] = value;
    };
    expect(await reportDeviations({ path: '/invoices' }, changeHeader)).toEqual(lines);
    expect(await reportDeviations({ path: '/invoices', method: 'HEAD' }, changeHeader)).toEqual(lines);
  });

  test('a gap permits page number 0 if page 0 was requested', async () => {
    const lines = await reportDeviations({ path: '/invoices?page=0' }, (response) => {
      response.status = 200;
      response.body = { success: true, data: { current_page: 0, data: [], per_page: 25, total: 0, last_page: 1 } };
    });
    expect(lines).toEqual([
      'note request query page minimum [page.invalid]',
      'note response body data.current_page minimum [page.invalid]',
    ]);
  });
});

describe('the proxy reports exactly the deviations of a filtered list with one record:', () => {
  const payment = {
    id: 1,
    description: 'Consulting April',
    amount: 5,
    currency: 'EUR',
    status: 'paid',
    payment_method: 'card',
    payment_link_id: 1,
    payment_link_url: 'http://127.0.0.1/pay/x',
    reference: 'R',
    paid_at: '2026-02-20T23:30:00+00:00',
    created_at: '2026-02-10T12:00:00+00:00',
    customer: { id: 1, name: 'Ada', email: 'ada@a.example' },
  };
  const bookedDeposit = {
    id: 1,
    booking_reference: 'BK-77',
    amount: 5,
    currency: 'EUR',
    customer: null,
    check_in_date: null,
    check_out_date: null,
    metadata: {},
    status: 'pending',
    captured_amount: 0,
    remaining_amount: 0,
    authorization_url: 'http://127.0.0.1/authorize/1',
    authorized_at: null,
    expires_at: null,
    released_at: null,
    created_at: '2026-03-01T09:00:00+00:00',
  };
  const reportOnList = (path: string, record: object, query: string): Promise<string[]> =>
    reportDeviations({ path: `${path}?${query}` }, (response) => {
      response.status = 200;
      response.body = {
        success: true,
        data: { current_page: 1, data: [record], per_page: 25, total: 1, last_page: 1 },
      };
    });

  const descriptionMismatch = ['error response body data.data.*.description filter'];
  const dateMismatch = ['error response body data.data.* filter'];

  // The specification leaves open whether a date filter applies to `created_at` or to `paid_at`, and in which time zone.
  // So either may match, with a tolerance of one day.
  test.each<[query: string, changes: object, lines: string[]]>([
    ['description=APRIL', {}, []],
    ['description=May', {}, descriptionMismatch],
    ['description=%20april%20', {}, []],
    // `a%l`: a percent sign is not a wildcard.
    ['description=a%25l', {}, descriptionMismatch],
    ['description=CAFE', { description: 'Café' }, []],
    // ΟΔΟΣ, whose last letter has two lower-case forms.
    ['description=%CE%9F%CE%94%CE%9F%CE%A3', { description: 'οδος' }, []],
    // STRAẞE with the capital sharp s.
    ['description=STRA%E1%BA%9EE', { description: 'Lange Straße' }, []],
    ['description=STRA%E1%BA%9EE', { description: 'Lange Strasse' }, []],
    // An empty text is a valid description, but not a valid status.
    ['description=', {}, []],
    ['status=', {}, ['note request query status empty [query.empty]']],
    ['status=paid', {}, []],
    ['status=failed', {}, ['error response body data.data.*.status filter']],
    ['from=2026-02-10&to=2026-02-10', {}, []],
    ['from=2026-02-20&to=2026-02-20', {}, []],
    ['from=2026-02-22', {}, dateMismatch],
    ['from=2026-02-21', {}, []],
    ['to=2026-02-08', {}, dateMismatch],
    ['to=2026-02-09', {}, []],
    ['from=0001-01-01&to=9999-12-31', {}, []],
    ['from=2026-02-13&to=2026-02-17', {}, dateMismatch],
    ['to=2026-02-01', { created_at: '2026-02-10' }, ['error response body data.data.*.created_at format']],
    ['from=2026-02-25&to=2026-02-01', {}, ['note response body data.data.* filter [payment.range-reversed]']],
    ['description=May&status=failed', {}, [...descriptionMismatch, 'error response body data.data.*.status filter']],
  ])('GET /payments?%s with a payment changed by %j reports %j', async (query, changes, lines) => {
    expect(await reportOnList('/payments', { ...payment, ...changes }, query)).toEqual(lines);
  });

  test.each<[query: string, changes: object, lines: string[]]>([
    ['booking_reference=BK-77', {}, []],
    ['booking_reference=BK-78', {}, ['error response body data.data.*.booking_reference filter']],
    ['booking_reference=bk', {}, ['note response body data.data.*.booking_reference filter [deposit.booking-filter]']],
    // A deposit whose reference is not a string cannot be compared with the filter.
    ['booking_reference=BK-78', { booking_reference: null }, []],
    ['booking_reference=', {}, []],
    ['status=pending', {}, []],
    ['status=captured', {}, ['error response body data.data.*.status filter']],
  ])('GET /deposits?%s with a deposit changed by %j reports %j', async (query, changes, lines) => {
    expect(await reportOnList('/deposits', { ...bookedDeposit, ...changes }, query)).toEqual(lines);
  });
});

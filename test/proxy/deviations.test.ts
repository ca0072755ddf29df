import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { sendAllRequests } from './all-requests.js';
import { type MutableResponse, setValueAt, startAlteringProxy } from './altering-proxy.js';
import { reportDeviations as reportDeviationsOf, type ServiceRequest } from './report-deviations.js';
import { openTestProxy } from './test-proxy.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => simulator.close());

/**
 * Sends a request through the proxy, and returns the deviations from the OpenAPI document that the proxy reports, one
 * line each: severity, side, part, place, violated rule, and the gaps that permit the deviation. Example:
 * `note response body data.amount type [decimal.encoding]`
 */
const reportDeviations = (request: ServiceRequest, alter?: (response: MutableResponse) => void) =>
  reportDeviationsOf(simulator.url, request, alter);

test('the proxy reports the three errors of a service, and no others', async () => {
  const service = await startAlteringProxy(simulator.url, ({ method, path }, response) => {
    if (method === 'GET' && path.endsWith('/invoices/stats')) setValueAt(response.body, 'data.total_invoices', '9');
    if (method === 'GET' && path.endsWith('/invoices/1') && response.status === 200) response.status = 203;
    if (method === 'GET' && path.endsWith('/deposits/999')) delete response.headers['x-ratelimit-reset'];
  });
  const { baseUrl, lines, failures } = await openTestProxy(service);
  await sendAllRequests(baseUrl);
  expect(failures).toEqual([]);
  expect(lines().filter((line) => line.startsWith('error'))).toEqual([
    'error response status unlisted',
    'error response body data.total_invoices type',
    'error response header X-RateLimit-Reset missing',
  ]);
  // All other lines are notes about invalid requests, and about statuses that only the default response covers.
  expect(lines().filter((line) => !/^(error|note request)|status unlisted-error$/.test(line))).toEqual([]);
});

test('if a list has a forbidden and a permitted value of the same field, the message is about the forbidden one', async () => {
  const service = await startAlteringProxy(simulator.url, (_, { body }) => {
    setValueAt(body, 'data.data.0.amount', null);
    // Gap decimal.encoding permits strings.
    setValueAt(body, 'data.data.1.amount', '19.90');
  });
  const { baseUrl, deviations } = await openTestProxy(service);
  await sendHttpRequest(baseUrl, { token: 'demo_full', path: '/api/v1/invoices' });
  expect(deviations).toMatchObject([{ severity: 'error', message: 'must be number, but is null' }]);
});

test.each([
  ['items', [], 'must not have fewer than 1 items'],
  ['notes', 'x'.repeat(5001), 'must not have more than 5000 characters'],
])('the message about an invalid size of `%s` is a plain sentence', async (field, value, message) => {
  const service = await startAlteringProxy(simulator.url, (_, response) => {
    response.status = 201;
  });
  const { baseUrl, deviations } = await openTestProxy(service);
  const body = JSON.stringify({ [field]: value });
  await sendHttpRequest(baseUrl, { method: 'POST', token: 'demo_full', path: '/api/v1/invoices', body });
  expect(deviations).toContainEqual(expect.objectContaining({ side: 'request', at: field, message }));
});

describe('the proxy reports exactly the deviations of a response with', () => {
  const setField =
    (path: string, value: unknown) =>
    ({ body }: MutableResponse) =>
      setValueAt(body, path, value);
  const setHeader =
    (name: string, value: string | undefined) =>
    ({ headers }: MutableResponse) => {
      headers[name] = value;
    };
  const removeContent = (response: MutableResponse): void => {
    response.status = 204;
    response.body = '';
  };
  const invoiceText = JSON.stringify({
    customer_id: 1,
    date: '2026-03-01',
    due_date: '2026-03-31',
    items: [{ description: 'Work', quantity: 1, unit_price: 10 }],
  });

  test.each<[title: string, request: ServiceRequest, alter: (response: MutableResponse) => void, lines: string[]]>([
    [
      'a field of the wrong type',
      { path: '/invoices' },
      setField('data.total', '9'),
      ['error response body data.total type'],
    ],
    [
      'a field of the wrong type in a record of a list',
      { path: '/invoices' },
      setField('data.data.3.date', 5),
      ['error response body data.data.*.date type'],
    ],
    [
      'a missing field',
      { path: '/invoices' },
      setField('data.per_page', undefined),
      ['error response body data.per_page required'],
    ],
    [
      'a missing envelope',
      { path: '/invoices' },
      (response) => {
        response.body = [];
      },
      ['error response body type'],
    ],
    [
      'status 200 and `success: false`',
      { path: '/invoices' },
      setField('success', false),
      ['error response body success const'],
    ],
    [
      'an unknown status of a record',
      { path: '/invoices' },
      setField('data.data.0.status', 'lost'),
      ['error response body data.data.*.status enum'],
    ],
    [
      'an impossible date',
      { path: '/invoices/2' },
      setField('data.due_date', '2026-02-30'),
      ['error response body data.due_date format'],
    ],
    [
      'a due date before the date',
      { path: '/invoices/2' },
      setField('data.due_date', '1999-01-01'),
      ['error response body data.due_date x-not-before'],
    ],
    [
      'a number instead of a string',
      { path: '/invoices/2' },
      setField('data.invoice_number', 7),
      ['error response body data.invoice_number type'],
    ],
    [
      'an error without its text',
      { path: '/invoices/999' },
      setField('error', undefined),
      ['error response body error required'],
    ],
    [
      'errors that are not lists',
      { path: '/invoices?per_page=0' },
      setField('errors', { per_page: 'no' }),
      ['error response body errors.per_page type'],
    ],
    [
      'a new deposit without its authorization URL',
      { path: '/deposits', method: 'POST', body: '{"booking_reference":"B","amount":5}' },
      setField('data.authorization_url', undefined),
      ['error response body data.authorization_url required'],
    ],
    [
      'a list of invoices without `last_page`, which is required',
      { path: '/invoices' },
      setField('data.last_page', undefined),
      ['error response body data.last_page required'],
    ],
    [
      'a body that is not JSON',
      { path: '/invoices' },
      (response) => {
        response.body = 'oops';
      },
      ['error response body json'],
    ],
    [
      'HTML',
      { path: '/invoices' },
      (response) => {
        response.body = 'oops';
        response.headers['content-type'] = 'text/html';
      },
      ['error response media-type media-type'],
    ],
    [
      'JSON under the media type of HTML',
      { path: '/invoices' },
      setHeader('content-type', 'text/html; charset=utf-8'),
      ['error response media-type media-type'],
    ],
    [
      'no media type',
      { path: '/invoices' },
      setHeader('content-type', undefined),
      ['error response media-type media-type'],
    ],
    [
      'no body',
      { path: '/invoices' },
      (response) => {
        response.body = '';
      },
      ['error response body missing'],
    ],
    [
      'status 206, which is not documented',
      { path: '/invoices' },
      (response) => {
        response.status = 206;
      },
      ['error response status unlisted'],
    ],
    [
      'a redirect',
      { path: '/invoices' },
      (response) => {
        response.status = 302;
      },
      ['error response status unlisted'],
    ],
    [
      'no X-RateLimit-Limit header',
      { path: '/invoices/999' },
      setHeader('x-ratelimit-limit', undefined),
      ['error response header X-RateLimit-Limit missing'],
    ],
    [
      'a word as rate limit',
      { path: '/invoices' },
      setHeader('x-ratelimit-remaining', 'many'),
      ['error response header X-RateLimit-Remaining type'],
    ],
    [
      'a rate limit in exponential notation',
      { path: '/invoices' },
      setHeader('x-ratelimit-limit', '6e1'),
      ['error response header X-RateLimit-Limit type'],
    ],
    [
      'several deviations',
      { path: '/invoices/stats' },
      (response) => {
        response.status = 206;
        setValueAt(response.body, 'data.currency', 'euro');
        delete response.headers['x-ratelimit-reset'];
      },
      [
        'error response status unlisted',
        'error response header X-RateLimit-Reset missing',
        'error response body data.currency pattern',
      ],
    ],
    [
      'an amount as a string',
      { path: '/invoices/2' },
      setField('data.amount', '19.90'),
      ['note response body data.amount type [decimal.encoding]'],
    ],
    ...[null, true, '', '1,50', '1e2', [19.9]].map(
      (value): [string, ServiceRequest, (response: MutableResponse) => void, string[]] => [
        `${JSON.stringify(value)} as an amount, which no choice of the gap allows`,
        { path: '/invoices/2' },
        setField('data.amount', value),
        ['error response body data.amount type'],
      ],
    ),
    [
      'one amount as a string and another as null',
      { path: '/invoices' },
      ({ body }) => {
        setValueAt(body, 'data.data.0.amount', '19.90');
        setValueAt(body, 'data.data.1.amount', null);
      },
      ['error response body data.data.*.amount type'],
    ],
    [
      'a creation status that a gap permits',
      { path: '/payment-links', method: 'POST', body: '{"description":"d","amount":5}' },
      (response) => {
        response.status = 200;
      },
      ['note response status unlisted [status.created]'],
    ],
    [
      'a creation status that is not a choice of the gap',
      { path: '/payment-links', method: 'POST', body: '{"description":"d","amount":5}' },
      (response) => {
        response.status = 202;
      },
      ['note response status unlisted [status.created]'],
    ],
    [
      'another status than 201 for a new invoice',
      { path: '/invoices', method: 'POST', body: invoiceText },
      (response) => {
        response.status = 200;
      },
      ['error response status unlisted'],
    ],
    [
      'no content after a release, whose response the specification does not show',
      { path: '/deposits/3/release', method: 'POST' },
      removeContent,
      ['note response status unlisted [status.acted]', 'note response body missing [deposit.fields]'],
    ],
    [
      'no content after a reminder, whose response the specification shows',
      { path: '/invoices/2/reminder', method: 'POST' },
      removeContent,
      ['note response status unlisted [status.acted]', 'error response body missing'],
    ],
    [
      'a payment whose method is null, as it can be until it is paid',
      { path: '/payments' },
      setField('data.data.0.payment_method', null),
      ['note response body data.data.*.payment_method type [payment.methods]'],
    ],
    [
      'a payment without a method and a link',
      { path: '/payments' },
      ({ body }) => {
        for (const field of ['payment_method', 'payment_link_id', 'payment_link_url'])
          setValueAt(body, `data.data.0.${field}`, undefined);
      },
      [
        'note response body data.data.*.payment_method required [payment.methods]',
        'note response body data.data.*.payment_link_id required [event.invoice-payment]',
        'note response body data.data.*.payment_link_url required [event.invoice-payment]',
      ],
    ],
    [
      'a number as payment method, which is not a method',
      { path: '/payments' },
      setField('data.data.0.payment_method', 5),
      ['error response body data.data.*.payment_method type'],
    ],
    [
      'an error with null instead of messages by field',
      { path: '/invoices/999' },
      setField('errors', null),
      ['note response body errors type [validation.status]'],
    ],
    [
      'an error with a list instead of messages by field',
      { path: '/invoices/999' },
      setField('errors', []),
      ['error response body errors type'],
    ],
    [
      'a list of payment links without `last_page`, which a gap leaves open',
      { path: '/payment-links' },
      setField('data.last_page', undefined),
      ['note response body data.last_page required [page.last-page-everywhere]'],
    ],
    [
      'a deposit with other fields',
      { path: '/deposits/2' },
      setField('data', { key: 'x' }),
      [expect.stringMatching(/^note response body data\.\w+ required \[deposit.fields\]$/)],
    ],
    [
      'a list of deposits without pagination',
      { path: '/deposits' },
      setField('data', []),
      ['note response body data type [deposit.fields]'],
    ],
    [
      'a list of deposits with other fields',
      { path: '/deposits' },
      setField('data.total', undefined),
      ['note response body data.total required [deposit.fields]'],
    ],
    [
      'a list of deposits whose pages are numbered from 0',
      { path: '/deposits' },
      setField('data.current_page', 0),
      ['note response body data.current_page minimum [deposit.fields]'],
    ],
    [
      'a list of deposits in a field of another name',
      { path: '/deposits' },
      setField('data', undefined),
      ['note response body data required [deposit.fields]'],
    ],
    [
      'a deposit with an unknown status',
      { path: '/deposits/2' },
      setField('data.status', 'reserved'),
      ['error response body data.status enum'],
    ],
    [
      'a subscription with other fields',
      { path: '/invoices/2' },
      setField('data.subscription', { plan: 'gold' }),
      ['note response body data.subscription oneOf [invoice.subscription]'],
    ],
    [
      'a subscription that is neither an object nor null',
      { path: '/invoices/2' },
      setField('data.subscription', false),
      ['error response body data.subscription oneOf'],
    ],
    [
      'transactions with other fields',
      { path: '/invoices/2' },
      setField('data.transactions', [{ key: 1 }]),
      [expect.stringMatching(/^note response body data\.transactions\.\*\.\w+ required \[invoice.transactions\]/)],
    ],
    [
      'a reset time in ISO 8601',
      { path: '/invoices' },
      setHeader('x-ratelimit-reset', '2026-03-01T09:01:00Z'),
      ['note response header X-RateLimit-Reset type [rate.reset-unit]'],
    ],
    [
      'a reset time that is not a time',
      { path: '/invoices' },
      setHeader('x-ratelimit-reset', 'soon'),
      ['error response header X-RateLimit-Reset type'],
    ],
    [
      'no rate-limit header, if the request has no token',
      { path: '/invoices', token: undefined },
      setHeader('x-ratelimit-limit', undefined),
      ['error response header X-RateLimit-Limit missing'],
    ],
    [
      'status 500, which only the default response covers',
      { path: '/invoices' },
      (response) => {
        response.status = 500;
        response.body = { success: false, error: 'x' };
      },
      ['note response status unlisted-error'],
    ],
    ['a field that the document does not have', { path: '/invoices/2' }, setField('data.uuid', 'x'), []],
    [
      'status 304 to a conditional request',
      { path: '/invoices', headers: ['If-None-Match', '"1"'] },
      (response) => {
        response.status = 304;
        response.body = '';
      },
      [],
    ],
  ])('%s', async (_title, request, alter, lines) => {
    const reported = await reportDeviations(request, alter);
    // Each line is replaced by the expected line that it matches, since several lines may match one matcher.
    expect([
      ...new Set(reported.lines.map((line) => lines.find((expectedLine) => isMatch(expectedLine, line)) ?? line)),
    ]).toEqual(lines);
  });
});

/** Returns whether a line matches an expected line, which is a text or an asymmetric matcher of vitest. */
function isMatch(expectedLine: string, line: string): boolean {
  return expectedLine === line || (typeof expectedLine === 'object' && Object(expectedLine).asymmetricMatch(line));
}

describe('a request', () => {
  /** Creates a request to create a payment link. */
  const linkRequest = (body: object): ServiceRequest => ({
    path: '/payment-links',
    method: 'POST',
    body: JSON.stringify(body),
  });
  /** Turns the simulator's error into a success, as a lenient service would. */
  const accept = (response: MutableResponse): void => {
    response.status = 201;
    response.body = {
      success: true,
      data: {
        id: 1,
        url: 'http://127.0.0.1/pay/d',
        description: '',
        amount: 1,
        currency: 'EUR',
        created_at: '2026-03-01T09:00:00Z',
      },
    };
  };

  test.each<[title: string, request: ServiceRequest, line: string]>([
    ['without a token', { ...linkRequest({ description: 'd', amount: 5 }), token: undefined }, 'request token missing'],
    ['without a field', linkRequest({ amount: 5 }), 'request body description required'],
    ['with a field of the wrong type', linkRequest({ description: 'd', amount: '5' }), 'request body amount type'],
    ['with a body that is not an object', linkRequest([]), 'request body type'],
    ['without a body', { path: '/payment-links', method: 'POST' }, 'request body missing'],
  ])(
    '%s is an error if the service accepts it, and not reported if the service refuses it',
    async (_title, request, line) => {
      expect((await reportDeviations(request)).lines).toEqual([]);
      expect((await reportDeviations(request, accept)).lines).toEqual([`error ${line}`]);
    },
  );

  test.each([400, 418, 499])('that is invalid and refused with %d is not a deviation', async (status) => {
    const { lines, header } = await reportDeviations(linkRequest({ amount: 5 }), (response) => {
      response.status = status;
    });
    expect({ lines, header }).toEqual({ lines: [], header: '0' });
  });

  test('that is valid and refused with an undocumented status causes a note', async () => {
    const { lines } = await reportDeviations({ path: '/invoices' }, (response) => {
      response.status = 418;
      response.body = { success: false, error: 'x' };
    });
    expect(lines).toEqual(['note response status unlisted-error']);
  });

  test('that is refused still needs a response that matches the document', async () => {
    const { lines } = await reportDeviations(linkRequest({ amount: 5 }), ({ body }) =>
      setValueAt(body, 'success', true),
    );
    expect(lines).toEqual(['error response body success const']);
  });

  test.each<[title: string, request: ServiceRequest, line: string]>([
    [
      'an amount of zero',
      linkRequest({ description: 'd', amount: 0 }),
      'body amount exclusiveMinimum [link.amount-range]',
    ],
    [
      'an amount with three decimal places',
      linkRequest({ description: 'd', amount: 1.005 }),
      'body amount x-decimal-places [link.amount-range] [amount.minor-units]',
    ],
    ['a large amount', linkRequest({ description: 'd', amount: 5e9 }), 'body amount maximum [amount.maximum]'],
    [
      'a long text',
      linkRequest({ description: 'd'.repeat(300), amount: 5 }),
      'body description maxLength [text.lengths]',
    ],
    ['a NUL character', linkRequest({ description: '\0', amount: 5 }), 'body description pattern [text.characters]'],
    [
      'a currency that is not in use',
      linkRequest({ description: 'd', amount: 5, currency: 'DEM' }),
      'body currency enum [link.currency-others]',
    ],
    [
      'a body of another type',
      { ...linkRequest({ description: 'd', amount: 5 }), headers: ['Content-Type', 'text/plain'] },
      'media-type media-type [request.content-type]',
    ],
    [
      'a body of malformed JSON',
      { path: '/payment-links', method: 'POST', body: '{' },
      'body json [request.malformed-json]',
    ],
  ])('with %s, if the service accepts it, is a note that names the gap', async (_title, request, line) => {
    expect((await reportDeviations(request, accept)).lines).toEqual([`note request ${line}`]);
  });

  test('for an invoice whose id is not an integer, if the service accepts it, is a note that names the gap', async () => {
    const { lines } = await reportDeviations({ path: '/invoices/abc' }, (response) => {
      response.status = 200;
    });
    expect(lines.filter((line) => line.includes(' request '))).toEqual([
      'note request path invoice type [invoice.id-text]',
    ]);
  });

  // The proxy does not know the currency of the deposit; the most that a currency has are three decimal places.
  test.each<[body: object, lines: string[]]>([
    [{ amount: 0.125 }, []],
    [{ amount: 0.25, currency: 'JPY' }, []],
    [{ amount: 0.1234 }, ['note request body amount x-decimal-places [deposit.amount-range] [amount.minor-units]']],
  ])('to capture %j, if the service accepts it, causes the deviations %j', async (body, expectedLines) => {
    const request = { path: '/deposits/2/capture', method: 'POST', body: JSON.stringify(body) } as const;
    const { lines } = await reportDeviations(request, (response) => {
      response.status = 200;
    });
    expect(lines.filter((line) => line.includes(' request '))).toEqual(expectedLines);
  });

  test.each<[title: string, request: ServiceRequest, lines: string[]]>([
    ['an invalid page', { path: '/invoices?page=x' }, []],
    [
      'a page size above the maximum',
      { path: '/invoices?per_page=500' },
      ['note request query per_page maximum [page.over-maximum]'],
    ],
    ['an id that is not a number', { path: '/invoices/abc' }, []],
    ['an invalid status', { path: '/payments?status=gone' }, []],
    ['an unknown parameter', { path: '/invoices?per_pge=5' }, ['note request query per_pge unknown-parameter']],
    ...['/payment-links', '/payments', '/deposits'].map((path): [string, ServiceRequest, string[]] => [
      'a page of a list for which the specification lists no pages',
      { path: `${path}?page=1` },
      ['note request query page unknown-parameter [page.page-everywhere]'],
    ]),
    [
      'a parameter that may be a secret',
      { path: '/invoices?s3cr3t-t0ken' },
      ['note request query * unknown-parameter'],
    ],
    ['an unknown path', { path: '/customers' }, []],
    ['an unknown method', { path: '/invoices/2', method: 'DELETE' }, []],
    ['a trailing slash', { path: '/invoices/' }, []],
    [
      'a CORS preflight request',
      { path: '/invoices', method: 'OPTIONS', headers: ['Access-Control-Request-Method', 'GET'] },
      [],
    ],
    [
      'an empty object as body where none is documented',
      { path: '/deposits/2/release', method: 'POST', body: '{}' },
      [],
    ],
    ['a percent-encoded letter in the path', { path: '/%69nvoices' }, []],
    [
      'the scheme `bearer` in lower case',
      { path: '/invoices', token: undefined, headers: ['Authorization', 'bearer demo_full'] },
      [],
    ],
  ])('with %s causes no errors, only these notes: %j', async (_title, request, lines) => {
    expect((await reportDeviations(request)).lines).toEqual(lines);
  });

  test('with a body where none is documented is an error', async () => {
    const request = { path: '/invoices/2/reminder', method: 'POST', body: '{"to":"x"}' };
    expect((await reportDeviations(request)).lines).toEqual(['error request body undocumented']);
  });

  test('to an undocumented route that responds with 200 is an error', async () => {
    const { lines } = await reportDeviations({ path: '/customers' }, (response) => {
      response.status = 200;
    });
    expect(lines).toEqual(['error request route route']);
  });
});

test('a gap whose choice is known permits only that choice, unless the document cannot express it', async () => {
  // The document can express that amounts are numbers, but not what a service does with a page size above the maximum.
  const knownChoices = { 'decimal.encoding': 'number', 'page.over-maximum': 'clamped' };
  const service = await startAlteringProxy(simulator.url, (_, { body }) =>
    setValueAt(body, 'data.total_overdue', '19.90'),
  );
  const { baseUrl, lines } = await openTestProxy(service, { choices: knownChoices });
  await sendHttpRequest(baseUrl, { path: '/api/v1/invoices/stats', token: 'demo_full' });
  await sendHttpRequest(baseUrl, { path: '/api/v1/invoices?per_page=500', token: 'demo_full' });
  expect(lines()).toEqual([
    'error response body data.total_overdue type',
    'note request query per_page maximum [page.over-maximum]',
  ]);
});

test('the X-Sim-Deviations header counts the errors and notes, and lists the codes of the errors', async () => {
  expect((await reportDeviations({ path: '/invoices' })).header).toBe('0');
  expect((await reportDeviations({ path: '/invoices?per_page=500' })).header).toBe('0;notes=1');
  const { header } = await reportDeviations({ path: '/invoices?per_page=500' }, (response) => {
    response.status = 206;
    setValueAt(response.body, 'data.total', 'x');
  });
  expect(header).toBe('2;notes=1;codes="response-status-unlisted response-body-type"');
});

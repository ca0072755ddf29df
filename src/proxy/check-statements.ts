import { bookingMatch, containsText, hasStatus, isBetweenDates } from '../contract/predicates/filters.js';
import { aUrl, type Matcher, valueAt } from '../contract/predicates/matchers.js';
import {
  countLowerBound,
  currentPageLowerBound,
  daysOverdueLowerBound,
  invoiceCreatedMessage,
  invoiceNotFoundError,
  invoicePaidError,
  newInvoiceStatus,
  perPageLowerBound,
  perPageUpperBound,
  rateLimitLowerBound,
  reminderSentMessage,
  saysAlreadyPaid,
} from '../contract/predicates/statements.js';
import { isRecord } from '../lib/json.js';
import { type BodyParseResult, parsedBody } from './body.js';
import { checkPage } from './check-page.js';
import { type Finding, findingOn } from './deviation.js';
import type { Operation } from './document.js';
import { headerOf, type ProxiedRequest, type ProxiedResponse } from './exchange.js';
import { listOf, type Node } from './tree.js';

/** A statement of the specification about one value of a response, or about the same value of all list items. */
interface Statement {
  /** Dotted path in the body; `*` matches all items of a list. */
  readonly path: string;
  readonly type: 'string' | 'number';
  readonly matcher: Matcher;
  /** Rule in reports: the equivalent JSON Schema keyword. */
  readonly rule: 'const' | 'minimum' | 'maximum' | 'format';
  /** Status of the responses that the statement is about; 200 stands for any success. */
  readonly status: 200 | 400 | 404;
  /**
   * Returns the gaps that permit a value that does not match, given the other findings of the exchange. A gap is a
   * question that the specification does not answer.
   */
  readonly gaps?: (value: unknown, found: readonly Finding[]) => readonly string[];
}

/** Compares a record of a list with the filters in the query. */
type Filter = (filterValue: FilterValueOf, record: Node) => readonly Mismatch[];

/** Mismatch of a record with a filter. */
interface Mismatch {
  /** Field of the record that does not match; empty if it is not a single field. */
  readonly field: string;
  readonly description: string;
  /** Gaps that permit the mismatch. */
  readonly gaps?: readonly string[];
}

/** Returns the value of a filter parameter of the query; undefined if it is missing, empty, repeated or invalid. */
type FilterValueOf = (name: string) => string | undefined;

const stringStatement = (
  path: string,
  matcher: Matcher,
  status: Statement['status'],
  overrides: Partial<Statement> = {},
): Statement => ({
  path,
  type: 'string',
  matcher,
  rule: 'const',
  status,
  ...overrides,
});

const numberStatement = (
  path: string,
  matcher: Matcher,
  rule: 'minimum' | 'maximum',
  overrides: Partial<Statement> = {},
): Statement => ({
  path,
  type: 'number',
  matcher,
  rule,
  status: 200,
  ...overrides,
});

const countStatement = (path: string): Statement => numberStatement(path, countLowerBound, 'minimum');

const urlStatement = (path: string, overrides: Partial<Statement> = {}): Statement =>
  stringStatement(path, aUrl, 200, { rule: 'format', ...overrides });

/**
 * Permits any value if the query parameter of the given name is invalid or not documented, because the response may
 * repeat the invalid value (gap page.invalid).
 */
const anyValueIfInvalid = (name: string) => (_: unknown, found: readonly Finding[]) =>
  found.some(({ part, at }) => part === 'query' && at === name) ? ['page.invalid'] : [];

const pageStatements: readonly Statement[] = [
  numberStatement('data.current_page', currentPageLowerBound, 'minimum', { gaps: anyValueIfInvalid('page') }),
  numberStatement('data.per_page', perPageLowerBound, 'minimum', { gaps: anyValueIfInvalid('per_page') }),
  countStatement('data.total'),
  countStatement('data.last_page'),
];
const boundedPageStatements = [...pageStatements, numberStatement('data.per_page', perPageUpperBound, 'maximum')];

/**
 * States that a deposit's authorization URL is a URL. The specification says which fields the response that creates a
 * deposit contains, but not which fields other responses contain (gap deposit.fields).
 */
const authorizationUrlStatement = (path: string): Statement => urlStatement(path, { gaps: () => ['deposit.fields'] });

/** Statements about a page of deposits. The specification does not show which fields such a page has. */
const depositPageStatements = pageStatements.map((statement) => ({
  ...statement,
  gaps: (...context: Parameters<NonNullable<Statement['gaps']>>) => [
    ...(statement.gaps?.(...context) ?? []),
    'deposit.fields',
  ],
}));

/** Statements by operationId. */
const statements: Readonly<Record<string, readonly Statement[]>> = {
  listInvoices: boundedPageStatements,
  getInvoiceStats: ['total_invoices', 'pending_invoices', 'paid_invoices', 'overdue_invoices'].map((name) =>
    countStatement(`data.${name}`),
  ),
  listPaymentLinks: [
    ...boundedPageStatements,
    urlStatement('data.data.*.url'),
    countStatement('data.data.*.payments_count'),
  ],
  createPaymentLink: [urlStatement('data.url')],
  listPayments: [...boundedPageStatements, urlStatement('data.data.*.payment_link_url')],
  listDeposits: [...depositPageStatements, authorizationUrlStatement('data.data.*.authorization_url')],
  createDeposit: [urlStatement('data.authorization_url')],
  getDeposit: [authorizationUrlStatement('data.authorization_url')],
  captureDeposit: [authorizationUrlStatement('data.authorization_url')],
  releaseDeposit: [authorizationUrlStatement('data.authorization_url')],
  listOverdueInvoices: [
    countStatement('count'),
    numberStatement('data.*.days_overdue', daysOverdueLowerBound, 'minimum'),
    urlStatement('data.*.payment_link'),
  ],
  createInvoice: [
    stringStatement('message', invoiceCreatedMessage, 200),
    stringStatement('data.status', newInvoiceStatus, 200),
  ],
  sendInvoiceReminder: [
    stringStatement('message', reminderSentMessage, 200),
    // The specification states the message for a paid invoice only. If the error gives another reason, any text is
    // permitted.
    stringStatement('error', invoicePaidError, 400, {
      gaps: (error) => (saysAlreadyPaid(error) ? [] : ['invoice.reminder-cancelled']),
    }),
    stringStatement('error', invoiceNotFoundError, 404),
  ],
};

/** Lower bounds of headers. */
const headerBounds: readonly (readonly [name: string, bound: Matcher])[] = [
  ['X-RateLimit-Limit', rateLimitLowerBound],
  ['X-RateLimit-Remaining', countLowerBound],
];

/** Filters by operationId. */
const filters: Readonly<Record<string, Filter>> = {
  listPayments(filterValue, record) {
    const [description, from, to] = [filterValue('description'), filterValue('from'), filterValue('to')];
    const recordDescription = record['description'];
    // A payment that does not show its description may have a matching one.
    const mayHaveDescription =
      description === undefined ||
      typeof recordDescription !== 'string' ||
      containsText(recordDescription, description);
    const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const isReversed = from !== undefined && to !== undefined && from > to;
    return [
      ...(mayHaveDescription ? [] : [mismatchOf('description')]),
      ...statusMismatch(filterValue, record),
      ...(isBetweenDates(record, range)
        ? []
        : [{ field: '', description: rangeMessage(range), gaps: isReversed ? ['payment.range-reversed'] : [] }]),
    ];
  },
  listDeposits(filterValue, record) {
    const booking = filterValue('booking_reference');
    const match = booking === undefined ? 'unknown' : bookingMatch(record, booking);
    return [
      ...(match === 'none' ? [mismatchOf('booking_reference')] : []),
      ...(match === 'part' ? [{ ...mismatchOf('booking_reference'), gaps: ['deposit.booking-filter'] }] : []),
      ...statusMismatch(filterValue, record),
    ];
  },
};

const finding = findingOn('response');

/**
 * Checks a response against what the specification states in words, not in schemas: texts, bounds, effects of filters
 * and of paging parameters. Uses the same predicates as the contract suite.
 * @param found other findings of the exchange; a place that they report is not reported again
 */
export function checkStatements(
  operation: Operation,
  request: ProxiedRequest,
  response: ProxiedResponse,
  parseResult: BodyParseResult,
  found: readonly Finding[],
): Finding[] {
  const body = request.method === 'HEAD' ? undefined : parsedBody(parseResult);
  const inBody = body ? checkBody(operation, request, response.status, body.value, found) : [];
  return [...checkHeaders(response), ...inBody];
}

/** Checks the bounds of numbers in headers. The schemas check that they are numbers. */
function checkHeaders({ headers }: ProxiedResponse): Finding[] {
  return headerBounds.flatMap(([name, bound]) => {
    const value = headerOf(headers, name);
    return value === undefined || !/^-?\d+$/.test(value) || bound.matches(value)
      ? []
      : [finding({ part: 'header', at: name, rule: 'minimum', message: `must be ${bound.description}` })];
  });
}

function checkBody(
  operation: Operation,
  request: ProxiedRequest,
  status: number,
  body: unknown,
  found: readonly Finding[],
): Finding[] {
  const isSuccess = status >= 200 && status <= 299;
  // For an invalid request, the specification does not say which error the service reports.
  const isInvalid = found.some(({ side }) => side === 'request');
  const violated = (statements[operation.id] ?? [])
    .filter((statement) => (statement.status === 200 ? isSuccess : statement.status === status && !isInvalid))
    .flatMap((statement) => checkStatement(statement, body, found));
  const mismatches = isSuccess
    ? [
        ...checkPage(operation.id, request, body, found),
        ...checkFilters(filters[operation.id], filterValuesOf(request, found), body),
      ]
    : [];
  const reportedPlaces = new Set(
    found.filter(({ side, part }) => side === 'response' && part === 'body').map(({ at }) => at),
  );
  const violatedPlaces = new Set(violated.map(({ at }) => at));
  return [...violated, ...mismatches.filter(({ at }) => !violatedPlaces.has(at))].filter(
    ({ at }) => !reportedPlaces.has(at),
  );
}

function checkStatement({ path, type, matcher, rule, gaps }: Statement, body: unknown, found: readonly Finding[]) {
  return valuesAt(body, path)
    .filter(([, value]) => typeof value === type && !matcher.matches(value))
    .map(([at, value]) =>
      finding({ part: 'body', at, rule, message: `must be ${matcher.description}`, gaps: gaps?.(value, found) }),
    );
}

function checkFilters(filter: Filter | undefined, filterValue: FilterValueOf, body: unknown): Finding[] {
  if (!filter) return [];
  return valuesAt(body, 'data.data.*').flatMap(([at, record]) =>
    isRecord(record)
      ? filter(filterValue, record).map(({ field, description, gaps }) =>
          finding({
            part: 'body',
            at: field === '' ? at : `${at}.${field}`,
            rule: 'filter',
            message: description,
            gaps,
          }),
        )
      : [],
  );
}

function filterValuesOf({ query }: ProxiedRequest, found: readonly Finding[]): FilterValueOf {
  const parameters = new URLSearchParams(query);
  return (name) => {
    const [value = '', ...others] = parameters.getAll(name).map((text) => text.trim());
    const isInvalid = found.some(({ side, part, at }) => side === 'request' && part === 'query' && at === name);
    return value === '' || others.length > 0 || isInvalid ? undefined : value;
  };
}

function statusMismatch(filterValue: FilterValueOf, record: Node): Mismatch[] {
  const status = filterValue('status');
  return status === undefined || hasStatus(record, status) ? [] : [mismatchOf('status')];
}

function mismatchOf(name: string): Mismatch {
  return { field: name, description: `does not match the filter \`${name}\`` };
}

function rangeMessage(range: object): string {
  const names = Object.keys(range).map((name) => `\`${name}\``);
  return `has no time that matches the ${names.length === 1 ? 'filter' : 'filters'} ${names.join(' and ')}`;
}

/** Finds the values at a path, which may contain one `*` for all items of a list. */
function valuesAt(json: unknown, path: string): [at: string, value: unknown][] {
  const [list = '', innerPath] = path.split('.*');
  if (innerPath === undefined) return [[path, valueAt(json, path)]];
  const inner = innerPath.replace(/^\./, '');
  return listOf(valueAt(json, list)).map((item, index) => [
    [list, index, inner].filter((part) => part !== '').join('.'),
    valueAt(item, inner),
  ]);
}

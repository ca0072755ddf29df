import { isRecord } from '../../../lib/json.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  aString,
  decimalOf,
  expectClientError,
  expectField,
  expectValue,
  isClientError,
  isSuccess,
  type Matcher,
  nonEmptyString,
  requireSuccess,
  valueAt,
} from '../../engine/expect.js';
import { type Operation, operations } from '../../engine/operations.js';
import type { ClauseContext } from '../../engine/session.js';
import { isPresent } from '../../predicates/matchers.js';
import { operationWithRequests, sendValidRequest } from '../authentication/setups.js';
import { envelopeQuotes, errorQuotes, invoiceQuotes, jsonSentence, statisticsQuotes } from '../field-quotes.js';
import { someInvoiceDetail } from '../invoice-creation/setups.js';
import { invoicesResponse } from '../invoice-list/setups.js';
import { expectEachResponse, responsesSoFar, someResponsesSoFar, successesSoFar } from '../responses.js';
import { statistics, statisticsSource } from '../statistics/setups.js';
import { expectSameDecimalEncodings } from './decimal-encoding.js';
import { expectErrorEnvelope, operationsWithData, sendInvalidRequests } from './setups.js';

const common = { level: 'documented', spec: 'Common response envelope' } as const;
/** Common to clauses that read the responses to earlier requests. */
const commonToReaders = { ...common, readsEarlierResponses: true } as const;

const anyData: Matcher = {
  description: 'an object or an array',
  matches: (value) => typeof value === 'object' && value !== null,
};

/**
 * Returns the successful responses of an operation so far; if there are none, sends a request.
 * @throws Blocked if that request fails
 */
async function someSuccesses(context: ClauseContext, operation: Operation): Promise<Exchange[]> {
  const earlier = successesSoFar(context, operation.id);
  if (earlier.length > 0) return earlier;
  return [requireSuccess(await sendValidRequest(context, operation, {}, context.withRunPrefix('envelope')))];
}

/** The operations whose responses may have a `message` or `data`, but need not. */
const actions = ['sendInvoiceReminder', 'captureDeposit', 'releaseDeposit'] as const;

/** Sends a request for each action of which none has succeeded so far. */
async function sendActions(context: ClauseContext): Promise<void> {
  for (const id of actions)
    if (successesSoFar(context, id).length === 0) await context.runIfPossible(operationWithRequests(id).validRequest);
}

/**
 * Returns the refused requests of an operation so far, after sending its invalid requests. If none was refused before, also
 * sends one without a token.
 * @throws Blocked if a request without a token is not refused
 */
async function refusedRequests(context: ClauseContext, operation: Operation): Promise<Exchange[]> {
  const refusedSoFar = (): Exchange[] => responsesSoFar(context, operation.id).filter(isClientError);
  if (refusedSoFar().length === 0) {
    const exchange = await sendValidRequest(context, operation, { token: 'none' }, context.withRunPrefix('envelope'));
    if (!isClientError(exchange))
      throw new Blocked(`${operation.method} ${operation.path} accepted a request without a token`, exchange);
  }
  await sendInvalidRequests(context, operation.id);
  return refusedSoFar();
}

/** True for a 204 without a body. The specification does not rule out such responses, for example to a release. */
function hasNoBody({ status, text }: Exchange): boolean {
  return status === 204 && text === '';
}

function expectErrorsFormat(exchange: Exchange): void {
  const errors = valueAt(exchange.json, 'errors');
  const isArrayOfStrings = (messages: unknown): boolean => Array.isArray(messages) && messages.every(aString.matches);
  // ENV-ERRORS-02 is about empty arrays.
  if (!isEmptyArray(errors) && !(isRecord(errors) && Object.values(errors).every(isArrayOfStrings))) {
    throw new Violation('`errors` to map field names to arrays of strings', errors, exchange);
  }
}

/** Sends invalid requests, and returns the error responses so far that have `errors`. @throws Skip if there is none */
async function responsesWithErrors(context: ClauseContext): Promise<Exchange[]> {
  await sendInvalidRequests(context);
  const withErrors = (await someResponsesSoFar(context)).filter(
    (exchange) => isClientError(exchange) && isPresent(valueAt(exchange.json, 'errors')),
  );
  if (withErrors.length === 0) throw new Skip({ missing: 'an error response with `errors`', reason: 'there was none' });
  return withErrors;
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Finds the paths of decimals with a rounding error. Members of `metadata` are not decimals of the service. */
function* pathsOfInexactDecimals(value: unknown, path = ''): Generator<string> {
  if (hasRoundingError(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    if (name !== 'metadata') yield* pathsOfInexactDecimals(inner, path === '' ? name : `${path}.${name}`);
}

/** True for a decimal with more than 4 decimal places and 15 or more significant digits, which no amount has. */
function hasRoundingError(value: unknown): boolean {
  if (decimalOf(value) === undefined) return false;
  const [integer = '', fraction = ''] = String(value).split('.');
  const digits = `${integer.replace('-', '')}${fraction.replace(/0+$/, '')}`.replace(/^0+/, '');
  return fraction.length > 4 && digits.length >= 15;
}

/** Clauses about every response. Most run near the end, because they read the responses to all earlier requests. */
export const envelopeClauses: readonly Clause[] = [
  ...operations.flatMap((operation, index): Clause[] => {
    const { id, method, path } = operation;
    return [
      {
        ...commonToReaders,
        id: numberedId('ENV-SUCCESS', index + 1),
        operation: id,
        quote: envelopeQuotes.success,
        title: `\`success\` is true when ${method} ${path} succeeds.`,
        check: async (context) => {
          const withBody = (await someSuccesses(context, operation)).filter((exchange) => !hasNoBody(exchange));
          if (withBody.length === 0) throw new Skip({ missing: 'a body', reason: 'no successful response has one' });
          expectEachResponse(context, withBody, (exchange) => expectValue(exchange, 'success', true));
        },
      },
      {
        ...commonToReaders,
        id: numberedId('ENV-ERROR', index + 1),
        operation: id,
        spec: 'Errors',
        quote: `${errorQuotes.success} … ${errorQuotes.error}`,
        title: `\`success\` is false and \`error\` is a string when ${method} ${path} is refused.`,
        check: async (context) =>
          expectEachResponse(context, await refusedRequests(context, operation), expectErrorEnvelope),
      },
    ];
  }),
  ...operations.flatMap((operation, index): Clause[] => {
    const { id, method, path } = operation;
    if (!operationsWithData.includes(id)) return [];
    return [
      {
        ...commonToReaders,
        id: numberedId('ENV-DATA', index + 1),
        operation: id,
        quote: envelopeQuotes.data,
        title: `\`data\` is ${anyData.description} when ${method} ${path} succeeds.`,
        check: async (context) =>
          expectEachResponse(context, await someSuccesses(context, operation), (exchange) =>
            expectField(exchange, 'data', anyData),
          ),
      },
    ];
  }),
  {
    ...common,
    id: 'ENV-FILTER-01',
    operation: 'listPayments',
    spec: 'Errors',
    quote: `${errorQuotes.success} … ${errorQuotes.error}`,
    title: '`success` is false and `error` is a string when GET /payments refuses an invalid filter.',
    check: async (context) => {
      const exchange = await context.get('/payments?from=yesterday&status=contract-suite', { isInvalid: true });
      if (isSuccess(exchange))
        throw new Skip({
          missing: 'an error for an invalid filter',
          reason: 'it is accepted, and the specification does not say that it must be refused',
        });
      if (!isClientError(exchange)) throw new Blocked(`GET /payments returned ${exchange.status}`, exchange);
      expectErrorEnvelope(exchange);
    },
  },
  {
    ...commonToReaders,
    id: 'ENV-MESSAGE-01',
    operation: null,
    quote: envelopeQuotes.message,
    title: 'If a success has a `message`, it is a string.',
    check: async (context) => {
      await sendActions(context);
      const withMessage = (await someResponsesSoFar(context)).filter(
        (exchange) => isSuccess(exchange) && isPresent(valueAt(exchange.json, 'message')),
      );
      if (withMessage.length === 0) throw new Skip({ missing: 'a response with a message', reason: 'there was none' });
      expectEachResponse(context, withMessage, (exchange) => expectField(exchange, 'message', aString));
    },
  },
  {
    ...commonToReaders,
    id: 'ENV-ERRORS-01',
    operation: null,
    spec: 'Errors',
    quote: errorQuotes.errors,
    title: 'If an error response has `errors`, it maps field names to arrays of messages.',
    check: async (context) => {
      expectEachResponse(context, await responsesWithErrors(context), expectErrorsFormat);
    },
  },
  {
    ...commonToReaders,
    id: 'ENV-ERRORS-02',
    // Only a warning: some languages, such as PHP, serialize an empty map as an empty array.
    level: 'inferred',
    operation: null,
    spec: 'Errors',
    quote: errorQuotes.errors,
    title: 'If an error response has `errors` without any message, it is an empty object and not an empty array.',
    check: async (context) => {
      expectEachResponse(context, await responsesWithErrors(context), (exchange) => {
        if (isEmptyArray(valueAt(exchange.json, 'errors'))) throw new Violation('`errors: {}`', [], exchange);
      });
    },
  },
  {
    ...commonToReaders,
    // The specification says that `error` is a description, but not that it must not be empty.
    level: 'inferred',
    id: 'ENV-ERRORS-03',
    operation: null,
    spec: 'Errors',
    quote: errorQuotes.error,
    title: 'The `error` of a refused request is not empty.',
    check: async (context) => {
      await sendInvalidRequests(context);
      const withError = (await someResponsesSoFar(context)).filter(
        (exchange) => isClientError(exchange) && typeof valueAt(exchange.json, 'error') === 'string',
      );
      if (withError.length === 0)
        throw new Skip({ missing: 'an error response with an `error`', reason: 'there was none' });
      expectEachResponse(context, withError, (exchange) => expectField(exchange, 'error', nonEmptyString));
    },
  },
  {
    ...commonToReaders,
    id: 'ENV-DATA-15',
    operation: null,
    quote: envelopeQuotes.data,
    title: 'If the response to a reminder, a capture or a release has `data`, it is an object or an array.',
    check: async (context) => {
      await sendActions(context);
      const withData = actions
        .flatMap((id) => successesSoFar(context, id))
        .filter((exchange) => isPresent(valueAt(exchange.json, 'data')));
      if (withData.length === 0)
        throw new Skip({
          missing: 'a reminder, capture or release whose response has `data`',
          reason: 'there was none',
        });
      expectEachResponse(context, withData, (exchange) => expectField(exchange, 'data', anyData));
    },
  },
  {
    ...commonToReaders,
    // The specification does not say how many decimal places a decimal has.
    level: 'inferred',
    id: 'ENV-DECIMAL-01',
    operation: null,
    spec: statisticsSource.spec,
    quote: statisticsQuotes.total_outstanding,
    title: 'No decimal has the rounding error of a floating-point number, such as `0.30000000000000004`.',
    check: async (context) => {
      // Sums of amounts are where such errors occur first.
      await context.use(statistics);
      expectEachResponse(context, (await someResponsesSoFar(context)).filter(isSuccess), (exchange) => {
        const [path] = pathsOfInexactDecimals(exchange.json);
        if (path !== undefined)
          throw new Violation(`\`${path}\` to have no rounding error`, valueAt(exchange.json, path), exchange);
      });
    },
  },
  {
    ...commonToReaders,
    // The specification does not say how a decimal is written.
    level: 'inferred',
    id: 'ENV-DECIMAL-02',
    operation: null,
    spec: 'Invoice',
    quote: invoiceQuotes.amount,
    title: 'A decimal of an invoice or a payment link is a number in every response, or a string in every response.',
    check: async (context) => {
      await context.runIfPossible(invoicesResponse);
      await context.runIfPossible(someInvoiceDetail);
      expectSameDecimalEncodings(context);
    },
  },
  {
    ...commonToReaders,
    id: 'ENV-JSON-01',
    operation: null,
    spec: 'What the service does',
    quote: jsonSentence,
    title: 'Every response is JSON.',
    check: async (context) => {
      const withBody = (await someResponsesSoFar(context)).filter((exchange) => !hasNoBody(exchange));
      expectEachResponse(context, withBody, (exchange) => {
        if (exchange.json === undefined) throw new Violation('a JSON body', exchange.text, exchange);
      });
    },
  },
  {
    ...commonToReaders,
    level: 'inferred',
    id: 'ENV-JSON-02',
    operation: null,
    spec: 'What the service does',
    quote: jsonSentence,
    title: 'Every response has a JSON content type.',
    check: async (context) => {
      const withBody = (await someResponsesSoFar(context)).filter((exchange) => !hasNoBody(exchange));
      expectEachResponse(context, withBody, (exchange) => {
        const type = exchange.headers['content-type'];
        if (!/\bjson\b/i.test(type ?? '')) throw new Violation('a JSON content type', type, exchange);
      });
    },
  },
  {
    ...common,
    // The specification lists no error for such a body, and another server in front of the service may refuse it.
    level: 'inferred',
    id: 'ENV-JSON-03',
    operation: 'createPaymentLink',
    spec: 'What the service does',
    quote: jsonSentence,
    title: 'A body that is not valid JSON is refused with the error envelope.',
    check: async (context) => {
      for (const path of ['/payment-links', '/invoices']) {
        const exchange = await context.post(path, '{"description": "broken', {
          headers: { 'Content-Type': 'application/json' },
        });
        expectClientError(exchange);
        expectErrorEnvelope(exchange);
      }
    },
  },
];

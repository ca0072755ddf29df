import type { OpenAPIV3_1 } from 'openapi-types';
import { ServiceError } from '../../domain/service-error.js';
import type { OperationId } from '../../generated/billing-document.js';
import { parseJson } from '../../lib/json.js';
import type { Api, Operation } from '../../openapi/document.js';
import type { GapId, Profile } from '../../openapi/profile.js';
import { errorResponse } from '../service/errors.js';
import { validated, validateQuery } from '../service/validation.js';

type Responses = Record<string, OpenAPIV3_1.ResponseObject>;
type Examples = Readonly<Record<string, ServiceError | undefined>>;

/** An error response of the document, with the errors that it stands for. */
interface ListedError {
  readonly description: string;
  /** The gaps that decide whether it exists, or what it contains. */
  readonly gaps: readonly GapId[];
  /** Returns true if an operation may respond with it under a profile. */
  readonly isPossible: (operation: Operation, profile: Profile) => boolean;
  /** Returns the errors by the names of their examples. All of them have the same status. */
  readonly examples: (api: Api, profile: Profile) => Examples;
  readonly mayHaveRetryAfter?: true;
}

/** Common to all responses about invalid fields and parameters. There is one such response for each group of operations. */
const invalid = {
  description: 'A field or parameter is invalid, and nothing was changed.',
  gaps: ['validation.status', 'validation.messages', 'validation.nested-keys'],
} as const;

/**
 * The error responses that the document lists, by name. Their statuses and texts come from `errors.ts`, so they follow
 * the choices of a profile. A test compares the table with `billing.yaml`.
 */
const listedErrors: Readonly<Record<string, ListedError>> = {
  BadRequest: {
    description: 'The body is not well-formed JSON.',
    gaps: ['request.malformed-json'],
    isPossible: ({ takesBody }, profile) => takesBody && profile['request.malformed-json'] === '400',
    examples: oneExample('malformed', 'json-malformed'),
  },
  KeyMissing: {
    description: 'The Idempotency-Key is missing.',
    gaps: ['deposit.key-required'],
    isPossible: ({ id }, profile) => id === 'createDeposit' && profile['deposit.key-required'] === 'yes',
    examples: oneExample('no-key', 'key-required'),
  },
  InvoiceIdNotInteger: {
    description: 'The invoice id is not an integer.',
    gaps: ['invoice.id-text'],
    isPossible: ({ parameter }, profile) => parameter?.name === 'invoice' && profile['invoice.id-text'] !== '404',
    examples: oneExample('not-an-integer', 'invoice-id-not-numeric'),
  },
  ReminderRefused: {
    description: 'The invoice is paid, a draft or cancelled.',
    gaps: ['invoice.reminder-cancelled'],
    isPossible: isOneOf('sendInvoiceReminder'),
    examples: (_api, profile) => ({
      'already-paid': new ServiceError('invoice-paid'),
      ...(profile['invoice.reminder-cancelled'] === 'refused'
        ? { draft: new ServiceError('invoice-draft'), cancelled: new ServiceError('invoice-cancelled') }
        : {}),
    }),
  },
  Unauthenticated: {
    description: 'The token is missing or unknown.',
    gaps: ['auth.unauthenticated', 'rate.unauthenticated'],
    isPossible: () => true,
    examples: oneExample('no-token', 'unauthenticated'),
  },
  ScopeMissing: {
    description: 'The token lacks the scope of the operation.',
    gaps: ['auth.scope'],
    isPossible: () => true,
    examples: oneExample('read-only', 'scope-missing'),
  },
  InvoiceNotFound: {
    description: 'The account has no such invoice.',
    gaps: ['request.not-found', 'request.trailing-slash'],
    isPossible: isOneOf('getInvoice'),
    examples: oneExample('invoice', 'invoice-not-found'),
  },
  ReminderNotFound: {
    description: 'The account has no such invoice.',
    gaps: [],
    isPossible: isOneOf('sendInvoiceReminder'),
    examples: oneExample('invoice', 'reminder-invoice-not-found'),
  },
  DepositNotFound: {
    description: 'The account has no such deposit.',
    gaps: ['request.not-found'],
    isPossible: isOneOf('getDeposit', 'captureDeposit', 'releaseDeposit'),
    examples: oneExample('deposit', 'deposit-not-found'),
  },
  PageNotFound: {
    description: 'The list has no such page.',
    gaps: ['page.beyond-end'],
    isPossible: ({ id, queryParameters }, profile) =>
      profile['page.beyond-end'] === '404' &&
      queryParameters.some(({ name }) => name === 'page') &&
      (id === 'listInvoices' || profile['page.page-everywhere'] === 'honoured'),
    examples: oneExample('page', 'page-beyond-end'),
  },
  NotCapturable: {
    description: "The deposit's status does not allow a capture.",
    gaps: ['deposit.capture-when'],
    isPossible: isOneOf('captureDeposit'),
    examples: oneExample('capture', 'deposit-not-capturable'),
  },
  NotReleasable: {
    description: "The deposit's status does not allow a release.",
    gaps: ['deposit.release-when'],
    isPossible: isOneOf('releaseDeposit'),
    examples: oneExample('release', 'deposit-not-releasable'),
  },
  KeyInUse: {
    description: 'A request with the same Idempotency-Key is in progress.',
    gaps: ['deposit.key-concurrent'],
    isPossible: ({ id }, profile) => id === 'createDeposit' && profile['deposit.key-concurrent'] === 'conflict',
    examples: oneExample('in-progress', 'key-in-use'),
  },
  ContentTooLarge: {
    description: 'The body is too large.',
    gaps: [],
    isPossible: ({ takesBody }) => takesBody,
    examples: oneExample('too-large', 'content-over-100-kb'),
  },
  UnsupportedMediaType: {
    description: 'The body has a Content-Encoding, or is not declared as JSON.',
    gaps: ['request.content-type'],
    isPossible: ({ takesBody }) => takesBody,
    examples: oneExample('form', 'not-json'),
  },
  InvalidInvoice: invalidBody('createInvoice', {
    customer_id: 1,
    date: '2026-03-31',
    due_date: '2026-03-30',
    items: [{ description: 'C', quantity: 0, unit_price: 0 }],
  }),
  InvalidPaymentLink: invalidBody('createPaymentLink', { amount: 'a lot' }),
  InvalidDeposit: invalidBody('createDeposit', {
    booking_reference: 'BK-1001',
    amount: 'a lot',
    check_in_date: '2026-07-14',
    check_out_date: '2026-07-10',
  }),
  InvalidCapture: invalidBody('captureDeposit', { amount: 'a lot' }),
  InvalidPage: {
    ...invalid,
    isPossible: (operation, profile) => errorOfInvalidPage(operation, profile) !== undefined,
    examples: (api, profile) => ({
      query: api.operations.map((operation) => errorOfInvalidPage(operation, profile)).find((error) => error),
    }),
  },
  InvalidFilter: {
    ...invalid,
    isPossible: ({ queryParameters }) => queryParameters.some(({ name }) => name === 'status'),
    examples: (api, profile) => ({ filter: errorOfQuery(api.operation('listPayments'), 'status=unknown', profile) }),
  },
  CaptureTooLarge: {
    description: 'The amount exceeds what is still held.',
    gaps: ['deposit.capture-when'],
    isPossible: isOneOf('captureDeposit'),
    examples: oneExample('above-remaining', 'capture-too-large'),
  },
  KeyReused: {
    description: 'The Idempotency-Key was used with another body.',
    gaps: ['deposit.key-mismatch'],
    isPossible: ({ id }, profile) => id === 'createDeposit' && profile['deposit.key-mismatch'] === 'refused',
    examples: oneExample('other-body', 'key-mismatch'),
  },
  TooManyRequests: {
    description: 'The rate limit is used up.',
    gaps: ['rate.exceeded'],
    isPossible: () => true,
    examples: oneExample('too-many', 'rate-limit-exceeded'),
    mayHaveRetryAfter: true,
  },
  NotStored: {
    description: 'The write could not be stored, and nothing was changed.',
    gaps: [],
    isPossible: ({ method }) => method === 'post',
    examples: oneExample('not-stored', 'not-stored'),
    mayHaveRetryAfter: true,
  },
};

/** The error responses of every operation. */
export interface ErrorResponses {
  /** The names of the responses, by operation and status. */
  readonly names: ReadonlyMap<string, ReadonlyMap<number, string>>;
  readonly responses: Readonly<Responses>;
}

/** Lists the error responses of the service under a profile. Each operation has at most one for each status. */
export function errorResponsesOf(api: Api, profile: Profile): ErrorResponses {
  const responses: Responses = {};
  const names = new Map<string, Map<number, string>>();
  const encodedErrors = new Map<string, EncodedError>();
  const encodeOnce = (name: string, error: ListedError): EncodedError => {
    const encoded = encodedErrors.get(name) ?? encodeError(name, error, api, profile);
    encodedErrors.set(name, encoded);
    return encoded;
  };
  for (const operation of api.operations) {
    const possibleErrors = Object.entries(listedErrors)
      .filter(([, { isPossible }]) => isPossible(operation, profile))
      .map(([name, error]) => encodeOnce(name, error));
    const namesByStatus = new Map<number, string>();
    for (const status of new Set(possibleErrors.map((error) => error.status))) {
      const errors = possibleErrors.filter((error) => error.status === status);
      const name = errors.map((error) => error.name).join('Or');
      namesByStatus.set(status, name);
      responses[name] ??= responseOf(errors);
    }
    names.set(operation.id, namesByStatus);
  }
  return { names, responses };
}

interface EncodedError extends Omit<ListedError, 'examples'> {
  readonly name: string;
  readonly status: number;
  readonly bodies: Readonly<Record<string, unknown>>;
}

/** Builds the status and the example bodies of a listed error. */
function encodeError(name: string, error: ListedError, api: Api, profile: Profile): EncodedError {
  const { examples, ...rest } = error;
  const responses = Object.entries(examples(api, profile)).flatMap(([example, serviceError]) =>
    serviceError ? [[example, errorResponse(serviceError, profile)] as const] : [],
  );
  const [first] = responses;
  if (!first) throw new Error(`the error ${name} has no example`);
  return {
    ...rest,
    name,
    status: first[1].status,
    bodies: Object.fromEntries(responses.map(([example, { body }]) => [example, parseJson(body)])),
  };
}

function responseOf(errors: readonly EncodedError[]): OpenAPIV3_1.ResponseObject {
  const gaps = [...new Set(errors.flatMap((error) => error.gaps))];
  return {
    description: oneSentence(errors.map((error) => error.description)),
    headers: headersOf(errors),
    ...(gaps.length > 0 ? { 'x-gap': gaps } : {}),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          errors.flatMap(({ bodies }) => Object.entries(bodies).map(([name, value]) => [name, { value }])),
        ),
      },
    },
  };
}

const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** The headers of a response. Headers that only some of its errors have are optional in the document. */
function headersOf(errors: readonly EncodedError[]): Record<string, OpenAPIV3_1.ReferenceObject> {
  const names = [
    ...rateLimitHeaders,
    ...(errors.some(({ name }) => name === 'Unauthenticated' || name === 'ScopeMissing') ? ['WWW-Authenticate'] : []),
    ...(errors.some(({ mayHaveRetryAfter }) => mayHaveRetryAfter) ? ['Retry-After'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Joins `A.`, `B.` and `C.` into `A; or b; or c.`, without repetitions. */
function oneSentence(sentences: readonly string[]): string {
  const [first = '', ...others] = new Set(sentences);
  const parts = others.map((other) => `; or ${other.charAt(0).toLowerCase()}${other.slice(1, -1)}`);
  return `${first.slice(0, -1)}${parts.join('')}.`;
}

function oneExample(example: string, code: ServiceError['code']): ListedError['examples'] {
  return () => ({ [example]: new ServiceError(code) });
}

function isOneOf(...ids: readonly OperationId[]): ListedError['isPossible'] {
  return ({ id }) => ids.includes(id);
}

/** The error about a body that is invalid under every profile. */
function invalidBody(id: OperationId, body: unknown): ListedError {
  return {
    ...invalid,
    isPossible: isOneOf(id),
    examples: (api) => ({ body: errorThrownBy(() => validated(api.operation(id).validateBody, body)) }),
  };
}

/** The error about an invalid page or page size; undefined if the operation accepts all values that are tried here. */
function errorOfInvalidPage(operation: Operation, profile: Profile): ServiceError | undefined {
  return operation.queryParameters
    .filter(({ name }) => name === 'per_page' || name === 'page')
    .flatMap(({ name, maximum }) => [
      `${name}=0`,
      ...(maximum === undefined ? [] : [`${name}=${maximum + 1}`]),
      `${name}=`,
    ])
    .map((query) => errorOfQuery(operation, query, profile))
    .find((error) => error !== undefined);
}

function errorOfQuery(operation: Operation, query: string, profile: Profile): ServiceError | undefined {
  return errorThrownBy(() => validateQuery(operation, new URLSearchParams(query), profile));
}

function errorThrownBy(attempt: () => unknown): ServiceError | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

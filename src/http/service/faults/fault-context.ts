import { STATUS_CODES } from 'node:http';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type ErrorCode, invalidField, ServiceError } from '../../../domain/service-error.js';
import type { ServiceContext } from '../../../faults/requests/reply.js';
import { resolveReference } from '../../../lib/references.js';
import type { Operation } from '../../../openapi/document.js';
import type { Profile } from '../../../openapi/profile.js';
import { servedDocument } from '../../document/profiles.js';
import type { RequestContext } from '../../request-context.js';
import { errorResponse } from '../errors.js';
import { rateHeaders } from '../response.js';
import { type ActiveFault, headerFaultId } from './fault-plan.js';

/** Time until the retry of a request that was not counted in a rate window, in milliseconds. */
const defaultRetryMs = 60_000;

/** Builds the context that is passed to the effects of a fault. */
export function contextOf(request: RequestContext, { id, until, times_fired }: ActiveFault): ServiceContext {
  const { account } = request;
  let draws = 0;
  return {
    now: account.now(),
    until: until === null ? null : Date.parse(until),
    random: () => {
      draws += 1;
      // The `times_fired` of a fault in a request header is always 1, so the id of the request makes the label unique.
      const label = id === headerFaultId ? `request ${request.id}` : `fault ${id} hit ${times_fired}`;
      return account.seededNumber(`${label} effect ${draws}`);
    },
    bodyForStatus: (status) => bodyForStatus(status, request),
    rateExceeded: (retryAfterMs) => rateExceeded(retryAfterMs, request),
  };
}

/** Errors that are not specific to an operation, by status. */
const errorCodes: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  403: 'scope-missing',
  404: 'route-not-found',
  405: 'method-not-allowed',
  408: 'request-too-slow',
  413: 'content-over-100-kb',
  429: 'rate-limit-exceeded',
};

/** Errors that are specific to an operation, by operation and status. */
const operationErrorCodes: Readonly<Record<string, Readonly<Record<number, ErrorCode>>>> = {
  getInvoice: { 404: 'invoice-not-found' },
  sendInvoiceReminder: { 400: 'invoice-paid', 404: 'reminder-invoice-not-found' },
  getDeposit: { 404: 'deposit-not-found' },
  captureDeposit: { 404: 'deposit-not-found', 409: 'deposit-not-capturable' },
  releaseDeposit: { 404: 'deposit-not-found', 409: 'deposit-not-releasable' },
};

/**
 * The response body of the service for a status. Below 400 it is the example in the document, or a success without data
 * if there is none. From 400 on it is the service's error with this status or, if it has none, an error with the standard
 * reason phrase.
 */
function bodyForStatus(status: number, { operation, profile }: RequestContext): string {
  if (status < 400) return (operation && exampleOf(operation, status, profile)) ?? JSON.stringify({ success: true });
  const serviceError = status === 422 ? validationError : serviceErrorOf(status, operation, profile);
  if (serviceError) return errorResponse(serviceError, profile).body;
  return JSON.stringify({ success: false, error: STATUS_CODES[status] ?? `Status ${status}` });
}

const validationError = invalidField('body', 'custom', { message: 'The given data was invalid.' });

function serviceErrorOf(status: number, operation: Operation | undefined, profile: Profile): ServiceError | undefined {
  const operationErrorCode = operation && operationErrorCodes[operation.id]?.[status];
  const code =
    operationErrorCode ?? (operation?.takesBody ? bodyErrorCode(status, profile) : undefined) ?? errorCodes[status];
  return code && new ServiceError(code);
}

/** The error code for bodies that are malformed or not declared as JSON, if the profile has one for this status. */
function bodyErrorCode(status: number, profile: Profile): ErrorCode | undefined {
  if (status === 400 && profile['request.malformed-json'] === '400') return 'json-malformed';
  return status === 415 && profile['request.content-type'] === '415' ? 'not-json' : undefined;
}

/** The first example that the document gives for a response of this operation with this status. */
function exampleOf({ path, method }: Operation, status: number, profile: Profile): string | undefined {
  const { paths, components } = servedDocument(profile);
  const listed = paths?.[path]?.[method]?.responses?.[status];
  const response = listed && resolveReference<OpenAPIV3_1.ResponseObject>(components?.responses, listed);
  const [example] = Object.values(response?.content?.['application/json']?.examples ?? {});
  return example && 'value' in example ? JSON.stringify(example.value) : undefined;
}

/** A rate-limit error. Its headers say that the window is used up, whatever its actual state. */
function rateExceeded(retryAfterMs: number | null, { account, profile, rateReport, headers }: RequestContext) {
  const { status, body } = errorResponse(new ServiceError('rate-limit-exceeded'), profile);
  const now = account.now();
  const end = now + (retryAfterMs ?? defaultRetryMs);
  const actual = retryAfterMs === null ? rateReport : undefined;
  const { resetAt, allowedAt } = actual ?? { resetAt: end, allowedAt: end };
  const windowHeaders =
    rateReport && rateHeaders({ ...rateReport, isAllowed: false, remaining: 0, resetAt }, profile, now);
  return {
    status,
    body,
    headers: { ...headers, ...windowHeaders, 'Retry-After': Math.max(1, Math.ceil((allowedAt - now) / 1_000)) },
  };
}

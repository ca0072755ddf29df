import { STATUS_CODES } from 'node:http';
import type { Profile } from '../../../domain/gaps.js';
import { type ErrorCode, invalid, ServiceError } from '../../../domain/service-error.js';
import type { ServiceContext } from '../../../faults/requests/reply.js';
import type { Operation } from '../../../openapi/document.js';
import { toUnitInterval } from '../../../simulation/faults/match-faults.js';
import { servedDocument } from '../../document/profiles.js';
import { rateHeaders } from '../../middleware/rate-headers.js';
import type { RequestContext } from '../../request-context.js';
import { refusalAnswer } from '../errors.js';
import type { ActiveFault } from './fault-plan.js';

/** How long a client is told to wait where no window tells, in milliseconds. */
const minute = 60_000;

/** What the effects of a fault may know of the service and the request. */
export function contextOf(exchange: RequestContext, { id, until, hits }: ActiveFault): ServiceContext {
  const { account } = exchange;
  let draws = 0;
  return {
    now: account.now(),
    until: until === null ? null : Date.parse(until),
    chance: () => {
      draws += 1;
      const label = id === 0 ? `request ${exchange.id}` : `fault ${id} hit ${hits}`;
      return toUnitInterval(account.seededHex(`${label} effect ${draws}`));
    },
    envelopeOf: (status) => envelopeOf(status, exchange),
    rateExceeded: (after) => rateExceeded(after, exchange),
  };
}

/** The refusal that has a status, where there is one that every operation may answer. */
const refusals: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  403: 'scope-missing',
  404: 'route-unknown',
  405: 'method-unknown',
  408: 'request-too-slow',
  413: 'content-too-large',
  429: 'rate-exceeded',
};

/** What an operation says of what there is not, or cannot be done now. */
const ownRefusals: Readonly<Record<string, Readonly<Record<number, ErrorCode>>>> = {
  getInvoice: { 404: 'invoice-unknown' },
  sendInvoiceReminder: { 400: 'invoice-paid', 404: 'reminder-invoice-unknown' },
  getDeposit: { 404: 'deposit-unknown' },
  captureDeposit: { 404: 'deposit-unknown', 409: 'deposit-not-capturable' },
  releaseDeposit: { 404: 'deposit-unknown', 409: 'deposit-not-releasable' },
};

/** The envelope that the service has for a status: its own text where it has one, the name of the status elsewhere. */
function envelopeOf(status: number, { operation, profile }: RequestContext): string {
  if (status < 400) return (operation && exampleOf(operation, status, profile)) ?? JSON.stringify({ success: true });
  const refusal = status === 422 ? givenDataInvalid : refusalWith(status, operation, profile);
  if (refusal) return refusalAnswer(refusal, profile).body;
  return JSON.stringify({ success: false, error: STATUS_CODES[status] ?? `Status ${status}` });
}

const givenDataInvalid = invalid('body', 'said', { message: 'The given data was invalid.' });

function refusalWith(status: number, operation: Operation | undefined, profile: Profile): ServiceError | undefined {
  const own = operation && ownRefusals[operation.id]?.[status];
  const code = own ?? (operation?.takesBody ? ofBodies(status, profile) : undefined) ?? refusals[status];
  return code && new ServiceError(code);
}

/** What is said of bodies that cannot be read, under a profile that says something of them. */
function ofBodies(status: number, profile: Profile): ErrorCode | undefined {
  if (status === 400 && profile['request.malformed-json'] === '400') return 'json-malformed';
  return status === 415 && profile['request.content-type'] === '415' ? 'not-json' : undefined;
}

/** The example that the document has of an answer. */
function exampleOf({ path, method }: Operation, status: number, profile: Profile): string | undefined {
  const { paths, components } = servedDocument(profile);
  const listed = paths?.[path]?.[method]?.responses?.[status];
  const response =
    listed && '$ref' in listed ? components?.responses?.[listed.$ref.slice(listed.$ref.lastIndexOf('/') + 1)] : listed;
  if (!response || '$ref' in response) return undefined;
  const [example] = Object.values(response.content?.['application/json']?.examples ?? {});
  return example && 'value' in example ? JSON.stringify(example.value) : undefined;
}

/** A refusal beyond the limit whose headers agree with each other, whatever the window really holds. */
function rateExceeded(after: number | null, { account, profile, rate, headers }: RequestContext) {
  const { status, body } = refusalAnswer(new ServiceError('rate-exceeded'), profile);
  const now = account.now();
  const resetAt = after === null ? (rate?.resetAt ?? now + minute) : now + after;
  const window = rate && rateHeaders({ ...rate, allowed: false, remaining: 0, resetAt }, profile, now);
  return {
    status,
    body,
    headers: { ...headers, ...window, 'Retry-After': Math.max(1, Math.ceil((resetAt - now) / 1_000)) },
  };
}

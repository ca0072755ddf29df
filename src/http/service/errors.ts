import { type ErrorCode, ServiceError } from '../../domain/service-error.js';
import { gapRegistry } from '../../generated/gap-registry.js';
import { isError } from '../../lib/errors.js';
import type { GapId, Profile } from '../../openapi/profile.js';
import { describeViolations, maxDescribedViolations, plainMessage } from './messages.js';
import { headerText, joinHints, type ResponseData } from './response.js';

interface ErrorText {
  readonly status: number;
  readonly error: string;
  /** Messages by field. */
  readonly errors?: Record<string, string[]>;
}

/**
 * Status and text of every error: from the specification, from the profile's choice for a gap, or else our own.
 */
const texts: Record<ErrorCode, ErrorText | ((profile: Profile, serviceError: ServiceError) => ErrorText)> = {
  unauthenticated: (profile) => textOfChoice('auth.unauthenticated', profile),
  'scope-missing': (profile) => textOfChoice('auth.scope', profile),
  'rate-limit-exceeded': (profile) => textOfChoice('rate.exceeded', profile),
  'json-malformed': (profile) => textOfChoice('request.malformed-json', profile),
  // Compressed bodies get 415 even if the profile accepts every media type.
  'not-json': (profile) => textOfChoice('request.content-type', profile, '415'),
  'form-malformed': { status: 400, error: 'The form is not valid multipart/form-data.' },
  'content-over-100-kb': { status: 413, error: 'The request body is larger than 100 kB.' },
  'content-over-1-mb': { status: 413, error: 'The request body is larger than 1 MB.' },
  'content-over-20-mb': { status: 413, error: 'The request body is larger than 20 MB.' },
  'request-aborted': { status: 400, error: 'The connection was closed before the end of the request.' },
  'request-malformed': { status: 400, error: 'The request is not valid HTTP.' },
  'request-too-slow': { status: 408, error: 'The request took too long to arrive.' },
  'headers-too-large': { status: 431, error: 'The request line and headers are too large.' },
  'host-not-allowed': (_profile, { hint }) => ({ status: 421, error: `This host is not served here; ${hint}.` }),
  'origin-not-allowed': { status: 403, error: 'Requests from other origins are refused.' },
  'control-token-invalid': { status: 401, error: 'The control token is missing or wrong.' },
  'route-not-found': (profile) => notFound('route', profile),
  'method-not-allowed': (profile) =>
    profile['request.method'] === '405' ? { status: 405, error: 'Method not allowed' } : notFound('route', profile),
  'page-beyond-end': (profile) => notFound('page', profile),
  'invoice-not-found': (profile) => notFound('invoice', profile),
  'invoice-id-not-numeric': (profile) =>
    profile['invoice.id-text'] === '404' ? notFound('invoice', profile) : textOfChoice('invoice.id-text', profile),
  // The specification has the texts of reminder errors (Errors, known cases), so a profile cannot change them.
  'reminder-invoice-not-found': { status: 404, error: 'Invoice not found' },
  'reminder-invoice-id-not-numeric': (profile) =>
    profile['invoice.id-text'] === '404'
      ? { status: 404, error: 'Invoice not found' }
      : textOfChoice('invoice.id-text', profile),
  'invoice-paid': { status: 400, error: 'Invoice is already paid' },
  'invoice-draft': { status: 400, error: 'Invoice is a draft' },
  'invoice-cancelled': { status: 400, error: 'Invoice is cancelled' },
  'deposit-not-found': (profile) => notFound('deposit', profile),
  'deposit-not-capturable': (profile) => ({
    status: captureStatuses(profile).notCapturable,
    error: 'Deposit cannot be captured',
  }),
  'capture-too-large': (profile) => ({
    status: captureStatuses(profile).tooLarge,
    error: 'Amount exceeds the remaining authorization',
  }),
  'deposit-not-releasable': (profile) => ({
    status: releaseStatus(profile),
    error: 'Deposit cannot be released',
  }),
  'key-required': (profile) => textOfChoice('deposit.key-required', profile),
  'key-mismatch': (profile) => textOfChoice('deposit.key-mismatch', profile),
  'key-in-use': (profile) => textOfChoice('deposit.key-concurrent', profile),
  'transition-not-allowed': { status: 409, error: 'The current status does not allow this' },
  'payment-not-found': { status: 404, error: 'Payment not found' },
  'payment-too-large': { status: 422, error: 'Amount exceeds the unpaid amount' },
  'payment-link-not-found': { status: 404, error: 'Payment link not found' },
  'payment-link-inactive': { status: 409, error: 'Payment link is not active' },
  'customer-not-found': { status: 404, error: 'Customer not found' },
  'request-not-found': { status: 404, error: 'Request not found' },
  'token-not-found': { status: 404, error: 'Token not found' },
  'delivery-not-found': { status: 404, error: 'Delivery not found' },
  'mail-not-found': { status: 404, error: 'Email not found' },
  'snapshot-not-found': { status: 404, error: 'Snapshot not found' },
  'snapshot-unreadable': { status: 503, error: 'The snapshot cannot be read' },
  'gap-not-found': { status: 404, error: 'Gap not found' },
  'scenario-not-found': { status: 404, error: 'Scenario not found' },
  'scenario-built-in': { status: 409, error: 'A built-in scenario cannot be deleted' },
  'run-not-found': { status: 404, error: 'Run not found' },
  'replay-not-logged': { status: 409, error: 'The request was sent again, but not logged for this account' },
  'body-not-kept': { status: 409, error: 'The log does not have the whole body of the request' },
  'run-ended': { status: 409, error: 'The run has ended' },
  'fault-not-found': { status: 404, error: 'Fault not found' },
  'clock-backwards': { status: 409, error: 'The clock cannot be set back' },
  'clock-too-far': { status: 422, error: 'The clock does not go beyond the year 8999' },
  'webhook-url-invalid': (_profile, { hint = '' }) => ({
    status: 422,
    error: 'Webhooks cannot be sent to this URL',
    errors: { webhook_url: [hint] },
  }),
  'webhook-url-missing': { status: 409, error: 'No webhook URL is set' },
  'account-replaced': {
    status: 409,
    error: 'The account was reset, restored, removed or given another profile during the request',
  },
  'account-not-removable': { status: 409, error: 'The default account cannot be removed' },
  'account-not-found': { status: 404, error: 'Account not found' },
  'account-exists': { status: 409, error: 'Account already exists' },
  'preference-unmet': (_profile, { hint = '' }) => ({
    status: 400,
    error: 'The preference cannot be met',
    errors: { Prefer: [hint] },
  }),
  'not-stored': { status: 503, error: 'The change could not be stored' },
  invalid: (profile, serviceError) => {
    const choice = profile['validation.status'];
    const { error, errors } = describeViolations(serviceError.violations, profile);
    const status = choice.startsWith('400') ? 400 : 422;
    return choice.endsWith('without-errors') ? { status, error } : { status, error, errors };
  },
};

/** Maximum number of messages in a hint. */
const maxHintedFields = 3;

/** The hint of an error: its own, or else what the invalid fields must be, in the same words for all profiles. */
export function hintOf({ hint, violations }: ServiceError): string | undefined {
  if (hint !== undefined) return hint;
  // A violation with its own message needs no other words.
  const described = violations.slice(0, maxDescribedViolations).filter(({ rule }) => rule !== 'custom');
  const messages = [...new Set(described.map(plainMessage))];
  if (messages.length === 0) return undefined;
  const moreCount = messages.length - maxHintedFields + Math.max(0, violations.length - maxDescribedViolations);
  const more = moreCount > 0 ? `; and ${moreCount} more` : '';
  return messages.slice(0, maxHintedFields).reduce(joinHints) + more;
}

/**
 * Builds the error response: the error envelope of the specification.
 * @param options.hasCode whether the body also has the code of the error, which the specification does not have
 * @param options.hint the result of `hintOf`, if the caller has it already
 */
export function errorResponse(
  serviceError: ServiceError,
  profile: Profile,
  {
    hasCode = false,
    hint = hintOf(serviceError),
  }: { readonly hasCode?: boolean; readonly hint?: string | undefined } = {},
): ResponseData {
  const { status, error, errors } = errorText(serviceError, profile);
  return {
    status,
    // JSON leaves out what is undefined.
    body: JSON.stringify({ success: false, error, code: hasCode ? serviceError.code : undefined, errors }),
    ...(hint === undefined ? {} : { headers: { 'X-Sim-Hint': headerText(hint) } }),
  };
}

/** The status and texts of an error. */
export function errorText(serviceError: ServiceError, profile: Profile): ErrorText {
  const entry = texts[serviceError.code];
  return typeof entry === 'function' ? entry(profile, serviceError) : entry;
}

/** Status and text of the profile's choice for a gap, or of `fallbackChoice` if the profile's choice has no response. */
function textOfChoice(id: GapId, profile: Profile, fallbackChoice = ''): ErrorText {
  const choice = profile[id];
  if (typeof choice !== 'string') {
    if ('answer' in choice) return choice.answer;
    throw new Error(`the choice for ${id} has no response`);
  }
  const { choices } = gapRegistry[id];
  const answer = choices[choice]?.answer ?? choices[fallbackChoice]?.answer;
  if (!answer) throw new Error(`the choice ${choice} for ${id} has no response`);
  return answer;
}

const notFoundTexts = {
  invoice: 'Invoice not found',
  deposit: 'Deposit not found',
  route: 'Route not found',
  page: 'Page not found',
};

function notFound(resource: keyof typeof notFoundTexts, profile: Profile): ErrorText {
  const choice = profile['request.not-found'];
  if (typeof choice === 'string') return { status: 404, error: notFoundTexts[resource] };
  if ('error' in choice) return { status: 404, error: choice.error };
  return { status: 404, error: resource === 'page' ? notFoundTexts.page : choice.errors[resource] };
}

/**
 * The response statuses for captures that are refused because of the deposit's status, or because the amount exceeds
 * what is still held (gap deposit.capture-when). Under `capped`, larger amounts are accepted, so `tooLarge` is not used.
 */
function captureStatuses(profile: Profile): { readonly notCapturable: number; readonly tooLarge: number } {
  const choice = profile['deposit.capture-when'];
  if (typeof choice === 'string')
    return choice === '400' ? { notCapturable: 400, tooLarge: 400 } : { notCapturable: 409, tooLarge: 422 };
  // `above` is the status for a capture of more than remains, `otherwise` the one for any other refused capture.
  const { otherwise, above } = choice.answers;
  return { notCapturable: otherwise, tooLarge: above === 'capped' ? otherwise : above };
}

function releaseStatus(profile: Profile): number {
  const choice = profile['deposit.release-when'];
  if (typeof choice !== 'string') return choice.answers.otherwise;
  return choice === '400' ? 400 : 409;
}

/**
 * Returns a ServiceError unchanged; undefined for an internal error. For a path that cannot be decoded, such as `/%ff`,
 * Express throws a URIError or an error with the status 400, which becomes an unknown route.
 */
export function toServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  const isUndecodable = error instanceof URIError || (isError(error) && 'status' in error && error.status === 400);
  return isUndecodable ? new ServiceError('route-not-found') : undefined;
}

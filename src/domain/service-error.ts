/** Reasons for refusing a request. */
export type ErrorCode =
  | 'unauthenticated'
  | 'scope-missing'
  | 'rate-limit-exceeded'
  | 'host-not-allowed'
  | 'origin-not-allowed'
  | 'control-token-invalid'
  // A request was replayed, but the replay is missing in the request log of the account.
  | 'replay-not-logged'
  | 'request-aborted'
  | 'request-malformed'
  | 'request-too-slow'
  | 'headers-too-large'
  | 'json-malformed'
  | 'not-json'
  | 'form-malformed'
  | 'content-over-100-kb'
  | 'content-over-1-mb'
  | 'content-over-20-mb'
  | 'route-not-found'
  | 'method-not-allowed'
  | 'page-beyond-end'
  | 'invalid'
  | 'invoice-not-found'
  | 'invoice-id-not-numeric'
  | 'invoice-paid'
  | 'invoice-draft'
  | 'invoice-cancelled'
  | 'reminder-invoice-not-found'
  | 'reminder-invoice-id-not-numeric'
  | 'deposit-not-found'
  | 'deposit-not-capturable'
  | 'capture-too-large'
  | 'deposit-not-releasable'
  | 'transition-not-allowed'
  | 'payment-not-found'
  | 'payment-too-large'
  | 'payment-link-not-found'
  | 'payment-link-inactive'
  | 'key-required'
  | 'key-mismatch'
  | 'key-in-use'
  | 'account-not-found'
  | 'account-exists'
  | 'account-replaced'
  | 'account-not-removable'
  | 'webhook-url-invalid'
  | 'webhook-url-missing'
  | 'token-not-found'
  | 'customer-not-found'
  | 'request-not-found'
  | 'body-not-kept'
  | 'delivery-not-found'
  | 'mail-not-found'
  | 'snapshot-not-found'
  | 'snapshot-unreadable'
  | 'gap-not-found'
  | 'scenario-not-found'
  | 'scenario-built-in'
  | 'run-not-found'
  | 'run-ended'
  | 'fault-not-found'
  | 'clock-backwards'
  | 'clock-too-far'
  | 'preference-unmet'
  | 'not-stored';

/** A field that violates a rule: a JSON Schema keyword, or an additional rule. */
export interface FieldViolation {
  readonly path: readonly (string | number)[];
  readonly rule: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Error that refuses a request. The request has changed nothing, except that an advance of the clock or a resend may be
 * partly done if the code is `not-stored` or `account-replaced`.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** Reason for the refusal, whatever text the profile gives it. */
  readonly code: ErrorCode;
  /** The invalid fields; empty unless the code is `invalid`. */
  readonly violations: readonly FieldViolation[];
  /** More about the cause, or what to do. Sent in the `X-Sim-Hint` header of the response. */
  readonly hint: string | undefined;

  /** @param details.message default: the code and the hint */
  constructor(
    code: ErrorCode,
    details: {
      violations?: readonly FieldViolation[];
      hint?: string | undefined;
      message?: string;
      cause?: unknown;
    } = {},
  ) {
    const { violations = [], hint, message = hint === undefined ? code : `${code}: ${hint}` } = details;
    // `Error` takes the cause from the details, if they have one.
    super(message, details);
    this.code = code;
    this.violations = violations;
    this.hint = hint;
  }
}

/** Returns the result of a lookup. @throws ServiceError with this code, if the result is undefined */
export function requireFound<Found>(found: Found | undefined, code: ErrorCode): Found {
  if (found === undefined) throw new ServiceError(code);
  return found;
}

/** Creates the error for a field that violates a rule. */
export function invalidField(
  field: string,
  rule: string,
  params: Record<string, unknown> = {},
  hint?: string,
): ServiceError {
  return new ServiceError('invalid', { violations: [{ path: [field], rule, params }], hint });
}

/** Creates the error for a transition that the current status does not allow. The hint lists what it allows. */
export function transitionNotAllowed(
  resource: string,
  status: string,
  allowed: readonly string[],
  code: ErrorCode = 'transition-not-allowed',
): ServiceError {
  const restriction = allowed.length === 0 ? 'is final' : `allows only ${allowed.join(', ')}`;
  return new ServiceError(code, { hint: `the ${resource}'s status is ${status}, which ${restriction}` });
}

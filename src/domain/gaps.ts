/**
 * Choices of a profile, keyed by gap. A gap is a question that the specification does not answer; openapi/gaps.yaml
 * describes each, with its choices. This type contains only what the domain uses: a complete profile also has choices
 * about API responses, and some values have more parts. Durations are in milliseconds.
 */
export interface GapChoices {
  readonly 'amount.maximum': '999999.99' | 'unbounded' | { readonly maximum: number };
  readonly 'amount.minor-units': 'by-currency' | 'two';
  readonly 'auth.token-lifetime': 'never' | { readonly after: number };
  readonly 'deposit.amount-range': 'refused' | 'rounded';
  /** `above`: status of the response to a capture above the remaining amount; `capped`: captures all that remains. */
  readonly 'deposit.capture-when': '400' | '409' | { readonly answers: { readonly above: number | 'capped' } };
  readonly 'deposit.decline': 'failed' | 'pending';
  readonly 'deposit.expire-partial': 'expired' | 'captured';
  readonly 'deposit.link-expiry': 'never' | { readonly after: number };
  readonly 'deposit.release-partial': 'released' | 'captured';
  /** `again`: response to the second release of a deposit. */
  readonly 'deposit.release-when':
    | '400'
    | '409'
    | 'repeated'
    | { readonly answers: { readonly again: 'refused' | 'accepted' } };
  readonly 'deposit.remaining-amount': 'zero' | 'uncaptured';
  readonly 'deposit.window': 'week' | { readonly for: number };
  readonly 'event.digest': 'hex' | 'base64' | 'hex-upper';
  readonly 'event.payment-signature': 'service-signature' | { readonly header: string };
  readonly 'event.retries': 'backoff' | 'none';
  readonly 'invoice.amount': 'taxed-lines' | 'net' | 'rounded-once';
  readonly 'invoice.currency': 'account' | 'customer';
  readonly 'invoice.line-total': 'included' | 'excluded';
  readonly 'invoice.outstanding': 'remaining' | 'whole-amount';
  readonly 'invoice.overdue-moment': 'utc-day' | 'account-day' | 'never';
  readonly 'link.amount-range': 'refused' | 'rounded';
  readonly 'link.deactivation': 'never' | 'after-payment';
  readonly 'link.slug': 'dashes' | 'percent-encoded';
  readonly 'payment.methods': 'common' | { readonly only: readonly string[] };
  readonly 'rate.burst': 'after-calm' | 'never' | 'always';
  readonly 'rate.window': 'fixed' | 'sliding' | 'bucket';
}

/**
 * One of the choices of a gap. In openapi/gaps.yaml, a choice that has only a description is a string, which the build
 * converts to an object.
 */
export interface Choice {
  description: string;
  /** JSON Schema of the value of the choice; omitted if it takes none. */
  takes?: Record<string, unknown>;
  /** Error response that the choice selects; omitted if it selects none. */
  answer?: { status: number; error: string };
  /** JSON Patch that applies the choice to the OpenAPI document. */
  document?: readonly Record<string, unknown>[];
}

/** A question that the specification does not answer, as in openapi/gaps.yaml. */
export interface Gap {
  /** Section of the specification that leaves the question open, by its heading. */
  section: string;
  question: string;
  default: string;
  /** Keyed by name of the choice. */
  choices: Record<string, Choice>;
  /** How to find out which choice an implementation has made, or why that is not possible. */
  probe: string;
}

import { absent, aDecimal, anObject, aResetTime, type Matcher } from '../contract/predicates/matchers.js';
import { gapRegistry } from '../generated/gap-registry.js';

type GapId = keyof typeof gapRegistry;
/**
 * Rules that may be violated where a gap is marked: keywords of JSON Schema, and other rules of the proxy, such as
 * `unlisted` for a status, `missing` for a header or a body, and `filter` for a list.
 */
type Tolerance = 'everything' | readonly string[];

/**
 * Rules that a message may violate where the OpenAPI document marks a gap, which is a question that the specification
 * does not answer. A gap that is not listed here permits no violation: the specification does not define the format of
 * invoice numbers, for example, but they must be strings.
 */
const gapTolerance: Readonly<Record<string, Tolerance>> = {
  'invoice.transactions': 'everything',
  'invoice.subscription': 'everything',
  'rate.exceeded': 'everything',
  'rate.reset-unit': ['type', 'format'],
  // If an error has no messages by field, `errors` may be null.
  'validation.status': ['type'],
  // A payment may have no method until it is paid.
  'payment.methods': ['required', 'type'],
  // The payment of an invoice has no link.
  'event.invoice-payment': ['required'],
  'status.created': ['unlisted'],
  // The HTTP status of the response to a reminder, capture or release.
  'status.acted': ['unlisted'],
  'deposit.replay-status': ['unlisted'],
  'request.trailing-slash': ['route'],
  'request.content-type': ['media-type'],
  'request.malformed-json': ['json'],
  'query.empty': ['empty'],
  'page.over-maximum': ['maximum'],
  'invoice.reminder-cancelled': ['const'],
  'page.invalid': ['type', 'minimum'],
  // Lists other than the invoice list may accept `page`.
  'page.page-everywhere': ['unknown-parameter'],
  // Lists other than the invoice list may lack `last_page`.
  'page.last-page-everywhere': ['required'],
  'decimal.encoding': ['type'],
  'invoice.id-text': ['type'],
  'invoice.item-places': ['x-decimal-places'],
  'invoice.unit-price': ['minimum'],
  'invoice.tax-rate': ['minimum', 'maximum'],
  'link.amount-range': ['minimum', 'exclusiveMinimum', 'x-decimal-places'],
  'link.currency-others': ['enum'],
  'deposit.amount-range': ['minimum', 'exclusiveMinimum', 'x-decimal-places'],
  'deposit.required': ['required'],
  'deposit.key-required': ['missing'],
  'deposit.id': ['type'],
  // Not `enum`: the only field with one is `status`, and the specification lists its values.
  // `missing`: the response to a capture or release may be empty.
  'deposit.fields': ['missing', 'required', 'type', 'format', 'pattern', 'minimum', 'x-decimal-places', 'x-not-before'],
  'deposit.per-page': ['maximum'],
  'payment.range-reversed': ['x-not-before', 'filter'],
  'deposit.booking-filter': ['filter'],
  'deposit.dates': ['x-not-before'],
  'deposit.customer-email': ['format'],
  'metadata.size': ['maxProperties', 'maxLength'],
  'metadata.values': ['type'],
  'text.lengths': ['maxLength'],
  'text.characters': ['pattern'],
  'amount.maximum': ['maximum'],
  'amount.minor-units': ['x-decimal-places'],
} satisfies Partial<Record<GapId, Tolerance>>;

/**
 * Values that violate the schema where a gap is marked, and that some choice of the gap allows. An amount may be a string,
 * for example, but not null. A gap that is not listed here allows every value.
 */
const allowedValues: Readonly<Record<string, Matcher>> = {
  'decimal.encoding': aDecimal,
  'event.invoice-payment': absent,
  'invoice.subscription': anObject,
  'payment.methods': absent,
  'rate.reset-unit': aResetTime,
  'validation.status': absent,
} satisfies Partial<Record<GapId, Matcher>>;

/** Selects the gaps that have a choice allowing a value. @param gaps the gaps marked on the value's schema */
export function gapsAllowingValue(gaps: readonly string[], value: unknown): string[] {
  return gaps.filter((gap) => allowedValues[gap]?.matches(value) ?? true);
}

/**
 * Selects the gaps that permit violating a rule.
 * @param known gaps for which the choice of the service is known. If choices of such a gap change the document, the
 * document has been adapted to the service's choice, so the gap permits nothing else. Known gaps whose choices a
 * document cannot express, such as `page.invalid`, still permit violations.
 */
export function gapsPermitting(gaps: readonly string[], rule: string, known: readonly string[]): string[] {
  return gaps.filter((gap) => {
    const tolerance = gapTolerance[gap] ?? [];
    return (tolerance === 'everything' || tolerance.includes(rule)) && !(known.includes(gap) && changesDocument(gap));
  });
}

/** Returns true if a choice of a gap changes the document. */
function changesDocument(gap: string): boolean {
  const found = Object.entries(gapRegistry).find(([id]) => id === gap);
  return Object.values(found?.[1].choices ?? {}).some((choice) => choice.document);
}

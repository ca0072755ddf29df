import type { Delivery } from './delivery.js';
import type { Exchange } from './exchange.js';
import { jsonText } from './json.js';

/** The target violates a clause. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly expected: string;
  readonly got: string;
  /** Exchange that shows the violation. */
  readonly exchange: Exchange | undefined;
  /** Webhook that shows the violation. */
  readonly delivery: Delivery | undefined;

  /** @param evidence exchange or webhook that shows the violation */
  constructor(expected: string, got: unknown, evidence?: Exchange | Delivery) {
    super(`expected ${expected}, got ${formatValue(got)}`);
    this.expected = expected;
    this.got = formatValue(got);
    this.exchange = evidence && 'call' in evidence ? evidence : undefined;
    this.delivery = evidence && !('call' in evidence) ? evidence : undefined;
  }
}

/** A clause cannot be checked in this run: the suite lacks something. */
export class Skip extends Error {
  override readonly name = 'Skip';
  /** The missing driver method or option. */
  readonly missing: string;

  constructor(missing: string, reason: string) {
    super(`${missing}: ${reason}`);
    this.missing = missing;
  }
}

/** A clause cannot be checked because the target failed at a previous step. Another clause checks that step. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  readonly exchange: Exchange | undefined;

  constructor(message: string, exchange?: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/** A request that a clause needs got no response, or only that the rate limit is used up. */
export class Unanswered extends Blocked {}

/** Maximum characters of a value in a message. */
const maxValueCharacters = 300;

/** Formats a value for a message: a string as it is, any other value as JSON; both are truncated. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : (jsonText(value) ?? String(value));
  return text.length > maxValueCharacters ? `${text.slice(0, maxValueCharacters)}…` : text;
}

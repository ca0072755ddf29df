import type { Delivery } from './delivery.js';
import type { Exchange } from './exchange.js';
import { jsonText } from './json.js';

/** The target breaks a clause. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly expected: string;
  readonly got: string;
  /** The exchange that shows it. */
  readonly exchange: Exchange | undefined;
  /** The webhook that shows it. */
  readonly delivery: Delivery | undefined;

  /** @param evidence what shows it */
  constructor(expected: string, got: unknown, evidence?: Exchange | Delivery) {
    super(`expected ${expected}, got ${shown(got)}`);
    this.expected = expected;
    this.got = shown(got);
    this.exchange = evidence && 'call' in evidence ? evidence : undefined;
    this.delivery = evidence && !('call' in evidence) ? evidence : undefined;
  }
}

/** A clause cannot be checked on this run: something is missing that the suite needs. */
export class Skip extends Error {
  override readonly name = 'Skip';
  /** The name of what is missing: a method of the driver, or an option. */
  readonly missing: string;

  constructor(missing: string, why: string) {
    super(`${missing}: ${why}`);
    this.missing = missing;
  }
}

/**
 * A clause cannot be checked since the target did not do what must come before. A clause of its own says that it must, so
 * it is not for this one to fail.
 */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  readonly exchange: Exchange | undefined;

  constructor(message: string, exchange?: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/** No answer came to a request that a clause rests on, or only that the rate limit is used up. */
export class Unanswered extends Blocked {}

/** A value in a message: JSON, not too long. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : (jsonText(value) ?? String(value));
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

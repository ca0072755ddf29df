import { truncate } from '../../lib/messages.js';
import type { Delivery } from './delivery.js';
import type { Exchange } from './exchange.js';
import { formatExactJson } from './json.js';

/** Thrown by a check: the target violates the clause. */
export class Violation extends Error {
  override readonly name = 'Violation';
  /** End of a sentence that begins with "expected": `status 201`. */
  readonly expected: string;
  /** Value or status that was observed instead: `status 500`. */
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

/** Names the thing that a check lacks, and why it lacks it. */
export interface SkipReason {
  readonly missing: string;
  readonly reason: string;
}

/** The clause cannot be checked in this run: the run or the target's account lacks something that the check needs. */
export class Skip extends Error {
  override readonly name = 'Skip';
  /** Name of what is missing: a driver method, an option, or a record, response or circumstance. */
  readonly missing: string;

  constructor({ missing, reason }: SkipReason) {
    super(`${missing}: ${reason}`);
    this.missing = missing;
  }
}

/**
 * Thrown by a check: the clause cannot be checked, because the target did not do what an earlier step needs. For
 * example, it refused a create request, or does not list a record that was created. Another clause reports that.
 */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  /** Exchange that shows the problem; undefined if no single exchange does, or the target did not respond. */
  readonly exchange: Exchange | undefined;

  constructor(message: string, exchange?: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/**
 * A request that the check needs was not processed: it got no response, was refused with 429 because the rate limit is
 * used up, or was not sent because the target no longer responds.
 */
export class Unanswered extends Blocked {}

/** Maximum number of characters of a value in a message. */
const maxValueCharacters = 300;

/** Formats a value for a message: a string unchanged, undefined as `nothing`, others as JSON; truncated if long. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : (formatExactJson(value) ?? String(value));
  return truncate(text, maxValueCharacters);
}

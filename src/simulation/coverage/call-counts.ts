import type { CallCount } from '../../domain/call-coverage.js';

/**
 * Counts answers by operation, token and status. Every request is counted, so a count is two look-ups, and what is made is
 * made once: as many counters as there are operations, tokens and statuses to be met together.
 */
export class CallCounts {
  readonly #counters = new Map<string, Map<number, { count: number }>>();

  /** The numbers and texts are those of `CallCount`. */
  add(operation: string, token: number, status: number): void {
    let counters = this.#counters.get(operation);
    if (!counters) {
      counters = new Map();
      this.#counters.set(operation, counters);
    }
    const key = token * 1_000 + status;
    const counter = counters.get(key);
    if (counter) counter.count += 1;
    else counters.set(key, { count: 1 });
  }

  all(): CallCount[] {
    return [...this.#counters].flatMap(([operation, counters]) =>
      [...counters].map(([key, { count }]) => ({
        operation,
        token: Math.floor(key / 1_000),
        status: key % 1_000,
        count,
      })),
    );
  }
}

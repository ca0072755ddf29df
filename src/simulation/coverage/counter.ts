import type { CallCount } from '../../domain/call-coverage.js';

/**
 * Counts requests by operation, token and status of the response. Optimized, since every request is counted: two
 * look-ups, and a new object only for a new combination.
 */
export class CallCounts {
  readonly #counters = new Map<string, Map<number, { count: number }>>();

  /** Counts one request. The arguments are the fields of `CallCount`. */
  add(operation: string, token: number, status: number): void {
    let counters = this.#counters.get(operation);
    if (!counters) {
      counters = new Map();
      this.#counters.set(operation, counters);
    }
    // Statuses are below 1,000, so one number can hold both.
    const key = token * 1_000 + status;
    const counter = counters.get(key);
    if (counter) counter.count += 1;
    else counters.set(key, { count: 1 });
  }

  /** Counts of all combinations. */
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

/** Counts occurrences by name. */
export class Counter {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.#counts.set(name, this.get(name) + by);
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

import type { Deviation } from './deviation.js';

/** A deviation, and how often it was seen. */
export type CountedDeviation = Deviation & { readonly count: number };

/** The findings of all exchanges so far. */
export interface Summary {
  /** Number of requests whose exchange was checked, or that got no complete response. */
  readonly requests: number;
  /** Number of requests that got no complete response. */
  readonly unanswered: number;
  /** Different errors; `count` says how often each was seen. */
  readonly errors: readonly CountedDeviation[];
  readonly notes: readonly CountedDeviation[];
  /** Number of deviations that were not added to the list of different ones, because it was full. */
  readonly unlisted: number;
}

/** Maximum number of different deviations in the list. */
const maxDeviations = 1_000;

/** Counts the deviations of all exchanges. */
export class Report {
  #requests = 0;
  #unanswered = 0;
  #unlisted = 0;
  readonly #seen = new Map<string, CountedDeviation>();

  /** Adds the deviations of an exchange. @returns those that are seen for the first time */
  add(deviations: readonly Deviation[]): Deviation[] {
    this.#requests += 1;
    return deviations.filter((deviation) => {
      const { severity, operation, status, side, part, at, rule } = deviation;
      const key = [severity, operation, status, side, part, at, rule].join('\n');
      const earlier = this.#seen.get(key);
      if (!earlier && this.#seen.size === maxDeviations) {
        this.#unlisted += 1;
        return false;
      }
      this.#seen.set(key, { ...deviation, count: (earlier?.count ?? 0) + 1 });
      return !earlier;
    });
  }

  addUnanswered(): void {
    this.#requests += 1;
    this.#unanswered += 1;
  }

  summary(): Summary {
    const all = [...this.#seen.values()];
    return {
      requests: this.#requests,
      unanswered: this.#unanswered,
      errors: all.filter(({ severity }) => severity === 'error'),
      notes: all.filter(({ severity }) => severity === 'note'),
      unlisted: this.#unlisted,
    };
  }
}

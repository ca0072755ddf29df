import type { Deviation } from './deviation.js';

/** A deviation with how often it was seen. */
export type Counted = Deviation & { readonly count: number };

/** The findings of all exchanges so far. */
export interface Summary {
  /** To the service. */
  readonly requests: number;
  /** Of them, those that the upstream did not answer. */
  readonly unanswered: number;
  /** Different ones; `count` says how often each was seen. */
  readonly errors: readonly Counted[];
  readonly notes: readonly Counted[];
  /** Deviations that are in neither list, because there were too many different ones. */
  readonly unlisted: number;
}

/** How many different deviations are kept. */
const mostKept = 1_000;

/** Counts deviations. */
export class Report {
  #requests = 0;
  #unanswered = 0;
  #unlisted = 0;
  readonly #seen = new Map<string, Counted>();

  /** @returns those that were not seen before */
  add(deviations: readonly Deviation[]): Deviation[] {
    this.#requests += 1;
    return deviations.filter((deviation) => {
      const { severity, operation, status, side, part, at, rule } = deviation;
      const key = [severity, operation, status, side, part, at, rule].join('\n');
      const before = this.#seen.get(key);
      if (!before && this.#seen.size === mostKept) {
        this.#unlisted += 1;
        return false;
      }
      this.#seen.set(key, { ...deviation, count: (before?.count ?? 0) + 1 });
      return !before;
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

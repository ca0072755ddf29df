/** Counts things by name. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.#counts.set(name, this.of(name) + by);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

/** Counts things by name. */
export class Counter {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.#counts.set(name, this.get(name) + by);
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

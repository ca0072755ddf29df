/** One request that was answered. Holds no token, and of the URL no credentials. */
export interface LoggedRequest {
  readonly id: string;
  /** On the account's clock, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  /** Name of the token, not the token. */
  readonly token: string | null;
  /** Null if nothing was answered. */
  readonly status: number | null;
  /** The effects that took place on it. */
  readonly faults: readonly string[];
  readonly milliseconds: number;
}

const maxLoggedRequests = 1_000;

/** The latest requests of an account, in memory. */
export class RequestLog {
  readonly #ring: LoggedRequest[] = [];
  readonly #watchers = new Set<(request: LoggedRequest) => void>();
  #next = 0;

  add(request: LoggedRequest): void {
    this.#ring[this.#next] = request;
    this.#next = (this.#next + 1) % maxLoggedRequests;
    for (const watcher of this.#watchers) watcher(request);
  }

  /** Tells of every request from now on, until the returned function is called. */
  watch(watcher: (request: LoggedRequest) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Newest first. */
  latest(): LoggedRequest[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].reverse();
  }
}

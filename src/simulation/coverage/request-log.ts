/** A request that was answered. Contains no token, and no credentials in the URL. */
export interface LoggedRequest {
  readonly id: string;
  /** Milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  /** Name of the token, not its value. */
  readonly token: string | null;
  /** Null without a response. */
  readonly status: number | null;
  /** Names of the applied effects. */
  readonly faults: readonly string[];
  readonly milliseconds: number;
}

const maxLoggedRequests = 1_000;

/** Last requests of an account, in memory. */
export class RequestLog {
  readonly #ring: LoggedRequest[] = [];
  readonly #watchers = new Set<(request: LoggedRequest) => void>();
  #next = 0;

  add(request: LoggedRequest): void {
    this.#ring[this.#next] = request;
    this.#next = (this.#next + 1) % maxLoggedRequests;
    for (const watcher of this.#watchers) watcher(request);
  }

  /** Calls back with every request, until the returned function is called. */
  watch(watcher: (request: LoggedRequest) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Newest first. */
  latest(): LoggedRequest[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].reverse();
  }
}

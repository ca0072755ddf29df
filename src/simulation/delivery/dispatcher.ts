/** One thing to be sent. */
export interface Job {
  readonly id: string;
  /** Jobs that name the same one go one after the other; undefined for those that wait for nobody. */
  readonly after: string | undefined;
}

/**
 * Sends things, so many at a time at the most, in the order in which they were taken. It holds what waits and what is on
 * its way, and knows nothing of what sending means.
 */
export class Dispatcher {
  readonly #limit: number;
  readonly #send: (id: string, stop: AbortSignal) => Promise<void>;
  readonly #stop = new AbortController();
  /** First in, first out: what is before `#first` is gone. */
  #waiting: Job[] = [];
  #first = 0;
  readonly #known = new Set<string>();
  readonly #parked = new Map<string, Job[]>();
  #underWay = 0;
  #onIdle: (() => void)[] = [];

  /** @param send sends one and never rejects */
  constructor(limit: number, send: (id: string, stop: AbortSignal) => Promise<void>) {
    this.#limit = limit;
    this.#send = send;
  }

  get isIdle(): boolean {
    return this.#known.size === 0;
  }

  /** Ids of jobs that wait or are being sent. */
  get unsettled(): readonly string[] {
    return [...this.#known];
  }

  take(job: Job): void {
    if (this.#stop.signal.aborted || this.#known.has(job.id)) return;
    this.#known.add(job.id);
    this.#waiting.push(job);
    this.#pump();
  }

  /** Settles once nothing waits and nothing is on its way. */
  whenIdle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Sends nothing any more and breaks off what is on its way. */
  stop(): void {
    this.#waiting = [];
    this.#parked.clear();
    this.#known.clear();
    this.#stop.abort();
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #pump(): void {
    while (this.#underWay < this.#limit) {
      const job = this.#next();
      if (!job) return;
      if (job.after === undefined) void this.#run(job);
      else {
        const parked = this.#parked.get(job.after);
        if (parked) parked.push(job);
        else {
          this.#parked.set(job.after, []);
          void this.#run(job);
        }
      }
    }
  }

  #next(): Job | undefined {
    const job = this.#waiting[this.#first];
    if (!job) return undefined;
    this.#first += 1;
    if (this.#first > 1_000 && this.#first * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    return job;
  }

  async #run(job: Job): Promise<void> {
    this.#underWay += 1;
    await this.#send(job.id, this.#stop.signal);
    this.#underWay -= 1;
    if (this.#stop.signal.aborted) return;
    this.#known.delete(job.id);
    if (job.after !== undefined) this.#release(job.after);
    this.#pump();
    if (this.isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Lets the next one go that waited for the one that has ended. */
  #release(after: string): void {
    const parked = this.#parked.get(after) ?? [];
    const next = parked.shift();
    if (next) void this.#run(next);
    else this.#parked.delete(after);
  }
}

import { Fifo } from '../../lib/fifo.js';

/** Something to send. */
export interface Job {
  readonly id: string;
  /** Jobs of the same chain run one after the other; undefined for independent jobs. */
  readonly chain: string | undefined;
}

/** Runs jobs in order with limited concurrency. It knows nothing about what is sent. */
export class Dispatcher {
  readonly #limit: number;
  readonly #send: (id: string, stop: AbortSignal) => Promise<void>;
  readonly #stop = new AbortController();
  readonly #waiting = new Fifo<Job>();
  readonly #known = new Set<string>();
  readonly #parked = new Map<string, Fifo<Job>>();
  #running = 0;
  #onIdle: (() => void)[] = [];

  /** @param send runs a job and never rejects */
  constructor(limit: number, send: (id: string, stop: AbortSignal) => Promise<void>) {
    this.#limit = limit;
    this.#send = send;
  }

  get isIdle(): boolean {
    return this.#known.size === 0;
  }

  /** Ids of jobs that wait or run. */
  get unsettled(): readonly string[] {
    return [...this.#known];
  }

  /** Adds a job, unless it waits or runs already. */
  add(job: Job): void {
    if (this.#stop.signal.aborted || this.#known.has(job.id)) return;
    this.#known.add(job.id);
    this.#waiting.push(job);
    this.#pump();
  }

  /** Settles once no job waits or runs. */
  whenIdle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Drops waiting jobs and aborts running ones. */
  stop(): void {
    this.#waiting.clear();
    this.#parked.clear();
    this.#known.clear();
    this.#stop.abort();
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #pump(): void {
    while (this.#running < this.#limit) {
      const job = this.#waiting.shift();
      if (!job) return;
      if (job.chain === undefined) void this.#run(job);
      else {
        const parked = this.#parked.get(job.chain);
        if (parked) parked.push(job);
        else {
          this.#parked.set(job.chain, new Fifo());
          void this.#run(job);
        }
      }
    }
  }

  async #run(job: Job): Promise<void> {
    this.#running += 1;
    await this.#send(job.id, this.#stop.signal);
    this.#running -= 1;
    if (this.#stop.signal.aborted) return;
    this.#known.delete(job.id);
    if (job.chain !== undefined) this.#release(job.chain);
    this.#pump();
    if (this.isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Starts the next job that waited for the finished one. */
  #release(chain: string): void {
    const next = this.#parked.get(chain)?.shift();
    if (next) void this.#run(next);
    else this.#parked.delete(chain);
  }
}

import { Fifo } from '../../lib/fifo.js';

/** Something to send. */
export interface Job {
  readonly id: string;
  /** Jobs of the same queue run one after the other; undefined for independent jobs. */
  readonly queue: string | undefined;
}

/** Runs jobs in order with limited concurrency. It knows nothing about what is sent. */
export class Dispatcher {
  readonly #limit: number;
  readonly #send: (id: string, stop: AbortSignal) => Promise<void>;
  readonly #stop = new AbortController();
  readonly #waiting = new Fifo<Job>();
  readonly #unfinished = new Set<string>();
  /** For each queue with a running job: the jobs that wait for it. */
  readonly #queues = new Map<string, Fifo<Job>>();
  #running = 0;
  #onIdle: (() => void)[] = [];

  /** @param send runs a job and never rejects */
  constructor(limit: number, send: (id: string, stop: AbortSignal) => Promise<void>) {
    this.#limit = limit;
    this.#send = send;
  }

  get isIdle(): boolean {
    return this.#unfinished.size === 0;
  }

  /** Ids of jobs that wait or run. */
  get unsettled(): readonly string[] {
    return [...this.#unfinished];
  }

  /** Adds a job, unless it waits or runs already. */
  add(job: Job): void {
    if (this.#stop.signal.aborted || this.#unfinished.has(job.id)) return;
    this.#unfinished.add(job.id);
    this.#waiting.push(job);
    this.#startWaiting();
  }

  /** Settles once no job waits or runs. */
  whenIdle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Drops waiting jobs and aborts running ones. */
  stop(): void {
    this.#waiting.clear();
    this.#queues.clear();
    this.#unfinished.clear();
    this.#stop.abort();
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #startWaiting(): void {
    while (this.#running < this.#limit) {
      const job = this.#waiting.shift();
      if (!job) return;
      if (job.queue === undefined) void this.#run(job);
      else {
        const queue = this.#queues.get(job.queue);
        if (queue) queue.push(job);
        else {
          this.#queues.set(job.queue, new Fifo());
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
    this.#unfinished.delete(job.id);
    if (job.queue !== undefined) this.#runNextOf(job.queue);
    this.#startWaiting();
    if (this.isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Starts the next job that waited for the finished one. */
  #runNextOf(queue: string): void {
    const next = this.#queues.get(queue)?.shift();
    if (next) void this.#run(next);
    else this.#queues.delete(queue);
  }
}

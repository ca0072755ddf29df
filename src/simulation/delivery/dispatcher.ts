import { Fifo } from '../../lib/queues.js';

/** A webhook message or an email to send. */
export interface Job {
  readonly id: string;
  /** Name of a queue, whose jobs run one after the other; undefined for a job that does not wait for others. */
  readonly queue: string | undefined;
}

/** Runs the jobs of one account in order, with limited concurrency. It knows only their ids, not what they send. */
export class Dispatcher {
  readonly #limit: number;
  readonly #send: (id: string, signal: AbortSignal) => Promise<void>;
  readonly #stop = new AbortController();
  readonly #waiting = new Fifo<Job>();
  readonly #unfinished = new Set<string>();
  /** For each queue with a running job: the jobs that wait for it. */
  readonly #queues = new Map<string, Fifo<Job>>();
  #runningCount = 0;
  /** Functions that resolve the promises of `whenIdle`. */
  #onIdle: (() => void)[] = [];

  /**
   * @param limit maximum number of jobs that run at the same time
   * @param send runs a job and never rejects
   */
  constructor(limit: number, send: (id: string, signal: AbortSignal) => Promise<void>) {
    this.#limit = limit;
    this.#send = send;
  }

  get isIdle(): boolean {
    return this.#unfinished.size === 0;
  }

  /** Ids of the jobs that wait or run. */
  get unfinishedIds(): readonly string[] {
    return [...this.#unfinished];
  }

  /** Adds a job, unless it already waits or runs, or the dispatcher has been stopped. */
  add(job: Job): void {
    if (this.#stop.signal.aborted || this.#unfinished.has(job.id)) return;
    this.#unfinished.add(job.id);
    this.#waiting.push(job);
    this.#startWaitingJobs();
  }

  /** Resolves once no job waits or runs. */
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

  #startWaitingJobs(): void {
    while (this.#runningCount < this.#limit) {
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
    this.#runningCount += 1;
    await this.#send(job.id, this.#stop.signal);
    this.#runningCount -= 1;
    if (this.#stop.signal.aborted) return;
    this.#unfinished.delete(job.id);
    if (job.queue !== undefined) this.#runNextInQueue(job.queue);
    this.#startWaitingJobs();
    if (this.isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Starts the next job of a queue after a job has finished. */
  #runNextInQueue(queue: string): void {
    const next = this.#queues.get(queue)?.shift();
    if (next) void this.#run(next);
    else this.#queues.delete(queue);
  }
}

import { randomBytes } from 'node:crypto';
import type { components } from '../../generated/profile-types.js';
import { defaultDriverTimeoutMs, drive } from '../drivers/drive.js';
import { type Driver, DriverError, type DriverMethod, type TargetRecord } from '../drivers/driver.js';
import type { Delivery } from './delivery.js';
import type { Call, Exchange } from './exchange.js';
import type { Target } from './target.js';
import { Skip } from './verdict.js';

export type GapId = keyof components['schemas']['Profile'];

/** Milliseconds to wait for what a target does later, such as sending a webhook. */
const defaultEventuallyTimeoutMs = 10_000;

/** Facts about the target that the tester knows and the suite cannot find out. */
export interface SessionOptions {
  readonly customerId?: number | undefined;
  /** Where the suite listens for webhooks: 0 picks a free port. */
  readonly webhookPort?: number | undefined;
  readonly webhookSecret?: string | undefined;
  /** Milliseconds to wait for what the target does later: a webhook, a payment, a status. Default: 10,000. */
  readonly eventuallyTimeoutMs?: number | undefined;
  /** Milliseconds for a method of the driver; 30,000 unless said otherwise. */
  readonly driverTimeoutMs?: number | undefined;
  /** Whether the limit of requests may be exceeded on purpose. */
  readonly includeRateLimit?: boolean | undefined;
  /** Makes the target ready for that. */
  readonly beforeExcess?: (() => Promise<unknown>) | undefined;
  /** Requests a minute that the run keeps to; undefined where it waits for nothing. */
  readonly requestsPerMinute?: number | undefined;
}

/** A request, and the clause or the setup that it was sent for. */
export interface Step {
  readonly name: string;
  readonly call: Call;
  /** Undefined where it met no answer. */
  exchange?: Exchange;
}

/** One run of the suite against a target: what has been found out so far is shared by all clauses. */
export class Session {
  readonly target: Target;
  readonly driver: Driver;
  /** Names the driver in messages about a missing method: `the driver of the simulator`. */
  readonly driverName: string;
  /** Begins the texts of everything that the suite makes, so that it can be told apart from other records. */
  readonly prefix: string;
  /** The part of the prefix that is unique to this run: letters and digits. */
  readonly mark = randomBytes(4).toString('hex');
  readonly options: SessionOptions;
  /** Requests in the order in which they were sent. */
  readonly steps: Step[] = [];
  readonly #onClose: (() => Promise<unknown>)[] = [];
  readonly #gaps = new Map<string, unknown>();
  readonly #stuck = new Map<string, DriverError>();

  constructor(target: Target, driver: Driver, driverName: string, options: SessionOptions = {}) {
    this.prefix = `contract-${this.mark}`;
    this.target = target;
    this.driver = driver;
    this.driverName = driverName;
    this.options = options;
  }

  get eventuallyTimeoutMs(): number {
    return this.options.eventuallyTimeoutMs ?? defaultEventuallyTimeoutMs;
  }

  /** Observed choices by the ids of gaps, as a profile writes them. */
  get gaps(): ReadonlyMap<string, unknown> {
    return this.#gaps;
  }

  /** Records the choice that the target has made for a gap. */
  observe(gap: GapId, choice: unknown): void {
    this.#gaps.set(gap, choice);
  }

  /** Registers cleanup for the end of the run. */
  onClose(close: () => Promise<unknown>): void {
    this.#onClose.push(close);
  }

  /**
   * Calls a method of the driver. One that timed out once is not waited for again.
   * @throws DriverError, Skip
   */
  async drive(method: keyof Driver, act: () => unknown): Promise<unknown> {
    const stuck = this.#stuck.get(method);
    if (stuck) throw stuck;
    const { driverTimeoutMs = defaultDriverTimeoutMs } = this.options;
    try {
      return await drive(`${method} of the driver`, driverTimeoutMs, act);
    } catch (error) {
      if (error instanceof DriverError && error.isStuck) this.#stuck.set(method, error);
      throw error;
    }
  }

  /** Runs the registered cleanup, the last one first. @throws DriverError */
  async close(): Promise<void> {
    try {
      for (const close of this.#onClose.splice(0).reverse()) await close();
    } finally {
      const { driver } = this;
      if (driver.close) await this.drive('close', () => driver.close?.());
    }
  }
}

/** Access to the target for one clause or setup. Records what it has seen as evidence. */
export class ClauseContext {
  readonly session: Session;
  /** The id of the clause, or the name of the setup. */
  readonly name: string;
  readonly #exchanges = new Set<Exchange>();
  readonly #deliveries = new Set<Delivery>();

  constructor(session: Session, name: string) {
    this.session = session;
    this.name = name;
  }

  get exchanges(): readonly Exchange[] {
    return [...this.#exchanges];
  }

  get deliveries(): readonly Delivery[] {
    return [...this.#deliveries];
  }

  /** Adds exchanges and webhooks to the evidence. */
  recordEvidence(...evidence: readonly (Exchange | Delivery)[]): void {
    for (const one of evidence) {
      if ('call' in one) this.#exchanges.add(one);
      else this.#deliveries.add(one);
    }
  }

  /** Sends a request. @throws Skip, Blocked */
  async send(call: Call): Promise<Exchange> {
    const step: Step = { name: this.name, call };
    this.session.steps.push(step);
    const exchange = await this.session.target.send(call);
    step.exchange = exchange;
    this.recordEvidence(exchange);
    return exchange;
  }

  get(path: string, call: Partial<Call> = {}): Promise<Exchange> {
    return this.send({ ...call, method: 'GET', path });
  }

  post(path: string, body?: unknown, call: Partial<Call> = {}): Promise<Exchange> {
    return this.send({ ...call, method: 'POST', path, ...(body === undefined ? {} : { body }) });
  }

  /** Gives the value of a setup, which runs on first use. @throws Skip, Blocked */
  use<Value>(setup: Setup<Value>): Promise<Value> {
    return setup.use(this);
  }

  /** Waits until a setup has run, whatever its result, without resting on it. */
  async after(setup: Setup<unknown>): Promise<void> {
    await setup.use(new ClauseContext(this.session, this.name)).catch(() => undefined);
  }

  /** Records the choice that the target has made for a gap. */
  observe(gap: GapId, choice: unknown): void {
    this.session.observe(gap, choice);
  }

  /** Prefixes a text so that this run's records can be recognized: `contract-1f0c9a2b booking`. */
  text(text: string): string {
    return `${this.session.prefix} ${text}`;
  }

  /**
   * Brings something about on the target that the API cannot.
   * @throws Skip by the name of the method, if the driver has none, or if nothing may be changed; DriverError
   */
  async drive(method: DriverMethod, record?: TargetRecord): Promise<unknown> {
    const { driver, driverName } = this.session;
    const act = driver[method];
    if (!act) throw new Skip(method, `${driverName} has no such method`);
    if (!this.session.target.options.mayWrite) throw new Skip('--write', 'the target is only read');
    return this.session.drive(method, () => Reflect.apply(act, driver, record === undefined ? [] : [record]));
  }
}

/** A step or finding that several clauses share: it runs once in a session. */
export interface Setup<Value> {
  readonly name: string;
  use(context: ClauseContext): Promise<Value>;
}

/**
 * Defines a setup.
 * @param establish finds it out; what it throws, everybody gets who asks
 */
export function setup<Value>(name: string, establish: (context: ClauseContext) => Promise<Value>): Setup<Value> {
  const known = new WeakMap<Session, { readonly value: Promise<Value>; readonly context: ClauseContext }>();
  return {
    name,
    async use(context) {
      const { session } = context;
      let entry = known.get(session);
      if (!entry) {
        const own = new ClauseContext(session, name);
        entry = { value: establish(own), context: own };
        known.set(session, entry);
      }
      try {
        return await entry.value;
      } finally {
        context.recordEvidence(...entry.context.exchanges, ...entry.context.deliveries);
      }
    },
  };
}

import { randomBytes } from 'node:crypto';
import type { components } from '../../generated/profile-types.js';
import { callDriver, defaultDriverTimeoutMs } from '../drivers/call-driver.js';
import {
  type Driver,
  DriverError,
  type DriverMethod,
  type LoadedDriver,
  type LoadedMethod,
  type TargetRecord,
} from '../drivers/driver.js';
import type { ControlledAccount } from '../drivers/simulator.js';
import { Blocked, Skip, Unanswered } from './check-errors.js';
import type { Delivery } from './delivery.js';
import type { Call, Exchange } from './exchange.js';
import type { Target } from './target.js';

/** Id of a gap, which is a question that the specification does not answer, such as `deposit.id`. */
export type GapId = keyof components['schemas']['Profile'];

/** Default timeout for asynchronous effects, such as a webhook. */
const defaultEventuallyTimeoutMs = 10_000;
const readOnlyTimeoutMs = 1_000;

/** Facts about the target that the suite cannot find out itself, and the timeouts and permissions of the run. */
export interface SessionOptions {
  /** Id of the customer to create invoices for, if no driver creates a customer. */
  readonly customerId?: number | undefined;
  /** Port for receiving webhooks; 0 picks a free port. */
  readonly webhookPort?: number | undefined;
  /** Secret that the target signs webhooks with, if no driver sets one. */
  readonly webhookSecret?: string | undefined;
  /**
   * Milliseconds to wait for asynchronous effects: a webhook, a payment, a status. Default: 10,000. A read-only run waits
   * at most 1,000.
   */
  readonly eventuallyTimeoutMs?: number | undefined;
  /** Timeout for driver methods in milliseconds. Default: 30,000. */
  readonly driverTimeoutMs?: number | undefined;
  /** True if the suite may exceed the rate limit. */
  readonly includeRateLimit?: boolean | undefined;
  /**
   * Called before the suite exceeds the rate limit. Turns the limit on again if it is off: the driver of the simulator,
   * for example, turns it off at the start of a run.
   */
  readonly beforeExceedingRateLimit?: (() => Promise<unknown>) | undefined;
  /** The account of a simulator that the driver controls; undefined for other drivers. */
  readonly account?: ControlledAccount | undefined;
  /** Maximum number of requests per minute; undefined if requests are not throttled. */
  readonly requestsPerMinute?: number | undefined;
}

/** A request that the suite has sent, and its sender. */
export interface SentRequest {
  /** Id of the clause, or name of the setup, that sent the request. */
  readonly sender: string;
  readonly call: Call;
  /** Time just before the request, in milliseconds since 1970. */
  readonly sentAt: number;
  /** Undefined until the response arrives. Stays undefined if none does, or only a 429. */
  exchange?: Exchange;
}

/** A call of a driver method for a clause or setup. */
export interface DriverCall {
  readonly method: DriverMethod;
  /** The record that the method acts on. */
  readonly record: TargetRecord | undefined;
  /** Time just before the call, in milliseconds since 1970. */
  readonly startedAt: number;
  /** False while the method runs, and if it fails. */
  hasSucceeded: boolean;
}

/** Stands in for the driver in a run without one. */
export const noDriver: LoadedDriver = {};

/** The state of one run of the suite against a target, which all clauses of the run share. */
export class Session {
  readonly target: Target;
  readonly driver: LoadedDriver;
  /** Name of the driver in reports and in messages about a missing method: `the driver of the simulator`. */
  readonly driverName: string;
  /** Prefix of texts in the records that the suite creates, so that they can be recognized: `contract-1f0c9a2b`. */
  readonly prefix: string;
  /** The part of the prefix that is unique to this run: `1f0c9a2b`. */
  readonly runId = randomBytes(4).toString('hex');
  readonly options: SessionOptions;
  /** Requests in the order in which they were sent. */
  readonly sentRequests: SentRequest[] = [];
  /** Calls of the driver in the order in which they were started. */
  readonly driverCalls: DriverCall[] = [];
  /**
   * Exchanges in which the target did not do what a setup or a clause needs, such as refused creations. They are the
   * reason why clauses are blocked.
   */
  readonly blockingExchanges = new Set<Exchange>();
  readonly #onClose: (() => Promise<unknown>)[] = [];
  readonly #pendingDriverCalls = new Set<Promise<unknown>>();
  #isClosed = false;
  readonly #observedChoices = new Map<string, unknown>();
  readonly #remarks = new Map<GapId, string>();
  /** Errors of the driver methods that have timed out, by name of the method. */
  readonly #timedOut = new Map<string, DriverError>();

  constructor(target: Target, driver: LoadedDriver, driverName: string, options: SessionOptions = {}) {
    this.prefix = `contract-${this.runId}`;
    this.target = target;
    this.driver = driver;
    this.driverName = driverName;
    this.options = options;
  }

  /** Milliseconds to wait for asynchronous effects. In a read-only run, only other clients can cause any. */
  get eventuallyTimeoutMs(): number {
    const timeoutMs = this.options.eventuallyTimeoutMs ?? defaultEventuallyTimeoutMs;
    return this.target.options.mayWrite ? timeoutMs : Math.min(timeoutMs, readOnlyTimeoutMs);
  }

  /**
   * Observed choices of the target by gap id, in the format of a profile: the file that tells a simulator which choices
   * to make.
   */
  get observedChoices(): ReadonlyMap<string, unknown> {
    return this.#observedChoices;
  }

  /**
   * Records the choice that the target has made for a gap.
   * @param remark observed behavior that the choice does not cover
   */
  recordChoice(gap: GapId, choice: unknown, remark?: string): void {
    this.#observedChoices.set(gap, choice);
    if (remark !== undefined) this.#remarks.set(gap, remark);
  }

  /** Returns the observed behavior that the choice for a gap does not cover; undefined if there is none. */
  remarkOn(gap: GapId): string | undefined {
    return this.#remarks.get(gap);
  }

  /**
   * Adds the exchange of a Blocked error to `blockingExchanges`. Ignores Unanswered errors: their exchange, if
   * they have one, is a 429, which does not show how the target handles the request. Ignores requests of the other
   * account, too, which may lack a part of the service.
   */
  recordIfBlocked(error: unknown): void {
    if (!(error instanceof Blocked) || error instanceof Unanswered || !error.exchange) return;
    if (error.exchange.call.token !== 'otherAccount') this.blockingExchanges.add(error.exchange);
  }

  /** Registers an action for the end of the run, such as closing a server. */
  onClose(close: () => Promise<unknown>): void {
    this.#onClose.push(close);
  }

  /** Calls a driver method. A method that timed out once is not called again. @throws DriverError */
  async callDriver(method: keyof Driver, callMethod: () => unknown): Promise<unknown> {
    const earlierTimeout = this.#timedOut.get(method);
    if (earlierTimeout) throw earlierTimeout;
    const { driverTimeoutMs = defaultDriverTimeoutMs } = this.options;
    const call = callDriver(`the driver's ${method}()`, driverTimeoutMs, callMethod);
    this.#pendingDriverCalls.add(call);
    try {
      return await call;
    } catch (error) {
      if (error instanceof DriverError && error.isTimeout) this.#timedOut.set(method, error);
      throw error;
    } finally {
      this.#pendingDriverCalls.delete(call);
    }
  }

  /** Stops a clause that is still running after an interrupted run was closed. @throws Blocked after `close` */
  requireOpen(): void {
    if (this.#isClosed) throw new Blocked('the run has ended');
  }

  /**
   * Refuses further requests and driver calls of clauses, and waits for the driver calls in progress. Then runs the
   * registered actions in reverse order, and closes the driver. @throws the first error, after all have run
   */
  async close(): Promise<void> {
    const { driver } = this;
    this.#isClosed = true;
    await Promise.allSettled(this.#pendingDriverCalls);
    const actions = this.#onClose.splice(0).reverse();
    if (driver.close) actions.push(() => this.callDriver('close', () => driver.close?.()));
    const errors: unknown[] = [];
    for (const action of actions) await action().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }
}

/**
 * Access to the target for one clause or setup. Records the exchanges and webhooks that it sees, as evidence for the
 * result of the clause.
 */
export class ClauseContext {
  readonly session: Session;
  /** Id of the clause, or name of the setup. */
  readonly name: string;
  readonly #exchanges = new Set<Exchange>();
  readonly #deliveries = new Set<Delivery>();
  readonly #driverCalls = new Set<DriverCall>();

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

  /** Calls of the driver by this clause and the setups that it uses. */
  get driverCalls(): readonly DriverCall[] {
    return [...this.#driverCalls];
  }

  /** Adds the evidence of a setup that the clause uses, and its calls of the driver. */
  recordSetup({ exchanges, deliveries, driverCalls }: ClauseContext): void {
    this.recordEvidence(...exchanges, ...deliveries);
    for (const call of driverCalls) this.#driverCalls.add(call);
  }

  /** Adds exchanges and webhooks to the evidence. */
  recordEvidence(...evidence: readonly (Exchange | Delivery)[]): void {
    for (const item of evidence) {
      if ('call' in item) this.#exchanges.add(item);
      else this.#deliveries.add(item);
    }
  }

  /**
   * Sends a request, and records it with its response as evidence.
   * @throws Skip if the request needs a missing token or permission; Blocked if it gets no response, or is refused
   * because the rate limit is used up
   */
  async send(call: Call): Promise<Exchange> {
    this.session.requireOpen();
    const request: SentRequest = { sender: this.name, call, sentAt: Date.now() };
    this.session.sentRequests.push(request);
    const exchange = await this.session.target.send(call);
    request.exchange = exchange;
    this.recordEvidence(exchange);
    return exchange;
  }

  get(path: string, call: Partial<Call> = {}): Promise<Exchange> {
    return this.send({ ...call, method: 'GET', path });
  }

  post(path: string, body?: unknown, call: Partial<Call> = {}): Promise<Exchange> {
    return this.send({ ...call, method: 'POST', path, ...(body === undefined ? {} : { body }) });
  }

  /**
   * Returns the value of a setup, and adds the setup's evidence to this clause's. The first clause that uses the setup
   * runs it.
   * @throws the error that made the setup fail, usually Skip or Blocked
   */
  use<Value>(setup: Setup<Value>): Promise<Value> {
    return setup.use(this);
  }

  /**
   * Makes sure that a setup has run, so that its requests come before the caller's. Unlike `use`, ignores the setup's
   * value, error and evidence.
   */
  async runIfPossible(setup: Setup<unknown>): Promise<void> {
    await setup.use(new ClauseContext(this.session, this.name)).catch(() => undefined);
  }

  /** Prefixes text for a new record, so that records of this run can be recognized: `contract-1f0c9a2b booking`. */
  withRunPrefix(text: string): string {
    return `${this.session.prefix} ${text}`;
  }

  /**
   * Returns a method of the driver. A setup calls this before it creates records that would be useless without the method.
   * @throws Skip if the driver lacks the method
   */
  requireDriverMethod(method: DriverMethod): LoadedMethod {
    const { driver, driverName } = this.session;
    const driverMethod = driver[method];
    if (driverMethod) return driverMethod;
    throw new Skip({
      missing: method,
      reason: driver === noDriver ? 'there is no driver' : `${driverName} has no such method`,
    });
  }

  /**
   * Performs an action that the API does not offer, through the driver.
   * @param record the argument of the method: the record to act on, as the target returned it
   * @throws Skip if the driver lacks the method, or the run may not write; DriverError if the method fails
   */
  async drive(method: DriverMethod, record?: TargetRecord): Promise<unknown> {
    const { driver } = this.session;
    const driverMethod = this.requireDriverMethod(method);
    if (!this.session.target.options.mayWrite)
      throw new Skip({ missing: '--write', reason: 'without it, the suite only reads from the target' });
    this.session.requireOpen();
    const call: DriverCall = { method, record, startedAt: Date.now(), hasSucceeded: false };
    this.session.driverCalls.push(call);
    this.#driverCalls.add(call);
    const result = await this.session.callDriver(method, () =>
      record === undefined ? driverMethod.call(driver) : driverMethod.call(driver, record),
    );
    call.hasSucceeded = true;
    return result;
  }
}

/** A step that several clauses share, such as creating a deposit. It runs once per session. */
export interface Setup<Value> {
  readonly name: string;
  /** Returns the value of the setup, such as the new deposit, and adds its evidence to the context's. */
  use(context: ClauseContext): Promise<Value>;
}

/**
 * Defines a setup.
 * @param run called once per session; every clause that uses the setup gets its value or its error
 */
export function setup<Value>(name: string, run: (context: ClauseContext) => Promise<Value>): Setup<Value> {
  // A setup is a constant that all sessions share, so it keeps one outcome per session.
  const outcomes = new WeakMap<Session, { readonly value: Promise<Value>; readonly context: ClauseContext }>();
  return {
    name,
    async use(context) {
      const { session } = context;
      let outcome = outcomes.get(session);
      if (!outcome) {
        const setupContext = new ClauseContext(session, name);
        outcome = { value: run(setupContext), context: setupContext };
        outcomes.set(session, outcome);
        outcome.value.catch((error: unknown) => session.recordIfBlocked(error));
      }
      try {
        return await outcome.value;
      } finally {
        context.recordSetup(outcome.context);
      }
    },
  };
}

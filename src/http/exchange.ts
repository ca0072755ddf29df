import { performance } from 'node:perf_hooks';
import type { Request, Response } from 'express';
import type { Fault } from '../domain/faults.js';
import type { Profile } from '../domain/gaps.js';
import type { RateVerdict } from '../domain/rate-window.js';
import type { Token } from '../domain/records.js';
import { ServiceError } from '../domain/service-error.js';
import type { Operation } from '../openapi/document.js';
import type { Account } from '../simulation/account.js';
import { countFaults } from '../simulation/faults/faults.js';
import { keepRefusal } from '../simulation/operations/idempotency.js';
import type { World } from '../simulation/world.js';
import { challengeOf } from './middleware/challenge.js';
import { rateHeaders } from './middleware/rate-headers.js';
import { countStranger, keyOf } from './middleware/rate-limit.js';
import { type Answer, type Headers, writeAnswer } from './service/answer.js';
import { refusalAnswer } from './service/errors.js';
import { targetOf } from './service/faults/fault-target.js';
import { countCall, countFaulty } from './service/record-coverage.js';

/** What takes place on a request: a fault of its account, or what its own header asks for, which has the id 0. */
export type Injected = Pick<Fault, 'id' | 'stage' | 'effects' | 'until' | 'hits'>;

const none: readonly Injected[] = [];

/** Request targets of the service; proxies are sent them with the host before. */
const servicePath = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?\/api\/v1(?:[/?#]|$)/i;

/** One request on its way through the chain, and what the steps have found out about it. */
export class Exchange {
  readonly id: string;
  readonly startedAt = performance.now();
  /** The account that answers: the token's, or the default one while no token is known. */
  account: Account;
  /** The account whose client has sent it, where that is another one: that of a token which is valid no more. */
  owner: Account | undefined;
  /** Whether it is a request to the service: faults are for no other. */
  isService = false;
  token: Token | undefined;
  operation: Operation | undefined;
  /** The Idempotency-Key. */
  key: string | undefined;
  /** How its rate window stands. */
  rate: RateVerdict | undefined;
  /** What its own header asks for. */
  asked: Injected | undefined;
  readonly headers: Headers;
  readonly #world: World;
  readonly #onFailure: (error: unknown) => void;
  #ownProfile: Profile | undefined;
  /** What stands in for carrying it out, once that has been looked for. */
  #standIns: readonly Injected[] | undefined;

  /** @param onFailure told of failures that are the simulator's own */
  constructor(world: World, onFailure: (error: unknown) => void) {
    this.#world = world;
    this.#onFailure = onFailure;
    this.id = world.nextRequestId();
    this.account = world.fallback();
    this.headers = { 'X-Request-Id': this.id };
  }

  get profile(): Profile {
    return this.#ownProfile ?? this.account.profile;
  }

  /**
   * Takes the request for the simulator itself: it is answered by this profile, whatever that of an account says, and is
   * not logged as asked of the service.
   */
  leaveService(profile: Profile): void {
    this.#ownProfile = profile;
  }

  /** Counts the request against its window, and has the answer announce that (specification, Limits; gaps rate.*). */
  announceLimit({ socket: { remoteAddress } }: Request): void {
    const { account, profile, token } = this;
    if (token === undefined) this.rate = countStranger(account, remoteAddress);
    else {
      const keys = { token: `token ${token.id}`, account: 'account', address: keyOf(remoteAddress) };
      this.rate = account.countRequest(keys[profile['rate.key']]);
    }
    Object.assign(this.headers, rateHeaders(this.rate, profile, account.now()));
  }

  /** Whether something stands in for carrying the request out, so that it is to be answered at once. */
  isStoodIn(request: Request): boolean {
    return this.#standInsFor(request).length > 0;
  }

  /**
   * Answers the request: once everything that the answer may rest on is stored, and never twice.
   * The only way in which an answer leaves.
   */
  answer(request: Request, response: Response, answer: Answer): void {
    // A client that goes on sending the rest is better off with a new connection.
    if (answer.status === 413) this.headers['Connection'] = 'close';
    const injected = this.isService ? this.#injectedOn(request, answer.status) : none;
    const stored = this.#world.commits.settled();
    if (injected.length === 0 && !stored) {
      this.#write(request, response, answer);
      return;
    }
    const answered =
      injected.length === 0
        ? this.#answerOnce(stored, request, response, answer)
        : this.#answerFaultily(stored, request, response, answer, injected);
    answered.catch((error: unknown) => this.fail(request, response, error));
  }

  /** Answers with a refusal, which its Idempotency-Key may keep (gap deposit.key-failed). */
  refuse(request: Request, response: Response, refusal: ServiceError): void {
    // Some requests are refused before they get to the service.
    if (!this.rate && servicePath.test(request.originalUrl)) this.announceLimit(request);
    const answer = this.#answerTo(refusal, request);
    // A client that a fault has answered has not been refused anything.
    if (this.key !== undefined && this.operation && !this.isStoodIn(request)) {
      keepRefusal(this.account, this.operation.id, this.key, answer);
    }
    this.answer(request, response, answer);
  }

  #answerTo(refusal: ServiceError, request: Request): Answer & { body: string } {
    const answer = refusalAnswer(refusal, this.profile);
    const challenge = challengeOf(refusal, request, this.operation);
    return challenge === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': challenge } };
  }

  /** Tells of a failure that is the simulator's own, and answers with it where that can still be done. */
  fail(request: Request, response: Response, error: unknown): void {
    this.#onFailure(error);
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const body = JSON.stringify({ success: false, error: 'The simulator failed. This is a bug of it.' });
    this.#write(request, response, { status: 500, body });
  }

  /** What takes place on a request that is to be answered with a status. */
  #injectedOn(request: Request, status: number): readonly Injected[] {
    const standIns = this.#standInsFor(request);
    return standIns.length > 0 ? standIns : this.#faultsOn(request, status);
  }

  /** Looked for once, however often it is asked: what is found has been counted. */
  #standInsFor(request: Request): readonly Injected[] {
    if (this.#standIns) return this.#standIns;
    this.#standIns =
      this.asked?.stage === 'call' ? [this.asked] : countFaults(this.account, 'call', () => targetOf(request));
    return this.#standIns;
  }

  /** The faults that take place on an answer of a status. */
  #faultsOn(request: Request, status: number): readonly Injected[] {
    const found = countFaults(this.account, 'answer', () => ({ ...targetOf(request), status }));
    return this.asked?.stage === 'answer' ? [this.asked, ...found] : found;
  }

  async #answerOnce(
    stored: Promise<void> | undefined,
    request: Request,
    response: Response,
    answer: Answer,
  ): Promise<void> {
    this.#write(request, response, (await this.#refusalOf(stored)) ?? answer);
  }

  async #answerFaultily(
    stored: Promise<void> | undefined,
    request: Request,
    response: Response,
    answer: Answer,
    injected: readonly Injected[],
  ): Promise<void> {
    const faults = await import('./service/faults/write-faulty-reply.js');
    const isStoodIn = injected === this.#standIns;
    // What would have been answered leaves no header on what stands in for it.
    const whole = faults.wholeReply(this, isStoodIn ? { ...answer, headers: {} } : answer);
    let reply = faults.changedBy(injected, whole, this);
    // What stands in gives an answer, on which there are faults in turn.
    const others = isStoodIn && reply.end === 'answer' ? this.#faultsOn(request, reply.status) : none;
    reply = faults.changedBy(others, reply, this);
    const counted = others.length === 0 ? undefined : this.#world.commits.settled();
    const refusal = await this.#refusalOf(Promise.all([stored, counted]));
    if (refusal) {
      // The faults were not stored either: they have not taken place.
      this.#write(request, response, refusal);
      return;
    }
    const all = [...injected, ...others];
    const names = faults.namesOf(all);
    countFaulty(this, request, response, { reply, names });
    this.#log(request, await faults.writeReply(request, response, reply, all), names);
  }

  /** The answer in place of one that rests on what could not be stored. */
  async #refusalOf(stored: Promise<unknown> | undefined): Promise<Answer | undefined> {
    try {
      await stored;
      return undefined;
    } catch (error) {
      return refusalAnswer(notStored(error), this.profile);
    }
  }

  #write(request: Request, response: Response, answer: Answer): void {
    writeAnswer(response, answer, this.headers);
    if (!this.#ownProfile) this.#log(request, answer.status, []);
  }

  #log(request: Request, status: number | null, faults: readonly string[]): void {
    this.account.requests.add({
      id: this.id,
      at: this.account.now(),
      method: request.method,
      path: loggedPath(request.originalUrl, this.operation),
      operation: this.operation?.id ?? null,
      token: this.token?.name ?? null,
      status,
      faults,
      milliseconds: performance.now() - this.startedAt,
    });
    if (this.isService) countCall(this, request, status);
  }
}

function notStored(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/** The path with its query, of which only documented parameters have their values shown: some clients put tokens there. */
function loggedPath(url: string, operation: Operation | undefined): string {
  const [path = '', query] = url.split('?', 2);
  if (query === undefined) return url;
  const shown = (name: string): boolean => operation?.query.some((parameter) => parameter.name === name) ?? false;
  const pairs = query
    .split('&')
    .map((pair) => (shown(pair.slice(0, pair.indexOf('='))) ? pair : pair.replace(/=.*/s, '=…')));
  return `${path}?${pairs.join('&')}`;
}

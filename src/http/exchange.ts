import { performance } from 'node:perf_hooks';
import type { Request, Response } from 'express';
import { instant, timestamp } from '../domain/dates.js';
import type { Profile } from '../domain/gaps.js';
import type { RateVerdict } from '../domain/rate-window.js';
import type { Token } from '../domain/records.js';
import { Refusal } from '../domain/refusal.js';
import type { Account } from '../simulation/account.js';
import type { World } from '../simulation/create-world.js';
import { keepRefusal } from '../simulation/idempotency.js';
import { type Answer, type Headers, writeAnswer } from './answer.js';
import type { Operation } from './document.js';
import { refusalAnswer } from './errors.js';

/** One request on its way through the chain, and what the steps have found out about it. */
export class Exchange {
  readonly id: string;
  readonly startedAt = performance.now();
  /** The account that answers: the token's, or the default one while no token is known. */
  account: Account;
  token: Token | undefined;
  operation: Operation | undefined;
  /** The Idempotency-Key. */
  key: string | undefined;
  readonly headers: Headers;
  readonly #world: World;
  #ownProfile: Profile | undefined;

  constructor(world: World) {
    this.#world = world;
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

  /**
   * Answers the request: once everything that the answer may rest on is stored, and never twice.
   * The only way in which an answer leaves.
   */
  answer(request: Request, response: Response, answer: Answer): void {
    const stored = this.#world.ledger.settled();
    if (!stored) {
      this.#write(request, response, answer);
      return;
    }
    stored.then(
      () => this.#write(request, response, answer),
      (error: unknown) => this.#write(request, response, refusalAnswer(notStored(error), this.profile)),
    );
  }

  /** Answers with a refusal, which its Idempotency-Key may keep (gap deposit.key-failed). */
  refuse(request: Request, response: Response, refusal: Refusal): void {
    const answer = refusalAnswer(refusal, this.profile);
    // A client that goes on sending the rest is better off with a new connection.
    if (answer.status === 413) this.headers['Connection'] = 'close';
    if (this.key !== undefined && this.operation) keepRefusal(this.account, this.operation.id, this.key, answer);
    this.answer(request, response, answer);
  }

  #write(request: Request, response: Response, answer: Answer): void {
    writeAnswer(response, answer, this.headers);
    if (this.#ownProfile) return;
    this.account.requests.add({
      id: this.id,
      at: this.account.now(),
      method: request.method,
      path: loggedPath(request.originalUrl, this.operation),
      operation: this.operation?.id ?? null,
      token: this.token?.name ?? null,
      status: answer.status,
      milliseconds: performance.now() - this.startedAt,
    });
  }
}

/** The rate-limit headers (specification, Limits; gap rate.reset-unit). */
export function rateHeaders(verdict: RateVerdict, profile: Profile, now: number): Headers {
  return {
    'X-RateLimit-Limit': verdict.limit,
    'X-RateLimit-Remaining': verdict.remaining,
    'X-RateLimit-Reset': resetTexts[profile['rate.reset-unit']](verdict.resetAt, now),
  };
}

const resetTexts: Record<Profile['rate.reset-unit'], (resetAt: number, now: number) => string | number> = {
  'epoch-seconds': (resetAt) => Math.ceil(resetAt / 1000),
  'seconds-left': (resetAt, now) => Math.ceil((resetAt - now) / 1000),
  iso: (resetAt) => timestamp(instant(Math.ceil(resetAt / 1000) * 1000)),
};

function notStored(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
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

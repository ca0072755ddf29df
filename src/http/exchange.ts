import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import type { Request, Response } from 'express';
import type { RateReport } from '../domain/rate-window.js';
import type { Token } from '../domain/records.js';
import { ServiceError } from '../domain/service-error.js';
import { memberOf, tryParseJson } from '../lib/json.js';
import type { Operation } from '../openapi/document.js';
import { defaultProfile, type Profile } from '../openapi/profile.js';
import type { Account } from '../simulation/account.js';
import type { ErrorDetails, LoggedRequest, RecordedExchange } from '../simulation/activity/request-log.js';
import { storeError } from '../simulation/operations/idempotency.js';
import type { World } from '../simulation/world.js';
import { apiOf } from './document/profiles.js';
import { challengeOf } from './middleware/challenge.js';
import { withoutHost } from './middleware/host.js';
import { isPlaceholder } from './placeholder-token.js';
import { isControlRequest, isServiceRequest, pathOf, type RequestContext } from './request-context.js';
import { errorResponse, hintOf } from './service/errors.js';
import type { ActiveFault, FaultPlan } from './service/faults/fault-plan.js';
import { isReadable, recordFaultedRequest, recordRequest } from './service/record-coverage.js';
import {
  type Headers,
  joinHints,
  type ResponseData,
  rateHeaders,
  type SentResponse,
  withHint,
  writeResponse,
} from './service/response.js';

const noFaults: readonly ActiveFault[] = [];

/** Connections that the server closes after the current response, although the client did not ask for that. */
const closingConnections = new WeakSet<Duplex>();

/** Returns true if further requests on a connection must not be processed (RFC 9112, 9.6). */
export function isClosing(connection: Duplex): boolean {
  return closingConnections.has(connection);
}

/**
 * By connection: the responses that were pending when its latest request arrived, in order, and the response to that
 * request.
 */
const latestResponses = new WeakMap<Duplex, Response[]>();

/** Remembers the response to a new request, for `pendingResponse`. */
export function rememberResponse(connection: Duplex, response: Response): void {
  const responses = latestResponses.get(connection);
  if (!responses) {
    latestResponses.set(connection, [response]);
    return;
  }
  while (responses[0]?.closed) responses.shift();
  responses.push(response);
}

/**
 * The last response on a connection that is pending although its request has arrived completely. An error about later
 * bytes has to wait for it.
 */
export function pendingResponse(connection: Duplex): Response | undefined {
  return latestResponses.get(connection)?.findLast(({ req, closed }) => req.complete && !closed);
}

/** Dependencies of an exchange, which the server provides. */
interface ExchangeDependencies {
  readonly world: World;
  /** Receives internal errors of the simulator. */
  readonly onFailure: (error: unknown) => void;
  /** Receives each request to the service when it has ended. */
  readonly onRequest?: ((request: LoggedRequest, account: Account) => void) | undefined;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/**
 * One request and its response: collects what the middleware learns about the request, and sends the response.
 * `account`, `token`, `bodyText` and `rateReport` are documented in `RequestContext`.
 */
export class Exchange implements RequestContext {
  readonly id: string;
  readonly request: Request;
  readonly startedAt = performance.now();
  account: Account;
  /** True once the request has reached the service. */
  hasReachedService = false;
  token: Token | undefined;
  isTokenExpiredOrRevoked = false;
  operation: Operation | undefined;
  bodyText: string | null = null;
  /**
   * The Idempotency-Key, qualified by the account or the token that it belongs to (gap deposit.key-owner). Undefined
   * until the body is read.
   */
  scopedKey: string | undefined;
  rateReport: RateReport | undefined;
  /**
   * The faults that may act on the request. Undefined until the request reaches the service. Stays undefined if its
   * account has never had a fault and its header names none.
   */
  faults: FaultPlan | undefined;
  readonly headers: Headers;
  readonly #response: Response;
  readonly #dependencies: ExchangeDependencies;
  /** Set for requests to the simulator itself; see `markInternal`. */
  #isInternal = false;
  /** The time at which the request arrived, on the account's clock; undefined until the request is counted. */
  #arrivedAt: number | undefined;
  #errorDetails: ErrorDetails | null = null;
  /** Added by `addHint`. */
  #hint: string | undefined;

  constructor(id: string, request: Request, response: Response, dependencies: ExchangeDependencies) {
    this.id = id;
    this.request = request;
    this.account = dependencies.world.accounts.default();
    this.#response = response;
    this.#dependencies = dependencies;
    this.headers = { 'X-Request-Id': this.id };
  }

  get profile(): Profile {
    return this.#isInternal ? defaultProfile() : this.account.profile;
  }

  matchOperation(): Operation | undefined {
    const { request } = this;
    return this.operation ?? apiOf(this.profile).resourceAt(pathOf(request))?.operations.get(request.method);
  }

  /**
   * Marks the request as one to the simulator itself, not to the service: it is not logged, and its errors have the
   * format of the default profile for all accounts.
   */
  markInternal(): void {
    this.#isInternal = true;
  }

  /** Counts the request in its rate window, and sets the rate-limit headers (specification, Limits; gaps rate.*). */
  countRequest(): void {
    const { account, profile, token } = this;
    this.rateReport = account.countRequest({ token: token?.id, address: this.request.socket.remoteAddress });
    const now = account.now();
    this.#arrivedAt = now;
    Object.assign(this.headers, rateHeaders(this.rateReport, profile, now));
  }

  /** Adds a hint about the request, if any, which the response has after its own hint, whatever its status. */
  addHint(hint: string | undefined): void {
    if (hint !== undefined) this.#hint = joinHints(this.#hint, hint);
  }

  /** Sends the response once all changes that it may show are stored. To be called once. */
  respond(ownResponse: ResponseData<string | Buffer>): void {
    const responseData = this.#hint === undefined ? ownResponse : withHint(ownResponse, this.#hint);
    // The client may still be sending the body that is too large, so the connection cannot take another request.
    if (responseData.status === 413) this.#closeConnection();
    const { faults } = this;
    const shortCircuit = faults?.shortCircuit();
    const responseFaults = faults && !shortCircuit ? faults.matchResponse(responseData.status) : noFaults;
    const storing = this.#dependencies.world.commits.whenStored();
    const isFaulty = shortCircuit !== undefined || responseFaults.length > 0;
    if (!isFaulty && !storing) {
      this.#write(responseData);
      return;
    }
    const responding =
      faults && isFaulty
        ? this.#respondWithFaults(faults, responseFaults, responseData, storing)
        : this.#storageError(storing).then((error) => this.#write(error ?? responseData));
    responding.catch((error: unknown) => this.fail(error));
  }

  /**
   * If the server is stopping, makes the response close its connection: otherwise the server would wait until the
   * client closes it. To be called before the headers are written.
   */
  closeIfStopping(): void {
    if (this.#dependencies.stopping.aborted) this.#closeConnection();
  }

  #closeConnection(): void {
    this.headers['Connection'] = 'close';
    closingConnections.add(this.request.socket);
  }

  /** Responds with an error, which may be stored for the Idempotency-Key and replayed (gap deposit.key-failed). */
  respondWithError(serviceError: ServiceError): void {
    // Some requests are refused before the service counts them.
    if (!this.rateReport && isServiceRequest(this.request)) this.countRequest();
    const { code, violations } = serviceError;
    const hint = hintOf(serviceError);
    this.#errorDetails = {
      code,
      violations,
      hint: this.#hint === undefined ? hint : joinHints(hint, this.#hint),
    };
    const responseData = this.#errorResponseWithChallenge(serviceError, hint);
    // If a fault short-circuits the handler, the client does not get this error, so it must not be stored for the key.
    if (this.scopedKey !== undefined && this.operation && !this.faults?.shortCircuit()) {
      storeError(this.account, this.operation.id, this.scopedKey, responseData);
    }
    this.respond(responseData);
  }

  #errorResponse(serviceError: ServiceError, hint?: string): ResponseData {
    return errorResponse(serviceError, this.profile, { hasCode: isControlRequest(this.request), hint });
  }

  #errorResponseWithChallenge(serviceError: ServiceError, hint: string | undefined): ResponseData {
    const responseData = this.#errorResponse(serviceError, hint);
    const challenge = challengeOf(serviceError, this.request, this.operation);
    return challenge === undefined
      ? responseData
      : { ...responseData, headers: { ...responseData.headers, 'WWW-Authenticate': challenge } };
  }

  /** Reports an internal error of the simulator, and responds with status 500 if that is still possible. */
  fail(error: unknown): void {
    const response = this.#response;
    this.#dependencies.onFailure(error);
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const body = JSON.stringify({ success: false, error: 'Internal simulator error. Please report this bug.' });
    this.#write({ status: 500, body });
  }

  async #respondWithFaults(
    faults: FaultPlan,
    responseFaults: readonly ActiveFault[],
    responseData: ResponseData<string | Buffer>,
    storing: Promise<void> | undefined,
  ): Promise<void> {
    const { effectNames, faultyReply, writeReply } = await import('./service/faults/write-faulty-reply.js');
    const isShortCircuited = faults.shortCircuit() !== undefined;
    const { reply, appliedFaults } = faultyReply(this, responseData, faults, responseFaults);
    // `faultyReply` has also counted faults that match the response of the fault that short-circuits the handler.
    const storingFaultCounts = isShortCircuited ? this.#dependencies.world.commits.whenStored() : undefined;
    const error = await this.#storageError(Promise.all([storing, storingFaultCounts]));
    if (error) {
      // The counts of the faults were not stored either, so the faults do not act.
      this.#write(error);
      return;
    }
    const names = effectNames(appliedFaults);
    recordFaultedRequest(this, this.#response, { reply, effectNames: names });
    const sent = await writeReply(this.request, this.#response, reply, appliedFaults);
    this.#log(sent, names, { wholeBody: reply.body, showsRecords: !isShortCircuited && isReadable(reply) });
  }

  /** Returns the error to respond with if the changes could not be stored. */
  async #storageError(storing: Promise<unknown> | undefined): Promise<ResponseData | undefined> {
    try {
      await storing;
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError) return this.#errorResponse(error);
      throw error;
    }
  }

  #write(responseData: ResponseData<string | Buffer>): void {
    this.closeIfStopping();
    writeResponse(this.#response, responseData, this.headers);
    if (!this.#isInternal) {
      this.#log({ status: responseData.status, headers: this.headers, body: responseData.body }, []);
    }
  }

  #record({ status, headers, body }: SentResponse, isWholeBody: boolean): RecordedExchange {
    const { request } = this;
    const { bodies } = this.account.logs;
    const requestBody = this.bodyText;
    const isBodySent = status !== null && request.method !== 'HEAD';
    // Content-Length is used if it is set, since counting the bytes again would take longer than recording the body.
    const length = headers['Content-Length'];
    const size = isWholeBody && typeof length === 'number' ? length : Buffer.byteLength(body);
    return {
      target: withoutHost(request.originalUrl),
      requestHeaders: request.rawHeaders,
      requestBody: requestBody === null ? null : bodies.add(requestBody, Buffer.byteLength(requestBody)),
      responseHeaders: headers,
      responseBody: isBodySent ? bodies.add(body, size) : null,
    };
  }

  /** @param options.wholeBody differs from the body that was sent if a fault has truncated that */
  #log(sent: SentResponse, faults: readonly string[], { wholeBody = sent.body, showsRecords = true } = {}): void {
    const { request } = this;
    const { status } = sent;
    // Also found for a request that was refused before it reached its operation, such as one without a valid token.
    const operation = this.hasReachedService ? this.matchOperation() : undefined;
    const logged: LoggedRequest = {
      sequence: this.account.activity.nextSequence(),
      id: this.id,
      at: this.#arrivedAt ?? this.account.now(),
      method: request.method,
      path: withoutToken(loggedPath(withoutHost(request.originalUrl), operation), request.headers.authorization),
      operation: operation?.id ?? null,
      token: this.token?.name ?? null,
      status,
      error: status !== null && status >= 400 ? errorTextOf(String(wholeBody)) : null,
      faults,
      // Rounded, since a subtraction results in times such as 1.3000000000000114.
      milliseconds: Math.round((performance.now() - this.startedAt) * 10) / 10,
      profile: this.profile,
      errorDetails: this.#errorDetails,
      recorded: this.#record(sent, sent.body === wholeBody),
    };
    this.account.requests.add(logged);
    this.#dependencies.onRequest?.(logged, this.account);
    if (this.hasReachedService) recordRequest(this, status, showsRecords);
  }
}

/** The `error` of an error envelope; null for any other body, which a fault may have sent. */
function errorTextOf(body: string): string | null {
  const error = memberOf(tryParseJson(body), 'error');
  return typeof error === 'string' ? error : null;
}

/** Masks the token of a request in its path, in case the client has sent it there, too. */
function withoutToken(path: string, authorization = ''): string {
  const token = authorization.slice(authorization.indexOf(' ') + 1).trim();
  return path.includes(token) && !isPlaceholder(token) ? path.replaceAll(token, '****') : path;
}

/**
 * The path with its query. Values of undocumented parameters, and undocumented parts of the query without `=`, are
 * replaced by `…`, since some clients put tokens there.
 */
function loggedPath(url: string, operation: Operation | undefined): string {
  const queryStart = url.indexOf('?') + 1;
  if (queryStart === 0) return url;
  const pairs = url
    .slice(queryStart)
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      if (pair === '' || operation?.queryParameters.some((parameter) => parameter.name === name)) return pair;
      return name === pair ? '…' : `${name}=…`;
    });
  return `${url.slice(0, queryStart)}${pairs.join('&')}`;
}

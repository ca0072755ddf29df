import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../domain/service-error.js';
import { bodyTransferHeaders, endToEndHeaders, headerPairs } from '../../lib/end-to-end-headers.js';
import type { Account } from '../../simulation/account.js';
import type { LoggedRequest } from '../../simulation/activity/request-log.js';
import { apiOf } from '../document/profiles.js';
import { announcesBody } from '../middleware/body.js';

/** A request that the simulator sends to itself. */
interface SelfRequest {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly body: string | null;
}

/**
 * Sends a request to the simulator itself. Settles once the request has been answered or aborted, or its connection has
 * ended.
 */
export type SendToSelf = (request: SelfRequest, signal: AbortSignal) => Promise<void>;

/** Marks a replayed request, so that it can be found in the log even if its response was lost. */
const markHeader = 'X-Sim-Replay';

/** Returns true if the log has the whole body of a request, or if its operation takes none. */
export function isBodyInLog(account: Account, { operation: id, recorded }: LoggedRequest): boolean {
  const { requestHeaders, requestBody } = recorded;
  if (requestBody) {
    return requestBody.size === requestBody.wholeSize && account.logs.bodies.read(requestBody) !== null;
  }
  // The body of a request that was refused early, such as one with a wrong content type, was not read.
  const operation = apiOf(account.profile).operations.find((candidate) => candidate.id === id);
  const headers = Object.fromEntries(headerPairs(requestHeaders).map(([name, value]) => [name.toLowerCase(), value]));
  return operation?.takesBody !== true || !announcesBody({ headers });
}

interface ReplayOptions {
  /** True to send the same Idempotency-Key, false to send a new one instead. */
  readonly sameKey: boolean;
  readonly send: SendToSelf;
}

/**
 * Sends a logged request again.
 * @returns the new request, once it is logged
 * @throws ServiceError body-not-kept, replay-not-logged
 */
export async function replay(
  account: Account,
  request: LoggedRequest,
  { sameKey, send }: ReplayOptions,
): Promise<LoggedRequest> {
  if (!isBodyInLog(account, request)) throw new ServiceError('body-not-kept');
  const { method, recorded } = request;
  const { target, requestHeaders, requestBody } = recorded;
  const body = requestBody && account.logs.bodies.read(requestBody);
  const mark = randomUUID();
  const headersToResend = endToEndHeaders(requestHeaders, [...bodyTransferHeaders, markHeader.toLowerCase()]);
  // The mark is unique, so it also serves as the new key.
  const headers = headersToResend.flatMap(([name, value]) =>
    !sameKey && name.toLowerCase() === 'idempotency-key' ? [name, mark] : [name, value],
  );
  let stopWatching = (): void => undefined;
  // A request is logged as its response is written, so before `send` settles.
  const logged = new Promise<LoggedRequest>((resolve) => {
    stopWatching = account.logs.requests.watch((candidate) => {
      if (candidate.recorded.requestHeaders.includes(mark)) resolve(candidate);
    });
  });
  // A fault may leave the request without a response, so the request is aborted once it is logged.
  const aborter = new AbortController();
  try {
    const selfRequest = { method, target, headers: [...headers, markHeader, mark], body };
    const replayed = await Promise.race([logged, send(selfRequest, aborter.signal)]);
    if (!replayed) throw new ServiceError('replay-not-logged', { hint: 'its token may belong to another account now' });
    return replayed;
  } finally {
    aborter.abort();
    stopWatching();
  }
}

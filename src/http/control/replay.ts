import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../domain/service-error.js';
import { bodyTransferHeaders, endToEndHeaders } from '../../lib/end-to-end-headers.js';
import type { Account } from '../../simulation/account.js';
import type { LoggedRequest } from '../../simulation/activity/request-log.js';

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
  { method, recorded }: LoggedRequest,
  { sameKey, send }: ReplayOptions,
): Promise<LoggedRequest> {
  const { target, requestHeaders, requestBody } = recorded;
  const body = requestBody && account.logs.bodies.read(requestBody);
  if (requestBody && (body === null || requestBody.size < requestBody.wholeSize))
    throw new ServiceError('body-not-kept');
  const mark = randomUUID();
  const headersToResend = endToEndHeaders(requestHeaders, [...bodyTransferHeaders, markHeader.toLowerCase()]);
  // The mark is unique, so it also serves as the new key.
  const headers = headersToResend.flatMap(([name, value]) =>
    !sameKey && name.toLowerCase() === 'idempotency-key' ? [name, mark] : [name, value],
  );
  let stopWatching = (): void => undefined;
  // A request is logged as its response is written, so before `send` settles.
  const logged = new Promise<LoggedRequest>((resolve) => {
    stopWatching = account.logs.requests.watch((request) => {
      if (request.recorded.requestHeaders.includes(mark)) resolve(request);
    });
  });
  // A fault may leave the request without a response, so the request is aborted once it is logged.
  const aborter = new AbortController();
  try {
    const request = { method, target, headers: [...headers, markHeader, mark], body };
    const replayed = await Promise.race([logged, send(request, aborter.signal)]);
    if (!replayed) throw new ServiceError('replay-not-logged', { hint: 'its token may belong to another account now' });
    return replayed;
  } finally {
    aborter.abort();
    stopWatching();
  }
}

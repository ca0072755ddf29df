import { StringDecoder } from 'node:string_decoder';
import { clearTimeout, setTimeout } from 'node:timers';
import type { Request, Response } from 'express';
import { applyEffects } from '../../../faults/index.js';
import { bodilessStatuses, type Reply } from '../../../faults/requests/reply.js';
import { endWithClient } from '../../../lib/half-closed.js';
import { invalidTokenChallenge } from '../../middleware/challenge.js';
import type { RequestContext } from '../../request-context.js';
import {
  endResponse,
  type Headers,
  headerText,
  jsonContentType,
  noResponse,
  type ResponseData,
  type SentResponse,
} from '../response.js';
import { contextOf } from './fault-context.js';
import { type ActiveFault, type FaultPlan, headerFaultId } from './fault-plan.js';

/**
 * Applies the faults of a request to its response.
 * @param responseFaults faults that change the response, unless a fault replaces it
 */
export function faultyReply(
  context: RequestContext,
  responseData: ResponseData<string | Buffer>,
  faults: FaultPlan,
  responseFaults: readonly ActiveFault[],
): { readonly reply: Reply; readonly appliedFaults: readonly ActiveFault[] } {
  const shortCircuit = faults.shortCircuit();
  if (!shortCircuit) {
    const reply = applyFaults(responseFaults, replyWithoutFaults(context, responseData), context);
    return { reply, appliedFaults: responseFaults };
  }
  // A fault replaces the whole response, including its headers.
  const replacement = applyFaults(
    [shortCircuit],
    replyWithoutFaults(context, { ...responseData, headers: {} }),
    context,
  );
  // Other faults can change the response of this fault in turn.
  const followUpFaults = replacement.end === 'respond' ? faults.matchResponse(replacement.status) : [];
  const reply = applyFaults(followUpFaults, replacement, context);
  return { reply, appliedFaults: [shortCircuit, ...followUpFaults] };
}

function replyWithoutFaults({ headers }: RequestContext, responseData: ResponseData<string | Buffer>): Reply {
  return {
    status: responseData.status,
    body: String(responseData.body),
    contentType: jsonContentType,
    headers: { ...headers, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...responseData.headers },
    hint: null,
    delayMs: 0,
    end: 'respond',
    bytesToSend: null,
    chunking: null,
  };
}

/** Applies the effects of faults to a reply, in order. */
function applyFaults(faults: readonly ActiveFault[], reply: Reply, context: RequestContext): Reply {
  return faults.reduce((changed, fault) => applyEffects(changed, fault.effects, contextOf(context, fault)), reply);
}

/** The names of the effects, for the request log. */
export function effectNames(faults: readonly ActiveFault[]): string[] {
  return faults.flatMap(({ effects }) => effects.map(({ name }) => name));
}

/**
 * Writes a reply that faults may have delayed, truncated or replaced by a reset. Settles when everything has been
 * written, when the client has disconnected, or when a fault has left the request without a response.
 */
export async function writeReply(
  request: Request,
  response: Response,
  reply: Reply,
  faults: readonly ActiveFault[],
): Promise<SentResponse> {
  // If the client ends its side of the connection during the wait, it counts as disconnected.
  if (reply.end === 'hang' || reply.delayMs > 0 || reply.chunking) endWithClient(request.socket);
  if (reply.end === 'hang' || !(await waitWhileConnected(reply.delayMs, response))) return noResponse;
  if (reply.end === 'reset') {
    request.socket.resetAndDestroy();
    return noResponse;
  }
  request.exchange.closeIfStopping();
  const isEmpty = bodilessStatuses.has(reply.status);
  const body = Buffer.from(isEmpty ? '' : reply.body);
  const bodyToSend = request.method === 'HEAD' ? emptyBody : body;
  const sentBytes = bodyToSend.subarray(0, sentLength(reply.bytesToSend, bodyToSend.length));
  const headers: Headers = {
    ...reply.headers,
    ...connectionOf(request.exchange),
    ...(isEmpty ? {} : { 'Content-Length': body.length }),
    ...(isEmpty || reply.contentType === null ? {} : { 'Content-Type': reply.contentType }),
    ...(reply.status === 401 && reply.headers['WWW-Authenticate'] === undefined
      ? { 'WWW-Authenticate': invalidTokenChallenge }
      : {}),
    ...(reply.hint === null ? {} : { 'X-Sim-Hint': headerText(reply.hint) }),
    'X-Sim-Fault': headerText(faults.map(nameOf).join(', ')),
  };
  response.writeHead(reply.status, headers);
  await writeBody(response, sentBytes, {
    isWhole: sentBytes.length === bodyToSend.length,
    chunking: reply.chunking,
    headers: connectionOf(request.exchange),
  });
  // Leaves out the last character if only a part of it was sent.
  return { status: reply.status, headers, body: new StringDecoder().write(sentBytes) };
}

const emptyBody = Buffer.alloc(0);

/** The Connection header of the exchange, which faults cannot change. */
function connectionOf({ headers: { Connection } }: RequestContext): Headers {
  return Connection === undefined ? {} : { Connection };
}

/** The name of a fault: `latency (fault 3)`, or without a number if it is from the header of the request. */
function nameOf({ id, effects }: ActiveFault): string {
  const names = effects.map(({ name }) => name).join(' ');
  return id === headerFaultId ? names : `${names} (fault ${id})`;
}

async function writeBody(
  response: Response,
  sentBytes: Buffer,
  {
    isWhole,
    chunking,
    headers,
  }: { readonly isWhole: boolean; readonly chunking: Reply['chunking']; readonly headers: Headers },
): Promise<void> {
  if (isWhole && !chunking) {
    endResponse(response, headers, sentBytes);
    return;
  }
  response.flushHeaders();
  const { bytes, pauseMs } = chunking ?? { bytes: sentBytes.length, pauseMs: 0 };
  for (let offset = 0; offset < sentBytes.length; offset += bytes) {
    if (!(await waitWhileConnected(pauseMs, response))) return;
    await writeAndFlush(response, sentBytes.subarray(offset, offset + bytes));
  }
  if (isWhole) {
    response.end();
    return;
  }
  // Waits until the headers are flushed, in case no byte of the body is sent.
  await writeAndFlush(response, emptyBody);
  // `destroySoon` flushes pending data; `destroy` would discard it.
  response.req.socket.destroySoon();
}

/** Number of bytes to send. A truncated body lacks at least one byte. */
function sentLength(bytesToSend: Reply['bytesToSend'], length: number): number {
  if (bytesToSend === null || length === 0) return length;
  return bytesToSend === 'half' ? Math.floor(length / 2) : Math.min(bytesToSend, length - 1);
}

/** Settles when the bytes are flushed, or the connection is closed. */
function writeAndFlush(response: Response, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => resolve()));
}

/** Waits in real time, but only while the client is connected. @returns true if it is still connected afterwards */
function waitWhileConnected(milliseconds: number, response: Response): boolean | Promise<boolean> {
  const isConnected = (): boolean => !response.destroyed && !response.req.socket.destroyed;
  if (milliseconds === 0 || !isConnected()) return isConnected();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      response.off('close', finish);
      resolve(isConnected());
    };
    // With several requests on one connection, only the first response emits `close` when the connection is lost, so the
    // others wait until their timers end. The timers must not keep the process alive.
    const timer = setTimeout(finish, milliseconds).unref();
    response.once('close', finish);
  });
}

import { performance } from 'node:perf_hooks';
import type { Request, Response } from 'express';
import type { Reply } from '../../faults/requests/reply.js';
import type { Operation } from '../../openapi/document.js';
import type { Coverage } from '../../simulation/coverage/coverage.js';
import type { Change } from '../../simulation/coverage/lost-answers.js';
import { apiOf } from '../document/profiles.js';
import type { Exchange } from '../exchange.js';
import { operationMeant, pathOf } from './match-operation.js';

/** Counts a request to the service as something that a client has met. @param status null if nothing was answered */
export function countCall(exchange: Exchange, request: Request, status: number | null): void {
  const { calls, missingKeys, lost } = coverageOf(exchange);
  const operation = operationMeant(exchange, request);
  calls.add(operation?.id ?? '', exchange.token?.id ?? 0, status ?? 0);
  if (!operation) return;
  if (operation.key && keyOf(request) === undefined) missingKeys.add(operation.id);
  if (!lost.isWaiting) return;
  if (operation.method === 'post') lost.retried(changeOf(exchange, operation, request));
  else if (status !== null && status < 300) {
    const { operations } = apiOf(exchange.profile);
    const isOf = ({ path }: Operation): boolean => resourceOf(path) === resourceOf(operation.path);
    lost.lookedUp(exchange.startedAt, (id) => operations.some((one) => one.id === id && isOf(one)));
  }
}

/** Counts the faults that took place on a request, and remembers it if they leave its client without an answer of use. */
export function countFaulty(
  exchange: Exchange,
  request: Request,
  response: Response,
  { reply, names }: { readonly reply: Reply; readonly names: readonly string[] },
): void {
  const { effects, lost } = coverageOf(exchange);
  for (const name of names) effects.add(name);
  const operation = operationMeant(exchange, request);
  if (operation?.method !== 'post') return;
  const isComing = isOfUse(reply);
  if (isComing && reply.delay === 0 && reply.pace === null) return;
  const arrived = lost.lose(changeOf(exchange, operation, request), names.join(' '), performance.now());
  // What comes late is lost where the client does not wait for it.
  if (isComing) response.once('finish', arrived);
}

function coverageOf({ owner, account }: Exchange): Coverage {
  return (owner ?? account).coverage;
}

function changeOf({ id, startedAt }: Exchange, operation: Operation, request: Request): Change {
  return {
    request: id,
    operation: operation.id,
    takesKey: operation.key !== undefined,
    key: keyOf(request),
    path: pathOf(request),
    body: request.body,
    startedAt,
  };
}

/** As it was sent: that of a request which was refused early has not been read. */
function keyOf({ headers }: Request): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : undefined;
}

/** `deposits` of `/deposits/{id}/capture`. */
function resourceOf(path: string): string | undefined {
  return path.split('/')[1];
}

/** Whether it says what became of the request. */
function isOfUse({ end, cut, status, contentType, body }: Reply): boolean {
  if (end !== 'answer' || cut !== null || status >= 500 || !contentType?.startsWith('application/json')) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

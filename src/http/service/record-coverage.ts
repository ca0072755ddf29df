import { performance } from 'node:perf_hooks';
import type { Request, Response } from 'express';
import type { Reply } from '../../faults/requests/reply.js';
import { parseJson } from '../../lib/parse-json.js';
import type { Operation } from '../../openapi/document.js';
import type { Coverage } from '../../simulation/coverage/coverage.js';
import type { Change } from '../../simulation/coverage/lost-answers.js';
import { apiOf } from '../document/profiles.js';
import type { RequestContext } from '../request-context.js';
import { matchOperation, pathOf } from './match-operation.js';

/** Counts a request to the service in the coverage of its account. @param status null if no response was sent */
export function countCall(exchange: RequestContext, request: Request, status: number | null): void {
  const { calls, missingKeys, lost } = coverageOf(exchange);
  const operation = exchange.operation ?? matchOperation(exchange, request);
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

/** Counts the faults that acted on a request, and remembers the request if they leave its client without a usable response. */
export function countFaulty(
  exchange: RequestContext,
  request: Request,
  response: Response,
  { reply, names }: { readonly reply: Reply; readonly names: readonly string[] },
): void {
  const { effects, lost } = coverageOf(exchange);
  for (const name of names) effects.add(name);
  const operation = matchOperation(exchange, request);
  if (operation?.method !== 'post') return;
  const willArrive = isUsable(reply);
  if (willArrive && reply.delay === 0 && reply.pace === null) return;
  const arrived = lost.lose(changeOf(exchange, operation, request), names.join(' '), performance.now());
  // A late response is lost if the client has stopped waiting for it.
  if (willArrive) response.once('finish', arrived);
}

function coverageOf({ owner, account }: RequestContext): Coverage {
  return (owner ?? account).coverage;
}

function changeOf({ id, startedAt }: RequestContext, operation: Operation, request: Request): Change {
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

/** The Idempotency-Key as sent: a request that was rejected early has no validated one. */
function keyOf({ headers }: Request): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : undefined;
}

/** The first part of a path: `deposits` of `/deposits/{id}/capture`. */
function resourceOf(path: string): string | undefined {
  return path.split('/')[1];
}

/** Returns true if a client can read the outcome of its request from the response. */
function isUsable({ end, cut, status, contentType, body }: Reply): boolean {
  if (end !== 'answer' || cut !== null || status >= 500 || !contentType?.startsWith('application/json')) return false;
  try {
    parseJson(body);
    return true;
  } catch {
    return false;
  }
}

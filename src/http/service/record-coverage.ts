import { performance } from 'node:perf_hooks';
import type { Request, Response } from 'express';
import type { Reply } from '../../faults/requests/reply.js';
import { isDeeperThan, tryParseJson } from '../../lib/json.js';
import { withoutTrailingSlashes } from '../../lib/path-template.js';
import type { Operation } from '../../openapi/document.js';
import type { WriteRequest } from '../../simulation/coverage.js';
import { responseStoredAt, scopedKey } from '../../simulation/operations/idempotency.js';
import { pathOf, type RequestContext } from '../request-context.js';

/**
 * Counts a request to the service in the coverage of its account.
 * @param status null if no response was sent
 * @param showsRecords false if a fault replaced or damaged the response, so that the client could not read its records
 */
export function recordRequest(context: RequestContext, status: number | null, showsRecords: boolean): void {
  const { calls, missingKeys, lostResponses } = context.account.coverage;
  const operation = context.matchOperation();
  // An empty id stands for an unknown operation, token 0 for no token, and status 0 for no response.
  calls.add(operation?.id ?? '', context.token?.id ?? 0, status ?? 0);
  if (!operation) return;
  if (operation.idempotencyKey && idempotencyKeyOf(context.request) === undefined) missingKeys.add(operation.id);
  if (!lostResponses.hasUnhandled) return;
  if (operation.method === 'post') lostResponses.recordRetry(writeRequestOf(context, operation));
  else if (status !== null && status < 300 && showsRecords)
    lostResponses.recordLookup({ startedAt: context.startedAt, path: recordPathOf(context) });
}

/**
 * Counts the effects of faults on a request, and remembers a POST request whose client may not get a usable response.
 * @param effectNames the names of these effects
 */
export function recordFaultedRequest(
  context: RequestContext,
  response: Response,
  { reply, effectNames }: { readonly reply: Reply; readonly effectNames: readonly string[] },
): void {
  const { effects, lostResponses } = context.account.coverage;
  for (const name of effectNames) effects.add(name);
  const operation = context.matchOperation();
  if (operation?.method !== 'post') return;
  const isReplyReadable = isReadable(reply);
  if (isReplyReadable && reply.delayMs === 0 && reply.chunking === null) return;
  const markArrived = lostResponses.recordLost(
    writeRequestOf(context, operation),
    effectNames.join(' '),
    performance.now(),
  );
  // A late response counts as lost until it has been sent: the client may stop waiting for it.
  if (isReplyReadable) response.once('finish', markArrived);
}

function writeRequestOf(context: RequestContext, operation: Operation): WriteRequest {
  const { id, request, startedAt, token, account, bodyText } = context;
  // Other operations ignore a key, so that a retry with the same key runs them again.
  const takesKey = operation.idempotencyKey !== undefined;
  const sentKey = takesKey ? idempotencyKeyOf(request) : undefined;
  const key = sentKey === undefined ? undefined : scopedKey(account, sentKey, token);
  return {
    request: id,
    operation: operation.id,
    takesKey,
    key,
    storedAt: key === undefined ? undefined : responseStoredAt(account, operation.id, key),
    path: recordPathOf(context),
    body: isDeeperThan(maxComparedDepth, request.body) ? bodyText : withDefaults(operation, request.body),
    startedAt,
  };
}

/** The path of a request without a slash at its end, which a profile may ignore. */
function recordPathOf({ request }: RequestContext): string {
  return withoutTrailingSlashes(pathOf(request));
}

/**
 * Maximum nesting depth of bodies that are compared field by field. Deeper bodies are compared as text, since recursion
 * could overflow the stack.
 */
const maxComparedDepth = 100;

/**
 * The body as its handler would see it: with defaults, and without nulls that count as omitted. A fault may have kept the
 * request from its handler, but a retry must be recognized.
 */
function withDefaults({ removeNulls, validateBody }: Operation, body: unknown): unknown {
  const copy: unknown = structuredClone(removeNulls(body));
  // The validator adds defaults. Whether the body is valid does not matter.
  validateBody(copy);
  return copy;
}

/** The Idempotency-Key as sent: a request that was refused early has no validated one. */
function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : undefined;
}

/** Returns true if a client can read the outcome of its request from a response. */
export function isReadable({ end, bytesToSend, status, contentType, body }: Reply): boolean {
  if (end !== 'respond' || bytesToSend !== null || status >= 500 || !contentType?.startsWith('application/json'))
    return false;
  return tryParseJson(body) !== undefined;
}

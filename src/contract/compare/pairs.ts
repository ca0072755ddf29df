import { type Call, type Exchange, textOf } from '../engine/exchange.js';
import { formatExactJson } from '../engine/json.js';
import { operationOf } from '../engine/operations.js';
import type { SentRequest, Session } from '../engine/session.js';
import { comparableText } from './exchanges.js';

/** One of the two targets; `a` is the one that the user named first. */
export type Side = 'a' | 'b';

export const sides: readonly Side[] = ['a', 'b'];

/** The responses of both targets to the same request. */
export interface Pair {
  /** Id of the clause, or name of the setup, that sent the request. */
  readonly step: string;
  /** For example `GET /invoices/{invoice}`. */
  readonly operation: string;
  readonly a: Exchange;
  readonly b: Exchange;
}

/** True if the statuses of a pair are of different classes, such as 2xx and 4xx. */
export function haveDifferentStatusClasses({ a, b }: Pair): boolean {
  return Math.floor(a.status / 100) !== Math.floor(b.status / 100);
}

/** A request that got a response from only one of the targets. */
export interface UnpairedRequest {
  readonly side: Side;
  /** Id of the clause, or name of the setup, that sent the request. */
  readonly step: string;
  readonly operation: string;
}

type RecordedRun = Pick<Session, 'sentRequests' | 'runId'>;

/**
 * Pairs the requests of two runs. Within a clause or setup, requests correspond if they differ only in ids, numbers and
 * the values of headers. The nth of several corresponding requests to one target is paired with the nth to the other.
 */
export function pairsOf(
  a: RecordedRun,
  b: RecordedRun,
): { readonly pairs: Pair[]; readonly unpaired: UnpairedRequest[] } {
  const [groupsA, groupsB] = [groupRequests(a), groupRequests(b)];
  const pairs: Pair[] = [];
  const unpaired: UnpairedRequest[] = [];
  for (const key of new Set([...groupsA.keys(), ...groupsB.keys()])) {
    const [requestsA, requestsB] = [groupsA.get(key) ?? [], groupsB.get(key) ?? []];
    for (let index = 0; index < Math.max(requestsA.length, requestsB.length); index++) {
      const [requestA, requestB] = [requestsA[index], requestsB[index]];
      const either = requestA ?? requestB;
      if (!either) continue;
      const { sender: step, call } = either;
      const operation = operationNameOf(call);
      if (requestA?.exchange && requestB?.exchange) {
        pairs.push({ step, operation, a: requestA.exchange, b: requestB.exchange });
      } else if (requestA?.exchange) unpaired.push({ side: 'a', step, operation });
      else if (requestB?.exchange) unpaired.push({ side: 'b', step, operation });
    }
  }
  return { pairs, unpaired };
}

function groupRequests({ sentRequests, runId }: RecordedRun): Map<string, SentRequest[]> {
  const groups = new Map<string, SentRequest[]>();
  for (const request of sentRequests.filter(isLastRepetition)) {
    const key = `${request.sender}\n${keyOf(request.call, runId)}`;
    groups.set(key, [...(groups.get(key) ?? []), request]);
  }
  return groups;
}

/**
 * False for a read that the next request of the same clause or setup repeats. Some clauses repeat a read until they see
 * an effect, and the number of repetitions varies, so only the last of such reads is compared.
 */
function isLastRepetition({ sender, call }: SentRequest, index: number, sentRequests: readonly SentRequest[]): boolean {
  const next = sentRequests.slice(index + 1).find((request) => request.sender === sender);
  return call.method !== 'GET' || formatExactJson(next?.call) !== formatExactJson(call);
}

/**
 * Returns a key that is the same for corresponding calls to the two targets: without ids, numbers, header values and
 * the run id.
 */
function keyOf(call: Call, runId: string): string {
  const { path, token = 'full', tokenStyle = 'bearer', headers = {}, body } = call;
  const query = path.split('?')[1] ?? '';
  const bodyText = body === undefined ? '' : textOf(body);
  const headerNames = Object.keys(headers).sort();
  return JSON.stringify([
    operationNameOf(call),
    comparableText(query, runId),
    token,
    tokenStyle,
    headerNames,
    comparableText(bodyText, runId),
  ]);
}

function operationNameOf({ method, path }: Call): string {
  const operation = operationOf({ method, path });
  const [pathname = ''] = path.split('?');
  return `${method} ${operation?.path ?? pathname.replace(/\d+/g, '*')}`;
}

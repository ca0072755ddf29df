import type { Scope, Token } from './records.js';

/** A scope, and the operations requiring it that a given token has called. */
interface ScopeUse {
  readonly scope: Scope;
  readonly operations: readonly string[];
}

/** An operation, as the OpenAPI document of the service describes it. */
export interface DocumentedOperation {
  readonly id: string;
  /** HTTP method in upper case: `GET`. */
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  /** Statuses that the document lists for the operation. */
  readonly statuses: readonly number[];
  /** True if it accepts an Idempotency-Key. */
  readonly takesKey: boolean;
}

/**
 * Number of requests with the same operation, token and status of the response. The coverage report shows from these
 * counts what a user's tests have exercised.
 */
export interface CallCount {
  /** Id of the operation; empty for requests that match no operation. */
  readonly operation: string;
  /** Id of the token; 0 for none. */
  readonly token: number;
  /** 0 without a response. */
  readonly status: number;
  readonly count: number;
}

type Calls = readonly CallCount[];
type Operations = readonly DocumentedOperation[];

/** Counts the requests to each operation by status, and lists the operations without a successful request. */
export function operationCoverage(operations: Operations, calls: Calls) {
  const all = operations.map(({ id, method, path, statuses: documented }) => {
    const callsOfOperation = calls.filter(({ operation }) => operation === id);
    const statuses = countByStatus(callsOfOperation);
    const unanswered = sum(callsOfOperation.filter(({ status }) => status === 0));
    const missing = documented.filter((status) => !statuses.some((counted) => counted.status === status));
    return { operation: id, method, path, calls: sum(callsOfOperation), unanswered, statuses, missing };
  });
  return {
    missing: all
      .filter(({ statuses }) => !statuses.some(({ status }) => isSuccess(status)))
      .map((entry) => entry.operation),
    unknown: sum(calls.filter(({ operation }) => operation === '')),
    all,
  };
}

/** Counts the error responses of the service and of faults, and lists documented error statuses that never occurred. */
export function errorCoverage(operations: Operations, calls: Calls) {
  const all = countByStatus(calls.filter(({ status }) => status >= 400)).map(({ status, count }) => {
    const withStatus = calls.filter((call) => call.status === status && call.operation !== '');
    return { status, count, operations: [...new Set(withStatus.map(({ operation }) => operation))] };
  });
  const documented = new Set(operations.flatMap(({ statuses }) => statuses.filter((status) => status >= 400)));
  const missing = [...documented]
    .filter((status) => !all.some((counted) => counted.status === status))
    .sort((a, b) => a - b);
  return { missing, unanswered: sum(calls.filter(({ status }) => status === 0)), all };
}

/** Compares the scopes granted to each token with those that its requests required. Omits revoked tokens. */
export function scopeCoverage(
  operations: Operations,
  tokens: readonly Pick<Token, 'id' | 'name' | 'scopes' | 'revoked_at'>[],
  calls: Calls,
) {
  const all = tokens
    .filter(({ revoked_at }) => revoked_at === null)
    .map(({ id, name, scopes: granted }) => {
      const callsWithToken = calls.filter(({ token }) => token === id);
      const called = groupByScope(
        operations.filter((operation) => callsWithToken.some((call) => call.operation === operation.id)),
      );
      const used = called.filter(({ scope }) => granted.includes(scope));
      const lacking = called.filter(({ scope }) => !granted.includes(scope));
      const unused = granted.filter((scope) => !used.some((use) => use.scope === scope));
      return { id, name, calls: sum(callsWithToken), granted, used, unused, lacking };
    });
  const unused = all
    .filter(({ calls: count }) => count > 0)
    .flatMap((token) => token.unused.map((scope) => ({ token: token.name, scope })));
  return { unused, all };
}

/**
 * Counts requests without an Idempotency-Key to operations that accept one.
 * @param countWithoutKey returns the number of requests that an operation received without a key
 */
export function keyCoverage(operations: Operations, calls: Calls, countWithoutKey: (operation: string) => number) {
  const all = operations
    .filter(({ takesKey }) => takesKey)
    .map(({ id }) => ({
      operation: id,
      calls: sum(calls.filter(({ operation }) => operation === id)),
      without: countWithoutKey(id),
    }));
  return { missing: all.filter((entry) => entry.without > 0).map(({ operation }) => operation), all };
}

export function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

/** Counts requests by status, in ascending order of status. Omits requests without a response, which have status 0. */
function countByStatus(calls: Calls): { status: number; count: number }[] {
  const statuses = [...new Set(calls.map(({ status }) => status))].filter((status) => status !== 0);
  return statuses
    .sort((a, b) => a - b)
    .map((status) => ({ status, count: sum(calls.filter((call) => call.status === status)) }));
}

function groupByScope(operations: Operations): ScopeUse[] {
  const scopes = [...new Set(operations.map(({ scope }) => scope))];
  return scopes.map((scope) => ({
    scope,
    operations: operations.filter((operation) => operation.scope === scope).map(({ id }) => id),
  }));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

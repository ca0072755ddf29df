import type { Scope, Token } from './records.js';

/** A scope, and the operations that a token used with it, or needed it for. */
interface ScopeUse {
  readonly scope: Scope;
  readonly operations: readonly string[];
}

/** An operation, as the document of the service describes it. */
export interface DocumentedOperation {
  readonly id: string;
  /** HTTP method in upper case: `GET`. */
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  /** Statuses that it documents explicitly. */
  readonly statuses: readonly number[];
  readonly takesKey: boolean;
}

/** Number of requests to an operation with a token and a status. */
export interface CallCount {
  /** Empty for a request that matches no operation. */
  readonly operation: string;
  /** Id of the token; 0 for none. */
  readonly token: number;
  /** 0 without a response. */
  readonly status: number;
  readonly count: number;
}

type Calls = readonly CallCount[];
type Operations = readonly DocumentedOperation[];

/** Operations that succeeded, and the statuses that each returned. */
export function coverOperations(operations: Operations, calls: Calls) {
  const all = operations.map(({ id, method, path, statuses: documented }) => {
    const own = calls.filter(({ operation }) => operation === id);
    const statuses = byStatus(own);
    const unanswered = sum(own.filter(({ status }) => status === 0));
    const missing = documented.filter((status) => !statuses.some((met) => met.status === status));
    return { operation: id, method, path, calls: sum(own), unanswered, statuses, missing };
  });
  return {
    missing: all
      .filter(({ statuses }) => !statuses.some(({ status }) => isSuccess(status)))
      .map((one) => one.operation),
    unknown: sum(calls.filter(({ operation }) => operation === '')),
    all,
  };
}

/** Documented errors that were returned, by the service or by faults. */
export function coverErrors(operations: Operations, calls: Calls) {
  const all = byStatus(calls.filter(({ status }) => status >= 400)).map(({ status, count }) => {
    const from = calls.filter((call) => call.status === status && call.operation !== '');
    return { status, count, operations: [...new Set(from.map(({ operation }) => operation))] };
  });
  const documented = new Set(operations.flatMap(({ statuses }) => statuses.filter((status) => status >= 400)));
  const missing = [...documented].filter((status) => !all.some((met) => met.status === status)).sort((a, b) => a - b);
  return { missing, unanswered: sum(calls.filter(({ status }) => status === 0)), all };
}

/** Granted and used scopes of tokens that have not been revoked. */
export function coverScopes(
  operations: Operations,
  tokens: readonly Pick<Token, 'id' | 'name' | 'scopes' | 'revoked_at'>[],
  calls: Calls,
) {
  const all = tokens
    .filter(({ revoked_at }) => revoked_at === null)
    .map(({ id, name, scopes: granted }) => {
      const own = calls.filter(({ token }) => token === id);
      const called = usesOf(operations.filter((operation) => own.some((call) => call.operation === operation.id)));
      const used = called.filter(({ scope }) => granted.includes(scope));
      const lacking = called.filter(({ scope }) => !granted.includes(scope));
      const unused = granted.filter((scope) => !used.some((use) => use.scope === scope));
      return { id, name, calls: sum(own), granted, used, unused, lacking };
    });
  const unused = all
    .filter(({ calls: count }) => count > 0)
    .flatMap((token) => token.unused.map((scope) => ({ token: token.name, scope })));
  return { unused, all };
}

/**
 * Whether operations that accept an Idempotency-Key were called with one.
 * @param without number of requests without one, by operation
 */
export function coverKeys(operations: Operations, calls: Calls, without: (operation: string) => number) {
  const all = operations
    .filter(({ takesKey }) => takesKey)
    .map(({ id }) => ({
      operation: id,
      calls: sum(calls.filter(({ operation }) => operation === id)),
      without: without(id),
    }));
  return { missing: all.filter((one) => one.without > 0).map(({ operation }) => operation), all };
}

export function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

/** Sorted, without requests that got no response. */
function byStatus(calls: Calls): { status: number; count: number }[] {
  const statuses = [...new Set(calls.map(({ status }) => status))].filter((status) => status !== 0);
  return statuses
    .sort((a, b) => a - b)
    .map((status) => ({ status, count: sum(calls.filter((call) => call.status === status)) }));
}

function usesOf(operations: Operations): ScopeUse[] {
  const scopes = [...new Set(operations.map(({ scope }) => scope))];
  return scopes.map((scope) => ({
    scope,
    operations: operations.filter((operation) => operation.scope === scope).map(({ id }) => id),
  }));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

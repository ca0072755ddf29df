import type { Scope, Token } from './records.js';

/** A scope, and the operations that a token has used it for, or lacked it for. */
interface ScopeUse {
  readonly scope: Scope;
  readonly operations: readonly string[];
}

/** An operation, as the document of the service describes it. */
export interface DocumentedOperation {
  readonly id: string;
  /** As it is sent: `GET`. */
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  /** Those of its answers that are named one by one. */
  readonly statuses: readonly number[];
  readonly takesKey: boolean;
}

/** How often an operation was asked for with a token and answered with a status. */
export interface CallCount {
  /** Empty for a request that matches no operation. */
  readonly operation: string;
  /** Id of the token; 0 for none. */
  readonly token: number;
  /** 0 if nothing was answered. */
  readonly status: number;
  readonly count: number;
}

type Calls = readonly CallCount[];
type Operations = readonly DocumentedOperation[];

/** Which operations have succeeded, and with what statuses each was answered. */
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

/** Which errors of the document were met, be they the service's own or injected ones. */
export function coverErrors(operations: Operations, calls: Calls) {
  const all = byStatus(calls.filter(({ status }) => status >= 400)).map(({ status, count }) => {
    const from = calls.filter((call) => call.status === status && call.operation !== '');
    return { status, count, operations: [...new Set(from.map(({ operation }) => operation))] };
  });
  const documented = new Set(operations.flatMap(({ statuses }) => statuses.filter((status) => status >= 400)));
  const missing = [...documented].filter((status) => !all.some((met) => met.status === status)).sort((a, b) => a - b);
  return { missing, unanswered: sum(calls.filter(({ status }) => status === 0)), all };
}

/** The granted and used scopes of tokens that have not been revoked. */
export function coverScopes(
  operations: Operations,
  tokens: readonly Pick<Token, 'id' | 'name' | 'scopes' | 'revoked_at'>[],
  calls: Calls,
) {
  const all = tokens
    .filter(({ revoked_at }) => revoked_at === null)
    .map(({ id, name, scopes: granted }) => {
      const own = calls.filter(({ token }) => token === id);
      const asked = usesOf(operations.filter((operation) => own.some((call) => call.operation === operation.id)));
      const used = asked.filter(({ scope }) => granted.includes(scope));
      const lacking = asked.filter(({ scope }) => !granted.includes(scope));
      const unused = granted.filter((scope) => !used.some((use) => use.scope === scope));
      return { id, name, calls: sum(own), granted, used, unused, lacking };
    });
  const unused = all
    .filter(({ calls: count }) => count > 0)
    .flatMap((token) => token.unused.map((scope) => ({ token: token.name, scope })));
  return { unused, all };
}

/** Whether operations that take an Idempotency-Key were given one. @param without how often they were not */
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

/** In their order; without those that were answered with nothing. */
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

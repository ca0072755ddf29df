import { invalid } from '../../domain/service-error.js';
import { ProfileError } from '../../openapi/profile.js';
import type { Account } from '../../simulation/account.js';
import { readInteger } from '../service/query.js';
import { validated } from '../service/violations.js';
import { said } from './forms.js';
import type { ControlRoutes, RouteId } from './handler.js';
import type { ControlOperation, ResultOf } from './operations.js';

/** What an operation is asked with, not validated yet. */
interface Given {
  readonly account: Account;
  readonly query: unknown;
  readonly body: unknown;
  /** What the path names within the account; empty where it names nothing. */
  readonly name: string;
}

/** Has an operation of the control API done. @throws ServiceError */
export function carryOut<Id extends RouteId>(
  routes: ControlRoutes,
  operation: ControlOperation<Id>,
  { account, query, body, name }: Given,
): ResultOf<Id> | Promise<ResultOf<Id>> {
  const { validateQuery, validateBody } = operation.intake();
  try {
    return routes[operation.id]({
      account,
      query: validated(validateQuery, query),
      body: validated(validateBody, shallow(body)),
      name,
      id: readInteger(name),
    });
  } catch (error) {
    // A snapshot may be older than the choices that there are.
    if (error instanceof ProfileError) throw said('profile', error);
    throw error;
  }
}

/** Whether an operation ends with its answer. */
export function isRoute(routes: ControlRoutes, operation: ControlOperation): operation is ControlOperation<RouteId> {
  return Object.hasOwn(routes, operation.id);
}

/** How many levels a body may have; a seed needs six. What works level by level could run out of stack beyond. */
const deepest = 20;

/** @throws ServiceError invalid, for a body of too many levels */
function shallow(body: unknown): unknown {
  let level = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw invalid('body', 'said', { message: `the body must have at most ${deepest} levels` });
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
  }
  return body;
}

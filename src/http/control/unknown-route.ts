import type { Request } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import { pathPattern } from '../../lib/path-template.js';
import { unknownRoute } from '../unknown-route.js';

/** Rejects unknown paths, and known paths with an unsupported method. */
export function rejectUnknownRoute(operations: readonly { readonly path: string; readonly method: string }[]) {
  const routes = operations.map(({ path, method }) => ({
    pattern: pathPattern(path),
    methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  }));
  return (request: Request): never => {
    const methodsOf = (path: string): string[] =>
      routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    const allowed = methodsOf(request.path);
    if (allowed.length === 0) {
      const isKnown = (path: string): boolean => methodsOf(path).length > 0;
      throw unknownRoute(request.path, { isKnown, examplePath: '/accounts' });
    }
    // The status is always 405: the control API uses the default profile.
    request.exchange.headers['Allow'] = [...new Set(allowed)].join(', ');
    throw new ServiceError('method-unknown');
  };
}

import type { Request } from 'express';
import { ServiceError } from '../../domain/service-error.js';

/** Rejects unknown paths, and known paths with an unsupported method. */
export function rejectUnknownRoute(operations: readonly { readonly path: string; readonly method: string }[]) {
  const known = operations.map(({ path, method }) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  }));
  return (request: Request): never => {
    const allowed = known.filter(({ pattern }) => pattern.test(request.path)).flatMap(({ methods }) => methods);
    if (allowed.length === 0) {
      const details = request.path.endsWith('/') ? { hint: 'leave out the slash at the end' } : {};
      throw new ServiceError('route-unknown', details);
    }
    // The control API follows the service in this gap. Its other choices respond with 404, which has no header `Allow`.
    if (request.exchange.profile['request.method'] === '405')
      request.exchange.headers['Allow'] = [...new Set(allowed)].join(', ');
    throw new ServiceError('method-unknown');
  };
}

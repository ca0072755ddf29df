import { ServiceError } from '../domain/service-error.js';
import { withoutTrailingSlashes } from '../lib/path-template.js';

interface KnownPaths {
  /** Returns true if a path belongs to an operation. */
  readonly isKnown: (path: string) => boolean;
  /** Path of an operation, for the hint. */
  readonly examplePath: string;
}

/** Creates the error for a path that belongs to no operation. If the path is easy to correct, a hint says how. */
export function unknownRoute(path: string, { isKnown, examplePath }: KnownPaths): ServiceError {
  if (path === '/') {
    return new ServiceError('route-unknown', { hint: `add the path of an operation, for example ${examplePath}` });
  }
  const hasExtraSlash = path.endsWith('/') && isKnown(withoutTrailingSlashes(path));
  return new ServiceError('route-unknown', { hint: hasExtraSlash ? 'remove the trailing slash' : undefined });
}

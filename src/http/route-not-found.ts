import { ServiceError } from '../domain/service-error.js';
import { withoutTrailingSlashes } from '../lib/path-template.js';

interface KnownPaths {
  /** Returns true if a path belongs to an operation. */
  readonly isKnown: (path: string) => boolean;
  /** Path of an operation, for the hint. */
  readonly examplePath: string;
  /** Path of the API document, which lists the operations. */
  readonly documentPath: string;
}

/** Creates the error for a path that belongs to no operation. A hint says how to correct it, or where to look. */
export function routeNotFound(path: string, { isKnown, examplePath, documentPath }: KnownPaths): ServiceError {
  if (path === '/') {
    return new ServiceError('route-not-found', { hint: `add the path of an operation, for example ${examplePath}` });
  }
  const hasExtraSlash = path.endsWith('/') && isKnown(withoutTrailingSlashes(path));
  return new ServiceError('route-not-found', {
    hint: hasExtraSlash ? 'remove the trailing slash' : `${documentPath} lists all paths`,
  });
}

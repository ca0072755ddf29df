import { ServiceError } from '../domain/service-error.js';

interface Paths {
  /** Returns true if a path belongs to an operation. */
  readonly isKnown: (path: string) => boolean;
  /** Path of some operation. */
  readonly examplePath: string;
}

/** Creates the error for a path that belongs to no operation. Its hint says how to correct the path, if that is known. */
export function unknownRoute(path: string, { isKnown, examplePath }: Paths): ServiceError {
  if (path === '/') {
    return new ServiceError('route-unknown', { hint: `add the path of an operation, for example ${examplePath}` });
  }
  const hasExtraSlash = path.endsWith('/') && isKnown(path.replace(/\/+$/, ''));
  return new ServiceError('route-unknown', { hint: hasExtraSlash ? 'leave out the slash at the end' : undefined });
}

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Returns the path of a file of this package. Works from the sources, from the build and from an installed package,
 * since a package can resolve its own name.
 */
export function packageFile(path: string): string {
  return join(dirname(require.resolve('billing-sim/package.json')), path);
}

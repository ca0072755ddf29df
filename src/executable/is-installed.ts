import type * as packageModule from '../lib/is-installed.js';

/**
 * Returns true, since the executable contains every package that its commands import. In the executable, this function
 * replaces that of `src/lib/is-installed.ts`.
 */
export const isInstalled: typeof packageModule.isInstalled = () => true;

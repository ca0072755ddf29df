import module from 'node:module';

/** Saves the code compiled so far, which Node otherwise does only at a normal exit. Needs Node 22.10; does nothing in older versions. */
export function flushCompileCache(): void {
  if ('flushCompileCache' in module && typeof module.flushCompileCache === 'function') module.flushCompileCache();
}

import module from 'node:module';

/**
 * Saves the code that Node has compiled, which Node otherwise does only at a normal exit. Does nothing before Node
 * 22.10.
 */
export function flushCompileCache(): void {
  if ('flushCompileCache' in module && typeof module.flushCompileCache === 'function') module.flushCompileCache();
}

import module from 'node:module';

/**
 * Saves compiled code in Node's compile cache now. By itself, Node does so only at a normal exit. Does nothing before
 * Node 22.10.
 */
export function flushCompileCache(): void {
  if ('flushCompileCache' in module && typeof module.flushCompileCache === 'function') module.flushCompileCache();
}

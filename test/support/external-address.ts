import { networkInterfaces } from 'node:os';

/** An address of this machine that is not a loopback address; undefined if the machine has none. */
export const externalAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  // Link-local addresses of IPv6 have a scope, which URLs cannot contain.
  .find(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || scopeid === 0))?.address;

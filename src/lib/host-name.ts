import { isLoopback } from './loopback.js';

/** True for the host part of a `Host` header: a name or an address, such as `[fd00::1]`. */
export function isHostName(text: string): boolean {
  return /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(text);
}

/** Describes a valid host in error messages. */
export const expectedHostName =
  'a host name or address without a scheme, port or path, for example build-7 or [fd00::1]';

/**
 * Returns true for a loopback address, `localhost`, a subdomain of `localhost`, or an allowed name. Servers check each
 * `Host` header, so that another site's page cannot reach them by pointing its host name at this machine (DNS
 * rebinding).
 * @param host with or without a port
 * @param allowed in lower case
 */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const name = hostWithoutPort(host);
  return name !== undefined && (isLoopback(name) || allowed.includes(name));
}

/** The name or address of a host, in lower case; undefined if the host is not valid. */
export function hostWithoutPort(host: string): string | undefined {
  const name = host.replace(/:\d{1,5}$/, '');
  return isHostName(name) ? name.toLowerCase() : undefined;
}

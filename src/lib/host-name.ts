/** True for a host as a `Host` header names it, without the port: a name or an address, such as `[fd00::1]`. */
export function isHostName(text: string): boolean {
  return /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(text);
}

/** Describes a valid host in error messages. */
export const expectedHostName =
  'a host name or address without scheme, port and path, for example build-7 or [fd00::1]';

/** Matches a number from 0 to 255. */
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const loopbackV4 = new RegExp(`^127(?:\\.${octet}){3}$`);

/** True if a host name or address refers to this machine: `localhost`, `*.localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name === '[::1]') return true;
  return loopbackV4.test(name);
}

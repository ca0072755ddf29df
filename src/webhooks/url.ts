import { isLoopback } from '../lib/loopback.js';
import { parseUrl } from '../lib/parse-url.js';

/** Reason to reject a URL of the simulator itself: a webhook could cause another one, forever. */
export const selfUrlProblem = 'the webhook URL is the simulator itself';

const maxUrlCharacters = 2_000;
const unspecifiedHosts = ['0.0.0.0', '[::]'];

/**
 * Returns the reason why events cannot be sent to a URL; undefined if they can. Other host names of this machine are
 * recognized only after the connection is made, so the sender checks again.
 * @param simulator its port is undefined until it listens
 */
export function webhookUrlProblem(url: string, simulator: { readonly port: number | undefined }): string | undefined {
  if (url.length > maxUrlCharacters) return `the webhook URL is longer than ${maxUrlCharacters} characters`;
  const parsed = parseUrl(url);
  if (!parsed) return 'the webhook URL is not a valid URL';
  const { protocol, username, password } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') return 'the webhook URL is neither http: nor https:';
  if (username !== '' || password !== '') return 'the webhook URL contains credentials';
  return isOnThisMachine(parsed) && portOf(parsed) === simulator.port ? selfUrlProblem : undefined;
}

/** Returns true if a URL names this machine, without a DNS lookup. */
export function isOnThisMachine({ hostname }: URL): boolean {
  // A trailing dot makes a name absolute; the host is the same.
  const host = hostname.replace(/\.$/, '');
  return isLoopback(host) || unspecifiedHosts.includes(host);
}

/** Port of an http: or https: URL, explicit or not. */
export function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

import { isLoopback } from '../lib/loopback.js';
import { parseUrl } from '../lib/parse-url.js';
import { isListenerUrl } from './listener-url.js';

/** Message about a URL that points to the simulator. Its webhooks could trigger others, endlessly. */
export const selfUrlProblem = 'the webhook URL points to the simulator itself';

const maxUrlCharacters = 2_000;
/** The URL of a listener contains the URL that it replaced. */
const maxListenerUrlCharacters = maxUrlCharacters + 100;
const unspecifiedHosts = ['0.0.0.0', '[::]'];

/**
 * Returns the reason why events cannot be sent to a URL; undefined if they can. Recognizes only the usual names of this
 * machine (`isOnThisMachine`). For others, the sender checks again once the connection is made.
 * @param simulator its port is undefined until it listens
 */
export function webhookUrlProblem(url: string, simulator: { readonly port: number | undefined }): string | undefined {
  const maxCharacters = isListenerUrl(url) ? maxListenerUrlCharacters : maxUrlCharacters;
  if (url.length > maxCharacters) return `the webhook URL is longer than ${maxCharacters} characters`;
  const parsed = parseUrl(url);
  if (!parsed) return 'the webhook URL is not a valid URL';
  const { protocol, username, password } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') return 'the webhook URL must begin with http:// or https://';
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

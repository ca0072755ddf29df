import { isLoopback } from '../domain/hosts.js';

/** Why a URL that leads back here is refused: an event answered with another event would never end. */
export const selfUrl = 'the webhook URL is the simulator itself';

const longest = 2_000;
const anyAddress = ['0.0.0.0', '[::]'];

/**
 * Why events cannot be sent to a URL, in words; undefined if they can. Other names of this machine are only known once
 * connected, so the sender looks again.
 * @param own where the simulator listens; undefined while it does not
 */
export function refuseWebhookUrl(url: string, own: { readonly port: number | undefined }): string | undefined {
  if (url.length > longest) return `the webhook URL is longer than ${longest} characters`;
  if (!URL.canParse(url)) return 'the webhook URL is no URL';
  const { protocol, hostname, port, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'the webhook URL is neither http: nor https:';
  if (username !== '' || password !== '') return 'the webhook URL has credentials in it';
  const effectivePort = port === '' ? defaultPort[protocol] : Number(port);
  // The root dot makes a name absolute; it is the same host.
  const host = hostname.replace(/\.$/, '');
  if (effectivePort === own.port && (isLoopback(host) || anyAddress.includes(host))) return selfUrl;
  return undefined;
}

const defaultPort = { 'http:': 80, 'https:': 443 };

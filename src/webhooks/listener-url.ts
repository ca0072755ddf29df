import { get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { parseUrl } from '../lib/parse-url.js';

/*
 * The webhook URL of `billing-sim listen`. It contains the URL that it replaced, so that the previous URL can be
 * restored even after the listener has stopped. The previous URL is the fragment, unchanged: nothing has to be escaped,
 * which could make it several times as long, and fragments are not part of requests.
 */

/** Path that distinguishes a listener from other receivers. */
export const listenerPath = '/billing-sim-listen';

/** Response of a listener to anything but a message. */
export const listenerNotice = 'send webhooks with POST';

/** Time that a listener may take to respond to a probe, in milliseconds. */
const probeTimeoutMs = 500;

/**
 * URL to register for a listener. It contains the current webhook URL of the account or, if that is the URL of another
 * listener, the URL that the other listener replaced.
 */
export function listenerUrlFor(baseListenerUrl: string, currentUrl: string | null): string {
  const previous = previousUrl(currentUrl);
  return previous === null ? baseListenerUrl : `${baseListenerUrl}#${previous}`;
}

/** Returns true if a webhook URL is the URL of a listener, which may have stopped. */
export function isListenerUrl(url: string | null): url is string {
  const parsed = url === null ? undefined : parseUrl(url);
  return parsed?.protocol === 'http:' && parsed.hostname === '127.0.0.1' && parsed.pathname === listenerPath;
}

/**
 * For the URL of a listener, the URL that it replaced, or null if there was none. Any other URL is returned unchanged.
 */
export function previousUrl(url: string | null): string | null {
  if (!isListenerUrl(url)) return url;
  const fragmentStart = url.indexOf('#');
  // Listeners of earlier versions store the previous URL in the query.
  return fragmentStart === -1 ? new URL(url).searchParams.get('previous') : url.slice(fragmentStart + 1);
}

/**
 * Returns the URL that a listener replaced, if that listener has stopped; any other webhook URL is returned unchanged.
 */
export async function resolveListenerUrl(url: string | null): Promise<string | null> {
  return isListenerUrl(url) && !(await isListening(url)) ? previousUrl(url) : url;
}

/**
 * Returns true if a listener still receives webhooks at this URL. A listener that does not respond in time counts, too:
 * its process may be suspended.
 */
export async function isListening(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(probeTimeoutMs);
  try {
    // Unlike `fetch`, which refuses ports such as 6666, this connects to every port that a listener can use.
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { agent: false, signal }, resolve).on('error', reject);
    });
    return (await textOf(response)) === listenerNotice;
  } catch {
    return signal.aborted;
  }
}

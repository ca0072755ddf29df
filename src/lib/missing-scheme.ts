import { isLoopback } from './loopback.js';

/**
 * Completes a port, or a local host with a port, to an http: URL; returns any other text unchanged. A host counts as local
 * if it is a loopback address or a name without a dot, such as that of a container. A token must not be sent to another
 * host unencrypted by mistake.
 */
export function addMissingScheme(text: string): string {
  return withScheme('http', text);
}

/** Completes a port, or a local host with a port, to an smtp: URL; otherwise like `addMissingScheme`. */
export function addMissingSmtpScheme(text: string): string {
  return withScheme('smtp', text);
}

function withScheme(scheme: string, text: string): string {
  if (/^\d{1,5}$/.test(text)) return `${scheme}://localhost:${text}`;
  const [, host] = /^(\[[^\]]*\]|[^\s/?#@:[\]]+):\d+(?:[/?#]|$)/.exec(text) ?? [];
  const isLocal = host !== undefined && (isLoopback(host) || !/[.:]/.test(host));
  return isLocal ? `${scheme}://${text}` : text;
}

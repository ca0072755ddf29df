import { bodyTransferHeaders, endToEndHeaders } from '../lib/end-to-end-headers.js';
import { createAgent } from '../lib/keep-alive.js';
import { type SendOptions, type SendOutcome, sendMessage, targetOf } from './send-message.js';

export interface Forwarder {
  /**
   * Forwards a message: the same bytes with the same headers, except `Host` and those that describe a single connection
   * or the transfer of the body. Never rejects.
   * @param rawHeaders alternating names and values, as in Node
   */
  forward(message: { readonly rawHeaders: readonly string[]; readonly body: Buffer }): Promise<SendOutcome>;
  /** Aborts requests in progress. */
  close(): void;
}

/** Creates a forwarder that sends messages to one receiver. */
export function createForwarder({
  url,
  timeoutMs,
  problemOfConnection,
}: Pick<SendOptions, 'timeoutMs' | 'problemOfConnection'> & { readonly url: URL }): Forwarder {
  const target = targetOf(url);
  const agent = createAgent(url.protocol);
  const closing = new AbortController();
  return {
    forward({ rawHeaders, body }) {
      const headers = { ...headersToForward(rawHeaders), 'Content-Length': String(body.length) };
      return sendMessage({ target, headers, body, agent, timeoutMs, problemOfConnection, signal: closing.signal });
    },
    close() {
      closing.abort();
      agent.destroy();
    },
  };
}

/**
 * Collects the end-to-end headers by name, except Host and headers about the transfer. Names that differ only in case are
 * the same header; the first spelling is kept.
 */
function headersToForward(rawHeaders: readonly string[]): Record<string, string[]> {
  const headers = new Map<string, [name: string, values: string[]]>();
  for (const [name, value] of endToEndHeaders(rawHeaders, ['host', ...bodyTransferHeaders])) {
    const header = headers.get(name.toLowerCase());
    if (header) header[1].push(value);
    else headers.set(name.toLowerCase(), [name, [value]]);
  }
  return Object.fromEntries(headers.values());
}

import { bodyTransferHeaders, endToEndHeaders } from '../lib/end-to-end-headers.js';
import { createAgent } from '../lib/keep-alive.js';
import { type Exchange, type ExchangeOutcome, exchange, targetOf } from './exchange.js';

export interface Forwarder {
  /**
   * Forwards a message: the same bytes with the same headers, except `Host` and those that describe a single connection
   * or the transfer of the body. Never rejects.
   * @param rawHeaders alternating names and values, as in Node
   */
  forward(message: { readonly rawHeaders: readonly string[]; readonly body: Buffer }): Promise<ExchangeOutcome>;
  /** Aborts requests in progress. */
  close(): void;
}

/** Forwards messages to a receiver. */
export function createForwarder({
  url,
  timeoutMs,
  problemOfConnection,
}: Pick<Exchange, 'timeoutMs' | 'problemOfConnection'> & { readonly url: URL }): Forwarder {
  const target = targetOf(url);
  const agent = createAgent(url.protocol);
  const stopCallbacks = new Set<() => void>();
  const onStop: Exchange['onStop'] = (callback) => {
    stopCallbacks.add(callback);
    return () => stopCallbacks.delete(callback);
  };
  return {
    forward({ rawHeaders, body }) {
      const headers = { ...valuesByName(rawHeaders), 'Content-Length': String(body.length) };
      return exchange({ target, headers, body, agent, timeoutMs, problemOfConnection, onStop });
    },
    close() {
      for (const stop of stopCallbacks) stop();
      agent.destroy();
    },
  };
}

/** Collects the headers to forward. A repeated header has several values under its first name, whatever its case. */
function valuesByName(rawHeaders: readonly string[]): Record<string, string[]> {
  const headers = new Map<string, [name: string, values: string[]]>();
  for (const [name, value] of endToEndHeaders(rawHeaders, ['host', ...bodyTransferHeaders])) {
    const header = headers.get(name.toLowerCase());
    if (header) header[1].push(value);
    else headers.set(name.toLowerCase(), [name, [value]]);
  }
  return Object.fromEntries(headers.values());
}

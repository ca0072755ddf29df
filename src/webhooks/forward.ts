import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Exchange, type ExchangeOutcome, exchange, keepAlive, targetOf } from './exchange.js';

/** Headers that are not forwarded, since they describe one connection or its transfer of the body. In lower case. */
const omittedHeaders = ['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'te', 'expect'];

export interface Forwarder {
  /**
   * Forwards a message: the same bytes with the same headers, except `omittedHeaders`. Never rejects.
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
  const agent = url.protocol === 'https:' ? new HttpsAgent(keepAlive) : new HttpAgent(keepAlive);
  const stopCallbacks = new Set<() => void>();
  const onStop: Exchange['onStop'] = (callback) => {
    stopCallbacks.add(callback);
    return () => stopCallbacks.delete(callback);
  };
  return {
    forward({ rawHeaders, body }) {
      const headers: Record<string, string> = {};
      for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
        const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
        if (!omittedHeaders.includes(name.toLowerCase())) headers[name] = value;
      }
      headers['Content-Length'] = String(body.length);
      return exchange({ target, headers, body, agent, timeoutMs, problemOfConnection, onStop });
    },
    close() {
      for (const stop of stopCallbacks) stop();
      agent.destroy();
    },
  };
}

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { errorCode } from './errors.js';

/**
 * Agent settings. Connections are closed after a second without requests, before most servers would close them: a server
 * could do so just as the agent reuses the connection, and then that request would fail.
 */
export const keepAlive = { keepAlive: true, timeout: 1_000 } as const;

/** Creates an agent that keeps connections alive. @param protocol protocol of the URLs, `http:` or `https:` */
export function createAgent(
  protocol: string,
  settings: Readonly<{ keepAlive: boolean; timeout: number }> = keepAlive,
): HttpAgent | HttpsAgent {
  return protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings);
}

/** True if a request failed because the server closed the connection, perhaps just as the agent reused it. */
export function isClosedConnection(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ECONNRESET' || code === 'EPIPE';
}

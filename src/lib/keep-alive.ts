import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { errorCode } from './error-code.js';

/**
 * Settings of agents. A connection that is idle for a second is closed: most servers wait longer than that, so that
 * none is closed by the server just as the agent reuses it.
 */
export const keepAlive = { keepAlive: true, timeout: 1_000 } as const;

/** Creates an agent that keeps connections alive. @param protocol that of the URLs, such as `https:` */
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

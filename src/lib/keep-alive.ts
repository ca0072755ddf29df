import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

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

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/**
 * Settings of agents. Connections that are idle for a second are closed: most servers keep theirs for longer, so that
 * they do not close one just when it is reused.
 */
export const keepAlive = { keepAlive: true, timeout: 1_000 } as const;

/** Creates an agent that keeps connections alive. @param protocol that of the URLs, such as `https:` */
export function createAgent(
  protocol: string,
  settings: Readonly<{ keepAlive: boolean; timeout: number }> = keepAlive,
): HttpAgent | HttpsAgent {
  return protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings);
}

import { valueAt } from '../engine/expect.js';
import { formatExactJson } from '../engine/json.js';

/**
 * Sends a request to the control API of a simulator, which can do what the API of the service cannot: pay a link, for
 * example.
 * @param path below `/_sim`
 * @throws Error that says why the simulator did not do it, or did not respond
 */
export type SendControlRequest = (method: 'GET' | 'PATCH' | 'POST', path: string, body?: object) => Promise<unknown>;

const responseTimeoutMs = 10_000;

/** Creates a client for a control API. @param token control token of the simulator, if it has one */
export function createControlClient(origin: string, token: string | undefined): SendControlRequest {
  return async (method, path, body) => {
    const response = await fetch(`${origin}/_sim${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: formatExactJson(body) ?? '' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    const value: unknown = await response.json().catch(() => undefined);
    if (response.ok) return value;
    if (response.status === 401) throw new Error('the control API requires a token; pass it with --control-token');
    throw new Error(`${method} /_sim${path}: ${valueAt(value, 'error') ?? response.status}`);
  };
}

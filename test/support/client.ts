import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../src/index.js';

/** A typed client of the service, as an integrator would use it. */
export function clientOf(baseUrl: string, token = 'demo_full'): Client<paths> {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
}

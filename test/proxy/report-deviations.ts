import { expect } from 'vitest';
import { type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';
import { type MutableResponse, startAlteringProxy } from './altering-proxy.js';
import { openTestProxy } from './test-proxy.js';

/** A request to the service. Its path begins after `/api/v1`, and its token is `demo_full` by default. */
export type ServiceRequest = Partial<RequestToSend> & { readonly path: string };

/**
 * Sends a request through the proxy to a simulator whose response is altered.
 * @returns the reported deviations, as `formatDeviation` formats them, and the `X-Sim-Deviations` header
 */
export async function reportDeviations(
  simulatorUrl: string,
  request: ServiceRequest,
  alter: (response: MutableResponse) => void = () => undefined,
) {
  const service = await startAlteringProxy(simulatorUrl, (_, response) => alter(response));
  const { baseUrl, lines, failures } = await openTestProxy(service);
  const { headers } = await sendHttpRequest(baseUrl, {
    token: 'demo_full',
    ...request,
    path: `/api/v1${request.path}`,
  });
  expect(failures).toEqual([]);
  return { lines: lines(), header: headers['x-sim-deviations'] };
}

import { Server } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectServiceJson, invalidFieldBody } from '../support/envelope.js';
import { openRaw, type RawResponse } from '../support/raw.js';
import { deposit, eventually, startTestService, type TestService } from './faults/test-service.js';

const internalError = { success: false, error: 'Internal simulator error. Please report this bug.' };

/** Settings with a profile under which errors are stored for the Idempotency-Key. */
const withStoredErrors = { choices: { 'deposit.key-failed': 'replayed' } } as const;

/** Starts a service. Returns its HTTP server as well, which the service itself does not expose. */
async function startWithHttpServer(): Promise<{ service: TestService; httpServer: Server }> {
  const listen = vi.spyOn(Server.prototype, 'listen');
  const service = await startTestService();
  const httpServer = listen.mock.contexts.findLast((context) => context instanceof Server);
  if (!httpServer) throw new Error('the service has no HTTP server');
  return { service, httpServer };
}

/** Creates a deposit, and calls `beforeBody` once the server waits for the body. */
async function postDeposit({ server }: TestService, body: object, beforeBody: () => void): Promise<RawResponse> {
  const connection = await openRaw(server.url);
  onTestFinished(() => connection.close());
  const text = JSON.stringify(body);
  const head = [
    'POST /api/v1/deposits HTTP/1.1',
    'Host: 127.0.0.1',
    'Authorization: Bearer demo_full',
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
    'Idempotency-Key: key',
    'Expect: 100-continue',
    '\r\n',
  ];
  connection.send(head.join('\r\n'));
  expect(await connection.nextResponse()).toMatchObject({ status: 100 });
  beforeBody();
  connection.send(text);
  return connection.nextResponse();
}

const replacedError = {
  success: false,
  error: 'The account was reset, restored, removed or given another profile during the request',
};

describe('a request whose account is reset before its body arrives', () => {
  test.each([
    {
      name: 'with an invalid body gets a validation error',
      body: { booking_reference: 'BK-1' },
      status: 422,
      error: invalidFieldBody('amount', 'The amount field is required.'),
    },
    {
      name: 'with a valid body gets 409',
      body: deposit,
      status: 409,
      error: replacedError,
    },
  ])('$name, and the error is not stored for the key', async ({ body, status, error }) => {
    const service = await startTestService(withStoredErrors);
    const { accounts } = service.server.world;
    const { body: text, ...response } = await postDeposit(service, body, () => accounts.reset(service.account));
    expectServiceJson({ ...response, text }, status, error);
    expect((await service.post('/deposits', deposit, 'key')).status).toBe(201);
    expect(service.internalErrors).toEqual([]);
  });
});

test('a request whose account gets another profile before its body arrives gets 409, and can be repeated', async () => {
  const service = await startTestService();
  const { accounts } = service.server.world;
  const { body: text, ...response } = await postDeposit(service, deposit, () =>
    accounts.configure(service.account, { choices: { 'deposit.window': { for: '3d' } } }),
  );
  expectServiceJson({ ...response, text }, 409, replacedError);
  expect((await service.post('/deposits', deposit, 'key')).status).toBe(201);
});

test('a bug that prevents an error response from being stored is reported, and the response is a 500', async () => {
  const service = await startTestService(withStoredErrors);
  const { body: text, ...response } = await postDeposit(service, {}, () => {
    vi.spyOn(service.account, 'transaction').mockImplementation(() => {
      throw new Error('a bug');
    });
  });
  expectServiceJson({ ...response, text }, 500, internalError);
  expect(service.internalErrors).toEqual([expect.stringContaining('Error: a bug')]);
});

test('a bug in a delayed response is reported, and the response is a 500', async () => {
  // Under this choice, a response to a request with a key is sent 150 ms after the request was handled, so that another
  // request with the key can arrive in the meantime.
  const service = await startTestService({ choices: { 'deposit.key-concurrent': 'conflict' } });
  vi.spyOn(service.server.world.commits, 'whenStored').mockImplementationOnce(() => {
    throw new Error('a bug');
  });
  const response = await service.post('/deposits', deposit, 'key');
  expect([response.status, await response.json()]).toEqual([500, internalError]);
  expect(service.internalErrors).toEqual([expect.stringContaining('Error: a bug')]);
});

test('a bug in a handler whose client has disconnected is reported', async () => {
  const { service, httpServer } = await startWithHttpServer();
  let disconnect = (): void => undefined;
  const hasDisconnected = new Promise((resolve) => {
    httpServer.once('request', (request, response) => {
      disconnect = () => request.socket.resetAndDestroy();
      response.once('close', resolve);
    });
  });
  vi.spyOn(service.account.schedule, 'advance').mockImplementation(async () => {
    disconnect();
    await hasDisconnected;
    throw new Error('a bug');
  });
  const url = `${service.server.url}/_sim/accounts/demo/clock/advance`;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ by: '1d' });
  await expect(fetch(url, { method: 'POST', headers, body })).rejects.toThrow('fetch failed');
  await eventually(() => expect(service.internalErrors).toEqual([expect.stringContaining('Error: a bug')]));
});

test('a bug while a webhook is sent is reported, and the next webhook is sent too', async () => {
  const service = await startTestService({ webhookUrl: 'http://127.0.0.1:9/' });
  vi.spyOn(service.account.ports, 'sendWebhook').mockRejectedValue(new Error('a bug'));
  for (const booking_reference of ['BK-1', 'BK-2']) await service.post('/deposits', { ...deposit, booking_reference });
  const report = expect.stringContaining('Error: a bug');
  await eventually(() => expect(service.internalErrors).toEqual([report, report]));
});

test('an error of the listening server is reported, and requests are still answered', async () => {
  const { service, httpServer } = await startWithHttpServer();
  httpServer.emit('error', new Error('too many open files'));
  expect(service.internalErrors).toEqual([expect.stringContaining('too many open files')]);
  expect((await service.fetch('/invoices')).status).toBe(200);
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../src/domain/service-error.js';
import { controlDocument } from '../../src/generated/control-document.js';
import { operationsInMatchingOrder } from '../../src/http/control/operations.js';
import { sendRaw } from '../support/raw.js';
import { sampleUnlessFull } from '../support/sample.js';
import { type ControlServer, createDemoAccount, findAccount, startControlServer } from './control-server.js';
import { fillPath, operationSamples, sendServiceRequest } from './operation-samples.js';

/**
 * Every status that the OpenAPI document of the control API lists for an operation can occur. By default, only one in
 * six of these cases runs; see `sample`. `control-server.ts` checks that no response has an unlisted status.
 */

let sim: ControlServer;
/** A simulator whose control API requires a token. */
let simWithToken: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
  simWithToken = await startControlServer({ controlToken: 'open-sesame' });
});

afterAll(() => Promise.all([sim.server.close(), simWithToken.server.close()]));

type OperationSample = (typeof operationSamples)[number];

/** Sends a request that should produce a certain status, on a new account with the `demo` seed. @returns the status */
type ProduceStatus = (operationSample: OperationSample, account: string) => Promise<number>;

/** Sends the request of a sample, with another body or other headers if given. @returns the status */
async function sendSample(
  operationSample: OperationSample,
  account: string,
  body: unknown = operationSample.body,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const prepared = await operationSample.prepare?.(sim, account);
  return (
    await sim.callControl(
      operationSample.method,
      fillPath(operationSample.path, account, operationSample.id ?? prepared ?? 1),
      body,
      headers,
    )
  ).status;
}

/**
 * An id, a body or both that conflict with the seeded data, by operation. If the body is omitted, the sample's body is
 * sent.
 */
const conflicts: Readonly<Record<string, { readonly id?: number | string; readonly body?: unknown }>> = {
  createAccount: { body: { id: 'demo' } },
  setClock: { body: { now: '2026-02-28T09:00:00Z' } },
  advanceClock: { body: { to: '2026-02-28T09:00:00Z' } },
  authorizeDeposit: { id: 2 },
  declineDeposit: { id: 7 },
  expireDeposit: { id: 4 },
  payPaymentLink: { id: 3 },
  startPayment: { id: 1 },
  succeedPayment: { id: 1 },
  failPayment: { id: 2 },
  finalizeInvoice: { id: 5 },
  sendInvoice: { id: 9 },
  viewInvoice: { id: 9 },
  cancelInvoice: { id: 5 },
  payInvoice: { id: 5 },
  triggerEvent: { body: { event: 'deposit.authorized', deposit: 4 } },
  deleteScenario: { id: 'no-show' },
};

/** Simulates another client that resets the account while its next change is prepared. */
function resetDuringNextChange(id: string): void {
  const account = findAccount(sim, id);
  vi.spyOn(account, 'transaction').mockImplementationOnce((work) => {
    sim.server.world.accounts.reset(account);
    return account.transaction(work);
  });
}

/** For each error status, a function that produces it with any operation that lists it. */
const statusProducers: Readonly<Record<string, ProduceStatus>> = {
  400: (operationSample, account) => sendSample(operationSample, account, '{'),
  401: async ({ method, path, id = 1, body }) =>
    (await simWithToken.callControl(method, fillPath(path, 'demo', id), body, { Authorization: 'Bearer wrong-token' }))
      .status,
  403: (operationSample, account) =>
    sendSample(operationSample, account, operationSample.body, { Origin: 'http://evil.example' }),
  404: async ({ method, path, id = 1, body }) =>
    (await sim.callControl(method, fillPath(path, 'nobody', id), body)).status,
  409: async (operationSample, account) => {
    const { operation, method, path } = operationSample;
    const conflict = conflicts[operation];
    // The default account cannot be deleted.
    if (operation === 'deleteAccount') return sendSample(operationSample, 'demo');
    if (operation === 'replayRequest') {
      // A request cannot be replayed if its body was truncated in the log.
      const requestId = await sendServiceRequest(sim, account, { notes: 'n'.repeat(80_000) });
      return (await sim.callControl(method, fillPath(path, account, requestId))).status;
    }
    if (conflict)
      return (
        await sim.callControl(method, fillPath(path, account, conflict.id), conflict.body ?? operationSample.body)
      ).status;
    const prepared = await operationSample.prepare?.(sim, account);
    const id = operationSample.id ?? prepared ?? 1;
    if (operation === 'cancelRun') {
      // This request cancels the run, so the one below cannot.
      await sim.callControl(method, fillPath(path, account, id));
    } else resetDuringNextChange(account);
    return (await sim.callControl(method, fillPath(path, account, id), operationSample.body)).status;
  },
  413: (operationSample, account) =>
    sendSample(
      operationSample,
      account,
      JSON.stringify({ text: 'x'.repeat(operationSample.operation === 'importSnapshot' ? 20_000_000 : 1_000_000) }),
    ),
  415: (operationSample, account) => sendSample(operationSample, account, '{}', { 'Content-Type': 'text/plain' }),
  421: async ({ method, path, id = 1 }, account) => {
    const address = `/_sim${fillPath(path, account, id)}`;
    const head = `${method} ${address} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    const [response] = await sendRaw(sim.url, head);
    return response?.status ?? 0;
  },
  422: async (operationSample, account) => {
    const { method, path, id = 1, body } = operationSample;
    const isRead = method === 'GET' || method === 'HEAD';
    const address = fillPath(path, account, id);
    if (isRead) return (await sim.callControl(method, `${address}?nonsense=1`)).status;
    return (await sim.callControl(method, address, { ...Object(body), nonsense: 1 })).status;
  },
  // The store is mocked. `not-stored.test.ts` tests the same with a failing disk.
  503: (operationSample, account) => {
    const { commits } = sim.server.world;
    vi.spyOn(commits, 'whenStored').mockImplementation(() => Promise.reject(new ServiceError('not-stored')));
    return sendSample(operationSample, account).finally(() => vi.restoreAllMocks());
  },
};

const statusCases = operationSamples.flatMap((operationSample) => {
  const method = operationsInMatchingOrder().find(({ id }) => id === operationSample.operation)?.method ?? 'get';
  const responses = controlDocument.paths?.[operationSample.path]?.[method]?.responses ?? {};
  return Object.keys(responses)
    .filter((status) => status !== 'default')
    .map((status) => ({ ...operationSample, listedStatus: Number(status) }));
});

test('every operation lists at least one status', () => {
  expect(new Set(statusCases.map(({ operation }) => operation)).size).toBe(operationSamples.length);
});

describe('a listed status can occur:', () => {
  test.each(sampleUnlessFull(statusCases, { oneIn: 6 }))(
    '$listedStatus of $operation',
    async ({ listedStatus, ...operationSample }) => {
      const account = await createDemoAccount(sim);
      const produceStatus = statusProducers[listedStatus];
      if (produceStatus) expect(await produceStatus(operationSample, account)).toBe(listedStatus);
      // The first PUT creates the scenario, and the second one changes it.
      else if (operationSample.operation === 'putScenario' && listedStatus === 200) {
        await sendSample(operationSample, account);
        expect(await sendSample(operationSample, account)).toBe(200);
      } else expect(await sendSample(operationSample, account)).toBe(listedStatus);
    },
  );
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../src/domain/service-error.js';
import { controlDocument } from '../../src/generated/control-document.js';
import { readOperations } from '../../src/http/control/operations.js';
import type { Account } from '../../src/simulation/account.js';
import { sendRaw } from '../support/raw.js';
import { type ControlServer, startControlServer } from './control-server.js';
import { addressOf, cases, sendServiceRequest } from './every-operation.js';

/** Every status that the document lists for an operation occurs. `control-server.ts` checks that no others do. */

let open: ControlServer;
let guarded: ControlServer;

beforeAll(async () => {
  open = await startControlServer();
  guarded = await startControlServer({ controlToken: 'open-sesame' });
});

afterAll(() => Promise.all([open.server.close(), guarded.server.close()]));

type Case = (typeof cases)[number];

/** Sends a request that should return a certain status, on an account just seeded with `demo`. @returns the actual status */
type Produce = (each: Case, account: string) => Promise<number>;

async function send(
  each: Case,
  account: string,
  body: unknown = each.body,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const prepared = await each.prepare?.(open, account);
  return (await open.callControl(each.method, addressOf(each.path, account, each.id ?? prepared ?? 1), body, headers))
    .status;
}

/** Requests that the state of the seed does not allow: the id, and the body if it differs from the sample's. */
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

function accountOf(id: string): Account {
  const account = open.server.world.accounts.get(id);
  if (!account) throw new Error(`there is no account ${id}`);
  return account;
}

/** Resets the account right before its next change, as another client could. */
function resetMeanwhile(id: string): void {
  const account = accountOf(id);
  vi.spyOn(account, 'transaction').mockImplementationOnce((work) => {
    open.server.world.accounts.reset(account);
    return account.transaction(work);
  });
}

const produce: Readonly<Record<string, Produce>> = {
  400: (each, account) => send(each, account, '{'),
  401: async ({ method, path, id = 1, body }) =>
    (await guarded.callControl(method, addressOf(path, 'demo', id), body, { Authorization: 'Bearer open-sesam' }))
      .status,
  403: (each, account) => send(each, account, each.body, { Origin: 'http://evil.example' }),
  404: async ({ method, path, id = 1, body }) =>
    (await open.callControl(method, addressOf(path, 'nobody', id), body)).status,
  409: async (each, account) => {
    const { operation, method, path } = each;
    const conflict = conflicts[operation];
    if (operation === 'deleteAccount') return send(each, 'demo');
    if (operation === 'replayRequest') {
      const long = await sendServiceRequest(open, account, { notes: 'n'.repeat(80_000) });
      return (await open.callControl(method, addressOf(path, account, long))).status;
    }
    if (conflict)
      return (await open.callControl(method, addressOf(path, account, conflict.id), conflict.body ?? each.body)).status;
    const id = each.id ?? (await each.prepare?.(open, account)) ?? 1;
    if (operation === 'cancelRun') {
      await each.prepare?.(open, account);
      await open.callControl(method, addressOf(path, account, id));
    } else {
      if (operation === 'resendDelivery') {
        await open.callControl('PATCH', `/accounts/${account}/settings`, { webhook_url: 'http://127.0.0.1:1/' });
      }
      resetMeanwhile(account);
    }
    return (await open.callControl(method, addressOf(path, account, id), each.body)).status;
  },
  413: (each, account) =>
    send(
      each,
      account,
      JSON.stringify({ text: 'x'.repeat(each.operation === 'importSnapshot' ? 20_000_000 : 1_000_000) }),
    ),
  415: (each, account) => send(each, account, '{}', { 'Content-Type': 'text/plain' }),
  421: async ({ method, path, id = 1 }, account) => {
    const address = `/_sim${addressOf(path, account, id)}`;
    const head = `${method} ${address} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    const [answer] = await sendRaw(open.url, head);
    return answer?.status ?? 0;
  },
  422: async (each, account) => {
    const { method, path, id = 1, body } = each;
    const isRead = method === 'GET' || method === 'HEAD';
    const address = addressOf(path, account, id);
    if (isRead) return (await open.callControl(method, `${address}?nonsense=1`)).status;
    return (await open.callControl(method, address, { ...Object(body), nonsense: 1 })).status;
  },
  // Here the store is mocked; test/control/not-stored.test.ts has a disk that fails.
  503: (each, account) => {
    const { commits } = open.server.world;
    const { whenStored } = commits;
    vi.spyOn(commits, 'whenStored').mockImplementation(() => {
      void whenStored.call(commits);
      return Promise.reject(new ServiceError('not-stored'));
    });
    return send(each, account).finally(() => vi.restoreAllMocks());
  },
};

const listed = cases.flatMap((each) => {
  const method = readOperations().find(({ id }) => id === each.operation)?.method ?? 'get';
  const responses = controlDocument.paths?.[each.path]?.[method]?.responses ?? {};
  return Object.keys(responses)
    .filter((status) => status !== 'default')
    .map((status) => ({ ...each, listedStatus: Number(status) }));
});

test('every operation lists statuses', () => {
  expect(new Set(listed.map(({ operation }) => operation)).size).toBe(cases.length);
});

describe('a listed status occurs:', () => {
  test.each(listed)('$listedStatus of $operation', async ({ listedStatus, ...each }) => {
    const made = await open.callControl('POST', '/accounts', { seed: 'demo', now: '2026-03-01T09:00:00Z' });
    const account = String(Reflect.get(Object(made.body), 'id'));
    const status = produce[listedStatus];
    if (status) expect(await status(each, account)).toBe(listedStatus);
    // The first PUT creates the scenario, and the second one changes it.
    else if (each.operation === 'putScenario' && listedStatus === 200) {
      await send(each, account);
      expect(await send(each, account)).toBe(200);
    } else expect(await send(each, account)).toBe(listedStatus);
  });
});

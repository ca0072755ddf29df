import type { OperationId } from '../../src/generated/control-document.js';
import { operationsInMatchingOrder } from '../../src/http/control/operations.js';
import { type ControlServer, findAccount } from './control-server.js';

/** A request that succeeds on an account that has just been seeded with `demo`. */
interface OperationSample {
  /** Status of the response. */
  readonly status: number;
  /** Value of the second path parameter; the first one is the account. */
  readonly id?: number | string;
  readonly body?: unknown;
  /** Runs before the request. @returns the id of the created record, if `id` is not given */
  readonly prepare?: (sim: ControlServer, account: string) => Promise<unknown>;
}

const scenario = {
  description: 'Authorized after a minute.',
  for: 'deposit',
  steps: [{ after: '1m', do: 'authorize' }],
};

/** A snapshot of an empty account, as a file. */
export const snapshotFile = {
  format: 'billing-sim-snapshot',
  version: 1,
  written_by: '0.1.0',
  name: 'before',
  created_at: '2026-03-01T09:00:00.000Z',
  tables: {
    account: [
      {
        id: 'demo',
        currency: 'EUR',
        time_zone: 'Europe/Berlin',
        rate_limit: true,
        clock: { mode: 'frozen', at: '2026-03-01T09:00:00.000Z' },
        profile: {},
        random_seed: '',
        webhook_url: null,
        webhook_secret: '',
        created_at: '2026-03-01T09:00:00.000Z',
      },
    ],
    origin: [
      {
        clock: { mode: 'frozen', at: '2026-03-01T09:00:00.000Z' },
        seed: {
          currency: 'EUR',
          time_zone: 'Europe/Berlin',
          customers: [],
          invoices: [],
          payment_links: [],
          payments: [],
          deposits: [],
        },
      },
    ],
  },
};

async function saveSnapshot(sim: ControlServer, account: string): Promise<void> {
  await sim.callControl('POST', `/accounts/${account}/snapshots`, { name: 'before' });
}

async function addFault(sim: ControlServer, account: string): Promise<void> {
  await sim.callControl('POST', `/accounts/${account}/faults`, { effect: 'lose-response' });
}

async function triggerEvent(sim: ControlServer, account: string): Promise<unknown> {
  const { body } = await sim.callControl('POST', `/accounts/${account}/trigger`, { event: 'deposit.created' });
  // The response has no deliveries if the store refuses changes.
  return Object(body).deliveries?.[0];
}

/** Creates an unsent delivery, and then sets a URL at which nothing listens. @returns the id of the delivery */
async function createUnsentDelivery(sim: ControlServer, account: string): Promise<unknown> {
  const id = await triggerEvent(sim, account);
  await sim.callControl('PATCH', `/accounts/${account}/settings`, { webhook_url: 'http://127.0.0.1:1/' });
  return id;
}

async function runScenario(sim: ControlServer, account: string): Promise<void> {
  await sim.callControl('POST', `/accounts/${account}/scenarios/no-show/run`, { deposit: 1 });
}

/** Creates a token with all scopes. @returns the text that a client sends */
function createToken(sim: ControlServer, account: string): string {
  const { accounts } = sim.server.world;
  const { tokens } = findAccount(sim, account);
  const name = `all-scopes-${tokens.nextId()}`;
  return accounts.createToken(findAccount(sim, account), name, ['billing.read', 'billing.write']).bearer;
}

/** Sends a request to `/deposits`: a POST if there is a body, otherwise a GET. @returns the request id */
export async function sendServiceRequest(sim: ControlServer, account: string, body?: object): Promise<string> {
  const method = body ? 'POST' : 'GET';
  return (
    (await sim.callService(createToken(sim, account), method, '/deposits', body)).headers.get('x-request-id') ?? ''
  );
}

const samples: Readonly<Record<OperationId, OperationSample>> = {
  getHealth: { status: 200 },
  getDocument: { status: 200 },
  listAccounts: { status: 200 },
  createAccount: { status: 201, body: {} },
  getAccount: { status: 200 },
  deleteAccount: { status: 200 },
  resetAccount: { status: 200 },
  getSettings: { status: 200 },
  changeSettings: { status: 200, body: { rate_limit: false } },
  rotateWebhookSecret: { status: 200 },
  chooseForGap: { status: 200, id: 'list.order', body: { choice: 'oldest-first' } },
  getClock: { status: 200 },
  setClock: { status: 200, body: { mode: 'frozen' } },
  advanceClock: { status: 200, body: { by: '1h' } },
  getAgenda: { status: 200 },
  listTokens: { status: 200 },
  createToken: { status: 201, body: { name: 'reporting', scopes: ['billing.read'] } },
  getToken: { status: 200, id: 2 },
  revokeToken: { status: 200, id: 2 },
  listCustomers: { status: 200 },
  listDepositRecords: { status: 200 },
  listInvoiceRecords: { status: 200 },
  listPaymentRecords: { status: 200 },
  listPaymentLinkRecords: { status: 200 },
  getDepositRecord: { status: 200, id: 1 },
  getInvoiceRecord: { status: 200, id: 1 },
  getPaymentRecord: { status: 200, id: 1 },
  getPaymentLinkRecord: { status: 200, id: 1 },
  createCustomer: { status: 201, body: { name: 'Emmy Noether', email: 'emmy@ring.example' } },
  getCustomer: { status: 200, id: 1 },
  authorizeDeposit: { status: 200, id: 1 },
  declineDeposit: { status: 200, id: 1 },
  expireDeposit: { status: 200, id: 1 },
  payPaymentLink: { status: 200, id: 1, body: {} },
  startPayment: { status: 200, id: 4 },
  succeedPayment: { status: 200, id: 3 },
  failPayment: { status: 200, id: 3 },
  finalizeInvoice: { status: 200, id: 1 },
  sendInvoice: { status: 200, id: 2 },
  viewInvoice: { status: 200, id: 3 },
  cancelInvoice: { status: 200, id: 2 },
  payInvoice: { status: 200, id: 2, body: {} },
  listDeliveries: { status: 200 },
  getDelivery: { status: 200, prepare: triggerEvent },
  resendDelivery: { status: 200, prepare: createUnsentDelivery },
  triggerEvent: { status: 200, body: { event: 'deposit.expired' } },
  listMails: { status: 200 },
  getMail: {
    status: 200,
    id: 1,
    prepare: async (sim, account) => {
      await sim.callService(createToken(sim, account), 'POST', '/invoices/3/reminder');
    },
  },
  streamMails: { status: 200 },
  listRequests: { status: 200 },
  getRequest: { status: 200, prepare: (sim, account) => sendServiceRequest(sim, account) },
  streamRequests: { status: 200 },
  replayRequest: { status: 200, prepare: (sim, account) => sendServiceRequest(sim, account) },
  listActivity: { status: 200 },
  getTrace: { status: 200 },
  streamActivity: { status: 200 },
  getCoverage: { status: 200 },
  resetCoverage: { status: 200 },
  listSnapshots: { status: 200 },
  saveSnapshot: { status: 201, body: { name: 'before' } },
  getSnapshot: { status: 200, id: 'before', prepare: saveSnapshot },
  exportSnapshot: { status: 200, id: 'before', prepare: saveSnapshot },
  importSnapshot: { status: 201, body: { name: 'imported', file: snapshotFile } },
  restoreSnapshot: { status: 200, id: 'before', prepare: saveSnapshot },
  removeSnapshot: { status: 200, id: 'before', prepare: saveSnapshot },
  listScenarios: { status: 200 },
  getScenario: { status: 200, id: 'no-show' },
  putScenario: { status: 201, id: 'one-minute', body: scenario },
  deleteScenario: {
    status: 200,
    id: 'one-minute',
    prepare: (sim, account) => sim.callControl('PUT', `/accounts/${account}/scenarios/one-minute`, scenario),
  },
  runScenario: { status: 201, id: 'no-show', body: { deposit: 1 } },
  listRuns: { status: 200, prepare: runScenario },
  getRun: { status: 200, id: 1, prepare: runScenario },
  cancelRun: { status: 200, id: 1, prepare: runScenario },
  listEffects: { status: 200 },
  listFaults: { status: 200, prepare: addFault },
  addFault: { status: 201, body: { effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 } },
  clearFaults: { status: 200, prepare: addFault },
  getFault: { status: 200, id: 1, prepare: addFault },
  clearFault: { status: 200, id: 1, prepare: addFault },
};

/** Every operation of the control API, with a request that succeeds. */
export const operationSamples = operationsInMatchingOrder().map(({ id, method, path }) => ({
  operation: id,
  // Endless streams are requested with HEAD.
  method: id.startsWith('stream') ? 'HEAD' : method.toUpperCase(),
  path,
  ...samples[id],
}));

/** Fills in the parameters of a path template. */
export function fillPath(path: string, account: string, id: unknown = ''): string {
  return path.replace('{account}', account).replace(/\{\w+\}/, String(id));
}

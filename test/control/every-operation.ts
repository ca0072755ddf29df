import type { OperationId } from '../../src/generated/control-document.js';
import { readOperations } from '../../src/http/control/operations.js';
import type { ControlServer } from './control-server.js';

/** A request to an operation that succeeds on an account that has just been seeded with `demo`. */
interface Sample {
  readonly status: number;
  /** Value of the path parameter other than the account. */
  readonly id?: number | string;
  readonly body?: unknown;
  /** Runs before the request. @returns the id, if it is only known then */
  readonly prepare?: (sim: ControlServer, account: string) => Promise<unknown>;
}

const scenario = {
  description: 'Authorized after a minute.',
  for: 'deposit',
  steps: [{ after: '1m', do: 'authorize' }],
};

async function saveSnapshot(sim: ControlServer, account: string): Promise<void> {
  await sim.ask('POST', `/accounts/${account}/snapshots`, { name: 'before' });
}

async function addFault(sim: ControlServer, account: string): Promise<void> {
  await sim.ask('POST', `/accounts/${account}/faults`, { effect: 'lose-response' });
}

async function makeEvent(sim: ControlServer, account: string): Promise<unknown> {
  const { body } = await sim.ask('POST', `/accounts/${account}/trigger`, { event: 'deposit.created' });
  return Reflect.get(Object(Reflect.get(Object(body), 'deliveries')), 0);
}

async function runScenario(sim: ControlServer, account: string): Promise<void> {
  await sim.ask('POST', `/accounts/${account}/scenarios/no-show/run`, { deposit: 1 });
}

/** A new token that may do everything. */
function tokenOf({ server }: ControlServer, account: string): string {
  const found = server.world.accounts.get(account);
  if (!found) throw new Error(`there is no account ${account}`);
  return server.world.accounts.createToken(found, 'everything', ['billing.read', 'billing.write']).text;
}

/** @returns its id */
async function sendRequest(sim: ControlServer, account: string): Promise<unknown> {
  return (await sim.service(tokenOf(sim, account), 'GET', '/deposits')).headers.get('x-request-id');
}

const samples: Readonly<Record<OperationId, Sample>> = {
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
  getDelivery: { status: 200, prepare: makeEvent },
  resendDelivery: { status: 200, prepare: makeEvent },
  triggerEvent: { status: 200, body: { event: 'deposit.expired' } },
  listMails: { status: 200 },
  getMail: {
    status: 200,
    id: 1,
    prepare: async (sim, account) => {
      await sim.service(tokenOf(sim, account), 'POST', '/invoices/3/reminder');
    },
  },
  streamMails: { status: 200 },
  listRequests: { status: 200 },
  getRequest: { status: 200, prepare: sendRequest },
  streamRequests: { status: 200 },
  getCoverage: { status: 200 },
  forgetCoverage: { status: 200 },
  listSnapshots: { status: 200 },
  saveSnapshot: { status: 201, body: { name: 'before' } },
  getSnapshot: { status: 200, id: 'before', prepare: saveSnapshot },
  restoreSnapshot: { status: 200, id: 'before', prepare: saveSnapshot },
  removeSnapshot: { status: 200, id: 'before', prepare: saveSnapshot },
  listScenarios: { status: 200 },
  getScenario: { status: 200, id: 'no-show' },
  putScenario: { status: 201, id: 'one-minute', body: scenario },
  deleteScenario: {
    status: 200,
    id: 'one-minute',
    prepare: (sim, account) => sim.ask('PUT', `/accounts/${account}/scenarios/one-minute`, scenario),
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

/** The operations with their samples. */
export const cases = readOperations().map(({ id, method, path }) => ({
  operation: id,
  // Endless streams are requested with HEAD.
  method: id === 'streamMails' || id === 'streamRequests' ? 'HEAD' : method.toUpperCase(),
  path,
  ...samples[id],
}));

/** The address of an operation. */
export function addressOf(path: string, account: string, id: unknown = ''): string {
  return path.replace('{account}', account).replace(/\{\w+\}/, String(id));
}

import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../../generated/billing-document.js';
import type { Call, Exchange } from '../../engine/exchange.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Operation, operations } from '../../engine/operations.js';
import { type Fact, fact, type Scene } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import { neighbour } from '../deposit-lifecycle/pair-setups.js';
import { type Deposit, makeDeposit, newDeposit, statusOf } from '../deposits/setups.js';
import { dayIn, invoiceBody, plainInvoice, someInvoice } from '../invoice-creation/setups.js';

function authorized(name: string): Fact<Deposit> {
  return fact(`a deposit ${name}`, async (scene) => {
    // A driver that cannot have it authorized is told by its name before anything is made.
    if (!scene.session.driver.authorizeDeposit) await scene.drive('authorizeDeposit', {});
    const deposit = await makeDeposit(scene, name);
    await scene.drive('authorizeDeposit', deposit.record);
    const { status } = await statusOf(scene, deposit, (one) => one === 'authorized');
    if (status !== 'authorized') throw new Blocked('the deposit that the driver has authorized is not `authorized`');
    return deposit;
  });
}

/** A deposit that is authorized, and stays so since nobody acts on it who may. */
export const heldDeposit = authorized('to be held');
/** One on which somebody acts who may: one that is authorized still, where there is such a one. */
const ownDeposit = fact('a deposit to be captured and released', async (scene) => {
  const beside = await ifPossible(scene.at(neighbour));
  return beside?.status === 'authorized' ? beside.other : scene.at(newlyAuthorized);
});
const newlyAuthorized = authorized('to be captured and released');

/** What a refused request would have made; the same for all tokens. */
export const unmade = (scene: Scene): string => scene.text('not to be made');

/** A request that every rule admits, for each operation. */
const requests: Record<OperationId, (scene: Scene, text: string) => Promise<Omit<Call, 'method'>>> = {
  listInvoices: async () => ({ path: '/invoices?per_page=1' }),
  createInvoice: async (scene, reference) => ({ path: '/invoices', body: await invoiceBody(scene, { reference }) }),
  getInvoice: async (scene) => ({ path: `/invoices/${(await scene.at(someInvoice))['id']}` }),
  getInvoiceStats: async () => ({ path: '/invoices/stats' }),
  listOverdueInvoices: async () => ({ path: '/invoices/overdue' }),
  sendInvoiceReminder: async (scene) => ({
    path: `/invoices/${(await scene.at(plainInvoice)).record['id']}/reminder`,
  }),
  createPaymentLink: async (_scene, description) => ({
    path: '/payment-links',
    body: { description, amount: 12.5, currency: 'EUR' },
  }),
  listPaymentLinks: async () => ({ path: '/payment-links?per_page=1' }),
  listPayments: async () => ({ path: '/payments?per_page=1' }),
  createDeposit: async (scene, reference) => ({
    path: '/deposits',
    body: {
      booking_reference: reference,
      amount: 20,
      currency: 'EUR',
      customer: { name: 'Contract Suite', email: 'guest@example.com' },
      check_in_date: dayIn(14),
      check_out_date: dayIn(17),
      metadata: { run: scene.session.prefix },
    },
    headers: { 'Idempotency-Key': randomUUID() },
  }),
  listDeposits: async () => ({ path: '/deposits?per_page=1' }),
  getDeposit: async (scene) => ({ path: `/deposits/${encodeURIComponent(String((await scene.at(newDeposit)).id))}` }),
  captureDeposit: async (scene, text) => ({ path: `${await depositPath(scene, text)}/capture`, body: { amount: 1 } }),
  releaseDeposit: async (scene, text) => ({ path: `${await depositPath(scene, text)}/release` }),
};

async function depositPath(scene: Scene, text: string): Promise<string> {
  const { id } = await scene.at(text === unmade(scene) ? heldDeposit : ownDeposit);
  return `/deposits/${encodeURIComponent(String(id))}`;
}

/** Sends a lawful request for an operation. @param text what is made by it is called so */
export async function ask(
  scene: Scene,
  { id, method }: Operation,
  call: Partial<Call>,
  text: string,
): Promise<Exchange> {
  return scene.send({ ...(await requests[id](scene, text)), ...call, method });
}

/** What an operation is asked with: no token, an unknown one, or one with a single scope. */
export type Asker = 'none' | 'unknown' | 'read' | 'write';

/** What has come of asking for an operation with each of them. */
export interface Access {
  readonly operation: Operation;
  readonly asked: Readonly<Record<Asker, Fact<Exchange>>>;
}

export const access: readonly Access[] = operations.map((operation) => {
  const askedWith = (token: Asker): Fact<Exchange> =>
    fact(`${operation.id} with the token ${token}`, (scene) =>
      ask(scene, operation, { token }, token === operation.scope ? scene.text('made with one scope') : unmade(scene)),
    );
  return {
    operation,
    asked: {
      none: askedWith('none'),
      unknown: askedWith('unknown'),
      read: askedWith('read'),
      write: askedWith('write'),
    },
  };
});

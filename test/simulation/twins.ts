import { hash } from 'node:crypto';
import { ServiceError } from '../../src/domain/service-error.js';
import { builtInScenarios } from '../../src/generated/scenarios.js';
import type { Account } from '../../src/simulation/account.js';
import {
  authorizeDeposit,
  captureShare,
  createDeposit,
  declineDeposit,
  releaseDeposit,
} from '../../src/simulation/operations/deposits.js';
import { createInvoice } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { createInvoicePayment, createLinkPayment, endPayment } from '../../src/simulation/operations/payments.js';
import { startScenario } from '../../src/simulation/scenarios/scenarios.js';
import type { World } from '../../src/simulation/world.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import { injectFault } from './webhook-faults.js';
import { withWebhooks } from './webhooks.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

/** The same in both worlds: whether a message is delivered depends on its content and the number of attempts so far. */
function flakyReceivers(): ScriptedReceivers {
  const attemptCounts = new Map<string, number>();
  return new ScriptedReceivers(({ body }) => {
    const count = (attemptCounts.get(body) ?? 0) + 1;
    attemptCounts.set(body, count);
    const digit = Number.parseInt(hash('sha1', `${count} ${body}`).slice(0, 1), 16);
    if (digit < 8) return {};
    return digit < 12 ? { status: 500 } : { status: 503, retryAfter: '700' };
  });
}

/** One of two accounts that get the same random requests, and must end with the same state. */
export interface Twin {
  account: Account;
  world: World;
  store: ScriptedStore;
  readonly receivers: ScriptedReceivers;
}

export async function openTwin(store = new ScriptedStore(), receivers = flakyReceivers()): Promise<Twin> {
  const world = await emptyWorld(store, { sendWebhook: receivers.send, scenarios: builtInScenarios });
  const account = world.accounts.get('one') ?? withWebhooks(world, openAccount(world, 'one'));
  return { account, world, store, receivers };
}

const scenarioNames = builtInScenarios.map(({ name }) => name);
const faultEffects = ['delay=5m', 'burst=1h', 'reorder=30m', 'duplicate', 'drop=attempt', 'stale', 'receiver-fails'];
const invoice = { customer_id: 1, date: '2026-03-01', due_date: '2026-04-03' };
const items = [{ description: 'Night', quantity: 1, unit_price: 80, tax_rate: 7.5 }];

/** A request for the record with the given number, which may not exist. */
export type RandomRequest = (twin: Twin, number: number) => unknown;

export const randomRequests: readonly RandomRequest[] = [
  ({ account }) => createDeposit(account, newDeposit),
  ({ account }, number) =>
    createDeposit(account, { ...newDeposit, metadata: { scenario: scenarioNames[number % scenarioNames.length] } }),
  ({ account }, number) => authorizeDeposit(account, number),
  ({ account }, number) => captureShare(account, number, 0.5, {}),
  ({ account }, number) => releaseDeposit(account, number),
  ({ account }, number) => declineDeposit(account, number),
  ({ account }) => createInvoice(account, { ...invoice, items }),
  ({ account }, number) => createInvoicePayment(account, number, { outcome: number % 2 ? 'paid' : 'pending' }),
  ({ account, world }) =>
    createPaymentLink(account, { description: 'Night', amount: 5, currency: 'EUR' }, world.accounts),
  ({ account }, number) => createLinkPayment(account, number, { outcome: number % 2 ? 'paid' : 'pending' }),
  ({ account }, number) => endPayment(account, number, 'succeed'),
  ({ account }, number) => startScenario(account, 'late-payment', number),
  ({ account }, number) => injectFault(account, faultEffects[number % faultEffects.length] ?? 'drop', { times: 3 }),
];

/** Sends a request. @returns the error code; undefined for a success */
export function codeOf(request: () => unknown): string | undefined {
  try {
    request();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

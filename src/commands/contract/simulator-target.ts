import { randomBytes } from 'node:crypto';
import type { Driver, TargetRecord } from '../../contract/drivers/driver.js';
import { optionalCustomerFields } from '../../contract/drivers/simulator.js';
import type { Implementation } from '../../contract/mutation/mutating-proxy.js';
import type { SimulatorAccount } from '../../library/account.js';
import { startSimulator } from '../../library/simulator.js';

/** A simulator in this process that the contract suite tests for `billing-sim prove`. Each run gets new accounts. */
export interface SimulatorTarget {
  /** Creates two accounts with the demo records; they are deleted when the driver is closed. */
  readonly open: () => Promise<Implementation>;
  readonly close: () => Promise<void>;
}

export async function startSimulatorTarget(): Promise<SimulatorTarget> {
  const simulator = await startSimulator({ memory: true, seed: 'empty', rateLimit: false, log: () => undefined });
  const { baseUrl } = simulator;
  return {
    async open() {
      const account = await simulator.createAccount({ seed: 'demo' });
      const scopeless = await account.apiTokens.create({ name: 'without a scope', scopes: [] });
      const otherAccount = await simulator.createAccount({ seed: 'demo' });
      const removeAccounts = async () => {
        for (const each of [account, otherAccount]) await each.remove();
      };
      return {
        baseUrl,
        tokens: { ...account.tokens, scopeless: scopeless.token, otherAccount: otherAccount.tokens.full },
        driver: { ...driverOf(account), close: removeAccounts },
      };
    },
    close: () => simulator.close(),
  };
}

/** Returns a driver for an account of a simulator in this process. */
export function driverOf({ deposits, invoices, paymentLinks, customers, webhooks }: SimulatorAccount): Driver {
  const depositId = ({ id }: TargetRecord): number | string => (typeof id === 'number' ? id : String(id));
  return {
    createCustomer: () =>
      customers.create({ name: 'Ada Lovelace', email: 'ada@example.com', ...optionalCustomerFields }),
    markInvoicePaid: ({ id }) => invoices.pay(Number(id)),
    payLink: ({ id }) => paymentLinks.pay(Number(id)),
    authorizeDeposit: (deposit) => deposits.authorize(depositId(deposit)),
    declineDeposit: (deposit) => deposits.decline(depositId(deposit)),
    expireDeposit: (deposit) => deposits.expire(depositId(deposit)),
    configureWebhook: (webhook) => webhooks.configure(webhook),
    async rotateWebhookSecret() {
      const secret = `rotated-${randomBytes(24).toString('hex')}`;
      await webhooks.configure({ secret });
      return { secret };
    },
  };
}

import type { SimulatorAccount } from '../../src/index.js';
import type { clientOf } from '../support/client.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { openReceiver } from '../webhooks/receiver.js';

interface TestAccount {
  readonly account: SimulatorAccount;
  readonly client: ReturnType<typeof clientOf>;
  /** URL of the simulator. */
  readonly url: string;
}

/**
 * Creates records of all sections of the dashboard, with the same text in the fields that a client, a webhook receiver
 * or a user of the dashboard can set to any text.
 * @param text at most 200 characters
 * @returns the ids of these records, by section of the dashboard
 */
export async function createRecordsWithText(text: string, { account, client, url }: TestAccount) {
  const receiver = await openReceiver((_request, response) => void response.writeHead(500).end(text));
  await account.webhooks.configure({ url: `${receiver.url}/${encodeURIComponent(text)}#${text}` });
  const customer = await account.customers.create({
    name: text,
    email: 'buyer@example.com',
    company: text,
    phone: text,
    address: text,
    city: text,
    postal_code: text,
    country: text,
  });
  const invoice = await client.POST('/invoices', {
    body: {
      customer_id: customer.id,
      invoice_number: text,
      reference: text,
      notes: text,
      date: '2026-03-01',
      due_date: '2026-04-01',
      items: [{ description: text, quantity: 1, unit_price: 5, tax_rate: 0 }],
    },
  });
  await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: invoice.data?.data.id ?? 0 } } });
  const link = await client.POST('/payment-links', { body: { description: text, amount: 5 } });
  const payment = await account.paymentLinks.pay(link.data?.data.id ?? 0);
  const guest = { name: text, email: 'guest@example.com' };
  // A metadata key has at most 40 characters.
  const metadata = { [text.slice(0, 40)]: text };
  const deposit = await client.POST('/deposits', {
    body: { booking_reference: text, amount: 5, customer: guest, metadata },
  });
  const depositId = deposit.data?.data.id ?? 0;
  await account.deposits.authorize(depositId);
  const path = { id: depositId };
  const capture = await client.POST('/deposits/{id}/capture', {
    params: { path },
    body: { amount: 1, description: text },
  });
  const statuses = [invoice, link, deposit, capture].map(({ response }) => response.status);
  if (statuses.some((status) => status >= 300))
    throw new Error(`a record could not be created: ${statuses.join(', ')}`);

  await account.apiTokens.create({ name: text, scopes: ['billing.read'] });
  await account.faults.add({ effect: { name: 'status', status: 500, error: text }, match: { token: text } });
  const trigger = { event: 'deposit.created' as const, match: { booking_reference: text } };
  const steps = [{ after: 1_000, do: 'capture' as const, with: { description: text } }];
  await account.scenarios.add({ name: 'capture', description: text, for: 'deposit', trigger, steps });
  const run = await account.scenarios.run('capture', depositId);
  await account.snapshots.save('saved');
  await account.clock.advance('1s');
  // A request that is logged with the text in its path and query, which cannot contain spaces.
  const pathText = text.replace(/\s/g, '+');
  const response = await sendHttpRequest(url, {
    path: `/api/v1/deposits/${pathText}?booking_reference=${pathText}`,
    token: account.tokens.full,
  });
  if (response.status !== 404) throw new Error(`expected 404 for a deposit with the id ${text}`);

  const delivery = (await account.webhooks.all()).find(({ event }) => event === 'deposit.created');
  const [request] = await account.requests();
  return {
    customers: customer.id,
    invoices: invoice.data?.data.id,
    'payment-links': link.data?.data.id,
    payments: payment.id,
    deposits: depositId,
    webhooks: delivery?.id,
    mails: (await account.mails.all()).at(-1)?.id,
    requests: request?.id,
    runs: run.id,
  };
}

/** Joins texts with spaces into fewer, longer texts of at most `maxLength` characters. */
export function joinTexts(texts: readonly string[], { maxLength }: { readonly maxLength: number }): string[] {
  const joined: string[] = [];
  for (const text of texts) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= maxLength) joined[joined.length - 1] = `${last} ${text}`;
    else joined.push(text);
  }
  return joined;
}

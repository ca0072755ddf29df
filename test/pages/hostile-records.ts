import type { SimulatorAccount } from '../../src/index.js';
import type { clientOf } from '../support/client.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { openReceiver } from '../webhooks/receiver.js';

interface TestPages {
  readonly account: SimulatorAccount;
  readonly client: ReturnType<typeof clientOf>;
  /** Of the simulator. */
  readonly url: string;
}

/**
 * Puts a text of up to 200 characters wherever a client, a receiver or a person can put one.
 * @returns the records that have it, by the section of the dashboard in which they are
 */
export async function fillWith(text: string, { account, client, url }: TestPages) {
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
  const metadata = { [text.slice(0, 40)]: text };
  const deposit = await client.POST('/deposits', {
    body: { booking_reference: text, amount: 5, customer: guest, metadata },
  });
  const hold = deposit.data?.data.id ?? 0;
  await account.deposits.authorize(hold);
  const path = { id: hold };
  const captured = await client.POST('/deposits/{id}/capture', {
    params: { path },
    body: { amount: 1, description: text },
  });
  const statuses = [invoice, link, deposit, captured].map(({ response }) => response.status);
  if (statuses.some((status) => status >= 300)) throw new Error(`not all of it was kept: ${statuses.join(', ')}`);

  await account.apiTokens.create({ name: text, scopes: ['billing.read'] });
  await account.faults.add({ effect: { name: 'status', status: 500, error: text }, match: { token: text } });
  const trigger = { event: 'deposit.created' as const, match: { booking_reference: text } };
  const steps = [{ after: 1_000, do: 'capture' as const, with: { description: text } }];
  await account.scenarios.add({ name: text, description: text, for: 'deposit', trigger, steps });
  const run = await account.scenarios.run(text, hold);
  await account.snapshots.save(text);
  await account.clock.advance('1s');
  const sent = text.replace(/\s/g, '+');
  const requested = await sendHttpRequest(url, {
    path: `/api/v1/deposits/${sent}?booking_reference=${sent}`,
    token: account.tokens.full,
  });
  if (requested.status !== 404) throw new Error(`there is a deposit with the id ${text}`);

  const delivery = (await account.webhooks.all()).find(({ event }) => event === 'deposit.created');
  const [request] = await account.requests();
  return {
    customers: customer.id,
    invoices: invoice.data?.data.id,
    'payment-links': link.data?.data.id,
    payments: payment.id,
    deposits: hold,
    webhooks: delivery?.id,
    mails: (await account.mails.all()).at(-1)?.id,
    requests: request?.id,
    runs: run.id,
  };
}

/** Joins the strings with spaces into as few as possible of limited length. */
export function packed(texts: readonly string[], length: number): string[] {
  const packs: string[] = [];
  for (const text of texts) {
    const last = packs.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= length) packs[packs.length - 1] = `${last} ${text}`;
    else packs.push(text);
  }
  return packs;
}

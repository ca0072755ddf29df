import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordsAt } from '../../src/contract/engine/expect.js';
import { isFullRun } from '../support/sample.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, requireData, startControlServerForTest } from './control-server.js';

/** Accounts that are used at the same time do not affect each other's data, webhooks or clocks. */

const accountCount = isFullRun ? 200 : 24;
const depositsPerAccount = isFullRun ? 5 : 1;
const startTime = Date.parse('2026-03-01T09:00:00Z');
const hourMs = 3_600_000;
/** The clock of the last account advances by more than a week. */
const hoursPerNumber = 8;

/** One of the accounts under load. */
interface Tenant {
  readonly id: string;
  /** Starts at 1. The amounts of deposits, and how far the clock advances, depend on it. */
  readonly number: number;
  readonly token: string;
  readonly webhookSecret: string;
}

async function createTenants(sim: ControlServer, receiverUrl: string): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let number = 1; number <= accountCount; number++) {
    const id = `tenant-${number}`;
    const body = { id, now: new Date(startTime).toISOString(), webhook_url: `${receiverUrl}/${id}`, rate_limit: false };
    const { tokens, webhook_secret } = requireData(await sim.control.POST('/accounts', { body }));
    tenants.push({ id, number, token: tokens.full, webhookSecret: webhook_secret });
  }
  return tenants;
}

test(`${accountCount} accounts under load stay isolated`, async () => {
  const receiver = await openReceiver();
  const sim = await startControlServerForTest();
  const tenants = await createTenants(sim, receiver.url);

  await Promise.all(
    tenants.map(async ({ id, number, token }) => {
      const accountPath = `/accounts/${id}`;
      for (let index = 1; index <= depositsPerAccount; index++) {
        const deposit = { booking_reference: `${id}/${index}`, amount: number + index / 100 };
        const { status } = await sim.callService(token, 'POST', '/deposits', deposit);
        expect(status).toBe(201);
        await sim.callControl('POST', `${accountPath}/deposits/${index}/authorize`);
      }
      await sim.callControl('POST', `${accountPath}/clock/advance`, { by: `${number * hoursPerNumber}h` });
    }),
  );

  for (const { id, number, token, webhookSecret } of tenants) {
    const { body } = await sim.callService(token, 'GET', '/deposits?per_page=100');
    const deposits = recordsAt(body, 'data.data');
    expect(deposits.map((deposit) => deposit['booking_reference']).sort()).toEqual(
      Array.from({ length: depositsPerAccount }, (_, index) => `${id}/${index + 1}`),
    );
    // Holds expire after a week.
    const isExpired = number * hoursPerNumber >= 7 * 24;
    expect(new Set(deposits.map(({ status }) => status))).toEqual(new Set([isExpired ? 'expired' : 'authorized']));
    const path = { account: id };
    const clock = requireData(await sim.control.GET('/accounts/{account}/clock', { params: { path } }));
    expect(clock).toEqual({
      now: new Date(startTime + number * hoursPerNumber * hourMs).toISOString(),
      mode: 'frozen',
    });

    const received = receiver.received.filter((message) => message.path === `/${id}`);
    const deliveries = requireData(await sim.control.GET('/accounts/{account}/deliveries', { params: { path } }));
    // One delivery for the creation of a deposit, one for its authorization, and one for its expiry if it has expired.
    expect(deliveries.total).toBe(depositsPerAccount * (isExpired ? 3 : 2));
    // A message that gets no response within 15 seconds, which happens on a very busy machine, is sent again.
    const receivedIds = new Set(received.map((message) => JSON.parse(message.body.toString()).id));
    expect([...receivedIds].sort()).toEqual(deliveries.data.map((delivery) => delivery.id).sort());
    for (const { headers, body: bytes } of received) {
      expect(headers['x-service-signature']).toBe(
        `sha256=${createHmac('sha256', webhookSecret).update(bytes).digest('hex')}`,
      );
      expect(JSON.parse(bytes.toString()).data.booking_reference).toMatch(new RegExp(`^${id}/`));
    }
    const { data: requests } = requireData(await sim.control.GET('/accounts/{account}/requests', { params: { path } }));
    // One for each deposit, and the list above; requests to the control API are not logged.
    expect(requests).toHaveLength(depositsPerAccount + 1);
  }

  // Deleting an account does not affect the others.
  await Promise.all(
    tenants.filter(({ number }) => number % 2 === 0).map(({ id }) => sim.callControl('DELETE', `/accounts/${id}`)),
  );
  const responses = await Promise.all(tenants.map(({ token }) => sim.callService(token, 'GET', '/deposits')));
  expect(responses.map(({ status }) => status)).toEqual(tenants.map(({ number }) => (number % 2 === 0 ? 401 : 200)));
  const initialAccountCount = 1;
  expect(requireData(await sim.control.GET('/accounts', {})).total).toBe(initialAccountCount + accountCount / 2);
});

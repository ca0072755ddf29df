import { type Simulator, type SimulatorAccount, startSimulator } from 'billing-sim';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Booking } from './booking.js';

let simulator: Simulator;
let hotel: SimulatorAccount;
let booking: Booking;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});
afterAll(() => simulator.close());

beforeEach(async () => {
  hotel = await simulator.createAccount();
  booking = new Booking({ baseUrl: simulator.baseUrl, token: hotel.tokens.full, webhookSecret: hotel.webhookSecret });
});

test('a deposit that nobody captures expires after a week', async () => {
  const { id } = await booking.askForDeposit('BK-1', 300);
  await hotel.deposits.authorize(id);
  const { steps } = await hotel.clock.advance('8d');
  expect(steps).toContainEqual(expect.objectContaining({ at: '2026-03-08T09:00:00.000Z', event: 'deposit.expired' }));

  const { headers, body } = await hotel.webhooks.next('deposit.expired');
  expect(booking.receive(headers, body)).toBe(200);
  expect(booking.status).toBe('expired');
});

test('a forged webhook is rejected', async () => {
  await booking.askForDeposit('BK-2', 300);
  const { headers, body } = await hotel.webhooks.next('deposit.created');
  expect(booking.receive(headers, body.replace('pending', 'captured'))).toBe(401);
});

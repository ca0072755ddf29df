import type { SimulatorAccount } from 'billing-sim';
import { test } from 'billing-sim/vitest';
import { describe, expect } from 'vitest';
import { Booking } from './booking.js';

test.override({ billingOptions: { now: '2026-03-01T09:00:00Z' } });

const createBooking = ({ baseUrl, tokens, webhookSecret }: SimulatorAccount): Booking =>
  new Booking({ baseUrl, token: tokens.full, webhookSecret });

test('a deposit that nobody captures expires after a week', async ({ billing }) => {
  const booking = createBooking(billing);
  const { id } = await booking.askForDeposit('BK-1', 300);
  await billing.deposits.authorize(id);
  const { steps } = await billing.clock.advance('8d');
  expect(steps).toContainEqual(expect.objectContaining({ at: '2026-03-08T09:00:00.000Z', event: 'deposit.expired' }));

  const { headers, body } = await billing.webhooks.next('deposit.expired', { deposit: id });
  expect(booking.receive(body, headers['X-Service-Signature'])).toBe(200);
  expect(booking.status).toBe('expired');
});

test('a webhook with a wrong signature is rejected', async ({ billing }) => {
  const booking = createBooking(billing);
  await booking.askForDeposit('BK-2', 300);
  const { headers, body } = await billing.webhooks.next('deposit.created');
  expect(booking.receive(body.replace('pending', 'captured'), headers['X-Service-Signature'])).toBe(401);
  expect(booking.status).toBe('pending');
});

describe('with a profile in which holds last two days', () => {
  test.override({ billingOptions: { now: '2026-03-01T09:00:00Z', profile: { 'deposit.window': { for: 'P2D' } } } });

  test('a deposit expires after two days', async ({ billing }) => {
    const { id } = await createBooking(billing).askForDeposit('BK-3', 300);
    const { expires_at } = await billing.deposits.authorize(id);
    expect(expires_at).toBe('2026-03-03T09:00:00+00:00');
  });
});

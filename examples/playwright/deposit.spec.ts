import { expect } from '@playwright/test';
import { test as base } from 'billing-sim/playwright';
import { type Hotel, startHotel } from './hotel';

const test = base.extend<{ hotel: Hotel }>({
  hotel: async ({ billing }, use) => {
    const { baseUrl, tokens, webhookSecret, webhooks } = billing;
    const hotel = await startHotel({ baseUrl, token: tokens.full, webhookSecret });
    await webhooks.configure({ url: `${hotel.url}/webhooks` });
    await use(hotel);
    await hotel.close();
  },
  baseURL: ({ hotel }, use) => use(hotel.url),
});

test.use({ billingOptions: { now: '2026-03-01T09:00:00Z' } });

test('a guest authorizes a deposit, which expires after a week', async ({ page, billing }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Book' }).click();
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByRole('button', { name: 'Authorize €300.00' }).click();
  await expect(page.getByRole('heading', { name: '€300.00 is held on your card' })).toBeVisible();

  await billing.clock.advance('8d');

  await page.goto('/');
  await expect(page.getByText('Deposit: expired')).toBeVisible();
});

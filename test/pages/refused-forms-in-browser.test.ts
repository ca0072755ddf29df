import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { openDashboardPage } from './open-dashboard-page.js';

/** A refused form is shown again with its input (except card numbers), and with an error at the invalid field. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

interface RefusedForm {
  /** Path below `/dashboard/{account}/`, with the query. */
  readonly path: string;
  /** Text to click before the form can be filled in. */
  readonly clickFirst?: string;
  readonly input: Readonly<Record<string, string>>;
  readonly button: string;
  /** The label of the invalid field, and text that its error message contains. */
  readonly error: readonly [label: string, message: string];
}

const cases: readonly RefusedForm[] = [
  {
    path: 'deposits',
    clickFirst: 'New deposit',
    input: { 'Booking reference': 'BK-77', Amount: '-5', Currency: 'USD' },
    button: 'Create deposit',
    error: ['Amount', 'The Amount field must be'],
  },
  {
    path: 'faults?effect=hang',
    clickFirst: 'More conditions',
    input: { Effect: 'status=503', 'Name of the token': 'full', Probability: '7' },
    button: 'Inject fault',
    error: ['Probability', 'Probability: must be 1 or less'],
  },
  {
    path: 'invoices/8',
    input: { 'Amount (EUR)': '1000000' },
    button: 'Pay',
    error: ['Amount (EUR)', 'Amount exceeds the unpaid amount.'],
  },
  {
    path: 'accounts',
    input: { Id: 'demo', 'Freeze clock at': '2026-03-01T09:00:00Z' },
    button: 'Create account',
    error: ['Id', 'Account already exists.'],
  },
  {
    path: 'clock',
    input: { Duration: 'soon' },
    button: 'Advance clock',
    error: ['Duration', 'The Duration field must be a duration'],
  },
  {
    path: 'webhooks',
    input: { 'Webhook URL': 'ftp://127.0.0.1/' },
    button: 'Save webhook URL',
    error: ['Webhook URL', 'The webhook URL must begin with http:// or https://.'],
  },
];

const casesWithAndWithoutJavaScript = cases.flatMap((form) =>
  [true, false].map((javaScriptEnabled) => ({ ...form, javaScriptEnabled })),
);

const fieldNamed = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });

/** The text of the elements that describe a field. */
async function descriptionOf(page: Page, field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))).join(' ');
}

test.for(sampleUnlessFull(casesWithAndWithoutJavaScript, { oneIn: 5 }))(
  'the refused "$button" form on $path keeps its input and shows the error (JavaScript: $javaScriptEnabled)',
  async ({ path, clickFirst, input, button, error: [label, message], javaScriptEnabled }, context) => {
    const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim, { javaScriptEnabled });
    await page.goto(`${dashboardUrl}/${path}`);
    if (clickFirst !== undefined) await page.getByText(clickFirst, { exact: true }).click();
    for (const [name, text] of Object.entries(input)) await fieldNamed(page, name).fill(text);
    await page.getByRole('button', { name: button, exact: true }).click();

    const summary = page.getByRole('alert');
    await summary.waitFor();
    const field = fieldNamed(page, label);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await descriptionOf(page, field)).toContain(message);
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
    for (const [name, text] of Object.entries(input)) {
      const shownField = fieldNamed(page, name);
      expect({ name, value: await shownField.inputValue() }).toEqual({ name, value: text });
      expect({ name, isVisible: await shownField.isVisible() }).toEqual({ name, isVisible: true });
    }
    // The summary leads to the field.
    await summary.getByRole('link', { name: message }).click();
    expect(await page.locator(':focus').getAttribute('id')).toBe(await field.getAttribute('id'));
    expect(pageErrors).toEqual([]);
  },
);

test('the errors of a form stay while the page around it changes, and disappear once it is accepted', async (context) => {
  const { page, pageErrors, account, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/deposits/2`);
  const amount = page.getByLabel('Amount (');
  await amount.fill('5000');
  await page.getByRole('button', { name: 'Capture' }).click();
  await page.getByRole('alert').waitFor();
  await account.scenarios.run('no-show', 2);
  await page.getByText('next step of scenario no-show').last().waitFor();
  expect(await amount.inputValue()).toBe('5000');
  expect(await amount.getAttribute('aria-invalid')).toBe('true');
  await amount.fill('10');
  await page.getByRole('button', { name: 'Capture' }).click();
  await page.locator('.summary .status', { hasText: 'partially_captured' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await amount.inputValue()).toBe('');
  expect(await amount.getAttribute('aria-invalid')).toBeNull();
  expect(pageErrors).toEqual([]);
});

test('unchecked boxes stay unchecked, and the error message is at their group', async (context) => {
  const { page, dashboardUrl } = await openDashboardPage(context, sim, { javaScriptEnabled: false });
  await page.goto(`${dashboardUrl}/tokens`);
  await page.getByLabel('Name').fill('none');
  for (const scope of ['billing.read', 'billing.write']) await page.getByLabel(scope).uncheck();
  await page.getByRole('button', { name: 'Create token' }).click();
  const group = page.getByRole('group', { name: 'Scopes' });
  expect(await descriptionOf(page, group)).toBe('The Scopes field is required.');
  expect(await page.getByLabel('Name').inputValue()).toBe('none');
  expect(await page.getByLabel('billing.read').isChecked()).toBe(false);
});

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'a card number that was refused is not shown again (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, account } = await openDashboardPage(context, sim, { expectsErrorStatus: true, javaScriptEnabled });
    for (const path of [`/pay/${account.id}/consulting-march`, `/authorize/${account.id}/1`]) {
      await page.goto(sim.url + path);
      await page.getByLabel('Card number').fill('4242 4242 4242 4241');
      await page.locator('form button').first().click();
      const field = page.getByLabel('Card number');
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await descriptionOf(page, field)).toContain('a digit is wrong');
      expect(await field.inputValue()).toBe('');
      expect(await page.content()).not.toContain('4242 4242 4242 4241');
      expect(await page.locator(':focus').getAttribute('name')).toBe('number');
    }
  },
);

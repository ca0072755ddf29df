import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { cards, createDemoAccount, eventNamesOf, guestPages, merchantNameOf } from './guest.js';
import { visibleText } from './html-text.js';

/** `/authorize/{deposit}`: the page where a guest authorizes the hold of a deposit. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/**
 * Creates an account with a pending deposit of €300. `path` is the path of the deposit's page without the account id,
 * as `GuestPages` expects.
 */
async function createPendingDeposit(profile: Choices = {}) {
  const demo = await createDemoAccount(sim, profile);
  const body = {
    booking_reference: 'BK-77',
    amount: 300,
    currency: 'EUR' as const,
    customer: { name: 'Lise Meitner', email: 'lise@inn.example' },
    check_in_date: '2026-03-05',
    check_out_date: '2026-03-08',
  };
  const { data } = await demo.client.POST('/deposits', { body });
  const url = String(data?.data.authorization_url);
  const earlierEventCount = (await eventNamesOf(demo.account)).length;
  return {
    ...demo,
    path: new URL(url).pathname.replace(`/${demo.account.id}/`, '/'),
    readDeposit: async () =>
      (await demo.client.GET('/deposits', { params: { query: { booking_reference: 'BK-77' } } })).data?.data.data[0],
    /** Names of the webhook events since the deposit was created. */
    newEvents: async () => (await eventNamesOf(demo.account)).slice(earlierEventCount),
  };
}

describe('a pending deposit', () => {
  test("has a page that shows the hold's purpose, amount and expiry", async () => {
    const { pages, path, account } = await createPendingDeposit();
    const { status, text } = await pages.open(path);
    expect(status).toBe(200);
    expect(visibleText(text)).toContain(
      `Authorize €300.00 The security deposit will be held on your card. Nothing is charged. For ${merchantNameOf(account)} Booking BK-77 Guest Lise Meitner Check-in 5 March 2026 Check-out 8 March 2026 Held until 8 March 2026, 09:00 UTC Card`,
    );
    expect(visibleText(text)).not.toContain('Authorize before');
  });

  test('shows the times set by deposit.window and deposit.link-expiry', async () => {
    const { pages, path } = await createPendingDeposit({
      'deposit.window': { for: '36h' },
      'deposit.link-expiry': { after: '2h' },
    });
    const text = visibleText((await pages.open(path)).text);
    expect(text).toContain('Held until 2 March 2026, 21:00 UTC');
    expect(text).toContain('Authorize before 1 March 2026, 11:00 UTC');
  });

  test('has no lines for fields that are not set', async () => {
    const { pages, client, account } = await createDemoAccount(sim);
    const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const { text } = await pages.open(`/authorize/${data?.data.id}`);
    expect(visibleText(text)).toContain(`For ${merchantNameOf(account)} Booking BK-1 Held until`);
  });

  test.each([
    ['authorized', 'paid', ['deposit.authorized'], '€300.00 is held on your card'],
    ['failed', 'declined', ['deposit.failed'], 'The card was declined'],
    ['failed', 'unknown', ['deposit.failed'], 'it is not a test card for holds'],
    ['failed', 'paidLater', ['deposit.failed'], 'it is not a test card for holds'],
    ['pending', 'authentication', [], 'Do you approve?'],
  ] as const)("is %s after the guest enters the test card '%s'", async (status, card, events, text) => {
    const { pages, path, readDeposit, newEvents } = await createPendingDeposit();
    const response = await pages.submitForm(path, { number: cards[card] });
    expect(response.status).toBe(303);
    expect(await pages.readRedirectTarget(response)).toContain(text);
    expect(await readDeposit()).toMatchObject({ status });
    expect(await newEvents()).toEqual(events);
  });

  test.each([
    ['authorized', 'approve', ['deposit.authorized']],
    ['failed', 'decline', ['deposit.failed']],
  ])("is %s after the guest answers '%s' to the bank's challenge", async (status, answer, events) => {
    const { pages, path, readDeposit, newEvents } = await createPendingDeposit();
    const challenge = await pages.submitForm(path, { number: cards.authentication });
    expect(await pages.readRedirectTarget(challenge)).toContain('€300.00 to be held for BK-77');
    await pages.postFields(path, { answer });
    expect(await readDeposit()).toMatchObject({ status });
    expect(await newEvents()).toEqual(events);
  });

  test.each(['', '4242', '4242 4242 4242 4241'])(
    'stays pending if the guest enters the invalid card number %j',
    async (number) => {
      const { pages, path, readDeposit } = await createPendingDeposit();
      expect(await pages.submitForm(path, { number })).toMatchObject({ status: 422 });
      expect(await readDeposit()).toMatchObject({ status: 'pending' });
    },
  );

  test('is authorized only once, even if the form is sent several times in parallel', async () => {
    const { pages, path, newEvents } = await createPendingDeposit();
    const numbers = [cards.paid, cards.paid, cards.declined, cards.authentication, cards.paid];
    const responses = await Promise.all(numbers.map((number) => pages.postFields(path, { number })));
    expect(responses.map(({ status }) => status)).toEqual(numbers.map(() => 303));
    expect(await newEvents()).toEqual(['deposit.authorized']);
  });

  test('accepts another card after a decline if deposit.decline is pending', async () => {
    const { pages, path, readDeposit, newEvents } = await createPendingDeposit({ 'deposit.decline': 'pending' });
    const response = await pages.submitForm(path, { number: cards.declined });
    expect(await pages.readRedirectTarget(response)).toMatch(
      /^Authorize €300\.00 The card was declined\. Try another one\./,
    );
    expect(await readDeposit()).toMatchObject({ status: 'pending' });
    await pages.submitForm(path, { number: cards.paid });
    expect(await readDeposit()).toMatchObject({ status: 'authorized' });
    expect(await newEvents()).toEqual(['deposit.authorized']);
  });

  test.each(['uuid', 'prefixed'])('whose id has the form %s is authorized on its page', async (idForm) => {
    const { pages, path, readDeposit } = await createPendingDeposit({ 'deposit.id': idForm });
    await pages.submitForm(path, { number: cards.paid });
    expect(await readDeposit()).toMatchObject({ status: 'authorized' });
  });
});

describe('the page of a deposit shows its status', () => {
  test.each([
    ['authorized', 2, 200, 'is held on your card', 'Held until'],
    ['partially captured', 3, 200, 'The rest is still held on your card.', 'Held until'],
    ['captured', 4, 200, 'Nothing is held on your card now.', 'Charged'],
    ['released', 5, 200, 'The deposit is released', 'Nothing was charged.'],
    ['expired', 6, 410, 'has expired', 'Nothing was charged.'],
    ['failed', 7, 200, 'The card was declined', 'Ask whoever sent you this link for a new one.'],
  ])('%s (deposit %i): HTTP %i, "%s"', async (_status, id, httpStatus, title, text) => {
    const { pages } = await createDemoAccount(sim);
    const response = await pages.open(`/authorize/${id}`);
    expect(response.status).toBe(httpStatus);
    expect(visibleText(response.text)).toContain(title);
    expect(visibleText(response.text)).toContain(text);
    expect(response.text).not.toContain('<form');
  });

  test('after its hold has expired', async () => {
    const { pages, path, account } = await createPendingDeposit();
    await pages.submitForm(path, { number: cards.paid });
    // A hold lasts seven days.
    await account.clock.advance('8d');
    const { status, text } = await pages.open(path);
    expect({ status, text: visibleText(text) }).toEqual({
      status: 410,
      text: expect.stringContaining('The hold has expired Nothing was charged.'),
    });
  });

  test('when the form is sent after the link has expired', async () => {
    const { pages, path, account, newEvents } = await createPendingDeposit({ 'deposit.link-expiry': { after: '2h' } });
    await account.clock.advance('3h');
    const response = await pages.postFields(path, { number: cards.paid });
    expect(await pages.readRedirectTarget(response)).toContain('This link has expired Nothing was held.');
    expect(await newEvents()).toEqual(['deposit.expired']);
  });
});

test.each(['/authorize/99', '/authorize/x', '/authorize/', '/authorize/nobody/1'])(
  'the unknown path %s gets HTTP 404, and so does a form that is sent to it',
  async (path) => {
    const pages = guestPages(sim.url);
    expect(await pages.open(path)).toMatchObject({ status: 404 });
    expect(await pages.postFields(path, { number: cards.paid })).toMatchObject({ status: 404 });
  },
);

test('a form sent from another site is refused', async () => {
  const { pages, path, readDeposit } = await createPendingDeposit();
  const crossSiteHeader = ['Sec-Fetch-Site', 'cross-site'];
  expect(await pages.postFields(path, { number: cards.paid }, crossSiteHeader)).toMatchObject({ status: 403 });
  expect(await readDeposit()).toMatchObject({ status: 'pending' });
});

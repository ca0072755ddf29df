import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { cards, createDemoAccount, eventNamesOf, guestPages, textOf } from './guest.js';

/** `/authorize/{deposit}`: the page where a guest authorizes the hold of a deposit. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Creates an account and a pending deposit, with the path of its page. */
async function openTestPage(profile: Choices = {}) {
  const opened = await createDemoAccount(sim, profile);
  const body = {
    booking_reference: 'BK-77',
    amount: 300,
    currency: 'EUR' as const,
    customer: { name: 'Lise Meitner', email: 'lise@inn.example' },
    check_in_date: '2026-03-05',
    check_out_date: '2026-03-08',
  };
  const { data } = await opened.client.POST('/deposits', { body });
  const url = String(data?.data.authorization_url);
  const earlierEventCount = (await eventNamesOf(opened.account)).length;
  return {
    ...opened,
    path: new URL(url).pathname.replace(`/${opened.account.id}/`, '/'),
    deposit: async () =>
      (await opened.client.GET('/deposits', { params: { query: { booking_reference: 'BK-77' } } })).data?.data.data[0],
    /** Events since the deposit was created. */
    events: async () => (await eventNamesOf(opened.account)).slice(earlierEventCount),
  };
}

describe('a pending deposit', () => {
  test('has a page with purpose, amount and expiry of the hold', async () => {
    const { pages, path, account } = await openTestPage();
    const { status, text } = await pages.open(path);
    expect(status).toBe(200);
    expect(textOf(text)).toContain(
      `Authorize €300.00 The security deposit will be held on your card. Nothing is charged. For ${account.id.replace('guests-', 'Guests ')} Booking BK-77 Guest Lise Meitner Check-in 5 March 2026 Check-out 8 March 2026 Held until 8 March 2026, 09:00 UTC Card`,
    );
    expect(textOf(text)).not.toContain('Authorize before');
  });

  test('shows the times set by deposit.window and deposit.link-expiry', async () => {
    const { pages, path } = await openTestPage({
      'deposit.window': { for: '36h' },
      'deposit.link-expiry': { after: '2h' },
    });
    const text = textOf((await pages.open(path)).text);
    expect(text).toContain('Held until 2 March 2026, 21:00 UTC');
    expect(text).toContain('Authorize before 1 March 2026, 11:00 UTC');
  });

  test('has no lines for fields that are not set', async () => {
    const { pages, client, account } = await createDemoAccount(sim);
    const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const { text } = await pages.open(`/authorize/${data?.data.id}`);
    expect(textOf(text)).toContain(`For ${account.id.replace('guests-', 'Guests ')} Booking BK-1 Held until`);
  });

  test.each([
    ['paid', 'authorized', ['deposit.authorized'], '€300.00 is held on your card'],
    ['declined', 'failed', ['deposit.failed'], 'The card was declined'],
    ['unknown', 'failed', ['deposit.failed'], 'it is not a test card for holds'],
    ['paidLater', 'failed', ['deposit.failed'], 'it is not a test card for holds'],
    ['authentication', 'pending', [], 'Do you approve?'],
  ] as const)('with the card %s becomes %s', async (card, status, events, page) => {
    const opened = await openTestPage();
    const sent = await opened.pages.fillIn(opened.path, { number: cards[card] });
    expect(sent.status).toBe(303);
    expect(await opened.pages.readRedirectTarget(sent)).toContain(page);
    expect(await opened.deposit()).toMatchObject({ status });
    expect(await opened.events()).toEqual(events);
  });

  test.each([
    ['approve', 'authorized', ['deposit.authorized']],
    ['fail', 'failed', ['deposit.failed']],
  ])("after the answer '%s' to the bank's challenge becomes %s", async (answer, status, events) => {
    const { pages, path, deposit, events: reportedEvents } = await openTestPage();
    const challenge = await pages.fillIn(path, { number: cards.authentication });
    expect(await pages.readRedirectTarget(challenge)).toContain('€300.00 to be held for BK-77');
    await pages.send(path, { answer });
    expect(await deposit()).toMatchObject({ status });
    expect(await reportedEvents()).toEqual(events);
  });

  test.each(['', '4242', '4242 4242 4242 4241'])(
    'shows the form again for an invalid card number: %j',
    async (number) => {
      const { pages, path, deposit } = await openTestPage();
      expect(await pages.fillIn(path, { number })).toMatchObject({ status: 422 });
      expect(await deposit()).toMatchObject({ status: 'pending' });
    },
  );

  test('is authorized once, however often the form is sent', async () => {
    const { pages, path, events } = await openTestPage();
    const numbers = [cards.paid, cards.paid, cards.declined, cards.authentication, cards.paid];
    const replies = await Promise.all(numbers.map((number) => pages.send(path, { number })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await events()).toEqual(['deposit.authorized']);
  });

  test('accepts another card after a decline if deposit.decline is pending', async () => {
    const { pages, path, deposit, events } = await openTestPage({ 'deposit.decline': 'pending' });
    const sent = await pages.fillIn(path, { number: cards.declined });
    expect(await pages.readRedirectTarget(sent)).toMatch(
      /^Authorize €300\.00 The card was declined\. Try another one\./,
    );
    expect(await deposit()).toMatchObject({ status: 'pending' });
    await pages.fillIn(path, { number: cards.paid });
    expect(await deposit()).toMatchObject({ status: 'authorized' });
    expect(await events()).toEqual(['deposit.authorized']);
  });

  test.each(['uuid', 'prefixed'])('has a page if its id has the form %s', async (form) => {
    const { pages, path, deposit } = await openTestPage({ 'deposit.id': form });
    await pages.fillIn(path, { number: cards.paid });
    expect(await deposit()).toMatchObject({ status: 'authorized' });
  });
});

describe('the page of a deposit shows its status', () => {
  test.each([
    [2, 200, 'is held on your card', 'Held until'],
    [3, 200, 'The rest is still held on your card.', 'Held until'],
    [4, 200, 'Nothing is held on your card now.', 'Charged'],
    [5, 200, 'The deposit is released', 'Nothing was charged.'],
    [6, 410, 'has expired', 'Nothing was'],
    [7, 200, 'The card was declined', 'Ask whoever sent you this link for a new one.'],
  ])('deposit %i: HTTP %i, "%s"', async (id, status, title, text) => {
    const { pages } = await createDemoAccount(sim);
    const reply = await pages.open(`/authorize/${id}`);
    expect(reply.status).toBe(status);
    expect(textOf(reply.text)).toContain(title);
    expect(textOf(reply.text)).toContain(text);
    expect(reply.text).not.toContain('<form');
  });

  test('once its hold has expired', async () => {
    const { pages, path, account } = await openTestPage();
    await pages.fillIn(path, { number: cards.paid });
    await account.clock.advance('8d');
    const { status, text } = await pages.open(path);
    expect({ status, text: textOf(text) }).toEqual({
      status: 410,
      text: expect.stringContaining('The hold has expired Nothing was charged.'),
    });
  });

  test('once its link has expired, also if the form is sent too late', async () => {
    const { pages, path, account, events } = await openTestPage({ 'deposit.link-expiry': { after: '2h' } });
    await account.clock.advance('3h');
    const sent = await pages.send(path, { number: cards.paid });
    expect(await pages.readRedirectTarget(sent)).toContain('This link has expired Nothing was held.');
    expect(await events()).toEqual(['deposit.expired']);
  });

  test.each(['/authorize/99', '/authorize/x', '/authorize/', '/authorize/nobody/1'])(
    '%s is not found',
    async (path) => {
      const pages = guestPages(sim.url);
      expect(await pages.open(path)).toMatchObject({ status: 404 });
      expect(await pages.send(path, { number: cards.paid })).toMatchObject({ status: 404 });
    },
  );
});

test('a form sent from another site is refused', async () => {
  const { pages, path, deposit } = await openTestPage();
  const foreign = ['Sec-Fetch-Site', 'cross-site'];
  expect(await pages.send(path, { number: cards.paid }, foreign)).toMatchObject({ status: 403 });
  expect(await deposit()).toMatchObject({ status: 'pending' });
});

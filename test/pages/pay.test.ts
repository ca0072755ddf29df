import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { breakDisk } from '../support/failing-disk.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { tempFolder } from '../support/temp-folder.js';
import { cards, createDemoAccount, eventNamesOf, guestPages, hiddenFields } from './guest.js';
import { visibleText } from './html-text.js';

/** `/pay/{slug}`: the pages where guests pay payment links and invoices. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

async function openTestPage(profile: Choices = {}) {
  const opened = await createDemoAccount(sim, profile);
  const { client } = opened;
  return {
    ...opened,
    payment: async () => (await client.GET('/payments', { params: { query: { per_page: 1 } } })).data?.data.data[0],
    payments: async () => (await client.GET('/payments')).data?.data.data ?? [],
    link: async (id: number) => (await client.GET('/payment-links')).data?.data.data.find((one) => one.id === id),
    invoice: async (id: number) =>
      (await client.GET('/invoices/{invoice}', { params: { path: { invoice: id } } })).data?.data,
  };
}

const link = '/pay/consulting-march';

/** For each test card: the payment status, the totals of the link, the events and the heading right after paying. */
const outcomes = [
  ['paid', { status: 'paid', payments: 2, revenue: 299.8, events: ['payment.succeeded'], page: 'Paid' }],
  ['declined', { status: 'failed', payments: 1, revenue: 149.9, events: [], page: 'Not paid' }],
  ['unknown', { status: 'failed', payments: 1, revenue: 149.9, events: [], page: 'Not paid' }],
  ['authentication', { status: 'open', payments: 1, revenue: 149.9, events: [], page: 'Do you approve?' }],
  ['paidLater', { status: 'pending', payments: 1, revenue: 149.9, events: [], page: 'Payment under way' }],
  ['failsLater', { status: 'pending', payments: 1, revenue: 149.9, events: [], page: 'Payment under way' }],
] as const;

describe('a payment link', () => {
  test('shows payee, amount, purpose and methods', async () => {
    const { pages, account } = await openTestPage();
    const { status, text, headers } = await pages.open(link);
    expect(status).toBe(200);
    expect(visibleText(text)).toContain(
      `Pay €149.90 Consulting March To ${account.id.replace('guests-', 'Guests ')} By card`,
    );
    const methods = [...text.matchAll(/<option value="([a-z_]+)">/g)].map(([, method]) => method);
    expect(methods.slice(0, 4)).toEqual(['sepa_debit', 'bank_transfer', 'ideal', 'paypal']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test.each([
    ['JPY', 1500, 'Pay ¥1,500'],
    ['KWD', 12.5, 'Pay KWD 12.500'],
    ['USD', 1234.5, 'Pay $1,234.50'],
  ] as const)('shows an amount in %s', async (currency, amount, title) => {
    const { pages, client } = await openTestPage();
    await client.POST('/payment-links', { body: { description: 'Money', amount, currency } });
    expect(visibleText((await pages.open('/pay/money')).text)).toContain(title);
  });

  test.each(outcomes)(
    'paid with the card %s has the outcome of that card',
    async (card, { status, payments, revenue, events, page }) => {
      const opened = await openTestPage();
      const sent = await opened.pages.fillIn(link, { number: cards[card] });
      expect(sent.status).toBe(303);
      expect(await opened.pages.readRedirectTarget(sent)).toMatch(new RegExp(`^${page.replace('?', '\\?')}`));
      const expected = { status, payment_method: 'card', payment_link_id: 1, description: 'Consulting March' };
      expect(await opened.payment()).toMatchObject({ ...expected, amount: 149.9, customer: { name: 'Guest' } });
      expect(await opened.link(1)).toMatchObject({ payments_count: payments, revenue });
      expect(await eventNamesOf(opened.account)).toEqual(events);
    },
  );

  test.each([
    ['paidLater', '9m 59s', 'pending', []],
    ['paidLater', '10m', 'paid', ['payment.succeeded']],
    ['failsLater', '9m 59s', 'pending', []],
    ['failsLater', '10m', 'failed', []],
    ['authentication', '59m 59s', 'open', []],
    ['authentication', '1h', 'failed', []],
  ] as const)('paid with the card %s: after %s the payment is %s', async (card, by, status, events) => {
    const { pages, account, payment } = await openTestPage();
    await pages.fillIn(link, { number: cards[card] });
    const [due] = (await account.agenda()).filter(({ kind }) => kind === 'payment-ends');
    expect(due?.id).toBe(9);
    await account.clock.advance(by);
    expect(await payment()).toMatchObject({ id: 9, status });
    expect(await eventNamesOf(account)).toEqual(events);
  });

  test('says once that an unknown card is not a test card', async () => {
    const { pages } = await openTestPage();
    const sent = await pages.fillIn(link, { number: cards.unknown });
    const note = 'The card was declined: it is not a test card.';
    expect(await pages.readRedirectTarget(sent)).toContain(note);
    expect(await pages.readRedirectTarget(sent)).not.toContain(note);
  });

  test.each([
    ['approve', 'paid', ['payment.succeeded'], 'Paid'],
    ['fail', 'failed', [], 'Not paid'],
  ])(
    'paid with a card that needs approval by the bank: after "%s" the payment is %s',
    async (answer, status, events, page) => {
      const { pages, account, payment } = await openTestPage();
      const challenge = await pages.fillIn(link, { number: cards.authentication });
      const { form = '' } = Object.fromEntries(new URL(challenge.location, sim.url).searchParams);
      const sent = await pages.send(link, { form, answer });
      expect(await pages.readRedirectTarget(sent)).toMatch(new RegExp(`^${page} `));
      expect(await payment()).toMatchObject({ status });
      expect(await eventNamesOf(account)).toEqual(events);
      // A second answer and the timeout of the challenge come too late to change anything.
      await pages.send(link, { form, answer: answer === 'approve' ? 'fail' : 'approve' });
      await account.clock.advance('2h');
      expect(await payment()).toMatchObject({ status });
      expect(await eventNamesOf(account)).toEqual(events);
    },
  );

  test.each([
    ['sepa_debit', 'paid-later', 'pending', 'paid'],
    ['bank_transfer', 'fails-later', 'pending', 'failed'],
    ['ideal', 'paid', 'paid', 'paid'],
    ['paypal', 'declined', 'failed', 'failed'],
  ])(
    'paid by %s with the outcome %s: the payment is first %s and finally %s',
    async (method, outcome, firstStatus, finalStatus) => {
      const { pages, account, payment } = await openTestPage();
      const sent = await pages.fillIn(link, { method, outcome });
      expect(sent.status).toBe(303);
      expect(await payment()).toMatchObject({ status: firstStatus, payment_method: method });
      await account.clock.advance('1d');
      expect(await payment()).toMatchObject({ status: finalStatus });
    },
  );

  test.each([
    [{ number: '' }, 'A card number has 12 to 19 digits.'],
    [{ number: '4242 4242 4242 4241' }, 'This is not a valid card number: a digit is wrong.'],
  ])('shows the form again for an invalid card number: %j', async (fields, reason) => {
    const { pages, payments } = await openTestPage();
    const before = await payments();
    const sent = await pages.fillIn(link, fields);
    expect({ status: sent.status, text: visibleText(sent.text) }).toEqual({
      status: 422,
      text: expect.stringContaining(reason),
    });
    expect(await payments()).toEqual(before);
    // The same form with a valid number is accepted.
    const { form = '', method = '' } = hiddenFields(sent.text);
    expect(await pages.send(link, { form, method, number: cards.paid })).toMatchObject({ status: 303 });
    expect((await payments()).length).toBe(before.length + 1);
  });

  test.each([
    [{ form: '' }, 422],
    [{ form: 'short' }, 422],
    [{ form: '<script>alert(1)</script>' }, 422],
    [{ method: 'cash' }, 422],
    [{ method: 'sepa_debit', outcome: 'gone' }, 422],
    [{ method: 'sepa_debit', outcome: 'authentication' }, 422],
    [{ method: 'sepa_debit' }, 422],
  ])('rejects a form with invalid fields: %j', async (fields, status) => {
    const { pages, payments } = await openTestPage();
    const before = await payments();
    expect(await pages.fillIn(link, { number: cards.paid, ...fields })).toMatchObject({ status });
    expect(await payments()).toEqual(before);
  });
});

describe('a form that is sent more than once', () => {
  test.each(['paid', 'declined', 'authentication', 'paidLater'] as const)(
    'creates one payment and always shows its outcome (card: %s)',
    async (card) => {
      const { pages, account, payments } = await openTestPage();
      const before = (await payments()).length;
      const form = { ...hiddenFields((await pages.open(link)).text), number: cards[card] };
      const replies = await Promise.all(Array.from({ length: 8 }, () => pages.send(link, form)));
      replies.push(await pages.send(link, { ...form, number: cards.paid }));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
      const shownForms = replies.map(({ location }) => new URL(location, sim.url).searchParams.get('form'));
      expect(new Set(shownForms)).toEqual(new Set([Object(form)['form']]));
      expect((await payments()).length).toBe(before + 1);
      expect((await eventNamesOf(account)).length).toBe(card === 'paid' ? 1 : 0);
    },
  );

  test('leads to a page that says it was already sent', async () => {
    const { pages } = await openTestPage();
    const form = { ...hiddenFields((await pages.open(link)).text), number: cards.paid };
    await pages.send(link, form);
    const again = await pages.send(link, form);
    expect(await pages.readRedirectTarget(again)).toContain('This form was already sent. Nothing was paid twice.');
  });

  test('is accepted from only one of two guests who pay the same invoice', async () => {
    const { pages, account, invoice } = await openTestPage();
    const forms = await Promise.all(['/pay/inv_3', '/pay/inv_3'].map(async (path) => (await pages.open(path)).text));
    const replies = await Promise.all(
      forms.map((form) => pages.send('/pay/inv_3', { ...hiddenFields(form), number: cards.paid })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect((await invoice(3))?.transactions).toHaveLength(1);
    expect(await eventNamesOf(account)).toEqual(['payment.succeeded']);
  });

  test('pays once even across a restart, after which the pending payment ends', async () => {
    const data = tempFolder();
    const options = { data, now: '2026-03-01T09:00:00Z', seed: 'demo' };
    const first = await startSimulator(options);
    const form = { ...hiddenFields((await guestPages(first.url).open(link)).text), number: cards.paidLater };
    const { location } = await guestPages(first.url).send(link, form);
    await first.close();
    const second = await startSimulator({ data });
    onTestFinished(() => second.close());
    const again = await guestPages(second.url).send(link, form);
    expect(again.location.startsWith(`${location}&notice=`)).toBe(true);
    const { steps } = await second.account.clock.advance('1h');
    const transitions = steps.filter(({ kind }) => kind === 'transition');
    expect(transitions).toMatchObject([{ subject: { resource: 'payment', id: 9 }, cause: 'succeed', to: 'paid' }]);
    expect(await guestPages(second.url).readRedirectTarget(again)).toMatch(/^Paid /);
  });
});

describe('an invoice', () => {
  test('becomes viewed when its page is opened, but not by a HEAD request or in a frame', async () => {
    const { pages, invoice, account } = await openTestPage();
    await fetch(`${sim.url}/pay/${account.id}/inv_3`, { method: 'HEAD' });
    expect((await invoice(3))?.status).toBe('sent');
    for (const part of ['image', 'iframe', 'empty'])
      await sendHttpRequest(sim.url, { path: `/pay/${account.id}/inv_3`, headers: ['Sec-Fetch-Dest', part] });
    expect((await invoice(3))?.status).toBe('sent');
    const { text } = await pages.open('/pay/inv_3');
    expect(visibleText(text)).toContain('Pay €1,841.50 Invoice DEMO-0003 To');
    expect((await invoice(3))?.status).toBe('viewed');
  });

  test.each([
    [2, 'viewed'],
    [4, 'viewed'],
    [6, 'partial'],
    [7, 'overdue'],
  ])('%i is %s once its page has been opened', async (id, status) => {
    const { pages, invoice } = await openTestPage();
    expect(await pages.open(`/pay/inv_${id}`)).toMatchObject({ status: 200 });
    expect((await invoice(id))?.status).toBe(status);
  });

  test('that is partially paid requests the remaining amount', async () => {
    const { pages, invoice, payment } = await openTestPage();
    const before = await invoice(6);
    const page = visibleText((await pages.open('/pay/inv_6')).text);
    expect(page).toContain('Already paid');
    const remaining = 600 - Object(before?.transactions[0])['amount'];
    expect(page).toContain(`Pay €${remaining.toFixed(2)}`);
    await pages.fillIn('/pay/inv_6', { number: cards.paid });
    expect(await invoice(6)).toMatchObject({ status: 'paid' });
    expect(await payment()).toMatchObject({ amount: remaining, payment_link_id: null });
  });

  test.each([
    ['paid', 'paid', ['payment.succeeded']],
    ['declined', 'viewed', []],
    ['authentication', 'viewed', []],
    ['paidLater', 'viewed', []],
  ] as const)('paid with the card %s is %s', async (card, status, events) => {
    const { pages, invoice, account } = await openTestPage();
    await pages.fillIn('/pay/inv_3', { number: cards[card] });
    expect(await invoice(3)).toMatchObject({ status, transactions: [{ amount: 1841.5 }] });
    expect(await eventNamesOf(account)).toEqual(events);
  });

  test('with a payment in progress cannot be paid again until that payment has failed', async () => {
    const { pages, account } = await openTestPage();
    const earlierForm = hiddenFields((await pages.open('/pay/inv_3')).text);
    await pages.fillIn('/pay/inv_3', { number: cards.failsLater });
    const { status, text } = await pages.open('/pay/inv_3');
    expect({ status, text: visibleText(text) }).toEqual({
      status: 200,
      text: expect.stringContaining('Invoice DEMO-0003 is being paid'),
    });
    expect(await pages.send('/pay/inv_3', { ...earlierForm, number: cards.paid })).toMatchObject({ status: 409 });
    await account.clock.advance('10m');
    expect(await pages.send('/pay/inv_3', { ...earlierForm, number: cards.paid })).toMatchObject({ status: 303 });
  });

  test("whose payment waits for the bank's approval links to the challenge", async () => {
    const { pages, invoice } = await openTestPage();
    await pages.fillIn('/pay/inv_3', { number: cards.authentication });
    const [, question = ''] = /href="([^"]*form=[^"]*)"/.exec((await pages.open('/pay/inv_3')).text) ?? [];
    const form = new URL(question, sim.url).searchParams.get('form') ?? '';
    await pages.send('/pay/inv_3', { form, answer: 'approve' });
    expect(await invoice(3)).toMatchObject({ status: 'paid' });
  });

  test('lists up to twenty of its items', async () => {
    const { pages, client } = await openTestPage();
    const items = Array.from({ length: 23 }, (_, index) => ({
      description: `Night ${index}`,
      quantity: 1,
      unit_price: 5,
    }));
    const body = { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items };
    const { data } = await client.POST('/invoices', { body });
    const text = visibleText((await pages.open(`/pay/inv_${data?.data.id}`)).text);
    expect(text).toContain('Night 0 €5.00');
    expect(text).toContain('Night 19 €5.00 And 3 more items.');
  });

  test('that was paid in the meantime fails the pending payment', async () => {
    const { pages, account, payments } = await openTestPage();
    await pages.fillIn('/pay/inv_3', { number: cards.paidLater });
    await account.invoices.pay(3);
    await account.clock.advance('10m');
    const statuses = (await payments()).filter(({ id }) => Number(id) > 8).map(({ id, status }) => [id, status]);
    expect(statuses).toEqual([
      [10, 'paid'],
      [9, 'failed'],
    ]);
  });
});

describe('a page without a form is shown', () => {
  test.each([
    ['/pay/nothing', 404, 'Payment link not found Ask whoever sent it to you for the right one.'],
    ['/pay/inv_99', 404, 'Payment link not found'],
    ['/pay/inv_03', 404, 'Payment link not found'],
    ['/pay/workshop-2019', 410, 'This payment link is no longer active Workshop 2019'],
    ['/pay/inv_1', 409, 'Invoice DEMO-0001 is still a draft'],
    ['/pay/inv_5', 200, 'Invoice DEMO-0005 is paid'],
    ['/pay/inv_8', 200, 'Invoice DEMO-0008 is being paid'],
    ['/pay/inv_9', 410, 'Invoice DEMO-0009 is cancelled'],
  ])('at %s, with HTTP %i: %s', async (path, status, text) => {
    const { pages, payments } = await openTestPage();
    const before = await payments();
    const reply = await pages.open(path);
    expect({ status: reply.status, text: visibleText(reply.text) }).toEqual({
      status,
      text: expect.stringContaining(text),
    });
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).not.toContain('<form');
    const sent = await pages.send(path, { form: 'a-form-of-some-page', method: 'card', number: cards.paid });
    expect(sent.status).toBe(status === 200 ? 409 : status);
    expect(await payments()).toEqual(before);
  });

  test.each(['/pay/nobody/x', '/pay/', '/pay'])('%s is not found', async (path) => {
    const { status } = await guestPages(sim.url).open(path);
    expect(status).toBe(404);
  });
});

describe('the profile applies', () => {
  test('link.deactivation: after a payment the link is inactive, and its guest sees that it was paid', async () => {
    const { pages, client } = await openTestPage({ 'link.deactivation': 'after-payment' });
    await client.POST('/payment-links', { body: { description: 'Only once', amount: 5 } });
    const sent = await pages.fillIn('/pay/only-once', { number: cards.paid });
    const page = await pages.readRedirectTarget(sent);
    expect(page).toMatch(/^Paid €5.00 for Only once/);
    expect(page).not.toContain('Pay again');
    expect(await pages.open('/pay/only-once')).toMatchObject({ status: 410 });
  });

  test.each([
    [['cash', 'card'], true, ['cash']],
    [['card'], true, []],
    [['cash'], false, ['cash']],
  ])('payment.methods: only %j', async (only, hasCard, others) => {
    const { pages } = await openTestPage({ 'payment.methods': { only } });
    const { text } = await pages.open(link);
    expect(text.includes('name="number"')).toBe(hasCard);
    expect(
      [...text.matchAll(/<option value="([a-z_]+)">/g)].map(([, method]) => method).slice(0, others.length),
    ).toEqual(others);
    expect(text.includes('name="outcome"')).toBe(others.length > 0);
  });

  test('link.slug: a slug that is percent-encoded leads to its page and its form', async () => {
    const { pages, client } = await openTestPage({ 'link.slug': 'percent-encoded' });
    const body = { description: 'Été / à Paris?', amount: 5 };
    const { data } = await client.POST('/payment-links', { body });
    const path = new URL(String(data?.data.url)).pathname;
    const direct = guestPages(sim.url);
    const sent = await direct.fillIn(path, { number: cards.paid });
    expect(await direct.readRedirectTarget(sent)).toContain('€5.00 for Été / à Paris?');
    expect(await pages.open('/pay/nothing')).toMatchObject({ status: 404 });
  });

  test('event.invoice-payment: paying an invoice sends no event', async () => {
    const { pages, account, invoice } = await openTestPage({ 'event.invoice-payment': 'none' });
    await pages.fillIn('/pay/inv_3', { number: cards.paid });
    expect(await invoice(3)).toMatchObject({ status: 'paid' });
    expect(await eventNamesOf(account)).toEqual([]);
  });
});

test('a form sent from another site is refused, and guests do not need the control token', async () => {
  const guarded = await startSimulator({ controlToken: 'let-me-in', seed: 'demo' });
  onTestFinished(() => guarded.close());
  const pages = guestPages(guarded.url);
  const form = { ...hiddenFields((await pages.open(link)).text), number: cards.paid };
  expect(await pages.send(link, form, ['Sec-Fetch-Site', 'cross-site'])).toMatchObject({ status: 403 });
  expect(await pages.send(link, form, ['Sec-Fetch-Site', 'same-origin'])).toMatchObject({ status: 303 });
});

test('a payment that cannot be stored is undone, and the same form can be sent again', async () => {
  const simulator = await startSimulator({ data: tempFolder(), seed: 'demo', log: () => undefined });
  onTestFinished(() => simulator.close());
  const pages = guestPages(simulator.url);
  const form = { ...hiddenFields((await pages.open('/pay/inv_4')).text), number: cards.paid };
  const repair = breakDisk('ENOSPC');
  const replies = [await pages.send('/pay/inv_4', form), await pages.open('/pay/inv_3')];
  repair();
  for (const { status, text } of replies) {
    expect({ status, text: visibleText(text) }).toEqual({
      status: 503,
      text: expect.stringMatching(/^The change could not be stored/),
    });
  }
  expect(await eventNamesOf(simulator.account)).toEqual([]);
  expect(await pages.readRedirectTarget(await pages.send('/pay/inv_4', form))).toMatch(/^Paid /);
  expect(await eventNamesOf(simulator.account)).toEqual(['payment.succeeded']);
});

test('no card number is stored, logged, or part of a URL', async () => {
  const data = tempFolder();
  const lines: string[] = [];
  const simulator = await startSimulator({ data, seed: 'demo', log: (line) => lines.push(line) });
  const pages = guestPages(simulator.url);
  const sent = [];
  for (const number of [cards.paid, cards.unknown, '5555 5555 5555 4445'])
    sent.push(await pages.fillIn(link, { number }));
  await pages.fillIn('/authorize/1', { number: cards.unknown });
  const requests = JSON.stringify(await simulator.account.requests());
  await simulator.close();
  const files = readdirSync(data).map((name) => readFileSync(join(data, name), 'utf8'));
  const allOutput = [...files, ...lines, requests, ...sent.map(({ location }) => location)].join('\n');
  expect(allOutput).toContain('PAY-000009');
  expect(allOutput).not.toMatch(/4242 ?4242|5555 ?5555/);
});

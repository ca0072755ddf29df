import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { breakDisk } from '../support/failing-disk.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { tempFolder } from '../support/temp-folder.js';
import { cards, createDemoAccount, eventNamesOf, guestPages, hiddenFields, merchantNameOf } from './guest.js';
import { visibleText } from './html-text.js';

/**
 * `/pay/{slug}`: the pages where guests pay payment links and invoices. The `form` field of a payment form, which is
 * hidden, and the `form` query parameter of the page with the outcome contain the id of the form. A form creates only
 * one payment, even if it is sent again.
 */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Creates an account with the demo records and a frozen clock, and functions that read its records. */
async function createGuestPages(profile: Choices = {}) {
  const created = await createDemoAccount(sim, profile);
  const { client } = created;
  return {
    ...created,
    readLatestPayment: async () =>
      (await client.GET('/payments', { params: { query: { per_page: 1 } } })).data?.data.data[0],
    listPayments: async () => (await client.GET('/payments')).data?.data.data ?? [],
    readLink: async (id: number) => (await client.GET('/payment-links')).data?.data.data.find((row) => row.id === id),
    readInvoice: async (id: number) =>
      (await client.GET('/invoices/{invoice}', { params: { path: { invoice: id } } })).data?.data,
  };
}

/** Path of the page of the demo payment link 1, for €149.90. */
const linkPath = '/pay/consulting-march';

/** Id of the first payment that a test creates: the demo records have eight. */
const firstNewPaymentId = 9;

/** The payment methods other than `card` that the form on a page offers. */
function otherMethodsOn(html: string): (string | undefined)[] {
  const [select = ''] = /<select name="method">.*?<\/select>/s.exec(html) ?? [];
  return [...select.matchAll(/<option value="([a-z_]+)">/g)].map(([, method]) => method);
}

/** Right after paying with each test card: the payment status, the totals of the link, the events and the heading. */
const outcomes = [
  ['paid', { status: 'paid', paymentCount: 2, revenue: 299.8, events: ['payment.succeeded'], heading: 'Paid' }],
  ['declined', { status: 'failed', paymentCount: 1, revenue: 149.9, events: [], heading: 'Not paid' }],
  ['unknown', { status: 'failed', paymentCount: 1, revenue: 149.9, events: [], heading: 'Not paid' }],
  ['authentication', { status: 'open', paymentCount: 1, revenue: 149.9, events: [], heading: 'Do you approve' }],
  ['paidLater', { status: 'pending', paymentCount: 1, revenue: 149.9, events: [], heading: 'Payment in progress' }],
  ['failsLater', { status: 'pending', paymentCount: 1, revenue: 149.9, events: [], heading: 'Payment in progress' }],
] as const;

describe('a payment link', () => {
  test('shows payee, amount, purpose and methods', async () => {
    const { pages, account } = await createGuestPages();
    const { status, text, headers } = await pages.open(linkPath);
    expect(status).toBe(200);
    expect(visibleText(text)).toContain(`Pay €149.90 Consulting March To ${merchantNameOf(account)} By card`);
    expect(otherMethodsOn(text)).toEqual(['sepa_debit', 'bank_transfer', 'ideal', 'paypal']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test.each([
    ['JPY', 1500, 'Pay ¥1,500'],
    ['KWD', 12.5, 'Pay KWD 12.500'],
    ['USD', 1234.5, 'Pay $1,234.50'],
  ] as const)('shows an amount in %s', async (currency, amount, heading) => {
    const { pages, client } = await createGuestPages();
    await client.POST('/payment-links', { body: { description: 'Money', amount, currency } });
    expect(visibleText((await pages.open('/pay/money')).text)).toContain(heading);
  });

  test.each(outcomes)(
    'paid with the card %s has the outcome of that card',
    async (card, { status, paymentCount, revenue, events, heading }) => {
      const { account, pages, readLatestPayment, readLink } = await createGuestPages();
      const response = await pages.submitForm(linkPath, { number: cards[card] });
      expect(response.status).toBe(303);
      expect(await pages.readRedirectTarget(response)).toMatch(new RegExp(`^${heading}`));
      const expected = { status, payment_method: 'card', payment_link_id: 1, description: 'Consulting March' };
      expect(await readLatestPayment()).toMatchObject({ ...expected, amount: 149.9, customer: { name: 'Guest' } });
      expect(await readLink(1)).toMatchObject({ payments_count: paymentCount, revenue });
      expect(await eventNamesOf(account)).toEqual(events);
    },
  );

  test.each([
    ['paidLater', '9m 59s', 'pending', []],
    ['paidLater', '10m', 'paid', ['payment.succeeded']],
    ['failsLater', '9m 59s', 'pending', []],
    ['failsLater', '10m', 'failed', []],
    ['authentication', '59m 59s', 'open', []],
    ['authentication', '1h', 'failed', []],
  ] as const)('paid with the card %s: after %s the payment is %s', async (card, duration, status, events) => {
    const { pages, account, readLatestPayment } = await createGuestPages();
    await pages.submitForm(linkPath, { number: cards[card] });
    expect((await account.agenda()).filter(({ kind }) => kind === 'payment-ends')).toMatchObject([
      { id: firstNewPaymentId },
    ]);
    await account.clock.advance(duration);
    expect(await readLatestPayment()).toMatchObject({ id: firstNewPaymentId, status });
    expect(await eventNamesOf(account)).toEqual(events);
  });

  test('says only once that an unknown card is not a test card', async () => {
    const { pages } = await createGuestPages();
    const response = await pages.submitForm(linkPath, { number: cards.unknown });
    const notice = 'The card was declined: it is not a test card.';
    expect(await pages.readRedirectTarget(response)).toContain(notice);
    expect(await pages.readRedirectTarget(response)).not.toContain(notice);
  });

  test.each([
    ['approve', 'paid', ['payment.succeeded'], 'Paid'],
    ['decline', 'failed', [], 'Not paid'],
  ])(
    'paid with a card whose bank asks the guest for approval: after "%s" the payment is %s',
    async (answer, status, events, heading) => {
      const { pages, account, readLatestPayment } = await createGuestPages();
      const challenge = await pages.submitForm(linkPath, { number: cards.authentication });
      const formId = new URL(challenge.location, sim.url).searchParams.get('form') ?? '';
      const response = await pages.postFields(linkPath, { form: formId, answer });
      expect(await pages.readRedirectTarget(response)).toMatch(new RegExp(`^${heading} `));
      expect(await readLatestPayment()).toMatchObject({ status });
      expect(await eventNamesOf(account)).toEqual(events);
      // A second answer and the timeout of the challenge come too late to change anything.
      await pages.postFields(linkPath, { form: formId, answer: answer === 'approve' ? 'decline' : 'approve' });
      await account.clock.advance('2h');
      expect(await readLatestPayment()).toMatchObject({ status });
      expect(await eventNamesOf(account)).toEqual(events);
    },
  );

  test.each([
    ['sepa_debit', 'pays-later', 'pending', 'paid'],
    ['bank_transfer', 'fails-later', 'pending', 'failed'],
    ['ideal', 'paid', 'paid', 'paid'],
    ['paypal', 'declined', 'failed', 'failed'],
  ])(
    'paid by %s with the outcome %s: the payment is first %s and finally %s',
    async (method, outcome, firstStatus, finalStatus) => {
      const { pages, account, readLatestPayment } = await createGuestPages();
      const response = await pages.submitForm(linkPath, { method, outcome });
      expect(response.status).toBe(303);
      expect(await readLatestPayment()).toMatchObject({ status: firstStatus, payment_method: method });
      await account.clock.advance('1d');
      expect(await readLatestPayment()).toMatchObject({ status: finalStatus });
    },
  );

  test.each([
    [{ number: '' }, 'A card number has 12 to 19 digits.'],
    [{ number: '4242 4242 4242 4241' }, 'This is not a valid card number: a digit is wrong.'],
  ])('shows the form again for an invalid card number: %j', async (fields, reason) => {
    const { pages, listPayments } = await createGuestPages();
    const before = await listPayments();
    const response = await pages.submitForm(linkPath, fields);
    expect({ status: response.status, text: visibleText(response.text) }).toEqual({
      status: 422,
      text: expect.stringContaining(reason),
    });
    expect(await listPayments()).toEqual(before);
    // The same form with a valid number is accepted.
    const resubmittedFields = { ...hiddenFields(response.text), number: cards.paid };
    expect(await pages.postFields(linkPath, resubmittedFields)).toMatchObject({ status: 303 });
    expect((await listPayments()).length).toBe(before.length + 1);
  });

  test.each([
    { form: '' },
    { form: 'short' },
    { form: '<script>alert(1)</script>' },
    { method: 'cash' },
    { method: 'sepa_debit', outcome: 'gone' },
    { method: 'sepa_debit', outcome: 'authentication' },
    { method: 'sepa_debit' },
  ])('refuses a form with invalid fields: %j', async (fields) => {
    const { pages, listPayments } = await createGuestPages();
    const before = await listPayments();
    expect(await pages.submitForm(linkPath, { number: cards.paid, ...fields })).toMatchObject({ status: 422 });
    expect(await listPayments()).toEqual(before);
  });
});

describe('a form that is sent more than once', () => {
  test.each(['paid', 'declined', 'authentication', 'paidLater'] as const)(
    'creates one payment and always redirects to its outcome (card: %s)',
    async (card) => {
      const { pages, account, listPayments } = await createGuestPages();
      const countBefore = (await listPayments()).length;
      const hidden = hiddenFields((await pages.open(linkPath)).text);
      const fields = { ...hidden, number: cards[card] };
      const responses = await Promise.all(Array.from({ length: 8 }, () => pages.postFields(linkPath, fields)));
      responses.push(await pages.postFields(linkPath, { ...fields, number: cards.paid }));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303]));
      const formIds = responses.map(({ location }) => new URL(location, sim.url).searchParams.get('form'));
      expect(new Set(formIds)).toEqual(new Set([hidden['form']]));
      expect((await listPayments()).length).toBe(countBefore + 1);
      expect(await eventNamesOf(account)).toEqual(card === 'paid' ? ['payment.succeeded'] : []);
    },
  );

  test('pays each of two links and invoices to which its id is sent', async () => {
    const { pages, listPayments } = await createGuestPages();
    const countBefore = (await listPayments()).length;
    const { form = '' } = hiddenFields((await pages.open(linkPath)).text);
    // The invoice has the id of the second link.
    for (const path of [linkPath, '/pay/atelier-d-ete', '/pay/inv_2']) {
      await pages.postFields(path, { ...hiddenFields((await pages.open(path)).text), form, number: cards.paid });
    }
    expect((await listPayments()).length).toBe(countBefore + 3);
  });

  test('leads to a page that says it was already sent', async () => {
    const { pages } = await createGuestPages();
    const fields = { ...hiddenFields((await pages.open(linkPath)).text), number: cards.paid };
    await pages.postFields(linkPath, fields);
    const secondResponse = await pages.postFields(linkPath, fields);
    expect(await pages.readRedirectTarget(secondResponse)).toContain(
      'This form was already sent. Nothing was paid twice.',
    );
  });

  test('pays once even if the simulator is restarted in between, and the payment is completed when due', async () => {
    const data = tempFolder();
    const options = { data, now: '2026-03-01T09:00:00Z', seed: 'demo' };
    const simulator = await startSimulator(options);
    const fields = {
      ...hiddenFields((await guestPages(simulator.url).open(linkPath)).text),
      number: cards.paidLater,
    };
    const { location } = await guestPages(simulator.url).postFields(linkPath, fields);
    await simulator.close();
    const restarted = await startSimulator({ data });
    onTestFinished(() => restarted.close());
    const secondResponse = await guestPages(restarted.url).postFields(linkPath, fields);
    expect(secondResponse.location.startsWith(`${location}&notice=`)).toBe(true);
    const { steps } = await restarted.account.clock.advance('1h');
    const transitions = steps.filter(({ kind }) => kind === 'transition');
    expect(transitions).toMatchObject([
      { subject: { resource: 'payment', id: firstNewPaymentId }, cause: 'succeed', to: 'paid' },
    ]);
    expect(await guestPages(restarted.url).readRedirectTarget(secondResponse)).toMatch(/^Paid /);
  });
});

describe('an invoice', () => {
  test('becomes viewed when its page is opened, but not by a HEAD request or as part of another page', async () => {
    const { pages, readInvoice, account } = await createGuestPages();
    await fetch(`${sim.url}/pay/${account.id}/inv_3`, { method: 'HEAD' });
    expect((await readInvoice(3))?.status).toBe('sent');
    for (const destination of ['image', 'iframe', 'empty'])
      await sendHttpRequest(sim.url, { path: `/pay/${account.id}/inv_3`, headers: ['Sec-Fetch-Dest', destination] });
    expect((await readInvoice(3))?.status).toBe('sent');
    const { text } = await pages.open('/pay/inv_3');
    expect(visibleText(text)).toContain('Pay €1,841.50 Invoice DEMO-0003 To');
    expect((await readInvoice(3))?.status).toBe('viewed');
  });

  test.each([
    [2, 'viewed'],
    [4, 'viewed'],
    [6, 'partial'],
    [7, 'overdue'],
  ])('%i is %s once its page has been opened', async (id, status) => {
    const { pages, readInvoice } = await createGuestPages();
    expect(await pages.open(`/pay/inv_${id}`)).toMatchObject({ status: 200 });
    expect((await readInvoice(id))?.status).toBe(status);
  });

  test('that is partially paid requests the remaining amount', async () => {
    const { pages, readInvoice, readLatestPayment } = await createGuestPages();
    const before = await readInvoice(6);
    const page = visibleText((await pages.open('/pay/inv_6')).text);
    expect(page).toContain('Already paid');
    // The amount of the invoice is €600.
    const remaining = 600 - Object(before?.transactions[0])['amount'];
    expect(page).toContain(`Pay €${remaining.toFixed(2)}`);
    await pages.submitForm('/pay/inv_6', { number: cards.paid });
    expect(await readInvoice(6)).toMatchObject({ status: 'paid' });
    expect(await readLatestPayment()).toMatchObject({ amount: remaining, payment_link_id: null });
  });

  test.each([
    ['paid', 'paid', ['payment.succeeded']],
    ['declined', 'viewed', []],
    ['authentication', 'viewed', []],
    ['paidLater', 'viewed', []],
  ] as const)('after a payment with the card %s has the status %s', async (card, status, events) => {
    const { pages, readInvoice, account } = await createGuestPages();
    await pages.submitForm('/pay/inv_3', { number: cards[card] });
    expect(await readInvoice(3)).toMatchObject({ status, transactions: [{ amount: 1841.5 }] });
    expect(await eventNamesOf(account)).toEqual(events);
  });

  test('that two guests pay at the same time is paid once', async () => {
    const { pages, account, readInvoice } = await createGuestPages();
    const pageHtmls = [(await pages.open('/pay/inv_3')).text, (await pages.open('/pay/inv_3')).text];
    const responses = await Promise.all(
      pageHtmls.map((html) => pages.postFields('/pay/inv_3', { ...hiddenFields(html), number: cards.paid })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect((await readInvoice(3))?.transactions).toHaveLength(1);
    expect(await eventNamesOf(account)).toEqual(['payment.succeeded']);
  });

  test('with a payment in progress cannot be paid again until that payment has failed', async () => {
    const { pages, account } = await createGuestPages();
    const earlierFields = { ...hiddenFields((await pages.open('/pay/inv_3')).text), number: cards.paid };
    await pages.submitForm('/pay/inv_3', { number: cards.failsLater });
    const { status, text } = await pages.open('/pay/inv_3');
    expect({ status, text: visibleText(text) }).toEqual({
      status: 200,
      text: expect.stringContaining('Invoice DEMO-0003 is being paid'),
    });
    expect(await pages.postFields('/pay/inv_3', earlierFields)).toMatchObject({ status: 409 });
    await account.clock.advance('10m');
    expect(await pages.postFields('/pay/inv_3', earlierFields)).toMatchObject({ status: 303 });
  });

  test("whose payment waits for the guest's approval has a link to the bank's challenge", async () => {
    const { pages, readInvoice } = await createGuestPages();
    await pages.submitForm('/pay/inv_3', { number: cards.authentication });
    const [, challengePath = ''] = /href="([^"]*form=[^"]*)"/.exec((await pages.open('/pay/inv_3')).text) ?? [];
    const formId = new URL(challengePath, sim.url).searchParams.get('form') ?? '';
    await pages.postFields('/pay/inv_3', { form: formId, answer: 'approve' });
    expect(await readInvoice(3)).toMatchObject({ status: 'paid' });
  });

  test.each([
    ['paid', 200, 'Invoice DEMO-0003 is paid Nothing is left to pay.'],
    ['cancelled', 410, 'Invoice DEMO-0003 is cancelled There is nothing to pay.'],
  ])('that was %s elsewhere is not offered for approval by the bank', async (change, status, expectedText) => {
    const { pages, account } = await createGuestPages();
    const challenge = await pages.submitForm('/pay/inv_3', { number: cards.authentication });
    await (change === 'paid' ? account.invoices.pay(3) : account.invoices.cancel(3));
    const page = await pages.open(`/pay/inv_3${new URL(challenge.location, sim.url).search}`);
    expect(page.status).toBe(status);
    expect(visibleText(page.text)).toContain(expectedText);
    expect(page.text).not.toContain('name="answer"');
  });

  test('of which a part was paid elsewhere is not offered for approval of the earlier amount', async () => {
    const { pages, account, readInvoice } = await createGuestPages();
    const challenge = await pages.submitForm('/pay/inv_3', { number: cards.authentication });
    await account.invoices.pay(3, { amount: 1 });
    const page = await pages.open(`/pay/inv_3${new URL(challenge.location, sim.url).search}`);
    expect(visibleText(page.text)).toContain('The amount has changed since you opened this page.');
    expect(page.text).not.toContain('value="approve"');
    const response = await pages.postFields('/pay/inv_3', { ...hiddenFields(page.text), answer: 'decline' });
    expect(await pages.readRedirectTarget(response)).toMatch(/^Not paid /);
    await pages.submitForm('/pay/inv_3', { number: cards.paid });
    expect(await readInvoice(3)).toMatchObject({ status: 'paid' });
  });

  test.each([
    ['en', 'The amount has changed since you opened this page.', '€1,000.00', 'card'],
    ['de', 'Der Betrag hat sich geändert', '1.000,00\u00a0€', 'bank_transfer'],
    ['fr', 'Le montant a changé', '1\u202f000,00\u00a0€', 'card'],
    ['es', 'El importe ha cambiado', '1000,00\u00a0€', 'card'],
  ])('whose amount has changed is shown again with the new amount (%s)', async (language, notice, amount, method) => {
    const { pages, account, client, readInvoice } = await createGuestPages();
    const items = [{ description: 'Week', quantity: 1, unit_price: 1_841.5 }];
    const body = { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items };
    const { data } = await client.POST('/invoices', { body });
    const id = data?.data.id ?? 0;
    const path = `/pay/inv_${id}`;
    const fields = { ...hiddenFields((await pages.open(path)).text), method, number: cards.paid, outcome: 'paid' };
    await account.invoices.pay(id, { amount: 841.5 });
    const page = await pages.postFields(path, fields, ['Accept-Language', language]);
    expect({ status: page.status, text: page.text }).toEqual({ status: 409, text: expect.stringContaining(notice) });
    expect(page.text).toContain(amount);
    expect(await readInvoice(id)).toMatchObject({ status: 'partial' });
    await pages.postFields(path, { ...fields, ...hiddenFields(page.text), method });
    expect(await readInvoice(id)).toMatchObject({ status: 'paid' });
  });

  test('lists up to twenty of its items', async () => {
    const { pages, client } = await createGuestPages();
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

  test('that is paid while an earlier payment is pending: the earlier payment fails when due', async () => {
    const { pages, account, listPayments } = await createGuestPages();
    await pages.submitForm('/pay/inv_3', { number: cards.paidLater });
    await account.invoices.pay(3);
    await account.clock.advance('10m');
    const statuses = (await listPayments())
      .filter(({ id }) => Number(id) >= firstNewPaymentId)
      .map(({ id, status }) => [id, status]);
    expect(statuses).toEqual([
      [firstNewPaymentId + 1, 'paid'],
      [firstNewPaymentId, 'failed'],
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
    const { pages, listPayments } = await createGuestPages();
    const before = await listPayments();
    const page = await pages.open(path);
    expect({ status: page.status, text: visibleText(page.text) }).toEqual({
      status,
      text: expect.stringContaining(text),
    });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).not.toContain('<form');
    const fields = { form: 'id-of-some-payment-form', method: 'card', number: cards.paid };
    const response = await pages.postFields(path, fields);
    // A page with HTTP 200 shows an invoice that cannot be paid now, so a form that is sent to it gets a conflict.
    expect(response.status).toBe(status === 200 ? 409 : status);
    expect(await listPayments()).toEqual(before);
  });
});

test.each(['/pay/nobody/x', '/pay/', '/pay'])('the unknown path %s gets HTTP 404', async (path) => {
  const { status } = await guestPages(sim.url).open(path);
  expect(status).toBe(404);
});

describe('the profile applies', () => {
  test('link.deactivation: after a payment the link is inactive, and the guest who paid sees that', async () => {
    const { pages, client } = await createGuestPages({ 'link.deactivation': 'after-payment' });
    await client.POST('/payment-links', { body: { description: 'Only once', amount: 5 } });
    const response = await pages.submitForm('/pay/only-once', { number: cards.paid });
    const page = await pages.readRedirectTarget(response);
    expect(page).toMatch(/^Paid €5.00 for Only once/);
    expect(page).not.toContain('Pay again');
    expect(await pages.open('/pay/only-once')).toMatchObject({ status: 410 });
  });

  test.each([
    [['cash', 'card'], true, ['cash']],
    [['card'], true, []],
    [['cash'], false, ['cash']],
  ])('payment.methods: the form offers only %j', async (only, hasCard, otherMethods) => {
    const { pages } = await createGuestPages({ 'payment.methods': { only } });
    const { text } = await pages.open(linkPath);
    expect(text.includes('name="number"')).toBe(hasCard);
    expect(otherMethodsOn(text)).toEqual(otherMethods);
    expect(text.includes('name="outcome"')).toBe(otherMethods.length > 0);
  });

  test('link.slug: the page of a percent-encoded slug opens and accepts a payment, and an unknown slug is not found', async () => {
    const { pages, client } = await createGuestPages({ 'link.slug': 'percent-encoded' });
    const body = { description: 'Été / à Paris?', amount: 5 };
    const { data } = await client.POST('/payment-links', { body });
    const path = new URL(String(data?.data.url)).pathname;
    // The path contains the id of the account already, so these guest pages must not add it.
    const pagesByFullPath = guestPages(sim.url);
    const response = await pagesByFullPath.submitForm(path, { number: cards.paid });
    expect(await pagesByFullPath.readRedirectTarget(response)).toContain('€5.00 for Été / à Paris?');
    expect(await pages.open('/pay/nothing')).toMatchObject({ status: 404 });
  });

  test('event.invoice-payment: paying an invoice sends no event', async () => {
    const { pages, account, readInvoice } = await createGuestPages({ 'event.invoice-payment': 'none' });
    await pages.submitForm('/pay/inv_3', { number: cards.paid });
    expect(await readInvoice(3)).toMatchObject({ status: 'paid' });
    expect(await eventNamesOf(account)).toEqual([]);
  });
});

test('a form sent from another site is refused, and guests do not need the control token', async () => {
  const simulator = await startSimulator({ controlToken: 'let-me-in', seed: 'demo' });
  onTestFinished(() => simulator.close());
  const pages = guestPages(simulator.url);
  const fields = { ...hiddenFields((await pages.open(linkPath)).text), number: cards.paid };
  expect(await pages.postFields(linkPath, fields, ['Sec-Fetch-Site', 'cross-site'])).toMatchObject({ status: 403 });
  expect(await pages.postFields(linkPath, fields, ['Sec-Fetch-Site', 'same-origin'])).toMatchObject({ status: 303 });
});

test('an answer to the bank after the account was reset leads back to the payment form', async () => {
  const { account, pages } = await createGuestPages();
  const { location } = await pages.submitForm('/pay/inv_4', { number: cards.authentication });
  await account.reset();
  const fields = { form: new URL(location, sim.url).searchParams.get('form') ?? '', answer: 'approve' };
  const response = await pages.postFields('/pay/inv_4', fields);
  expect(response.status).toBe(303);
  expect(await pages.readRedirectTarget(response)).toMatch(/^Pay €/);
});

test('a payment that cannot be stored is undone, and the same form can be sent again', async () => {
  const simulator = await startSimulator({ data: tempFolder(), seed: 'demo', log: () => undefined });
  onTestFinished(() => simulator.close());
  const pages = guestPages(simulator.url);
  const fields = { ...hiddenFields((await pages.open('/pay/inv_4')).text), number: cards.paid };
  const repair = breakDisk('ENOSPC');
  const responses = [await pages.postFields('/pay/inv_4', fields), await pages.open('/pay/inv_3')];
  repair();
  for (const { status, text } of responses) {
    expect({ status, text: visibleText(text) }).toEqual({
      status: 503,
      text: expect.stringMatching(/^The change could not be stored/),
    });
  }
  expect(await eventNamesOf(simulator.account)).toEqual([]);
  expect(await pages.readRedirectTarget(await pages.postFields('/pay/inv_4', fields))).toMatch(/^Paid /);
  expect(await eventNamesOf(simulator.account)).toEqual(['payment.succeeded']);
});

test('no card number is stored, logged, or part of a URL', async () => {
  const data = tempFolder();
  const lines: string[] = [];
  const simulator = await startSimulator({ data, seed: 'demo', log: (line) => lines.push(line) });
  const pages = guestPages(simulator.url);
  const responses = [];
  for (const number of [cards.paid, cards.unknown, '5555 5555 5555 4445'])
    responses.push(await pages.submitForm(linkPath, { number }));
  await pages.submitForm('/authorize/1', { number: cards.unknown });
  const requests = JSON.stringify(await simulator.account.requests());
  await simulator.close();
  const files = readdirSync(data).map((name) => readFileSync(join(data, name), 'utf8'));
  const allOutput = [...files, ...lines, requests, ...responses.map(({ location }) => location)].join('\n');
  // The reference of the first payment shows that the output contains these payments.
  expect(allOutput).toContain('PAY-000009');
  expect(allOutput).not.toMatch(/(4242|5555)(?: |\+|%20)?\1/);
});

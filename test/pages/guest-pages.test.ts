import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { merchantName } from '../../src/http/guest/components/merchant-name.js';
import { french } from '../../src/http/guest/texts/french.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { cards, createDemoAccount } from './guest.js';
import { visibleText } from './html-text.js';

/** The payment and authorization pages, tested over HTTP: language, reloads, test cards and the name of the payee. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const acceptLanguage = (languages: string): readonly string[] => ['Accept-Language', languages];

test.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-CH, fr;q=0.9', 'fr'],
  ['es-MX', 'es'],
  ['en-US', 'en'],
  ['ja, fr;q=0.2, de;q=0.1', 'fr'],
  ['de;q=0, es;q=0.1', 'es'],
  ['ja', 'en'],
  ['*', 'en'],
  ['', 'en'],
  ['<script>', 'en'],
])('a request with Accept-Language %j gets the page in %s', async (header, lang) => {
  const { pages } = await createDemoAccount(sim);
  for (const path of ['/pay/consulting-march', '/authorize/1', '/authorize/6', '/pay/nothing', '/authorize/99']) {
    const { text, headers } = await pages.open(path, acceptLanguage(header));
    expect([path, headers['content-language'], headers['vary']]).toEqual([path, lang, 'Accept-Language']);
    expect(text).toContain(`<html lang="${lang}">`);
  }
});

describe('money and dates are formatted for the language of the page', () => {
  test.each([
    ['de', '1.841,50\u00a0€ bezahlen', '31. März 2026', 'Reserviert bis 8. März 2026, 09:00 UTC'],
    ['fr', 'Payer 1\u202f841,50\u00a0€', '31 mars 2026', 'Bloquée jusqu’au 8 mars 2026, 09:00 UTC'],
    ['es', 'Pagar 1841,50\u00a0€', '31 de marzo de 2026', 'Retenida hasta el 8 de marzo de 2026, 09:00 UTC'],
    ['en', 'Pay €1,841.50', '31 March 2026', 'Held until 8 March 2026, 09:00 UTC'],
  ])('%s', async (lang, payHeading, dueDate, holdExpiry) => {
    const { pages, client } = await createDemoAccount(sim);
    const items = [{ description: 'Night', quantity: 1, unit_price: 1841.5 }];
    const body = { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items };
    const { data } = await client.POST('/invoices', { body });
    const { text } = await pages.open(`/pay/inv_${data?.data.id}`, acceptLanguage(lang));
    expect(text).toContain(`<h1>${payHeading}</h1>`);
    expect(text).toContain(`>${dueDate}</time>`);
    expect(visibleText((await pages.open('/authorize/1', acceptLanguage(lang))).text)).toContain(holdExpiry);
  });
});

test('the first day of a month is an ordinal number in French', async () => {
  const { account, pages } = await createDemoAccount(sim);
  await account.clock.set('2026-03-25T09:00:00Z');
  const { text } = await pages.open('/authorize/1', acceptLanguage('fr'));
  expect(visibleText(text)).toContain('Bloquée jusqu’au 1er avril 2026, 09:00 UTC');
});

test('the page of the bank does not call the hold of a deposit a payment', async () => {
  const { pages } = await createDemoAccount(sim);
  const { text } = await pages.open('/authorize/1?challenge', acceptLanguage('de'));
  expect(visibleText(text)).toContain('Möchten Sie die Freigabe erteilen? Bei einer echten Karte');
  expect(visibleText(text)).not.toContain('Zahlung');
});

test('French texts have a no-break space before each colon, semicolon, question mark and exclamation mark', () => {
  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'function') return textsIn(value('x', 'x'));
    if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
    return [String(value)];
  };
  const texts = textsIn(french);
  expect(texts.filter((text) => /[:;?!]/.test(text))).not.toEqual([]);
  expect(texts.filter((text) => /(?<!\u00a0):|(?<!\u202f)[;?!]/.test(text))).toEqual([]);
});

test('errors and outcomes of a payment are in the language of the guest', async () => {
  const { pages } = await createDemoAccount(sim);
  // The `form` field is the id of a payment form: a form pays only once.
  const fields = { form: 'id-of-some-payment-form', method: 'card' };
  const invalidNumber = await pages.postFields(
    '/pay/consulting-march',
    { ...fields, number: '1' },
    acceptLanguage('de'),
  );
  expect(visibleText(invalidNumber.text)).toContain(
    'Eine Kartennummer hat 12 bis 19 Ziffern. Geben Sie die Nummer noch einmal ein.',
  );
  const { location } = await pages.postFields(
    '/pay/consulting-march',
    { ...fields, number: cards.unknown },
    acceptLanguage('de'),
  );
  const outcome = await fetch(new URL(location, sim.url), { headers: { 'Accept-Language': 'de' } });
  const text = visibleText(await outcome.text());
  expect(text).toContain('Die Karte wurde abgelehnt: Sie ist keine Testkarte.');
  expect(text).toContain('Zahlungsart Karte');
});

test.each([
  ['en', '€5.00 to be held for BK-1', '€5.00 to be held'],
  ['de', 'Reservierung von 5,00\u00a0€ für BK-1', 'Reservierung von 5,00\u00a0€'],
  ['fr', 'Blocage de 5,00\u00a0€ pour BK-1', 'Blocage de 5,00\u00a0€'],
  ['es', 'Retención de 5,00\u00a0€ por BK-1', 'Retención de 5,00\u00a0€'],
])('the bank says in %s what is to be held, and for which booking, if there is one', async (lang, ...texts) => {
  const { pages, client } = await createDemoAccount(sim, { 'deposit.required': 'amount' });
  for (const [index, booking_reference] of ['BK-1', null].entries()) {
    const body = { amount: 5, booking_reference };
    // The document of the default profile does not allow null.
    const { data } = await client.POST('/deposits', { body: Object(body) });
    const { location } = await pages.submitForm(`/authorize/${data?.data.id}`, { number: cards.authentication });
    const page = await fetch(new URL(location, sim.url), { headers: { 'Accept-Language': lang } });
    expect(await page.text()).toContain(`>${texts[index]}<`);
  }
});

test.each([
  ['en', 'And 1 more item.', 'And 2 more items.'],
  ['de', 'Und 1 weitere Position.', 'Und 2 weitere Positionen.'],
  ['fr', 'Et 1 autre ligne.', 'Et 2 autres lignes.'],
  ['es', 'Y 1 concepto más.', 'Y 2 conceptos más.'],
])('says in %s how many items of an invoice it does not list', async (lang, oneMore, twoMore) => {
  const { pages, client } = await createDemoAccount(sim);
  for (const [count, text] of [
    [21, oneMore],
    [22, twoMore],
  ] as const) {
    const items = Array.from({ length: count }, () => ({ description: 'Night', quantity: 1, unit_price: 5 }));
    const body = { customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items };
    const { data } = await client.POST('/invoices', { body });
    expect(visibleText((await pages.open(`/pay/inv_${data?.data.id}`, acceptLanguage(lang))).text)).toContain(text);
  }
});

describe('a page about a payment in progress', () => {
  test('has a Refresh header until the payment has ended', async () => {
    const { pages, account } = await createDemoAccount(sim);
    const { location } = await pages.submitForm('/pay/inv_3', { number: cards.paidLater });
    const refreshHeaderOf = async (url: string): Promise<string | null> => (await fetch(url)).headers.get('refresh');
    const outcomeUrl = new URL(location, sim.url).href;
    const invoiceUrl = `${sim.url}/pay/${account.id}/inv_3`;
    expect([await refreshHeaderOf(outcomeUrl), await refreshHeaderOf(invoiceUrl)]).toEqual(['5', '5']);
    // With this card the payment is paid after ten minutes.
    await account.clock.advance('10m');
    expect([await refreshHeaderOf(outcomeUrl), await refreshHeaderOf(invoiceUrl)]).toEqual([null, null]);
  });

  test("has no Refresh header while it shows the form of the bank's challenge", async () => {
    const { pages } = await createDemoAccount(sim);
    const { location } = await pages.submitForm('/pay/inv_3', { number: cards.authentication });
    expect((await fetch(new URL(location, sim.url))).headers.get('refresh')).toBeNull();
  });
});

describe('the card query parameter of a guest page', () => {
  /** Returns the card number that the form on a page contains; undefined if its field is empty. */
  async function cardNumberOn(path: string): Promise<string | undefined> {
    const { pages } = await createDemoAccount(sim);
    const [input = ''] = /<input name="number"[^>]*>/.exec((await pages.open(path)).text) ?? [];
    return / value="([^"]*)"/.exec(input)?.[1];
  }

  test.each([
    ['/pay/consulting-march?card=paid', cards.paid],
    ['/pay/consulting-march?card=fails-later', cards.failsLater],
    ['/authorize/1?card=authorized', cards.paid],
  ])('fills in the number of a test card: %s, %s', async (path, number) => {
    expect(await cardNumberOn(path)).toBe(number);
  });

  test.each([
    '/pay/consulting-march?card=4242424242424242',
    '/pay/consulting-march?card=%22%3E%3Cscript%3E',
    // On this page the outcome of that card is called `authorized`, not `paid`.
    '/authorize/1?card=paid',
  ])('is ignored if it does not name an outcome that the test cards of the page have: %s', async (path) => {
    expect(await cardNumberOn(path)).toBeUndefined();
  });
});

// The name of the payee is made from the words of the account id.
test.each([
  ['demo', 'Demo'],
  ['seaside-inn', 'Seaside Inn'],
  ['hotel_7--b-', 'Hotel 7 B'],
])('the account %s is shown to guests as %s', (account, name) => {
  expect(merchantName(account)).toBe(name);
});

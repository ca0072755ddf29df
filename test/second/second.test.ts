import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from './json.js';
import { type Second, startSecond } from './second.js';
import { ask, dayFromNow, get, listAt, objectAt, post } from './support/ask.js';
import {
  decimal,
  expectClientError,
  expectLink,
  expectPage,
  expectPayment,
  expectRateHeaders,
  expectSuccess,
} from './support/shapes.js';
import { promptVariants } from './variants.js';

describe.each(promptVariants)('%s', (name, variant) => {
  const isAlone = name !== 'busy';
  let second: Second;

  beforeAll(async () => {
    second = await startSecond(variant);
    await second.createCustomer();
  });
  afterAll(() => second.close());

  const bookings = { next: 0 };
  const booking = (changes: JsonObject = {}): JsonObject => ({
    booking_reference: `WALK-${bookings.next++}`,
    amount: 200.5,
    currency: 'EUR',
    customer: { name: 'Guest', email: 'guest@example.com' },
    check_in_date: dayFromNow(1),
    check_out_date: dayFromNow(3),
    metadata: { room: '12', floor: 3 },
    ...changes,
  });
  const place = async (body: JsonObject): Promise<JsonObject> => {
    const reply = await post(second, '/deposits', body, `key ${body['booking_reference']}`);
    expectSuccess(reply, 200, 201);
    return objectAt(reply.body, 'data');
  };
  const found = async (query: string): Promise<JsonObject[]> =>
    listAt((await get(second, `/deposits?${query}`)).body, 'data', 'data');
  /** The status of a deposit, by the one filter for it that the specification has. */
  const hasStatus = async ({ id }: JsonObject, status: string): Promise<boolean> =>
    (await found(`status=${status}&per_page=100`)).some((deposit) => deposit['id'] === id);

  test.each(['/invoices', '/payment-links', '/payments'])('%s gives 25 records, and 100 at most', async (path) => {
    expectPage(await get(second, path), 1, 25);
    expectPage(await get(second, `${path}?per_page=100`), 1, 100);
    const more = await get(second, `${path}?per_page=101`);
    if (more.status === 200) expectPage(more, 1, 100);
    else expectClientError(more, 400, 422);
  });

  test('creates payment links, whose payments can be found', async () => {
    const description = 'Booking-WALK-7';
    const links: JsonObject[] = [];
    for (const text of [description, description.toUpperCase(), description]) {
      const reply = await post(second, '/payment-links', { description: text, amount: 45.5 });
      expectSuccess(reply, 200, 201);
      links.push(objectAt(reply.body, 'data'));
    }
    links.forEach(expectLink);
    expect(links.map(({ url }) => String(url).split('/').at(-1))).toEqual([
      'booking-walk-7',
      'booking-walk-7-2',
      'booking-walk-7-3',
    ]);
    const [link = {}] = links;
    expect(link).toMatchObject({ description, currency: 'EUR' });
    expect(link).not.toHaveProperty('payments_count');
    expect(decimal(link['amount'])).toBe(45.5);

    await second.payLink(link);
    const listed = (await allLinks()).find(({ id }) => id === link['id']) ?? {};
    expectLink(listed);
    expect(listed).toMatchObject({ url: link['url'], payments_count: 1, is_active: expect.any(Boolean) });
    expect(decimal(listed['revenue'])).toBe(45.5);

    const today = String(listed['created_at']).slice(0, 10);
    const byText = await payments('description=bOOKING-wAL');
    expect(byText.map((payment) => payment['payment_link_id'])).toEqual([link['id']]);
    byText.forEach(expectPayment);
    expect(byText[0]).toMatchObject({ description, status: 'paid', currency: 'EUR', payment_link_url: link['url'] });
    expect(decimal(byText[0]?.['amount'])).toBe(45.5);
    expect(await payments(`description=WALK-7&status=paid&from=${today}`)).toHaveLength(1);
    expect(await payments('description=WALK-7&status=failed')).toEqual([]);
    expect(await payments(`description=WALK-7&to=${dayFromNow(-3)}`)).toEqual([]);
    expect(await payments(`description=WALK-7&from=${dayFromNow(3)}`)).toEqual([]);
  });

  const payments = async (query: string): Promise<JsonObject[]> =>
    expectPage(await get(second, `/payments?${query}&per_page=100`), 1, 100);

  /** Up to the hundred that one page holds, or all where pages can be turned. */
  const allLinks = async (): Promise<JsonObject[]> => {
    const pages = ['/payment-links?per_page=100', '/payment-links?per_page=100&page=2'];
    const replies = await Promise.all(pages.map((path) => get(second, path)));
    return replies.filter(({ status }) => status === 200).flatMap(({ body }) => listAt(body, 'data', 'data'));
  };

  test.each<[string, JsonObject]>([
    ['description', { amount: 1 }],
    ['amount', { description: 'No amount' }],
  ])('refuses a payment link without %s', async (_, body) => {
    expectClientError(await post(second, '/payment-links', body), 400, 422);
  });

  test('every listed payment is whole', async () => {
    expectPage(await get(second, '/payments?per_page=100'), 1, 100).forEach(expectPayment);
  });

  test('keeps one deposit for a key', async () => {
    const body = booking();
    const first = await place(body);
    expect(first['authorization_url']).toMatch(/^http:/);
    expect(await place(body)).toEqual(first);
    expect(await found(`booking_reference=${body['booking_reference']}`)).toHaveLength(1);
    await second.authorizeDeposit(first);
    expect((await place(body))['id']).toBe(first['id']);
    expect(await hasStatus(first, 'authorized')).toBe(true);
    expect(await hasStatus(first, 'pending')).toBe(false);
    const detail = await get(second, `/deposits/${first['id']}`);
    expectSuccess(detail, 200);
    expect(detail.body['data']).toMatchObject({ id: first['id'] });
  });

  test('captures a part, then the rest', async () => {
    const deposit = await place(booking());
    await second.authorizeDeposit(deposit);
    expectSuccess(
      await post(second, `/deposits/${deposit['id']}/capture`, { amount: 50, description: 'Lamp' }),
      200,
      201,
      202,
    );
    expect(await hasStatus(deposit, 'partially_captured')).toBe(true);
    expectSuccess(await post(second, `/deposits/${deposit['id']}/capture`), 200, 201, 202);
    expect(await hasStatus(deposit, 'captured')).toBe(true);
  });

  test('releases, expires and declines', async () => {
    const [released, expired, declined] = [await place(booking()), await place(booking()), await place(booking())];
    await second.authorizeDeposit(released);
    expectSuccess(await post(second, `/deposits/${released['id']}/release`), 200, 201, 202);
    expect(await hasStatus(released, 'released')).toBe(true);
    await second.authorizeDeposit(expired);
    await second.expireDeposit(expired);
    expect(await hasStatus(expired, 'expired')).toBe(true);
    await second.declineDeposit(declined);
    expect((await hasStatus(declined, 'failed')) || (await hasStatus(declined, 'pending'))).toBe(true);
    await expect(second.authorizeDeposit(expired)).rejects.toThrow('is expired');
  });

  test('answers unknown records and paths in the error envelope', async () => {
    expectClientError(await get(second, '/invoices/99999'), 404);
    expectClientError(await get(second, '/invoices/abc'), 400, 404, 422);
    expectClientError(await get(second, '/deposits/99999'), 404);
    expectClientError(await get(second, '/nowhere'), 404);
    expectClientError(await ask(second, 'DELETE', '/invoices/1'), 404, 405);
  });

  describe.each([
    ['GET', '/invoices'],
    ['GET', '/invoices/1'],
    ['GET', '/invoices/stats'],
    ['GET', '/invoices/overdue'],
    ['POST', '/invoices'],
    ['POST', '/invoices/1/reminder'],
    ['POST', '/payment-links'],
    ['GET', '/payment-links'],
    ['GET', '/payments'],
    ['POST', '/deposits'],
    ['GET', '/deposits'],
    ['GET', '/deposits/1'],
    ['POST', '/deposits/1/capture'],
    ['POST', '/deposits/1/release'],
  ])('%s %s', (method, path) => {
    test('requires a token with its scope', async () => {
      const { full, read, write, none } = second.tokens;
      const [right, wrong] = method === 'GET' ? [read, write] : [write, read];
      for (const authorization of [undefined, 'Bearer nobody', `Basic ${full}`]) {
        expectClientError(await ask(second, method, path, { authorization }), 401, 403);
      }
      for (const token of [wrong, none]) {
        expectClientError(await ask(second, method, path, { authorization: `Bearer ${token}` }), 401, 403);
      }
      const allowed = await ask(second, method, path, { authorization: `Bearer ${right}` });
      expectRateHeaders(allowed);
      expect([401, 403]).not.toContain(allowed.status);
    });
  });

  test('counts requests and refuses those beyond the limit', async () => {
    const limited = await startSecond({ ...variant, limit: 6 });
    try {
      const first = await ask(limited, 'GET', '/invoices/stats');
      const limit = Number(first.headers.get('X-RateLimit-Limit'));
      expect([6, 10]).toContain(limit);
      let reply = first;
      for (let count = 2; count <= limit && reply.status === 200; count += 1) {
        const { headers } = reply;
        reply = await ask(limited, 'GET', '/invoices/stats');
        const fall = Number(headers.get('X-RateLimit-Remaining')) - Number(reply.headers.get('X-RateLimit-Remaining'));
        expect(isAlone ? [1] : [1, 2]).toContain(fall);
      }
      expectClientError(await ask(limited, 'GET', '/payments'), 429);
    } finally {
      await limited.close();
    }
  });
});

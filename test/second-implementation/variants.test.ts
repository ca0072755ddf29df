import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleUnlessFull } from '../support/sample.js';
import type { JsonObject } from './json.js';
import { type SecondImplementation, startSecondImplementation } from './server.js';
import { dayFromNow, get, listAt, objectAt, post, sendRequest } from './support/client.js';
import {
  expectClientError,
  expectDecimal,
  expectLink,
  expectPage,
  expectPayment,
  expectRateHeaders,
  expectSuccess,
} from './support/shapes.js';
import { simpleVariants } from './variants.js';

describe.each(sampleUnlessFull(simpleVariants, { oneIn: 4 }))(
  'the second implementation as the variant %s',
  (_name, variant) => {
    const { hasOtherClients = false, statusAfterDecline = 'failed' } = variant;
    let service: SecondImplementation;

    beforeAll(async () => {
      service = await startSecondImplementation(variant);
      await service.createCustomer();
    });
    afterAll(() => service.close());

    let depositCount = 0;
    const depositBody = (changes: JsonObject = {}): JsonObject => ({
      booking_reference: `WALK-${depositCount++}`,
      amount: 200.5,
      currency: 'EUR',
      customer: { name: 'Guest', email: 'guest@example.com' },
      check_in_date: dayFromNow(1),
      check_out_date: dayFromNow(3),
      metadata: { room: '12', floor: 3 },
      ...changes,
    });
    /** Creates a deposit. The key is derived from the booking reference, so that an equal body repeats a request. */
    const createDeposit = async (body: JsonObject): Promise<JsonObject> => {
      const reply = await post(service, '/deposits', body, `key ${body['booking_reference']}`);
      expectSuccess(reply, 200, 201);
      return objectAt(reply.body, 'data');
    };
    /** Returns the deposits on the first page of the list, filtered with a query. */
    const findDeposits = async (query: string): Promise<JsonObject[]> =>
      listAt((await get(service, `/deposits?${query}`)).body, 'data', 'data');
    /**
     * Looks for the deposit in the list filtered by status: the specification does not say that a deposit in a response
     * has a `status` field.
     */
    const hasStatus = async ({ id }: JsonObject, status: string): Promise<boolean> =>
      (await findDeposits(`status=${status}&per_page=100`)).some((deposit) => deposit['id'] === id);

    test.each(['/invoices', '/payment-links', '/payments'])(
      '%s has a page size of 25 by default, and of at most 100',
      async (path) => {
        expectPage(await get(service, path), 1, 25);
        expectPage(await get(service, `${path}?per_page=100`), 1, 100);
        const aboveMaximum = await get(service, `${path}?per_page=101`);
        if (aboveMaximum.status === 200) expectPage(aboveMaximum, 1, 100);
        else expectClientError(aboveMaximum, 400, 422);
      },
    );

    test('creates payment links, whose payments can be found', async () => {
      const description = 'Booking-WALK-7';
      const links: JsonObject[] = [];
      for (const text of [description, description.toUpperCase(), description]) {
        const reply = await post(service, '/payment-links', { description: text, amount: 45.5 });
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
      expect(expectDecimal(link['amount'])).toBe(45.5);

      await service.payLink(link);
      const listed = (await linksOfTwoPages()).find(({ id }) => id === link['id']) ?? {};
      expectLink(listed);
      expect(listed).toMatchObject({ url: link['url'], payments_count: 1, is_active: expect.any(Boolean) });
      expect(expectDecimal(listed['revenue'])).toBe(45.5);

      const today = String(listed['created_at']).slice(0, 10);
      const found = await findPayments('description=bOOKING-wAL');
      expect(found.map((payment) => payment['payment_link_id'])).toEqual([link['id']]);
      found.forEach(expectPayment);
      expect(found[0]).toMatchObject({ description, status: 'paid', currency: 'EUR', payment_link_url: link['url'] });
      expect(expectDecimal(found[0]?.['amount'])).toBe(45.5);
      expect(await findPayments(`description=WALK-7&status=paid&from=${today}`)).toHaveLength(1);
      expect(await findPayments('description=WALK-7&status=failed')).toEqual([]);
      expect(await findPayments(`description=WALK-7&to=${dayFromNow(-3)}`)).toEqual([]);
      expect(await findPayments(`description=WALK-7&from=${dayFromNow(3)}`)).toEqual([]);
    });

    const findPayments = async (query: string): Promise<JsonObject[]> =>
      expectPage(await get(service, `/payments?${query}&per_page=100`), 1, 100);

    /**
     * Reads the links of the first two pages. A service may refuse the second page, or return the first page again if its
     * list does not take `page`.
     */
    const linksOfTwoPages = async (): Promise<JsonObject[]> => {
      const pages = ['/payment-links?per_page=100', '/payment-links?per_page=100&page=2'];
      const replies = await Promise.all(pages.map((path) => get(service, path)));
      return replies.filter(({ status }) => status === 200).flatMap(({ body }) => listAt(body, 'data', 'data'));
    };

    test.each<[string, JsonObject]>([
      ['a description', { amount: 1 }],
      ['an amount', { description: 'No amount' }],
    ])('refuses a payment link without %s', async (_, body) => {
      expectClientError(await post(service, '/payment-links', body), 400, 422);
    });

    test('every listed payment has the documented fields, apart from those about its link', async () => {
      expectPage(await get(service, '/payments?per_page=100'), 1, 100).forEach(expectPayment);
    });

    test('creates only one deposit for an idempotency key', async () => {
      const body = depositBody();
      const first = await createDeposit(body);
      expect(first['authorization_url']).toMatch(/^http:/);
      expect(await createDeposit(body)).toEqual(first);
      expect(await findDeposits(`booking_reference=${body['booking_reference']}`)).toHaveLength(1);
      await service.authorizeDeposit(first);
      expect((await createDeposit(body))['id']).toBe(first['id']);
      expect(await hasStatus(first, 'authorized')).toBe(true);
      expect(await hasStatus(first, 'pending')).toBe(false);
      const detail = await get(service, `/deposits/${first['id']}`);
      expectSuccess(detail, 200);
      expect(detail.body['data']).toMatchObject({ id: first['id'] });
    });

    test('captures a part of a deposit, then the remaining amount', async () => {
      const deposit = await createDeposit(depositBody());
      await service.authorizeDeposit(deposit);
      expectSuccess(
        await post(service, `/deposits/${deposit['id']}/capture`, { amount: 50, description: 'Lamp' }),
        200,
        201,
        202,
      );
      expect(await hasStatus(deposit, 'partially_captured')).toBe(true);
      expectSuccess(await post(service, `/deposits/${deposit['id']}/capture`), 200, 201, 202);
      expect(await hasStatus(deposit, 'captured')).toBe(true);
    });

    test('releases, expires and declines deposits', async () => {
      const [released, expired, declined] = [
        await createDeposit(depositBody()),
        await createDeposit(depositBody()),
        await createDeposit(depositBody()),
      ];
      await service.authorizeDeposit(released);
      expectSuccess(await post(service, `/deposits/${released['id']}/release`), 200, 201, 202);
      expect(await hasStatus(released, 'released')).toBe(true);
      await service.authorizeDeposit(expired);
      await service.expireDeposit(expired);
      expect(await hasStatus(expired, 'expired')).toBe(true);
      await service.declineDeposit(declined);
      expect(await hasStatus(declined, statusAfterDecline)).toBe(true);
      await expect(service.authorizeDeposit(expired)).rejects.toThrow('is expired');
    });

    test('responds to unknown records and paths with the error envelope', async () => {
      expectClientError(await get(service, '/invoices/99999'), 404);
      expectClientError(await get(service, '/invoices/abc'), 400, 404, 422);
      expectClientError(await get(service, '/deposits/99999'), 404);
      expectClientError(await get(service, '/nowhere'), 404);
      expectClientError(await sendRequest(service, 'DELETE', '/invoices/1'), 404, 405);
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
      test('requires a token with the scope for its method', async () => {
        const { full, read, write, scopeless } = service.tokens;
        const [tokenWithScope, tokenWithOtherScope] = method === 'GET' ? [read, write] : [write, read];
        for (const authorization of [undefined, 'Bearer nobody', `Basic ${full}`]) {
          expectClientError(await sendRequest(service, method, path, { authorization }), 401, 403);
        }
        for (const token of [tokenWithOtherScope, scopeless]) {
          expectClientError(await sendRequest(service, method, path, { authorization: `Bearer ${token}` }), 401, 403);
        }
        const allowed = await sendRequest(service, method, path, { authorization: `Bearer ${tokenWithScope}` });
        expectRateHeaders(allowed);
        expect([401, 403]).not.toContain(allowed.status);
      });
    });

    test('counts requests and refuses those above the limit', async () => {
      const limited = await startSecondImplementation({ ...variant, limit: 6 });
      try {
        const first = await sendRequest(limited, 'GET', '/invoices/stats');
        const limit = Number(first.headers.get('X-RateLimit-Limit'));
        // Variants with a burst allow 10 requests in their first window, the others 6.
        expect([6, 10]).toContain(limit);
        let reply = first;
        for (let count = 2; count <= limit && reply.status === 200; count += 1) {
          const { headers } = reply;
          reply = await sendRequest(limited, 'GET', '/invoices/stats');
          const decrease =
            Number(headers.get('X-RateLimit-Remaining')) - Number(reply.headers.get('X-RateLimit-Remaining'));
          expect(hasOtherClients ? [1, 2] : [1]).toContain(decrease);
        }
        // Requests of other clients may have used up the window.
        if (!hasOtherClients) expect(reply.status).toBe(200);
        expectClientError(await sendRequest(limited, 'GET', '/payments'), 429);
      } finally {
        await limited.close();
      }
    });
  },
);

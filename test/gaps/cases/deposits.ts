import { expect } from 'vitest';
import { openServerWithPausedStore } from '../paused-store-server.js';
import {
  type Client,
  fieldNames,
  fieldValues,
  type GapCases,
  openAccount,
  type ResponseSummary,
  swissSeedPath,
} from '../test-account.js';

// Deposits of the seed `demo` by id: 1 pending, 2 authorized (450), 3 partially captured (120.5 of 500), 4 captured,
// 5 released, 6 expired, 7 failed. A new deposit gets the id 8.

const deposit = { booking_reference: 'BK-1', amount: 100 };

function createWithKey(client: Client, key: string, body: object = deposit): Promise<ResponseSummary> {
  return client.post('/deposits', body, { headers: { 'Idempotency-Key': key } });
}

/**
 * Tests of gaps (questions that the specification leaves open) about deposits. `choiceValues` gives the value of each
 * choice that takes one, by the name of the choice.
 */
export const deposits: GapCases = {
  'deposit.required': {
    async probe(choices) {
      const client = await openAccount(choices);
      const complete: Record<string, unknown> = {
        booking_reference: 'BK-1',
        amount: 100,
        currency: 'EUR',
        customer: { name: 'Ada', email: 'ada@guest.example' },
        check_in_date: '2026-03-10',
        check_out_date: '2026-03-12',
        metadata: {},
      };
      const required: string[] = [];
      for (const name of Object.keys(complete)) {
        const { [name]: _omitted, ...otherFields } = complete;
        const { status } = await client.post('/deposits', otherFields);
        if (status === 422) required.push(name);
      }
      return required;
    },
    expected: {
      'reference-and-amount': ['booking_reference', 'amount'],
      // The choice `all` does not require metadata.
      all: ['booking_reference', 'amount', 'currency', 'customer', 'check_in_date', 'check_out_date'],
      amount: ['amount'],
      fields: ['amount', 'currency', 'metadata'],
    },
    choiceValues: { fields: ['amount', 'metadata', 'currency'] },
  },

  'deposit.currency': {
    async probe(choices) {
      const client = await openAccount(choices, { seed: swissSeedPath });
      const withoutCurrency = await client.post('/deposits', deposit);
      const withCurrency = await client.post('/deposits', { ...deposit, currency: 'USD' });
      return [withoutCurrency.valueAt('data.currency'), withCurrency.valueAt('data.currency')];
    },
    expected: { eur: ['EUR', 'USD'], account: ['CHF', 'USD'] },
  },

  'deposit.amount-range': {
    async probe(choices) {
      const client = await openAccount(choices);
      const results: unknown[][] = [];
      for (const amount of [1.01, 1.005, 0.005, 0.004, 0, -1]) {
        const response = await client.post('/deposits', { ...deposit, amount });
        results.push([amount, response.status, response.valueAt('data.amount')]);
      }
      return results;
    },
    expected: {
      refused: [
        [1.01, 201, 1.01],
        [1.005, 422, undefined],
        [0.005, 422, undefined],
        [0.004, 422, undefined],
        [0, 422, undefined],
        [-1, 422, undefined],
      ],
      rounded: [
        [1.01, 201, 1.01],
        [1.005, 201, 1.01],
        [0.005, 201, 0.01],
        [0.004, 422, undefined],
        [0, 422, undefined],
        [-1, 422, undefined],
      ],
    },
  },

  'deposit.key-required': {
    async probe(choices) {
      const client = await openAccount(choices);
      const withoutKey = await client.post('/deposits', deposit);
      const withKey = await createWithKey(client, 'key-1');
      return [withoutKey.status, withoutKey.error, withKey.status];
    },
    expected: { no: [201, undefined, 201], yes: [400, 'The Idempotency-Key header is required.', 201] },
  },

  'deposit.key-mismatch': {
    async probe(choices) {
      const client = await openAccount(choices);
      await createWithKey(client, 'key-1');
      const withOtherBody = await createWithKey(client, 'key-1', { ...deposit, amount: 200 });
      const listed = await client.get('/deposits?booking_reference=BK-1');
      return [
        withOtherBody.status,
        withOtherBody.error,
        withOtherBody.valueAt('data.amount'),
        fieldValues(listed.valueAt('data.data'), 'amount'),
      ];
    },
    expected: {
      refused: [422, 'Idempotency-Key was already used with another request body.', undefined, [100]],
      original: [201, undefined, 100, [100]],
    },
  },

  'deposit.key-concurrent': {
    async probe(choices) {
      const server = await openServerWithPausedStore(choices);
      const first = server.createDeposit('key-1');
      await server.waitForReadyResponses(1);
      const second = server.createDeposit('key-1');
      await server.waitForReadyResponses(2);
      server.resumeStore();
      const outcomes = await Promise.all([first, second]);
      await server.close();
      return outcomes;
    },
    // The server starts with the seed `empty`, so the first new deposit gets the id 1.
    expected: {
      shared: ['201 deposit 1', '201 deposit 1'],
      conflict: ['201 deposit 1', '409 A request with this Idempotency-Key is in progress.'],
    },
  },

  'deposit.key-owner': {
    async probe(choices) {
      const client = await openAccount(choices);
      const createWithToken = async (token: 'full' | 'write'): Promise<unknown> => {
        const options = { token, headers: { 'Idempotency-Key': 'key-1' } };
        return (await client.post('/deposits', deposit, options)).valueAt('data.id');
      };
      return [
        await createWithToken('full'),
        await createWithToken('write'),
        await createWithToken('full'),
        await createWithToken('write'),
      ];
    },
    expected: { account: [8, 8, 8, 8], token: [8, 9, 8, 9] },
  },

  'deposit.key-failed': {
    async probe(choices) {
      const client = await openAccount(choices);
      const refused = await createWithKey(client, 'key-1', { booking_reference: 'BK-1' });
      const corrected = await createWithKey(client, 'key-1');
      // The error of a later request does not replace the deposit of a key.
      const first = await createWithKey(client, 'key-2');
      await createWithKey(client, 'key-2', { booking_reference: 'BK-1' });
      const repeated = await createWithKey(client, 'key-2');
      const isSameDeposit = repeated.status === 201 && repeated.valueAt('data.id') === first.valueAt('data.id');
      return [refused.status, corrected.status, corrected.error, isSameDeposit];
    },
    expected: { free: [422, 201, undefined, true], replayed: [422, 422, 'The amount field is required.', true] },
  },

  'deposit.key-retention': {
    async probe(choices) {
      const client = await openAccount(choices, { now: '2026-03-01T09:00:00Z' });
      const ids = [(await createWithKey(client, 'key-1')).valueAt('data.id')];
      for (const now of [
        '2026-03-01T10:59:59Z',
        '2026-03-01T11:00:00Z',
        '2026-03-02T08:59:59Z',
        '2026-03-02T09:00:00Z',
        '2036-03-01T09:00:00Z',
      ]) {
        client.freezeClockAt(now);
        ids.push((await createWithKey(client, 'key-1')).valueAt('data.id'));
      }
      return ids;
    },
    choiceValues: { after: 'PT2H' },
    expected: { day: [8, 8, 8, 8, 9, 10], after: [8, 8, 9, 10, 10, 11], forever: [8, 8, 8, 8, 8, 8] },
  },

  'deposit.replay-body': {
    async probe(choices) {
      const client = await openAccount(choices);
      const first = await createWithKey(client, 'key-1');
      client.authorize(Number(first.valueAt('data.id')));
      const replay = await createWithKey(client, 'key-1');
      return [
        first.status,
        first.valueAt('data.status'),
        replay.status,
        replay.valueAt('data.id'),
        replay.valueAt('data.status'),
      ];
    },
    expected: { 'first-answer': [201, 'pending', 201, 8, 'pending'], present: [201, 'pending', 201, 8, 'authorized'] },
  },

  'deposit.replay-status': {
    async probe(choices) {
      const client = await openAccount(choices);
      const first = await createWithKey(client, 'key-1');
      const second = await createWithKey(client, 'key-1');
      const withoutKey = await client.post('/deposits', deposit);
      return [first.status, second.status, withoutKey.status];
    },
    expected: { 'as-first': [201, 201, 201], '200': [201, 200, 201] },
  },

  'deposit.id': {
    async probe(choices) {
      const client = await openAccount(choices);
      const created = await client.post('/deposits', deposit);
      const id = created.valueAt('data.id');
      const read = await client.get(`/deposits/${id}`);
      const unknown = await client.get('/deposits/dep_unknown');
      return {
        id,
        isFound: read.valueAt('data.id') === id,
        urlHasId: String(created.valueAt('data.authorization_url')).endsWith(`/${id}`),
        unknownStatus: unknown.status,
      };
    },
    expected: {
      integer: { id: 8, isFound: true, urlHasId: true, unknownStatus: 404 },
      uuid: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        isFound: true,
        urlHasId: true,
        unknownStatus: 404,
      },
      prefixed: { id: expect.stringMatching(/^dep_[0-9a-z]+$/), isFound: true, urlHasId: true, unknownStatus: 404 },
    },
  },

  'deposit.fields': {
    async probe(choices) {
      const client = await openAccount(choices);
      const created = await client.post('/deposits', deposit);
      const read = await client.get('/deposits/8');
      return [fieldNames(created.valueAt('data')), fieldNames(read.valueAt('data')).length];
    },
    // The response to a create request always has `authorization_url`. The order of the fields does not depend on the
    // choice.
    expected: {
      all: [
        [
          'id',
          'booking_reference',
          'amount',
          'currency',
          'customer',
          'check_in_date',
          'check_out_date',
          'metadata',
          'status',
          'captured_amount',
          'remaining_amount',
          'authorization_url',
          'authorized_at',
          'expires_at',
          'released_at',
          'created_at',
        ],
        16,
      ],
      fields: [['id', 'booking_reference', 'status', 'authorization_url'], 3],
    },
    choiceValues: { fields: ['id', 'status', 'booking_reference'] },
  },

  'deposit.unset-fields': {
    async probe(choices) {
      const client = await openAccount(choices);
      const created = await client.post('/deposits', deposit);
      const unsetFields = ['customer', 'check_in_date', 'check_out_date', 'metadata', 'authorized_at', 'released_at'];
      const authorized = await client.get('/deposits/2');
      return [unsetFields.map((name) => created.valueAt(`data.${name}`)), authorized.valueAt('data.authorized_at')];
    },
    choiceValues: { each: { customer: 'absent', dates: 'empty-text', metadata: 'null', moments: 'absent' } },
    expected: {
      nulls: [[null, null, null, {}, null, null], '2026-02-27T09:00:00+00:00'],
      each: [[undefined, '', '', null, undefined, undefined], '2026-02-27T09:00:00+00:00'],
    },
  },

  'deposit.remaining-amount': {
    async probe(choices) {
      const client = await openAccount(choices);
      const created = await client.post('/deposits', deposit);
      const captured = await client.post('/deposits/2/capture', { amount: 150 });
      const released = await client.post('/deposits/2/release');
      return [created, captured, released].map((response) => response.valueAt('data.remaining_amount'));
    },
    expected: { zero: [0, 300, 0], uncaptured: [100, 300, 300] },
  },

  'deposit.booking-filter': {
    async probe(choices) {
      const client = await openAccount(choices);
      // The first reference contains a precomposed "é", the second an "e" with a combining accent.
      for (const reference of ['Caf\u00e9-1', 'cafe\u0301-12', 'Bar-1']) {
        await client.post('/deposits', { ...deposit, booking_reference: reference });
      }
      const listedIds: unknown[][] = [];
      for (const filter of ['Caf\u00e9-1', 'CAF\u00c9', '-1', 'none']) {
        const list = await client.get(`/deposits?booking_reference=${encodeURIComponent(filter)}`);
        listedIds.push(fieldValues(list.valueAt('data.data'), 'id'));
      }
      for (const status of ['pending', 'captured']) {
        const list = await client.get(`/deposits?booking_reference=Bar&status=${status}`);
        listedIds.push(fieldValues(list.valueAt('data.data'), 'id'));
      }
      return listedIds;
    },
    // The booking references of the seed, BK-1001 to BK-1007, also contain `-1`.
    expected: {
      exact: [[8], [], [], [], [], []],
      partial: [[9, 8], [9, 8], expect.arrayContaining([10, 9, 8]), [], [10], []],
    },
  },

  'deposit.per-page': {
    async probe(choices) {
      const client = await openAccount(choices);
      const sizes: unknown[] = [];
      // The page sizes of invoices are documented, so the choice must not change them.
      for (const list of ['/deposits', '/deposits?per_page=1000', '/invoices', '/invoices?per_page=1000']) {
        sizes.push((await client.get(list)).valueAt('data.per_page'));
      }
      return sizes;
    },
    choiceValues: { bounds: { default: 3, maximum: 500 } },
    expected: { '25-of-100': [25, 100, 25, 100], bounds: [3, 500, 25, 100] },
  },

  'deposit.capture-when': {
    async probe(choices) {
      const client = await openAccount(choices);
      const responses = [
        await client.post('/deposits/1/capture', {}),
        await client.post('/deposits/4/capture', {}),
        await client.post('/deposits/5/capture', {}),
        await client.post('/deposits/6/capture', {}),
        await client.post('/deposits/7/capture', {}),
        // One cent more than the remaining amount.
        await client.post('/deposits/3/capture', { amount: 379.51 }),
        await client.post('/deposits/3/capture', { amount: 379.5 }),
        await client.post('/deposits/2/capture', { amount: 450.01 }),
        await client.post('/deposits/2/capture'),
      ];
      return responses.map((response) => `${response.status} ${response.error ?? response.valueAt('data.status')}`);
    },
    expected: {
      '409': [
        '409 Deposit cannot be captured',
        '409 Deposit cannot be captured',
        '409 Deposit cannot be captured',
        '409 Deposit cannot be captured',
        '409 Deposit cannot be captured',
        '422 Amount exceeds the remaining authorization',
        '200 captured',
        '422 Amount exceeds the remaining authorization',
        '200 captured',
      ],
      '400': [
        '400 Deposit cannot be captured',
        '400 Deposit cannot be captured',
        '400 Deposit cannot be captured',
        '400 Deposit cannot be captured',
        '400 Deposit cannot be captured',
        '400 Amount exceeds the remaining authorization',
        '200 captured',
        '400 Amount exceeds the remaining authorization',
        '200 captured',
      ],
      answers: [
        '422 Deposit cannot be captured',
        '422 Deposit cannot be captured',
        '422 Deposit cannot be captured',
        '422 Deposit cannot be captured',
        '422 Deposit cannot be captured',
        '200 captured',
        '422 Deposit cannot be captured',
        '200 captured',
        '422 Deposit cannot be captured',
      ],
    },
    choiceValues: { answers: { otherwise: 422, above: 'capped' } },
  },

  'deposit.release-when': {
    async probe(choices) {
      const client = await openAccount(choices);
      const results: string[] = [];
      for (const id of [1, 2, 2, 4, 5, 6, 7]) {
        const response = await client.post(`/deposits/${id}/release`);
        results.push(`${id}: ${response.status} ${response.error ?? response.valueAt('data.released_at')}`);
      }
      return results;
    },
    expected: {
      '409': [
        '1: 409 Deposit cannot be released',
        '2: 200 2026-03-01T09:00:00+00:00',
        '2: 409 Deposit cannot be released',
        '4: 409 Deposit cannot be released',
        '5: 409 Deposit cannot be released',
        '6: 409 Deposit cannot be released',
        '7: 409 Deposit cannot be released',
      ],
      '400': [
        '1: 400 Deposit cannot be released',
        '2: 200 2026-03-01T09:00:00+00:00',
        '2: 400 Deposit cannot be released',
        '4: 400 Deposit cannot be released',
        '5: 400 Deposit cannot be released',
        '6: 400 Deposit cannot be released',
        '7: 400 Deposit cannot be released',
      ],
      repeated: [
        '1: 409 Deposit cannot be released',
        '2: 200 2026-03-01T09:00:00+00:00',
        '2: 200 2026-03-01T09:00:00+00:00',
        '4: 409 Deposit cannot be released',
        '5: 200 2026-02-12T09:00:00+00:00',
        '6: 409 Deposit cannot be released',
        '7: 409 Deposit cannot be released',
      ],
      answers: [
        '1: 422 Deposit cannot be released',
        '2: 200 2026-03-01T09:00:00+00:00',
        '2: 200 2026-03-01T09:00:00+00:00',
        '4: 422 Deposit cannot be released',
        '5: 200 2026-02-12T09:00:00+00:00',
        '6: 422 Deposit cannot be released',
        '7: 422 Deposit cannot be released',
      ],
    },
    choiceValues: { answers: { otherwise: 422, again: 'accepted' } },
  },

  'deposit.release-partial': {
    async probe(choices) {
      const client = await openAccount(choices);
      const releasedAfterCapture = await client.post('/deposits/3/release');
      const releasedWithoutCapture = await client.post('/deposits/2/release');
      return [
        releasedAfterCapture.valueAt('data.status'),
        releasedAfterCapture.valueAt('data.captured_amount'),
        releasedAfterCapture.valueAt('data.remaining_amount'),
        releasedWithoutCapture.valueAt('data.status'),
      ];
    },
    expected: { released: ['released', 120.5, 0, 'released'], captured: ['captured', 120.5, 0, 'released'] },
  },

  'deposit.window': {
    async probe(choices) {
      const client = await openAccount(choices, { now: '2026-03-01T09:00:00Z' });
      // Deposit 2 was authorized on 27 February at 9:00, so a hold of one week ends on 6 March at 9:00.
      const expiryAndStatuses = [(await client.get('/deposits/2')).valueAt('data.expires_at')];
      for (const now of [
        '2026-03-06T08:59:59Z',
        '2026-03-06T09:00:00Z',
        '2026-03-07T08:59:59Z',
        '2026-03-07T09:00:00Z',
      ]) {
        client.freezeClockAt(now);
        expiryAndStatuses.push((await client.get('/deposits/2')).valueAt('data.status'));
      }
      return expiryAndStatuses;
    },
    choiceValues: { for: '8d' },
    expected: {
      week: ['2026-03-06T09:00:00+00:00', 'authorized', 'expired', 'expired', 'expired'],
      for: ['2026-03-07T09:00:00+00:00', 'authorized', 'authorized', 'authorized', 'expired'],
    },
  },

  'deposit.expire-partial': {
    async probe(choices) {
      const client = await openAccount(choices, { now: '2026-03-01T09:00:00Z' });
      // Deposit 3 was authorized on 25 February at 9:00, so its hold of one week ends on 4 March at 9:00.
      client.freezeClockAt('2026-03-04T09:00:00Z');
      const expired = await client.get('/deposits/3');
      return [
        expired.valueAt('data.status'),
        expired.valueAt('data.captured_amount'),
        expired.valueAt('data.remaining_amount'),
      ];
    },
    expected: { expired: ['expired', 120.5, 0], captured: ['captured', 120.5, 0] },
  },

  'deposit.link-expiry': {
    async probe(choices) {
      const client = await openAccount(choices, { now: '2026-03-01T09:00:00Z' });
      // Deposit 1 was created on 28 February at 9:00, so its link, valid for 36 hours, expires on 1 March at 21:00.
      const statuses: unknown[] = [];
      for (const now of ['2026-03-01T20:59:59Z', '2026-03-01T21:00:00Z', '2036-03-01T09:00:00Z']) {
        client.freezeClockAt(now);
        statuses.push((await client.get('/deposits/1')).valueAt('data.status'));
      }
      return statuses;
    },
    choiceValues: { after: '36h' },
    expected: { never: ['pending', 'pending', 'pending'], after: ['pending', 'expired', 'expired'] },
  },

  'deposit.decline': {
    async probe(choices) {
      const client = await openAccount(choices);
      const receiver = await client.startReceiver();
      const outcomes = [client.decline(1), client.decline(1), client.authorize(1)];
      await client.deliverEvents();
      return [
        outcomes,
        receiver.messages().map(({ event }) => event),
        (await client.get('/deposits/1')).valueAt('data.status'),
      ];
    },
    expected: {
      failed: [['failed', 'transition-not-allowed', 'transition-not-allowed'], ['deposit.failed'], 'failed'],
      pending: [['pending', 'pending', 'authorized'], ['deposit.authorized'], 'authorized'],
    },
  },

  'deposit.dates': {
    async probe(choices) {
      const client = await openAccount(choices);
      const dates = { check_in_date: '2026-03-12', check_out_date: '2026-03-10' };
      const created = await client.post('/deposits', { ...deposit, ...dates });
      const listed = await client.get('/deposits?booking_reference=BK-1');
      return [created.status, created.valueAt('errors'), fieldValues(listed.valueAt('data.data'), 'check_out_date')];
    },
    expected: {
      refused: [
        422,
        { check_out_date: ['The check out date field must be a date after or equal to check in date.'] },
        [],
      ],
      accepted: [201, undefined, ['2026-03-10']],
    },
  },

  'deposit.customer-email': {
    async probe(choices) {
      const client = await openAccount(choices);
      const created = await client.post('/deposits', { ...deposit, customer: { email: 'ada@' } });
      const listed = await client.get('/deposits?booking_reference=BK-1');
      return [created.status, created.valueAt('errors'), fieldValues(listed.valueAt('data.data'), 'customer')];
    },
    expected: {
      refused: [422, { 'customer.email': ['The customer.email field must be a valid email address.'] }, []],
      accepted: [201, undefined, [{ name: null, email: 'ada@' }]],
    },
  },
};

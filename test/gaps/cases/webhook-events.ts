import type { ReceivedMessage } from '../receiver.js';
import { fieldNames, fieldValues, type GapCases, openAccount, valueAt } from '../test-account.js';

const deposit = { booking_reference: 'BK-1', amount: 100 };

function eventNames(messages: readonly ReceivedMessage[]): string[] {
  return messages.map(({ event }) => event);
}

/** Numbers distinct values in the order in which they first occur: a, a, b, a becomes 1, 1, 2, 1. */
function toOrdinals(values: readonly unknown[]): number[] {
  const distinctValues = [...new Set(values)];
  return values.map((value) => distinctValues.indexOf(value) + 1);
}

/** Tests of gaps (questions that the specification leaves open) about webhook events. */
export const webhookEvents: GapCases = {
  'event.payload': {
    async probe(choices) {
      const client = await openAccount(choices);
      const receiver = await client.startReceiver();
      await client.post('/deposits', deposit);
      await client.deliverEvents();
      client.payLink(1);
      await client.deliverEvents();
      const records = [
        (await client.get('/deposits/8')).valueAt('data'),
        (await client.get('/payments')).valueAt('data.data.0'),
      ];
      return receiver.messages().map(({ event, json }, index) => {
        const isRecord = JSON.stringify(json) === JSON.stringify(records[index]);
        const dataIsRecord = JSON.stringify(valueAt(json, 'data')) === JSON.stringify(records[index]);
        const payloadIsRecord = JSON.stringify(valueAt(json, 'payload')) === JSON.stringify(records[index]);
        return [event, fieldNames(json).slice(0, 4), { isRecord, dataIsRecord, payloadIsRecord }];
      });
    },
    choiceValues: { members: { data: 'payload', event: 'type' } },
    expected: {
      envelope: [
        [
          'deposit.created',
          ['id', 'event', 'created_at', 'data'],
          { isRecord: false, dataIsRecord: true, payloadIsRecord: false },
        ],
        [
          'payment.succeeded',
          ['id', 'event', 'created_at', 'data'],
          { isRecord: false, dataIsRecord: true, payloadIsRecord: false },
        ],
      ],
      members: [
        ['deposit.created', ['type', 'payload'], { isRecord: false, dataIsRecord: false, payloadIsRecord: true }],
        ['payment.succeeded', ['type', 'payload'], { isRecord: false, dataIsRecord: false, payloadIsRecord: true }],
      ],
      'top-level': [
        [
          'deposit.created',
          ['id', 'booking_reference', 'amount', 'currency'],
          { isRecord: true, dataIsRecord: false, payloadIsRecord: false },
        ],
        [
          'payment.succeeded',
          ['id', 'description', 'amount', 'currency'],
          { isRecord: true, dataIsRecord: false, payloadIsRecord: false },
        ],
      ],
    },
  },

  'event.trigger': {
    async probe(choices) {
      const client = await openAccount(choices, { seed: 'empty' });
      const receiver = await client.startReceiver();
      const log: string[] = [];
      let loggedCount = 0;
      /** Advances the clock, and logs the events since the last call. */
      const logEvents = async (step: string, by = '1m'): Promise<void> => {
        await client.advance(by);
        const messages = receiver.messages().slice(loggedCount);
        loggedCount += messages.length;
        const descriptions = messages.map(({ event, json }) => {
          // From the month to the minute, such as 03-01T09:00.
          const time = String(valueAt(json, 'created_at')).slice(5, 16);
          return `${event} ${time} with status ${valueAt(json, 'data.status')}`;
        });
        log.push(`${step}: ${descriptions.join()}`);
      };
      await client.post('/deposits', deposit);
      await logEvents('created');
      client.authorize(1);
      await logEvents('authorized');
      await client.post('/deposits/1/capture', { amount: 40 });
      await logEvents('captured in part');
      await client.post('/deposits/1/release');
      await logEvents('released');
      await client.post('/deposits', deposit);
      await logEvents('created');
      client.authorize(2);
      await logEvents('authorized');
      await client.post('/deposits/2/capture', {});
      await logEvents('captured');
      await client.post('/deposits', deposit);
      await logEvents('created');
      client.decline(3);
      await logEvents('declined');
      await client.post('/deposits', deposit);
      await logEvents('created');
      client.authorize(4);
      await logEvents('authorized');
      await logEvents('eight days later', '8d');
      await client.post('/payment-links', { description: 'March', amount: 10 });
      client.payLink(1, 'failed');
      client.payLink(1, 'pending');
      await logEvents('payments that failed or are pending');
      client.payLink(1);
      await logEvents('paid');
      return log;
    },
    expected: {
      transition: [
        'created: deposit.created 03-01T09:00 with status pending',
        'authorized: deposit.authorized 03-01T09:01 with status authorized',
        'captured in part: deposit.partially_captured 03-01T09:02 with status partially_captured',
        'released: deposit.released 03-01T09:03 with status released',
        'created: deposit.created 03-01T09:04 with status pending',
        'authorized: deposit.authorized 03-01T09:05 with status authorized',
        'captured: deposit.captured 03-01T09:06 with status captured',
        'created: deposit.created 03-01T09:07 with status pending',
        'declined: deposit.failed 03-01T09:08 with status failed',
        'created: deposit.created 03-01T09:09 with status pending',
        'authorized: deposit.authorized 03-01T09:10 with status authorized',
        'eight days later: deposit.expired 03-08T09:10 with status expired',
        'payments that failed or are pending: ',
        'paid: payment.succeeded 03-09T09:12 with status paid',
      ],
    },
  },

  'event.payment-signature': {
    async probe(choices) {
      const client = await openAccount(choices);
      const receiver = await client.startReceiver();
      client.authorize(1);
      await client.deliverEvents();
      client.payLink(1);
      await client.deliverEvents();
      // The receiver has verified the signatures, so only the names of their headers remain to be compared.
      return receiver.messages().map(({ event, headers }) => {
        const signed = Object.entries(headers).filter(([, value]) => String(value).startsWith('sha256='));
        return [event, signed.map(([name]) => name)];
      });
    },
    choiceValues: { header: 'X-Payment-Signature' },
    expected: {
      'service-signature': [
        ['deposit.authorized', ['x-service-signature']],
        ['payment.succeeded', ['x-service-signature']],
      ],
      header: [
        ['deposit.authorized', ['x-service-signature']],
        ['payment.succeeded', ['x-payment-signature']],
      ],
    },
  },

  'event.digest': {
    async probe(choices) {
      const client = await openAccount(choices);
      const receiver = await client.startReceiver();
      client.authorize(1);
      client.payLink(1);
      await client.deliverEvents();
      return receiver.messages().map(({ headers }) => {
        const digest = String(headers['x-service-signature']).replace(/^sha256=/, '');
        // A digest is in an encoding if it has the right length, and decoding and encoding it again does not change it.
        const encodings = {
          hex: Buffer.from(digest, 'hex').toString('hex'),
          base64: Buffer.from(digest, 'base64').toString('base64'),
          'hex-upper': Buffer.from(digest, 'hex').toString('hex').toUpperCase(),
        };
        const lengths = { hex: 64, base64: 44, 'hex-upper': 64 };
        const names = ['hex', 'base64', 'hex-upper'] as const;
        return names.filter((name) => encodings[name] === digest && lengths[name] === digest.length);
      });
    },
    expected: {
      hex: [['hex'], ['hex']],
      base64: [['base64'], ['base64']],
      'hex-upper': [['hex-upper'], ['hex-upper']],
    },
  },

  'event.retries': {
    async probe(choices) {
      const client = await openAccount(choices, { seed: 'empty' });
      const receiver = await client.startReceiver(() => ({ status: 500 }));
      await client.post('/deposits', deposit);
      await client.advance('3d');
      const [first] = receiver.messages();
      return receiver.messages().map(({ receivedAt }) => (receivedAt - (first?.receivedAt ?? 0)) / 1_000);
    },
    // In seconds after the first attempt. The retries wait 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h.
    expected: { backoff: [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 99_305], none: [0] },
  },

  'event.order': {
    async probe(choices) {
      const client = await openAccount(choices);
      const log: string[] = [];
      let respondToAuthorized = (): void => undefined;
      const delay = new Promise<void>((resolve) => {
        respondToAuthorized = resolve;
      });
      const receiver = await client.startReceiver(({ event }) => {
        if (event.startsWith('deposit.')) log.push(`${event} arrives`);
        return event === 'deposit.authorized' ? { after: delay } : {};
      });
      const countReceived = (event: string): number =>
        eventNames(receiver.messages()).filter((name) => name === event).length;
      client.authorize(1);
      await receiver.waitUntil(() => countReceived('deposit.authorized') === 1);
      await client.post('/deposits/1/capture', {});
      // Waits for up to ten other deliveries, so that deposit.captured has time to arrive, unless it is held back until
      // deposit.authorized has been answered.
      for (let number = 1; number <= 10 && countReceived('deposit.captured') === 0; number++) {
        client.payLink(1);
        await receiver.waitUntil(() => countReceived('payment.succeeded') === number);
      }
      log.push('deposit.authorized is answered');
      respondToAuthorized();
      await client.deliverEvents();
      return log;
    },
    expected: {
      'by-commit': ['deposit.authorized arrives', 'deposit.authorized is answered', 'deposit.captured arrives'],
      none: ['deposit.authorized arrives', 'deposit.captured arrives', 'deposit.authorized is answered'],
    },
  },

  'event.duplicate-id': {
    async probe(choices) {
      const client = await openAccount(choices, { seed: 'empty' });
      const receiver = await client.startReceiver((_message, index) => ({ status: index < 2 ? 500 : 204 }));
      await client.post('/deposits', deposit);
      await client.deliverEvents();
      await client.post('/deposits', deposit);
      await client.advance('1h');
      const messages = receiver.messages();
      return {
        ids: toOrdinals(messages.map(({ json }) => valueAt(json, 'id'))),
        bodies: toOrdinals(messages.map(({ body }) => body.toString())),
      };
    },
    // The first attempt of each message fails, so each is sent twice.
    expected: { same: { ids: [1, 2, 1, 2], bodies: [1, 2, 1, 2] } },
  },

  'event.invoice-payment': {
    async probe(choices) {
      const client = await openAccount(choices);
      const receiver = await client.startReceiver();
      const outcomes = [client.payInvoice(2)];
      await client.deliverEvents();
      outcomes.push(client.payLink(2));
      await client.deliverEvents();
      const data = receiver.messages().map(({ json }) => valueAt(json, 'data'));
      return [
        outcomes,
        eventNames(receiver.messages()),
        fieldValues(data, 'payment_link_id'),
        fieldValues(data, 'description'),
      ];
    },
    expected: {
      'with-null-link': [
        ['paid', 'paid'],
        ['payment.succeeded', 'payment.succeeded'],
        [null, 2],
        ['Invoice DEMO-0002', "Atelier d'été"],
      ],
      none: [['paid', 'paid'], ['payment.succeeded'], [2], ["Atelier d'été"]],
    },
  },
};

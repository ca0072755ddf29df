import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isForged } from '../../src/domain/faults.js';
import { effects } from '../../src/faults/index.js';
import { applyEffectsToMessage, messageEffects } from '../../src/faults/messages/index.js';
import { readEffects } from '../../src/faults/read-effects.js';
import type { MessageWithFaults, OutgoingMessage } from '../../src/simulation/state/ports.js';

/** Tests of the effects on webhook messages, each with a single message. */

const data = { id: 8, amount: 19.99, captured_amount: 5, remaining_amount: 14.99, currency: 'EUR' };
const body = JSON.stringify({ id: 'evt_1', event: 'deposit.created', data });
const earlierMessage = {
  deliveryId: 'evt_0',
  event: 'deposit.created',
  body: '{"id":"evt_0"}',
  headers: { 'X-Old': 'yes' },
} as const;

/** Applies the effects of faults to a message. */
function applyFaults(faults: MessageWithFaults['faults'], overrides: Partial<MessageWithFaults> = {}) {
  const seededHex = (label: string): string => hash('sha256', `seed ${label}`);
  return applyEffectsToMessage({
    id: 'evt_1',
    event: 'deposit.created',
    body,
    faults,
    wasHeldBack: false,
    secret: 'the secret',
    retiredSecret: 'the old secret',
    seededHex,
    seededNumber: (label) => Number.parseInt(seededHex(label).slice(0, 8), 16) / 2 ** 32,
    findEarlier: () => earlierMessage,
    ...overrides,
  });
}

/** Applies the effects of one fault, given in short form, to a message. */
const applyShortForm = (short: string, overrides: Partial<MessageWithFaults> = {}) =>
  applyFaults([{ id: 1, effects: readEffects(short) }], overrides);

/** The message without effects. */
const genuine = { deliveryId: 'evt_1', event: 'deposit.created', body, secret: 'the secret', appliedFaults: [] };

/** Names of the effects that were applied to each message. */
function appliedEffects(short: string, overrides: Partial<MessageWithFaults> = {}): string[] {
  return applyShortForm(short, overrides).messages.map(({ appliedFaults }) => appliedFaults.join(' '));
}

/** The message at an index. @throws Error if there is none */
function messageAt(messages: readonly OutgoingMessage[], index: number): OutgoingMessage {
  const message = messages[index];
  if (!message) throw new Error(`there are ${messages.length} messages`);
  return message;
}

describe('a single effect', () => {
  test.each<[string, readonly object[]]>([
    ['duplicate', [genuine, { ...genuine, appliedFaults: ['duplicate'] }]],
    [
      'duplicate=3',
      [genuine, { ...genuine, appliedFaults: ['duplicate'] }, { ...genuine, appliedFaults: ['duplicate'] }],
    ],
    ['delay=5m', [{ ...genuine, appliedFaults: ['delay'] }]],
    ['burst=10s', [{ ...genuine, appliedFaults: ['burst'] }]],
    ['reorder', [genuine]],
    ['retired-secret', [{ ...genuine, secret: 'the old secret', appliedFaults: ['retired-secret'] }]],
    ['no-signature', [{ ...genuine, signedText: null, appliedFaults: ['no-signature'] }]],
    ['stale', [genuine, { ...earlierMessage, secret: 'the secret', appliedFaults: ['stale'] }]],
    ['drop', [{ ...genuine, lost: 'silently', appliedFaults: ['drop'] }]],
    ['drop=attempt', [{ ...genuine, lost: 'as-failed-attempt', appliedFaults: ['drop'] }]],
  ])('%s sends the expected messages', (short, messages) => {
    expect(applyShortForm(short)).toEqual({ messages, skippedFaults: [] });
  });

  test('tamper-body keeps the signature of the genuine body', () => {
    const [message, ...others] = applyShortForm('tamper-body').messages;
    expect(others).toEqual([]);
    expect(message).toEqual({ ...genuine, body: message.body, signedText: body, appliedFaults: ['tamper-body'] });
    expect(message.body).not.toBe(body);
  });

  test('wrong-secret signs with a well-formed secret that the account never had', () => {
    const [message] = applyShortForm('wrong-secret').messages;
    expect(message).toEqual({ ...genuine, secret: message.secret, appliedFaults: ['wrong-secret'] });
    expect(message.secret).toMatch(/^whsec_[0-9a-f]{32}$/);
  });

  test('reorder is recorded for a message that waited', () => {
    expect(appliedEffects('reorder', { wasHeldBack: true })).toEqual(['reorder']);
  });

  test.each([
    [
      'retired-secret',
      { retiredSecret: undefined },
      'the webhook secret has never been changed, so no secret is retired',
    ],
    ['stale', { findEarlier: () => undefined }, 'no message has been delivered before'],
    ['tamper-body', { body: '{"data":{"id":8}}' }, 'the body has no amount that could be multiplied'],
    ['tamper-body', { body: '{"data":{"amount":0}}' }, 'the body has no amount that could be multiplied'],
    ...['"n/a"', '""', '"1e2"', '"1.5.2"', '1e+308', `"${'9'.repeat(400)}"`, 'null', '[1]'].map(
      (value) =>
        [
          'tamper-body',
          { body: `{"id":8,"metadata":{"amount":${value}}}` },
          'the body has no amount that could be multiplied',
        ] as const,
    ),
  ] as const)(
    '%s is skipped with a reason if it cannot be applied, and the message is sent',
    (short, overrides, reason) => {
      expect(applyShortForm(short, overrides)).toEqual({
        messages: [{ ...genuine, ...('body' in overrides ? overrides : {}) }],
        skippedFaults: [{ effect: short, reason }],
      });
    },
  );
});

describe('a body that was tampered with', () => {
  const tamper = (text: string, id = 'evt_1') =>
    JSON.parse(messageAt(applyShortForm('tamper-body', { id, body: text }).messages, 0).body);

  test('has all amounts multiplied by the same factor, and is otherwise unchanged', () => {
    const changed = tamper(body);
    const factor = changed.data.captured_amount / 5;
    expect([10, 100, 1_000]).toContain(factor);
    expect(changed).toEqual({
      id: 'evt_1',
      event: 'deposit.created',
      data: {
        ...data,
        amount: { 10: 199.9, 100: 1_999, 1000: 19_990 }[factor],
        captured_amount: 5 * factor,
        remaining_amount: { 10: 149.9, 100: 1_499, 1000: 14_990 }[factor],
      },
    });
  });

  test.each([
    ['19.99', ['199.90', '1999.00', '19990.00']],
    ['500', ['5000', '50000', '500000']],
    ['1.234', ['12.340', '123.400', '1234.000']],
  ])('keeps the amount %j as a string with as many decimal places', (amount, expected) => {
    const changed = tamper(JSON.stringify({ data: { amount, captured_amount: '0.00' } }));
    expect(expected).toContain(changed.data.amount);
    expect(changed.data.captured_amount).toBe('0.00');
  });

  test('has multiplied amounts even if the envelope calls the record `amount`', () => {
    const changed = tamper('{"amount":{"id":8,"amount":1}}');
    expect([10, 100, 1_000]).toContain(changed.amount.amount);
  });

  test('has multiplied amounts even if it is a record without an envelope', () => {
    const changed = tamper('{"id":8,"amount":1,"metadata":{"amount":"2"}}');
    expect([10, 100, 1_000]).toContain(changed.amount);
    expect(changed).toEqual({ id: 8, amount: changed.amount, metadata: { amount: '2' } });
  });

  test('has multiplied amounts even if the envelope calls the event `amount`', () => {
    const changed = tamper('{"amount":"deposit.created","data":{"id":8,"amount":1}}');
    expect([10, 100, 1_000]).toContain(changed.data.amount);
    expect(changed).toEqual({ amount: 'deposit.created', data: { id: 8, amount: changed.data.amount } });
  });

  test('has multiplied amounts, whatever the envelope calls the record', () => {
    const changed = tamper('{"id":"evt_1","event_data":{"id":8,"amount":1}}');
    expect([10, 100, 1_000]).toContain(changed.event_data.amount);
    expect(changed).toEqual({ id: 'evt_1', event_data: { id: 8, amount: changed.event_data.amount } });
  });

  test('depends on the message, and is always the same for a message', () => {
    const amounts = Array.from({ length: 30 }, (_, number) => tamper(body, `evt_${number}`).data.amount);
    expect(new Set(amounts)).toEqual(new Set([199.9, 1_999, 19_990]));
    expect(Array.from({ length: 30 }, (_, number) => tamper(body, `evt_${number}`).data.amount)).toEqual(amounts);
  });
});

describe('several effects', () => {
  // Each text lists the effects that were applied to one of the sent messages.
  test.each([
    ['duplicate,tamper-body', ['', 'duplicate tamper-body']],
    ['tamper-body,duplicate', ['', 'duplicate tamper-body']],
    ['duplicate,reorder,tamper-body', ['', 'duplicate tamper-body']],
    ['tamper-body,no-signature', ['tamper-body no-signature']],
    ['duplicate=3,tamper-body,wrong-secret', ['', 'duplicate wrong-secret', 'duplicate tamper-body']],
    ['duplicate,tamper-body,no-signature', ['', 'duplicate tamper-body no-signature']],
    ['stale,tamper-body', ['tamper-body', 'stale']],
    ['stale,duplicate', ['', 'duplicate', 'stale']],
    ['duplicate,duplicate=3', ['', ...Array.from({ length: 5 }, () => 'duplicate')]],
    ['drop,stale', ['drop', 'stale']],
    ['drop,delay=1s', ['delay drop']],
    ['delay=1s,duplicate', ['delay', 'duplicate']],
  ])('%s are applied in a fixed order', (short, expected) => {
    expect(appliedEffects(short)).toEqual(expected);
  });

  test('send a message 20 times at most: a `duplicate` that would exceed this is skipped with a reason', () => {
    const { messages, skippedFaults } = applyFaults(
      [10, 3, 2, 20].map((count, index) => ({ id: index + 1, effects: readEffects(`duplicate=${count}`) })),
    );
    expect(messages).toHaveLength(20);
    expect(skippedFaults).toEqual([
      { effect: 'duplicate', reason: 'the message would be sent 30 times, but the maximum is 20' },
      { effect: 'duplicate', reason: 'the message would be sent 400 times, but the maximum is 20' },
    ]);
  });

  test('send 20 earlier messages at most: a further `stale` is skipped with a reason', () => {
    const { messages, skippedFaults } = applyFaults(
      Array.from({ length: 22 }, (_, index) => ({ id: index + 1, effects: readEffects('stale') })),
    );
    expect(messages).toHaveLength(21);
    const skipped = { effect: 'stale', reason: '20 earlier messages, the maximum, are sent already' };
    expect(skippedFaults).toEqual([skipped, skipped]);
  });

  test('of two faults are all applied', () => {
    const faults = ['duplicate', 'no-signature'].map((short, index) => ({
      id: index + 1,
      effects: readEffects(short),
    }));
    expect(applyFaults(faults).messages.map(({ appliedFaults }) => appliedFaults)).toEqual([
      [],
      ['duplicate', 'no-signature'],
    ]);
  });

  test('of two faults, one of which drops the message, do not act on the message and its duplicates', () => {
    const faults = ['duplicate,tamper-body', 'drop,stale'].map((short, index) => ({
      id: index + 1,
      effects: readEffects(short),
    }));
    expect(applyFaults(faults).messages.map(({ appliedFaults }) => appliedFaults)).toEqual([['drop'], ['stale']]);
  });

  test('on the same message leave the signature of the original body, or none', () => {
    expect(applyShortForm('tamper-body,wrong-secret').messages).toMatchObject([{ signedText: body }]);
    expect(applyShortForm('tamper-body,no-signature').messages).toMatchObject([{ signedText: null }]);
  });

  test('do not change their input', () => {
    const faults = [{ id: 1, effects: readEffects('duplicate,tamper-body') }];
    const copy = structuredClone(faults);
    applyFaults(faults);
    expect(faults).toEqual(copy);
  });
});

describe('isForged', () => {
  test.each([
    ['tamper-body', true],
    ['wrong-secret', true],
    ['retired-secret', true],
    ['no-signature', true],
    ['stale', false],
    ['duplicate', false],
    ['delay=1s', false],
    ['drop', false],
  ])('for a message with %s is %s', (short, expected) => {
    expect(isForged(applyShortForm(short).messages.at(-1)?.appliedFaults)).toBe(expected);
  });

  test('is false for a message without faults', () => {
    expect(isForged()).toBe(false);
  });
});

describe('reading an effect', () => {
  test.each([
    ['delay', 'delay: `by` is missing; for example delay=5m'],
    ['delay=soon', 'delay.by: `soon` is not a duration'],
    ['burst=0s', 'burst.every: `0s` is not a duration'],
    ['reorder=0ms', 'reorder.within: `0ms` is not a duration'],
    ['duplicate=1', 'duplicate.count: must be 2 or more'],
    ['duplicate=21', 'duplicate.count: must be 20 or less'],
    ['drop=half', 'drop: unknown value `half`; available: `message`, `attempt`'],
    ['receiver-fails=200', 'receiver-fails.status: must be 400 or more'],
  ])('refuses %s: %s', (short, message) => {
    expect(() => readEffects(short)).toThrow(message);
  });

  test.each(messageEffects.map(({ name, example }) => [name, example]))(
    'accepts the example of %s',
    (name, example) => {
      expect(readEffects(example)).toMatchObject([{ name }]);
    },
  );

  test('is possible for every effect on messages', () => {
    expect(effects.map(({ name }) => name)).toEqual(expect.arrayContaining(messageEffects.map(({ name }) => name)));
  });
});

import { describe, expect, test } from 'vitest';
import { DriverError } from '../../src/contract/drivers/driver.js';
import { customerIdIn, secretIn } from '../../src/contract/drivers/results.js';

describe('the result of `createCustomer`', () => {
  test.each([[7], [-1], [2n ** 60n]])('may have the id %s', (id) => {
    expect(customerIdIn({ id, name: 'Ada Lovelace' })).toBe(id);
  });

  test.each<[result: unknown, got: string]>([
    [undefined, 'nothing'],
    [null, 'null'],
    [7, 'an integer'],
    ['7', 'a string'],
    [true, 'a boolean'],
    [[{ id: 7 }], 'an array'],
    [{}, 'an empty object'],
    [{ customer_id: 7, name: 'Ada Lovelace' }, 'an object with `customer_id`, `name`'],
    [{ id: undefined }, 'an object whose `id` is undefined'],
    [{ id: '7' }, 'an object whose `id` is a string'],
    [{ id: 7.5 }, 'an object whose `id` is a number that is not an integer'],
    [{ id: 2 ** 60 }, 'an object whose `id` is an integer that a number cannot hold exactly: return a BigInt'],
    [{ id: Number.NaN }, 'an object whose `id` is a number that is not an integer'],
    [{ id: {} }, 'an object whose `id` is an object'],
  ])('must not be %o', (result, got) => {
    expect(() => customerIdIn(result)).toThrow(
      new DriverError(
        `the driver's createCustomer() must return an object whose \`id\` is an integer, but returned ${got}`,
      ),
    );
  });
});

describe('the result of `rotateWebhookSecret`', () => {
  test('may have a secret', () => {
    expect(secretIn({ secret: 'whsec_new' })).toBe('whsec_new');
  });

  test.each<[result: unknown, got: string]>([
    ['whsec_new', 'a string'],
    [{ webhook_secret: 'whsec_new' }, 'an object with `webhook_secret`'],
    [{ secret: '' }, 'an object whose `secret` is an empty string'],
    [{ secret: 20260101 }, 'an object whose `secret` is an integer'],
  ])('must not be %o, which the message does not quote', (result, got) => {
    expect(() => secretIn(result)).toThrow(
      new DriverError(
        `the driver's rotateWebhookSecret() must return an object whose \`secret\` is a string that is not empty, but returned ${got}`,
      ),
    );
  });
});

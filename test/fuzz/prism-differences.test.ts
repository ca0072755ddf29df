import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrismValidator, type PrismValidator } from './prism.js';
import { prismDifferences, usedIdempotencyKey } from './prism-differences.js';
import { type Service, startService } from './service.js';

let service: Service;
let validateWithPrism: PrismValidator;

beforeAll(async () => {
  service = await startService();
  validateWithPrism = await createPrismValidator();
  // The example of 'idempotency key reused with another body' reuses this key.
  await service.sendAndCheck({
    operation: 'createDeposit',
    id: undefined,
    query: [],
    headers: {
      authorization: 'Bearer demo_write',
      'content-type': 'application/json',
      'Idempotency-Key': usedIdempotencyKey,
    },
    body: '{"booking_reference":"BK-0","amount":1}',
  });
});

afterAll(() => service.stop());

describe('the service and prism-http judge an example differently:', () => {
  it.each(Object.entries(prismDifferences))('%s', async (_rule, { serviceVerdict, example }) => {
    const response = await service.sendAndCheck(example);
    const findings = await validateWithPrism(example, response);
    expect({
      service: response.status < 300 ? 'accepts' : 'rejects',
      prism: findings.request.length === 0 ? 'accepts' : 'rejects',
    }).toEqual({ service: serviceVerdict, prism: serviceVerdict === 'accepts' ? 'rejects' : 'accepts' });
  });
});

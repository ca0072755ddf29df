import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differences } from './differences.js';
import { type Service, startService } from './harness.js';
import { createPrism, type Prism } from './prism.js';

let service: Service;
let prism: Prism;

beforeAll(async () => {
  service = await startService();
  prism = await createPrism();
  // One of the examples uses this key again, with another body.
  await service.sendChecked({
    operation: 'createDeposit',
    id: undefined,
    query: [],
    headers: { authorization: 'Bearer demo_write', 'content-type': 'application/json', 'Idempotency-Key': 'used' },
    body: '{"booking_reference":"BK-0","amount":1}',
  });
});

afterAll(() => service.stop());

describe('prism-http differs from the service:', () => {
  it.each(Object.entries(differences))('%s', async (_rule, { service: serviceVerdict, example }) => {
    const answer = await service.sendChecked(example);
    const verdict = await prism(example, answer);
    expect({
      service: answer.status < 300 ? 'accepts' : 'refuses',
      prism: verdict.request.length === 0 ? 'accepts' : 'refuses',
    }).toEqual({ service: serviceVerdict, prism: serviceVerdict === 'accepts' ? 'refuses' : 'accepts' });
  });
});

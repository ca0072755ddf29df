import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { verify } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { headersOf } from '../../src/webhooks/message-headers.js';
import { compileSchema } from '../support/document-schemas.js';

/** Folder of golden messages: an example of each event, for tests of receivers. */
const folder = new URL('../../fixtures/webhooks/', import.meta.url);
const profile = resolveProfile({});
const names = [
  'payment.succeeded',
  'deposit.created',
  'deposit.authorized',
  'deposit.partially_captured',
  'deposit.captured',
  'deposit.released',
  'deposit.expired',
  'deposit.failed',
] as const;

test('there is a golden message for each event of the API document, and for nothing else', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  expect(files.sort()).toEqual(names.map((name) => `${name}.json`).sort());
  expect([...names].sort()).toEqual(Object.keys(billingDocument.webhooks ?? {}).sort());
});

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

/** With UPDATE_DOCS=1, the messages get the fields that the simulator sends, and are signed again. */
const isUpdating = process.env['UPDATE_DOCS'] === '1';

/** Returns the fields that are sent, in their order, with the values of a golden message where it has them. */
function withSentFields(sent: object, golden: object): object {
  return { ...sent, ...Object.fromEntries(Object.entries(golden).filter(([field]) => Object.hasOwn(sent, field))) };
}

describe.each(names)('the golden %s', (name) => {
  const file = new URL(`${name}.json`, folder);
  const { event, secret, headers, body } = JSON.parse(readFileSync(file, 'utf8'));
  const payload = JSON.parse(body);

  test('has the headers and the signature that are sent', async () => {
    expect(event).toBe(name);
    const { 'User-Agent': _version, ...expected } = headersOf({ event: name, body, secret, profile });
    expect(headers).toEqual(expected);
    expect(await verify(secret, body, headers['X-Service-Signature'])).toBe(true);
    expect(await verify(secret, `${body} `, headers['X-Service-Signature'])).toBe(false);
  });

  test('has a body that matches the API document', () => {
    const schema = name === 'payment.succeeded' ? 'PaymentEvent' : 'DepositEvent';
    const validate = compileSchema(billingDocument, { $ref: `#/components/schemas/${schema}` });
    validate(payload);
    expect(validate.errors).toBeNull();
    expect(payload.event).toBe(name);
    expect(body).toBe(JSON.stringify(payload));
  });

  test('has the fields that the simulator sends', async () => {
    const account = await simulator.createAccount();
    await account.trigger(name);
    const sent = JSON.parse((await account.webhooks.next(name)).body);
    const current = JSON.stringify({ ...withSentFields(sent, payload), data: withSentFields(sent.data, payload.data) });
    if (isUpdating) {
      const { 'User-Agent': _version, ...signed } = headersOf({ event: name, body: current, secret, profile });
      writeFileSync(file, `${JSON.stringify({ event, secret, headers: signed, body: current }, null, 2)}\n`);
    } else expect(body, 'stale: run `UPDATE_DOCS=1 npx vitest run test/webhooks/golden`').toBe(current);
  });

  test('shows a record in the state of the event', () => {
    const status: Record<string, string> = { 'payment.succeeded': 'paid', 'deposit.created': 'pending' };
    expect(payload.data.status).toBe(status[name] ?? name.replace('deposit.', ''));
  });
});

import { expect, onTestFinished, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { type Choices, startSimulator } from '../../src/index.js';
import type { Deviation } from '../../src/proxy/deviation.js';
import { sampleUnlessFull } from '../support/sample.js';
import type { ReceivedResponse } from '../support/send-http-request.js';
import { type RequestOutcome, sendAllRequests } from './all-requests.js';
import { checkerFor, formatDeviation, openTestProxy } from './test-proxy.js';

const options = { now: '2026-03-01T09:00:00Z', rateLimit: false, randomSeed: 'proxy' };

test('the simulator responds identically through the proxy, which reports no errors', async () => {
  const simulator = await startSimulator(options);
  onTestFinished(() => simulator.close());
  // The same public URL, so that both put the same URLs into their responses.
  const secondSimulator = await startSimulator({ ...options, publicUrl: simulator.url });
  onTestFinished(() => secondSimulator.close());
  const proxied = await openTestProxy(secondSimulator.baseUrl);
  const [directOutcomes, proxiedOutcomes] = [
    await sendAllRequests(simulator.baseUrl),
    await sendAllRequests(proxied.baseUrl),
  ];

  expect(directOutcomes.map(({ name, reply }) => `${reply.status} ${name}`)).toEqual(
    directOutcomes.map(({ name, expectedStatus }) => `${expectedStatus} ${name}`),
  );
  for (const [index, { name, reply }] of directOutcomes.entries()) {
    const proxiedReply = proxiedOutcomes[index]?.reply;
    expect({ ...proxiedReply, headers: endToEndHeaders(proxiedReply) }, name).toEqual({
      ...reply,
      headers: endToEndHeaders(reply),
    });
    expect(proxiedReply?.headers['x-sim-deviations'] ?? '0', name).toMatch(/^0(;notes=\d)?$/);
  }
  expect(proxied.failures).toEqual([]);
  expect(proxied.summary()).toMatchObject({ requests: directOutcomes.length, unanswered: 0, errors: [] });
  expect(succeededOperations(directOutcomes)).toEqual(billingOperations());
});

/** Returns the headers that the proxy must forward unchanged: all but `Date`, those of the connection, and its own. */
function endToEndHeaders(reply: ReceivedResponse | undefined): ReceivedResponse['headers'] {
  const ignored = ['date', 'connection', 'keep-alive', 'x-sim-deviations'];
  return Object.fromEntries(Object.entries(reply?.headers ?? {}).filter(([name]) => !ignored.includes(name)));
}

/** Returns the operations that succeeded at least once. */
function succeededOperations(outcomes: readonly RequestOutcome[]): string[] {
  const successes = outcomes.filter(({ reply }) => reply.status < 300).map(({ name }) => name.replace(/\?.*/, ''));
  return billingOperations().filter((operation) => {
    const pattern = new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`);
    return successes.some((name) => pattern.test(name));
  });
}

function billingOperations(): string[] {
  return Object.entries(billingDocument.paths ?? {}).flatMap(([path, item]) =>
    [item?.get && `GET ${path}`, item?.post && `POST ${path}`].filter((name) => name !== undefined),
  );
}

const profiles: Choices[] = [
  { 'decimal.encoding': 'string' },
  { 'status.created': '200', 'status.acted': '202' },
  { 'deposit.id': 'uuid' },
  { 'deposit.id': 'prefixed', 'deposit.replay-status': '200' },
  { 'rate.reset-unit': 'iso', 'rate.unauthenticated': 'uncounted' },
  { 'auth.unauthenticated': '403', 'rate.unauthenticated': 'uncounted' },
  { 'auth.unauthenticated': { answer: { status: 418, error: 'Who?' } }, 'rate.unauthenticated': 'uncounted' },
  { 'auth.scope': '401', 'validation.status': '400', 'validation.messages': 'json-schema' },
  { 'validation.status': '422-without-errors', 'request.malformed-json': 'as-empty', 'request.content-type': 'parsed' },
  { 'page.invalid': 'default', 'page.over-maximum': 'refused', 'page.beyond-end': '404' },
  { 'page.last-page-everywhere': 'absent', 'null.optional': 'absent', 'payment.paid-at-unpaid': 'absent' },
  { 'null.optional': 'empty', 'invoice.transactions': { fields: ['id', 'amount'] }, 'invoice.id-text': '400' },
  { 'link.amount-range': 'rounded', 'deposit.amount-range': 'rounded', 'deposit.dates': 'accepted' },
  { 'deposit.required': 'amount', 'text.lengths': { bounds: { text: 1000, notes: 100 } } },
  { 'amount.maximum': { maximum: 10_000_000 }, 'invoice.item-places': { places: 4 }, 'link.slug': 'percent-encoded' },
  { 'request.method': '404', 'request.not-found': { error: 'Nothing' }, 'deposit.capture-when': '400' },
  { 'deposit.key-required': 'yes', 'validation.unknown-fields': 'refused' },
];

// Each profile takes seconds, so the sample is only the first one.
test.each(sampleUnlessFull(profiles, { oneIn: profiles.length }))(
  'under %j the proxy reports no errors, whether it knows the profile or not',
  async (profile) => {
    const simulator = await startSimulator({ ...options, profile });
    onTestFinished(() => simulator.close());
    const [generalChecker, profileChecker] = [checkerFor({}), checkerFor(profile)];
    const profileDeviations: Deviation[] = [];
    const proxied = await openTestProxy(simulator.baseUrl, {
      checker: {
        basePath: generalChecker.basePath,
        nameOf: (request) => generalChecker.nameOf(request),
        async check(request, response) {
          profileDeviations.push(...(await profileChecker.check(request, response)));
          return generalChecker.check(request, response);
        },
      },
    });
    await sendAllRequests(proxied.baseUrl);
    expect(proxied.failures).toEqual([]);
    for (const deviations of [proxied.deviations, profileDeviations]) {
      expect(deviations.filter(({ severity }) => severity === 'error').map(formatDeviation)).toEqual([]);
    }
  },
);

import { afterAll, describe, expect, test } from 'vitest';
import type { Driver } from '../../src/contract/drivers/driver.js';
import type { JsonObject } from '../../src/contract/engine/json.js';
import type { PaceOption } from '../../src/contract/engine/pace.js';
import { onSuccess } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import type { Choices } from '../../src/index.js';
import { namedChoicesOf } from '../gaps/named-choices.js';
import type { Options } from '../second-implementation/options.js';
import { variants } from '../second-implementation/variants.js';
import { sampleUnlessFull } from '../support/sample.js';
import { clausesExceptPaymentsAndDeposits, nonOpenClauses, paymentAndDepositClauses } from './clauses-by-topic.js';
import { choiceValues as probedChoiceValues } from './probe-cases.js';
import {
  checkClauses,
  closeSimulator,
  describeResults,
  type Outcome,
  openAccount,
  openSecondImplementation,
} from './support.js';

/** Targets that conform to the specification must cause neither failures nor warnings. */

afterAll(closeSimulator);

/** Clauses that are always skipped, since they cannot be checked from outside. */
const untestableIds = paymentAndDepositClauses.filter(({ check }) => typeof check === 'object').map(({ id }) => id);

/** Name of a record that a new account lacks, since drivers complete each payment. */
const missingFromNewAccount = 'a payment that is not paid';

/**
 * Expects that no clause fails or warns, and that documented clauses are skipped only if they are untestable or if a new
 * account lacks what they need.
 * @param allowedMissing what the target may lack, so that the documented clauses that need it may also be skipped
 */
function expectConformance(outcome: Outcome, allowedMissing: readonly string[] = []): void {
  expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  const skipped = outcome.results.filter(
    ({ status, clause, missing = '' }) =>
      status === 'skipped' &&
      clause.level === 'documented' &&
      ![missingFromNewAccount, ...allowedMissing].includes(missing),
  );
  expect(skipped.map(({ clause }) => clause.id)).toEqual(untestableIds);
}

/** Values for the choices that take a value, by `gap choice`: the probes' values, or others that a target may have. */
const choiceValues: Readonly<Record<string, unknown>> = {
  ...probedChoiceValues,
  'auth.unauthenticated answer': { status: 419, error: 'Who are you?' },
  'auth.scope answer': { status: 404, error: 'Nothing here.' },
  'request.not-found error': 'Nothing here.',
  'invoice.tax-rate maximum': 200,
  'invoice.transactions fields': ['id'],
  'payment.methods only': ['twint'],
  'deposit.window for': '30d',
  'metadata.size bounds': { keys: 1, key_length: 3, value_length: 40 },
};

/** Profiles that together contain every choice: profile N has choice N of each gap with at least N choices. */
const profilesOfAllChoices: Choices[] = [];
for (const { gapId, name, choice } of namedChoicesOf(gapRegistry)) {
  const profile = profilesOfAllChoices.find((choices) => !(gapId in choices)) ?? {};
  if (!profilesOfAllChoices.includes(profile)) profilesOfAllChoices.push(profile);
  Object.assign(profile, { [gapId]: choice.takes ? { [name]: choiceValues[`${gapId} ${name}`] } : name });
}

const profiles: Readonly<Record<string, Choices>> = {
  'decimals as strings': { 'decimal.encoding': 'string' },
  'the success statuses 200 and 202': {
    'status.created': '200',
    'deposit.replay-status': '200',
    'status.acted': '202',
  },
  'UUIDs, and payloads without an envelope': { 'deposit.id': 'uuid', 'event.payload': 'top-level' },
  'digests in base64': { 'event.digest': 'base64' },
  'payments signed in another header than deposits': { 'event.payment-signature': { header: 'X-Payment-Signature' } },
  'the oldest records first, and webhooks in any order': { 'list.order': 'oldest-first', 'event.order': 'none' },
  'a required key, and all fields required': { 'deposit.key-required': 'yes', 'deposit.required': 'all' },
  ...Object.fromEntries(
    profilesOfAllChoices.map((choices, index) => [`choice ${index + 1} of each gap that has it`, choices]),
  ),
};

describe.concurrent('no clause about payments or deposits fails, warns or is skipped without reason for the simulator', () => {
  test.each(sampleUnlessFull(Object.entries(profiles), { oneIn: 12 }))('with %s', async (_name, choices) => {
    expectConformance(await checkClauses(await openAccount(choices), paymentAndDepositClauses), [
      'a currency other than EUR',
      'higher limits',
      'a refused capture',
      'a retry',
      '`captured_amount`',
    ]);
  });

  test('with the default profile, in at most 225 requests', async () => {
    const outcome = await checkClauses(await openAccount(), paymentAndDepositClauses);
    expectConformance(outcome);
    expect(outcome.requests).toBeLessThanOrEqual(225);
  });

  test('with existing records', async () => {
    expectConformance(await checkClauses(await openAccount({}, 'demo'), paymentAndDepositClauses));
  });
});

/** Chooses a pace that keeps within the rate limit of a target, if it has one. */
const paceFor = ({ limit }: Options): PaceOption => (limit === undefined ? 'off' : 'auto');

describe.concurrent('no clause about payments or deposits fails, warns or is skipped without reason for the second implementation', () => {
  test.each(sampleUnlessFull(Object.entries(variants), { oneIn: 16 }))('as the variant %s', async (_name, options) => {
    expectConformance(
      await checkClauses(await openSecondImplementation(options), paymentAndDepositClauses, { pace: paceFor(options) }),
      ['a currency other than EUR', 'a list of one page', 'a refused capture', 'a retry', '`captured_amount`'],
    );
  });
});

describe.concurrent('no clause about anything else fails or warns for the second implementation', () => {
  test.each(sampleUnlessFull(Object.entries(variants), { oneIn: 16 }))('as the variant %s', async (_name, options) => {
    const outcome = await checkClauses(await openSecondImplementation(options), clausesExceptPaymentsAndDeposits, {
      eventuallyTimeoutMs: 2_000,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  });
});

describe.concurrent('no clause fails or warns for a service', () => {
  const services: readonly (readonly [name: string, options: Options, ids: RegExp])[] = [
    ['in which a partial capture completes a deposit', { isCaptureFinal: true }, /^(DEP-(CAPTURE|RELEASE)|HOOK-EVENT)/],
    [
      'that other clients use, and whose lists show changes late',
      { hasOtherClients: true, lagMs: 1_000 },
      /^INV-STATS/,
    ],
  ];
  test.each(services)('%s', async (_name, options, ids) => {
    const clauses = nonOpenClauses.filter(({ id }) => ids.test(id));
    const outcome = await checkClauses(await openSecondImplementation(options), clauses, {
      eventuallyTimeoutMs: 1_500,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  });

  test('whose lists show changes late, and skips no clause because of that', async () => {
    const clauses = nonOpenClauses.filter(({ id }) => /^INV-(STATS|OVERDUE)/.test(id));
    const outcome = await checkClauses(await openSecondImplementation({ lagMs: 300, seeded: false }), clauses, {
      eventuallyTimeoutMs: 1_500,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken')).toEqual([]);
    const missing = outcome.results.map((result) => result.missing);
    expect(missing).not.toContain('an overdue invoice');
    expect(missing).not.toContain('an account that nobody else changes');
  });

  test('that caches its statistics for a moment, and skips no clause because of that', async () => {
    let cached: { readonly body: JsonObject; readonly expiresAt: number } | undefined;
    const cache = onSuccess('GET', '/invoices/stats', (response) => {
      if (cached === undefined || cached.expiresAt < Date.now())
        cached = { body: structuredClone(response.body), expiresAt: Date.now() + 300 };
      else response.body = structuredClone(cached.body);
    });
    const clauses = nonOpenClauses.filter(({ id }) => /^INV-STATS/.test(id));
    const outcome = await checkClauses(await startMutatingProxy(await openAccount(), cache), clauses, {
      eventuallyTimeoutMs: 1_500,
    });
    expect(describeResults(outcome, 'failed', 'warned', 'broken', 'skipped')).toEqual([]);
  });

  test('with a driver that can pay each link only once', async () => {
    const { driver, ...implementation } = await openAccount();
    const paidIds = new Set<unknown>();
    const payLink: Driver['payLink'] = async (link) => {
      if (paidIds.has(link['id'])) throw new Error('the link is paid');
      paidIds.add(link['id']);
      return driver.payLink?.(link);
    };
    const clauses = nonOpenClauses.filter(({ id }) => /^(LINK-LIST|HOOK-EVENT-01|HOOK-PAY-0[12])/.test(id));
    const outcome = await checkClauses({ ...implementation, driver: { ...driver, payLink } }, clauses);
    expect(describeResults(outcome, 'failed', 'warned', 'broken', 'skipped')).toEqual([]);
  });
});

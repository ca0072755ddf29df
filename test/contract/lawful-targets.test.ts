import { afterAll, describe, expect, test } from 'vitest';
import type { PaceOption } from '../../src/contract/engine/pace.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import type { Choices } from '../../src/index.js';
import { choicesOf } from '../gaps/choices-of.js';
import type { Options } from '../second/options.js';
import { variants } from '../second/variants.js';
import { sample } from '../support/sample.js';
import { moneyClauses } from './sections.js';
import { check, closeSimulator, complaints, type Outcome, openSecond, openSimulator } from './support.js';

/** No allowed target may fail, whatever it has chosen where the specification is silent; nor may it be warned of. */

afterAll(closeSimulator);

/** Clauses that cannot be checked from outside, and so are always skipped. */
const untestable = moneyClauses.filter(({ check: how }) => typeof how === 'object').map(({ id }) => id);

/** Reasons for a skip on targets that do not allow the check. */
const open = ['a currency beside EUR'];

function expectLawful(outcome: Outcome): void {
  expect(complaints(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  const skipped = outcome.results.filter(
    ({ status, clause, missing = '' }) =>
      status === 'skipped' && clause.level === 'documented' && !open.includes(missing),
  );
  expect(skipped.map(({ clause }) => clause.id)).toEqual(untestable);
}

/** Values for the choices that take one. */
const values: Readonly<Record<string, unknown>> = {
  'auth.unauthenticated answer': { status: 419, error: 'Who are you?' },
  'auth.scope answer': { status: 404, error: 'Nothing here.' },
  'auth.token-lifetime after': '30d',
  'request.not-found error': 'Nothing here.',
  'invoice.number-format pattern': 'R-{number:3}/{year}',
  'invoice.item-places places': 4,
  'invoice.tax-rate maximum': 200,
  'invoice.transactions fields': ['id'],
  'invoice.subscription fields': ['name'],
  'payment.methods only': ['twint'],
  'request.not-found errors': { invoice: 'No such invoice', deposit: 'No such deposit', route: 'No such place' },
  'deposit.required fields': ['amount', 'customer'],
  'deposit.unset-fields each': { customer: 'absent', dates: 'empty-text', metadata: 'null', moments: 'absent' },
  'deposit.fields fields': ['id', 'booking_reference', 'status', 'authorized_at'],
  'deposit.capture-when answers': { otherwise: 422, above: 'capped' },
  'deposit.release-when answers': { otherwise: 422, again: 'accepted' },
  'event.payload members': { data: 'payload', event: 'type' },
  'deposit.key-retention after': '1h',
  'deposit.per-page bounds': { default: 5, maximum: 10 },
  'deposit.window for': '30d',
  'deposit.link-expiry after': '3d',
  'metadata.size bounds': { keys: 1, key_length: 3, value_length: 40 },
  'text.lengths bounds': { text: 100, notes: 100 },
  'amount.maximum maximum': 5_000,
  'event.payment-signature header': 'X-Payment-Signature',
};

/** In the first of them each gap has its first choice, in the second its second, and so on: all choices are among them. */
const rounds: Choices[] = [];
for (const { id, name, choice } of choicesOf(gapRegistry)) {
  const round = rounds.find((choices) => !(id in choices)) ?? {};
  if (!rounds.includes(round)) rounds.push(round);
  Object.assign(round, { [id]: choice.takes ? { [name]: values[`${id} ${name}`] } : name });
}

const profiles: Readonly<Record<string, Choices>> = {
  'decimals as text': { 'decimal.encoding': 'string' },
  'success is 200, or 202': { 'status.created': '200', 'deposit.replay-status': '200', 'status.acted': '202' },
  'UUIDs, and payloads without an envelope': { 'deposit.id': 'uuid', 'event.payload': 'top-level' },
  'digests in base64': { 'event.digest': 'base64' },
  'payments signed in a header of their own': { 'event.payment-signature': { header: 'X-Payment-Signature' } },
  'no order': { 'list.order': 'oldest-first', 'event.order': 'none' },
  'all that may be demanded': { 'deposit.key-required': 'yes', 'deposit.required': 'all' },
  ...Object.fromEntries(rounds.map((choices, index) => [`choice ${index + 1} of every gap`, choices])),
};

describe.concurrent('the simulator', () => {
  test.each(sample(Object.entries(profiles), 2))('with %s', async (_name, choices) => {
    expectLawful(await check(await openSimulator(choices), moneyClauses));
  });

  test('with the defaults, for a few clauses', async () => {
    const outcome = await check(await openSimulator(), moneyClauses);
    expectLawful(outcome);
    expect(outcome.requests).toBeLessThan(120);
  });

  test('with existing records', async () => {
    expectLawful(await check(await openSimulator({}, 'demo'), moneyClauses));
  });
});

/** A limit that is really met has to be kept to. */
const paceFor = ({ limit }: Options): PaceOption => (limit === undefined ? 'off' : 'auto');

describe.concurrent('a second implementation', () => {
  test.each(sample(Object.entries(variants), 3))('%s', async (_name, options) => {
    expectLawful(await check(await openSecond(options), moneyClauses, { pace: paceFor(options) }));
  });
});

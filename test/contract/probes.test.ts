import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { clauseListJson, formatClauseList } from '../../src/commands/contract/clause-list.js';
import type { Probe } from '../../src/contract/calibrate/probe.js';
import type { Driver } from '../../src/contract/drivers/driver.js';
import { checkClause } from '../../src/contract/engine/check-clauses.js';
import { ClauseContext, type GapId } from '../../src/contract/engine/session.js';
import type { Interceptor } from '../../src/contract/mutation/interceptor.js';
import {
  combine,
  onData,
  onList,
  onRequest,
  onResponse,
  onSuccess,
  removeField,
  replaceWithError,
} from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { recordsAt, valueAt } from '../../src/contract/predicates/matchers.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { sameDescriptionLink } from '../../src/contract/sections/payment-links/setups.js';
import { probes } from '../../src/contract/sections/probes.js';
import { onPayload } from '../../src/contract/sections/webhook-interceptors.js';
import { paymentDeliveries } from '../../src/contract/sections/webhooks/setups.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import type { Choices } from '../../src/index.js';
import { isRecord } from '../../src/lib/json.js';
import { namedChoicesOf } from '../gaps/named-choices.js';
import { sampleUnlessFull } from '../support/sample.js';
import { choiceValues, gapsProbedOnDefaultAccount, seedByGap, unobservable } from './probe-cases.js';
import { closeSimulator, type Implementation, openAccount, openDemo, openSession } from './support.js';

/**
 * A probe is the clause that observes what a target chooses for a gap, a detail on which the specification is silent.
 */

afterAll(closeSimulator);

const gapIds = Object.keys(gapRegistry);

test('there is exactly one probe for each gap', () => {
  expect(probes.map(({ gap }) => gap).sort()).toEqual(gapIds.sort());
});

test('only gaps that cannot be observed from outside have a reason instead of a check', () => {
  const untestableGaps = probes.flatMap(({ gap, check }) => (typeof check === 'object' ? [gap] : []));
  const markedInRegistry = probes
    .map(({ gap }) => gap)
    .filter((gap) => gapRegistry[gap].probe.startsWith('Not from outside'));
  // The registry does not mark `overdue.link-null`, but no driver can produce its situation.
  expect(untestableGaps.sort()).toEqual([...markedInRegistry, 'overdue.link-null'].sort());
});

test('the list of clauses names the gaps that only `calibrate` checks', () => {
  const activeProbes = probes.filter(({ isPassive }) => !isPassive);
  const { calibrate } = clauseListJson(clauses, activeProbes);
  expect([...clauses.filter(({ level }) => level === 'open'), ...calibrate]).toHaveLength(gapIds.length);
  expect(formatClauseList(clauses, activeProbes)).toMatch(
    /\nChecked only by billing-sim calibrate\n(?: {2}GAP-.+\?\n)* {2}GAP-DEPOSIT-DATES +What happens to .+\?\n/,
  );
});

/** Every choice of every gap, as a profile contains it. */
const allChoices = namedChoicesOf(gapRegistry).map(({ gapId, name, choice }) => ({
  choiceName: `${gapId} ${name}`,
  id: gapId,
  choice: choice.takes ? { [name]: choiceValues[`${gapId} ${name}`] } : name,
}));

/** Opens the demo account of a new simulator, which is stopped after the test. */
async function openDemoForTest(profile: Choices): Promise<Implementation> {
  const { close, ...implementation } = await openDemo(profile);
  onTestFinished(close);
  return implementation;
}

/**
 * Timeout for the asynchronous effects that a probe waits for. A webhook is retried after 5 seconds, on a busy machine
 * some seconds later.
 */
function eventuallyTimeoutFor(id: GapId, usualMs: number): number {
  return id === 'event.retries' || id === 'event.duplicate-id' ? 12_000 : usualMs;
}

function isGap(id: string): id is GapId {
  return gapIds.includes(id);
}

function probeOf(id: GapId): Probe {
  const probe = probes.find(({ gap }) => gap === id);
  if (!probe) throw new Error(`${id} has no probe`);
  return probe;
}

describe.concurrent('the probe of a gap observes the choice of a simulator, or reports what is missing', () => {
  test.each(sampleUnlessFull(allChoices, { oneIn: 10 }))('$choiceName', async ({ choiceName, id, choice }) => {
    if (!isGap(id)) throw new Error(`${id} is not a gap`);
    const profile = { [id]: choice };
    const implementation = gapsProbedOnDefaultAccount.includes(id)
      ? await openDemoForTest(profile)
      : await openAccount(profile, seedByGap[id]);
    const session = openSession(implementation, {
      eventuallyTimeoutMs: eventuallyTimeoutFor(id, 1_000),
      includeRateLimit: true,
    });
    const { missing, detail } = await checkClause(session, probeOf(id)).finally(() => session.close());
    if (choiceName in unobservable)
      expect({ missing, detail, observed: session.observedChoices.get(id) }).toMatchObject({
        missing: unobservable[choiceName],
        observed: undefined,
      });
    else expect({ observed: session.observedChoices.get(id), detail }).toMatchObject({ observed: choice });
  });
});

describe.concurrent('the probe of a gap observes the choice whatever is chosen for other gaps', () => {
  const shortTexts = { 'text.lengths': { bounds: { text: 60, notes: 100 } } };
  const withoutStatus = ['id', 'remaining_amount', 'authorization_url', 'authorized_at', 'expires_at', 'released_at'];

  test.each<[id: GapId, choice: unknown, others: Choices]>([
    ['invoice.number-blank', 'generated', shortTexts],
    ['invoice.number-blank', 'refused', shortTexts],
    ['invoice.number-blank', 'kept', shortTexts],
    ['event.invoice-payment', 'with-null-link', { 'event.payload': { members: { data: 'payload', event: 'type' } } }],
    ['event.invoice-payment', 'with-null-link', { 'event.payload': 'top-level' }],
    ['event.duplicate-id', 'same', { 'event.payload': { members: { data: 'data', id: 'id', event: 'type' } } }],
    ['event.duplicate-id', 'same', { 'event.payload': { members: { data: 'payload', id: 'event_id' } } }],
    ['deposit.fields', { fields: withoutStatus }, {}],
    ['deposit.window', 'week', { 'deposit.fields': { fields: withoutStatus } }],
    ['deposit.remaining-amount', 'zero', { 'deposit.fields': { fields: withoutStatus } }],
    ['deposit.remaining-amount', 'uncaptured', { 'deposit.fields': { fields: withoutStatus } }],
  ])('%s %o with %o', async (id, choice, others) => {
    expect((await observe(id, { ...others, [id]: choice })).observed).toEqual(choice);
  });

  test.each<Choices>([
    { 'event.payload': 'top-level' },
    { 'event.payload': { members: { data: 'data', event: 'event' } } },
  ])('event.duplicate-id is unknown if payloads do not contain the id of the event: %j', async (profile) => {
    expect(await observe('event.duplicate-id', profile)).toEqual({
      observed: undefined,
      detail: 'the id of an event: payloads do not contain it',
    });
  });

  // The account has a partially paid invoice in EUR and an unpaid one in USD.
  test.each<[choice: string, otherCurrencies: string]>([
    ['remaining', 'left-out'],
    ['remaining', 'added'],
    ['whole-amount', 'left-out'],
    ['whole-amount', 'added'],
  ])('invoice.outstanding %s, with other currencies %s', async (choice, otherCurrencies) => {
    const profile = { 'invoice.currency': 'customer', 'invoice.other-currencies': otherCurrencies };
    const seed = fileURLToPath(new URL('two-currencies-account.json', import.meta.url));
    const { observed } = await observe('invoice.outstanding', { ...profile, 'invoice.outstanding': choice }, seed);
    expect(observed).toBe(choice);
  });

  test('invoice.outstanding is unknown if the only partially paid invoice is in a currency that the sums leave out', async () => {
    const profile = { 'invoice.currency': 'customer', 'invoice.outstanding': 'whole-amount' };
    const { observed, detail } = await observe('invoice.outstanding', profile, 'demo');
    expect(observed).toBeUndefined();
    expect(detail).toContain('none in EUR is on the first page');
  });

  async function observe(id: GapId, profile: Choices, seed?: string): Promise<{ observed: unknown; detail: string }> {
    const eventuallyTimeoutMs = eventuallyTimeoutFor(id, 2_000);
    const session = openSession(await openAccount(profile, seed), { eventuallyTimeoutMs });
    const { detail } = await checkClause(session, probeOf(id)).finally(() => session.close());
    return { observed: session.observedChoices.get(id), detail };
  }
});

describe('an observation is shown in the words of the registry', () => {
  test.each<[id: GapId, choice: unknown, shown: string]>([
    ['deposit.release-partial', 'captured', 'captured.'],
    ['status.created', '200', '200.'],
    ['invoice.number-format', { pattern: 'R-{number:3}' }, 'pattern: R-{number:3}'],
    ['payment.methods', { only: ['card', 'cash'] }, 'only: card, cash'],
    ['auth.scope', { answer: { status: 404, error: 'Nothing.' } }, 'answer (status: 404, error: Nothing.)'],
  ])('%s %o', async (id, choice, shown) => {
    const session = openSession(await openAccount({ [id]: choice }, seedByGap[id]));
    const { status, detail } = await checkClause(session, probeOf(id)).finally(() => session.close());
    expect({ status, detail }).toEqual({ status: 'observed', detail: shown });
  });
});

test('an `error` that is not the first message about a field is reported with the status of validation errors', async () => {
  const target = await startMutatingProxy(
    await openAccount(),
    onResponse(
      (_request, { body }) => isRecord(body['errors']),
      ({ body }) => void Object.assign(body, { error: 'The given data was invalid.' }),
    ),
  );
  const session = openSession(target);
  const { detail } = await checkClause(session, probeOf('validation.status')).finally(() => session.close());
  expect(session.observedChoices.get('validation.status')).toBe('422');
  expect(detail).toBe(
    '422; `error` is the first message, with the count of any others; `errors` lists the messages by field; ' +
      'but `error` is "The given data was invalid.", which no choice of the gap includes',
  );
});

describe('a webhook about a payment is not taken for one about the paid invoice', () => {
  /**
   * Runs the probe of `event.invoice-payment` on a target that sends no webhooks about payments of invoices, and whose
   * invoice numbers are 1, 2 and so on. Returns the observed choice.
   * @param prepare called before the probe; returns driver methods to replace
   */
  async function observeInvoicePayment(
    prepare: (context: ClauseContext, implementation: Implementation) => Promise<Driver>,
  ): Promise<unknown> {
    const implementation = await openAccount({
      'event.invoice-payment': 'none',
      'invoice.number-format': { pattern: '{number}' },
    });
    const driver = { ...implementation.driver };
    const session = openSession({ ...implementation, driver }, { eventuallyTimeoutMs: 3_000 });
    onTestFinished(() => session.close());
    Object.assign(driver, await prepare(new ClauseContext(session, 'test'), implementation));
    await checkClause(session, probeOf('event.invoice-payment'));
    return session.observedChoices.get('event.invoice-payment');
  }

  test('if it arrived before the payment of the invoice', async () => {
    const observed = await observeInvoicePayment(async (context) => {
      // The payload of such a webhook contains the number 2 of the invoice, for example in a year.
      expect(await context.use(paymentDeliveries)).not.toHaveLength(0);
      return {};
    });
    expect(observed).toBe('none');
  });

  test('if it is about a link of the run', async () => {
    const observed = await observeInvoicePayment(async (context, { driver }) => {
      const { record } = await context.use(sameDescriptionLink);
      // The id of the link is also the number of the invoice.
      expect(record['id']).toBe(2);
      return { markInvoicePaid: async () => driver.payLink?.(record) };
    });
    expect(observed).toBe('none');
  });

  // The invoice has the number 2.
  test.each(['Room 12', 'Room 22'])('if the number is only a part of a word in it: %s', async (description) => {
    const observed = await observeInvoicePayment(async (_context, { baseUrl, tokens, driver }) => {
      const response = await fetch(`${baseUrl}/payment-links`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tokens.full}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ description, amount: 10, currency: 'EUR' }),
      });
      const { data } = JSON.parse(await response.text());
      return { markInvoicePaid: async () => driver.payLink?.(data) };
    });
    expect(observed).toBe('none');
  });
});

test('the names of the members of payloads are observed without a driver method to pay a link', async () => {
  const choice = { members: { data: 'payload', event: 'type' } };
  const implementation = await openAccount({ 'event.payload': choice });
  const { payLink: _, ...driver } = implementation.driver;
  const session = openSession({ ...implementation, driver }, { eventuallyTimeoutMs: 2_000 });
  onTestFinished(() => session.close());
  await checkClause(session, probeOf('event.payload'));
  expect(session.observedChoices.get('event.payload')).toEqual(choice);
});

test('a slug is found in a URL with a query', async () => {
  const withQuery = onData('POST', '/payment-links', (link) => {
    link['url'] = `${link['url']}/?lang=en`;
  });
  const session = openSession(await startMutatingProxy(await openAccount(), withQuery));
  onTestFinished(() => session.close());
  await checkClause(session, probeOf('link.slug'));
  expect(session.observedChoices.get('link.slug')).toBe('dashes');
});

describe('if deposits show few fields,', () => {
  async function observe(gap: GapId, profile: Choices): Promise<{ observed: unknown; detail: string }> {
    const session = openSession(await openAccount({ ...profile, 'deposit.fields': { fields: ['id', 'status'] } }), {
      eventuallyTimeoutMs: 2_000,
    });
    onTestFinished(() => session.close());
    const { detail } = await checkClause(session, probeOf(gap));
    return { observed: session.observedChoices.get(gap), detail };
  }

  test.each<[GapId, Choices, choice: string]>([
    ['event.payload', { 'event.payload': 'top-level' }, 'top-level'],
    ['event.payload', {}, 'envelope'],
    ['deposit.amount-range', {}, 'refused'],
  ])('the choice for %s is observed with the profile %j', async (gap, profile, choice) => {
    expect((await observe(gap, profile)).observed).toEqual(choice);
  });

  test('rounding of an amount is not observed, since deposits do not show it', async () => {
    const { observed, detail } = await observe('deposit.amount-range', { 'deposit.amount-range': 'rounded' });
    expect(observed).toBeUndefined();
    expect(detail).toContain('do not show the amount');
  });
});

test.each<[GapId, choice: string]>([
  ['deposit.required', 'reference-and-amount'],
  ['deposit.dates', 'accepted'],
  ['deposit.customer-email', 'accepted'],
  ['metadata.values', 'any'],
])(
  'the choice for %s is observed although a booking reference must be short and can have only one deposit',
  async (gap, choice) => {
    const target = await startMutatingProxy(await openAccount({ [gap]: choice }), refuseLongOrUsedReference());
    const session = openSession(target);
    onTestFinished(() => session.close());
    await checkClause(session, probeOf(gap));
    expect(session.observedChoices.get(gap)).toBe(choice);
  },
);

test('invoice numbers of spaces are observed in a second run, too, although the target takes them for the same number', async () => {
  const account = await openAccount({ 'invoice.number-blank': 'kept' });
  let isBlankNumberUsed = false;
  const refuseSecondBlankNumber = onSuccess('POST', '/invoices', (response, { body: { invoice_number: number } }) => {
    if (!/^ +$/.test(String(number))) return;
    if (isBlankNumberUsed) replaceWithError(response, 422);
    isBlankNumberUsed = true;
  });
  for (const run of ['first', 'second']) {
    const session = openSession(await startMutatingProxy(account, refuseSecondBlankNumber));
    onTestFinished(() => session.close());
    await checkClause(session, probeOf('invoice.number-blank'));
    expect(session.observedChoices.get('invoice.number-blank'), `${run} run`).toBe('kept');
  }
});

/** Refuses deposits whose booking reference has more than 25 characters, or that of another deposit. */
function refuseLongOrUsedReference(): Interceptor {
  const references = new Set<unknown>();
  return onSuccess('POST', '/deposits', (response, { body }) => {
    const { booking_reference: reference } = body;
    if (String(reference).length > 25 || references.has(reference)) replaceWithError(response, 422);
    else references.add(reference);
  });
}

test.each(['is required', 'must not be empty', 'Le champ description est obligatoire.'])(
  'messages such as "%s" match no choice',
  async (message) => {
    const proxy = await startMutatingProxy(
      await openAccount(),
      onResponse(
        (request) => request.method === 'POST',
        ({ status, body }) => {
          if (status === 422) Object.assign(body, { errors: { description: [message] } });
        },
      ),
    );
    const session = openSession(proxy);
    onTestFinished(() => session.close());
    const { detail } = await checkClause(session, probeOf('validation.messages'));
    expect({ detail, observed: session.observedChoices.get('validation.messages') }).toEqual({
      detail: `${message}, which matches no choice of the gap`,
      observed: undefined,
    });
  },
);

test.each<[description: string, isMatch: (reference: string, text: string) => boolean]>([
  ['by a part of the reference, case-sensitive', (reference, text) => reference.includes(text)],
  ['by the whole reference, ignoring case', (reference, text) => reference.toLowerCase() === text.toLowerCase()],
  ['by the beginning of the reference', (reference, text) => reference.startsWith(text)],
])('a booking filter that finds deposits %s matches no choice', async (description, isMatch) => {
  // The simulator itself finds them by a part, in any case.
  const simulator = await openAccount({ 'deposit.booking-filter': 'partial' });
  const filter = onList('/deposits', (deposits, { query }) =>
    deposits.filter(({ booking_reference: shown }) => isMatch(String(shown), query.get('booking_reference') ?? '')),
  );
  const session = openSession(await startMutatingProxy(simulator, filter));
  onTestFinished(() => session.close());
  const { detail } = await checkClause(session, probeOf('deposit.booking-filter'));
  expect(detail).toBe(`${description}, which matches no choice of the gap`);
});

test('a booking filter is observed even if the list of deposits is not paged', async () => {
  const simulator = await openAccount({ 'deposit.booking-filter': 'partial' });
  const notPaged = onSuccess(
    'GET',
    '/deposits',
    ({ body }) => void Object.assign(body, { data: valueAt(body, 'data.data') }),
  );
  const session = openSession(await startMutatingProxy(simulator, notPaged));
  onTestFinished(() => session.close());
  await checkClause(session, probeOf('deposit.booking-filter'));
  expect(session.observedChoices.get('deposit.booking-filter')).toBe('partial');
});

test('a booking filter that finds nothing shows no choice', async () => {
  const session = openSession(
    await startMutatingProxy(
      await openAccount(),
      onList('/deposits', () => []),
    ),
    {
      eventuallyTimeoutMs: 200,
    },
  );
  onTestFinished(() => session.close());
  const { status, detail } = await checkClause(session, probeOf('deposit.booking-filter'));
  expect({ status, detail }).toEqual({
    status: 'skipped',
    detail: 'the list does not contain the deposit of the booking',
  });
});

test('an empty status that is accepted, but matches no payment, is not the same as none', async () => {
  const simulator = await openAccount({}, 'demo');
  const emptyStatusMatchesNothing = onList('/payments', (payments, { query }) =>
    query.get('status') === '' ? [] : payments,
  );
  const session = openSession(await startMutatingProxy(simulator, emptyStatusMatchesNothing));
  onTestFinished(() => session.close());
  const { detail } = await checkClause(session, probeOf('query.empty'));
  expect(detail).toBe('`status=` is accepted, and finds no payment, which matches no choice of the gap');
});

test('the decimal places of amounts are unknown if links in KWD are refused', async () => {
  const refusesDinars = onResponse(
    ({ method, body }) => method === 'POST' && body['currency'] === 'KWD',
    (response) => replaceWithError(response, 422),
  );
  const simulator = await openAccount({ 'amount.minor-units': 'two' });
  const session = openSession(await startMutatingProxy(simulator, refusesDinars));
  onTestFinished(() => session.close());
  const { detail } = await checkClause(session, probeOf('amount.minor-units'));
  expect(detail).toBe('links in KWD: they are refused');
});

describe('a probe does not report a choice that its observations do not prove:', () => {
  /** Runs a probe on the simulator behind a proxy. */
  async function observe(
    gap: GapId,
    interceptor: Interceptor,
    {
      profile = {},
      seed = 'empty',
      now,
      driver,
    }: { readonly profile?: Choices; readonly seed?: string; readonly now?: string; readonly driver?: Driver } = {},
  ): Promise<{ observed: unknown; detail: string }> {
    const proxy = await startMutatingProxy(await openAccount(profile, seed, now), interceptor);
    const session = openSession({ ...proxy, ...(driver && { driver }) }, { eventuallyTimeoutMs: 500 });
    onTestFinished(async () => {
      await session.close();
      // Closes the proxy, which the session does not do if the test replaces its driver.
      if (driver) await proxy.driver.close?.();
    });
    const { detail } = await checkClause(session, probeOf(gap));
    return { observed: session.observedChoices.get(gap), detail };
  }
  const noMatch = 'which matches no choice of the gap';

  test('dates are compared, but the day of `to` is not included', async () => {
    const onlyUnpaid = onList('/payments', (payments, { query }) =>
      query.has('from') && query.get('from') === query.get('to')
        ? []
        : payments.filter(({ status }) => status !== 'paid'),
    );
    expect(await observe('payment.date-filter', onlyUnpaid, { seed: 'demo' })).toEqual({
      observed: undefined,
      detail: `the payment is found within two days of its creation, but not by its UTC day of creation, ${noMatch}`,
    });
  });

  test('`from` and `to` are ignored, and no payment is paid', async () => {
    const ignoreDates = combine(
      onRequest('GET', '/payments', ({ query }) => {
        query.delete('from');
        query.delete('to');
      }),
      onList('/payments', (payments) => payments.filter(({ status }) => status !== 'paid')),
    );
    expect(await observe('payment.date-filter', ignoreDates, { seed: 'demo' })).toEqual({
      observed: undefined,
      detail: `the payment is also found three days after its creation, ${noMatch}`,
    });
  });

  test('errors about unknown paths are objects', async () => {
    const errorObjects = onResponse(
      (_request, { status }) => status === 404,
      (response) => Object.assign(response.body, { error: { code: 'not_found' } }),
    );
    expect(await observe('request.not-found', errorObjects)).toEqual({
      observed: undefined,
      detail: `\`error\` is {"code":"not_found"}, ${noMatch}`,
    });
  });

  test('a reversed range is put in order', async () => {
    const putInOrder = onRequest('GET', '/payments', ({ query }) => {
      const [from, to] = [query.get('from'), query.get('to')];
      if (from === null || to === null || from <= to) return;
      query.set('from', to);
      query.set('to', from);
    });
    expect(await observe('payment.range-reversed', putInOrder)).toEqual({
      observed: undefined,
      detail: `1 payments, ${noMatch}`,
    });
  });

  test('a currency of null is kept', async () => {
    const keepNull = onData('POST', '/payment-links', (link, { body }) => {
      if (body['currency'] === null) link['currency'] = null;
    });
    expect(await observe('validation.null-optional', keepNull)).toEqual({
      observed: undefined,
      detail: `a link with a currency of null, ${noMatch}`,
    });
  });

  test('a create request is repeated before the deposit is authorized', async () => {
    const stillPending = onData(
      'GET',
      /^\/deposits\/[^/]+$/,
      (deposit) => void Object.assign(deposit, { status: 'pending' }),
    );
    const { observed, detail } = await observe('deposit.replay-body', stillPending, {
      profile: { 'deposit.replay-body': 'first-answer' },
    });
    expect({ observed, detail }).toEqual({
      observed: undefined,
      detail: 'a status that has changed: the deposit was not authorized at once',
    });
  });

  test('more than was held is captured', async () => {
    const double = onData('GET', /^\/deposits\/[^/]+$/, (deposit) => {
      if (deposit['status'] === 'captured') deposit['captured_amount'] = 2 * Number(deposit['captured_amount']);
    });
    const profile = { 'deposit.capture-when': { answers: { otherwise: 422, above: 'capped' } } };
    expect((await observe('deposit.capture-when', double, { profile })).observed).toBeUndefined();
  });

  test('invoices that are paid in part are left out', async () => {
    const leaveOut = onData('GET', '/invoices/stats', (stats) => void Object.assign(stats, { total_outstanding: 1 }));
    const { observed, detail } = await observe('invoice.outstanding', leaveOut, { seed: 'demo' });
    expect({ observed, isNoMatch: detail.endsWith(noMatch) }).toEqual({ observed: undefined, isNoMatch: true });
  });

  test.each([
    ['at 06:00', '2026-03-02T06:00:00Z', 'account-day'],
    ['at 18:00', '2026-03-02T18:00:00Z', undefined],
  ])('an invoice becomes overdue some days late, %s', async (_time, now, expected) => {
    const daysLate = onData('GET', /^\/invoices\/\d+$/, (invoice) => {
      if (invoice['due_date'] === '2026-03-01') invoice['status'] = 'pending';
    });
    expect((await observe('invoice.overdue-moment', daysLate, { now })).observed).toBe(expected);
  });

  test('an empty status finds nothing in an account without payments', async () => {
    const { observed, detail } = await observe('query.empty', {}, { driver: {} });
    expect({ observed, detail }).toEqual({
      observed: undefined,
      detail: 'a payment: `status=` is accepted, but the account has no payments to find',
    });
  });

  test('the id of an event equals that of the deposit', async () => {
    const equalIds = onPayload((payload) => {
      payload['id'] = valueAt(payload, 'data.id');
    });
    expect((await observe('event.payload', equalIds)).observed).toBe('envelope');
  });

  test('the record is inside another object of the envelope', async () => {
    const nested = onPayload((payload) => {
      payload['data'] = { object: payload['data'] };
    });
    expect(await observe('event.payload', nested)).toEqual({
      observed: undefined,
      detail: `id, event, created_at, data, ${noMatch}`,
    });
  });

  test('no webhook arrives that could be out of order', async () => {
    expect(await observe('event.order', { webhook: () => [] })).toEqual({
      observed: undefined,
      detail: 'fewer than two events of the deposit have arrived',
    });
  });

  test('a link shows no URL', async () => {
    const withoutUrl = onData('POST', '/payment-links', (link) => removeField(link, 'url'));
    expect(await observe('link.slug', withoutUrl)).toEqual({
      observed: undefined,
      detail: 'the new link shows no `url`',
    });
  });

  test('invoice numbers have the usual form, but decrease', async () => {
    let number = 50_000;
    const countDown = onData('POST', '/invoices', (invoice) => {
      number -= 1;
      invoice['invoice_number'] = `INV-${String(invoice['date']).slice(0, 4)}-${number}`;
    });
    const { observed, detail } = await observe('invoice.number-format', countDown);
    expect({ observed, isNoMatch: detail.endsWith(noMatch) }).toEqual({ observed: undefined, isNoMatch: true });
  });

  test('invoice numbers have more than five digits, but the counter is padded', async () => {
    const profile = { 'invoice.number-format': { pattern: 'INV-{year}-{number:8}' } };
    expect((await observe('invoice.number-format', {}, { profile })).observed).toEqual({
      pattern: 'INV-{year}-{number:8}',
    });
  });

  test.each(['/payment-links', '/payments', '/deposits'])(
    '`GET %s` is refused, so that it shows no page',
    async (path) => {
      const refuse = onResponse(
        ({ method, path: requested }) => method === 'GET' && requested === path,
        (response) => replaceWithError(response),
      );
      expect(await observe('page.last-page-everywhere', refuse)).toEqual({
        observed: undefined,
        detail: `a page of GET ${path}: none was read`,
      });
    },
  );

  test.each<[GapId, detail: string]>([
    ['invoice.item-places', 'a number that is stored unchanged: a `quantity` of 1.001 is accepted, but becomes 1'],
    ['invoice.tax-rate', 'a number that is stored unchanged: a `tax_rate` of 101 is accepted, but becomes 25'],
  ])('numbers of items are changed: %s', async (gap, detail) => {
    const change = onRequest('POST', '/invoices', ({ body }) => {
      for (const item of recordsAt(body, 'items'))
        Object.assign(item, {
          quantity: Math.round(Number(item['quantity']) * 100) / 100,
          tax_rate: Number(item['tax_rate'] ?? 0) > 100 ? 25 : item['tax_rate'],
        });
    });
    expect(await observe(gap, change, { profile: { 'invoice.item-places': 'any' } })).toEqual({
      observed: undefined,
      detail,
    });
  });

  test('a page of deposits has the default size if the requested one is above the maximum', async () => {
    const replaceWithDefault = onRequest('GET', '/deposits', ({ query }) => {
      if (Number(query.get('per_page')) > 100) query.delete('per_page');
    });
    expect((await observe('deposit.per-page', replaceWithDefault)).observed).toBe('25-of-100');
  });

  test('high amounts are lowered', async () => {
    const lower = onRequest('POST', '/payment-links', ({ body }) => {
      if (Number(body['amount']) > 1_000) body['amount'] = 1_000;
    });
    expect(await observe('amount.maximum', lower)).toEqual({
      observed: undefined,
      detail: 'a large amount that is stored unchanged: 999999.99 is accepted, but becomes 1000',
    });
  });

  test('long texts are cut off', async () => {
    const cutOff = onRequest('POST', '/payment-links', ({ body }) => {
      if (typeof body['description'] === 'string') body['description'] = body['description'].slice(0, 100);
    });
    expect(await observe('text.lengths', cutOff)).toEqual({
      observed: undefined,
      detail: 'a long text that is stored unchanged: one of 255 characters is accepted, but changed',
    });
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readChoices } from '../../src/files/profile-file.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { apiOf, Profiles, servedDocument } from '../../src/http/document/profiles.js';
import { type Choices, startSimulator } from '../../src/index.js';
import { type Profile, ProfileError, resolveProfile } from '../../src/openapi/profile.js';
import { compileSchema, schemasOf } from '../support/document-schemas.js';
import { sampleUnlessFull } from '../support/sample.js';
import { tempFolder } from '../support/temp-folder.js';
import { type NamedChoice, namedChoicesOf } from './named-choices.js';

/** Writes a profile file. @returns its path */
function writeProfile(text: string): string {
  const path = join(tempFolder(), 'profile.yaml');
  writeFileSync(path, text);
  return path;
}

describe('an invalid choice is refused, and the message says what is wrong or what is allowed:', () => {
  test.each<[Choices, string]>([
    [{ 'auth.scop': '401' }, 'unknown gap `auth.scop`; did you mean `auth.scope`?'],
    [{ list_order: 'oldest-first' }, 'unknown gap `list_order`; did you mean `list.order`?'],
    [{ constructor: 'x' }, 'unknown gap `constructor`'],
    [
      { 'list.order': 'newest' },
      'list.order has no choice `newest`; did you mean `newest-first`? Available: `newest-first`, `oldest-first`',
    ],
    [
      { 'validation.status': 402 },
      'validation.status has no choice `402`; did you mean `400`? Available: `400`, `422`, `422-without-errors`, `400-without-errors`',
    ],
    [
      { 'list.order': 'constructor' },
      'list.order has no choice `constructor`; available: `newest-first`, `oldest-first`',
    ],
    [{ 'list.order': null }, 'list.order has no choice `null`; available: `newest-first`, `oldest-first`'],
    [
      { 'deposit.window': '2d' },
      'deposit.window has no choice `2d`; available: `week`, `for`; write a choice with a value as {for: …}',
    ],
    [{ 'rate.key': { token: true } }, 'rate.key: the choice `token` takes no value'],
    [{ 'rate.unauthenticated': { uncounted: null } }, 'rate.unauthenticated: the choice `uncounted` takes no value'],
    [
      { 'rate.unauthenticated': 'neither' },
      'rate.unauthenticated no longer has the choice `neither`, because every response now carries the rate-limit headers; choose `uncounted` if requests with refused tokens should not count against the limit',
    ],
    [
      { 'rate.unauthenticated': 'constructor' },
      'rate.unauthenticated has no choice `constructor`; available: `by-address`, `uncounted`',
    ],
    [
      { 'event.payload': { members: { data: '__proto__' } } },
      'event.payload: `members` takes a value (write {members: …}); {"data":"__proto__"} is not valid: data: `__proto__` is not a name of a field (for example event_data)',
    ],
    [{ 'deposit.window': 'for' }, 'deposit.window: `for` takes a value (write {for: …}); none is given'],
    [
      { 'deposit.window': { for: 8 } },
      'deposit.window: `for` takes a value (write {for: …}); 8 is not valid: must be a string, not the number 8',
    ],
    [
      { 'deposit.window': { for: 'bogus' } },
      'deposit.window: `for` takes a value (write {for: …}); "bogus" is not a duration such as 8d, 2h 30m or P8D',
    ],
    [
      { 'auth.scope': { answer: { status: 200, error: 'Fine' } } },
      'auth.scope: `answer` takes a value (write {answer: …}); {"status":200,"error":"Fine"} is not valid: status: must be 400 or more',
    ],
    [
      { 'metadata.size': { bounds: { keys: 3 } } },
      'metadata.size: `bounds` takes a value (write {bounds: …}); {"keys":3} is not valid: `key_length` and `value_length` are missing',
    ],
    [
      { 'deposit.per-page': { bounds: { default: 10, maximum: 5 } } },
      'deposit.per-page: `bounds` takes a value (write {bounds: …}); the default, 10, is greater than the maximum, 5',
    ],
    [
      { 'invoice.item-places': { places: 1 } },
      'invoice.item-places: `places` takes a value (write {places: …}); 1 is not valid: must be 2 or more',
    ],
    [
      { 'invoice.number-format': { pattern: 'INV' } },
      'invoice.number-format: `pattern` takes a value (write {pattern: …}); "INV" is not valid: `INV` is not a pattern with {number} or {number:5} (for example INV-{number:5})',
    ],
    [
      { 'event.payment-signature': { header: 'X Signature' } },
      'event.payment-signature: `header` takes a value (write {header: …}); "X Signature" is not valid: `X Signature` is not a valid name for an additional header (for example X-Payment-Signature)',
    ],
    [
      { 'event.payment-signature': { header: 'Host' } },
      'event.payment-signature: `header` takes a value (write {header: …}); "Host" is not valid: `Host` is not a valid name for an additional header (for example X-Payment-Signature)',
    ],
    ...[
      'CONTENT-TYPE',
      'content-Length',
      'TRANSFER-ENCODING',
      'X-SERVICE-EVENT',
      'Expect',
      'Trailer',
      'te',
      'Date',
    ].map((header): [Choices, string] => [
      { 'event.payment-signature': { header } },
      `event.payment-signature: \`header\` takes a value (write {header: …}); "${header}" is not valid: \`${header}\` is not a valid name for an additional header (for example X-Payment-Signature)`,
    ]),
    [
      { 'event.payload': { members: { data: 'x', id: 'x' } } },
      'event.payload: `members` takes a value (write {members: …}); two members have the name `x`',
    ],
    [
      { 'deposit.release-when': { answers: { otherwise: 422, again: 409 } } },
      'deposit.release-when: `answers` takes a value (write {answers: …}); {"otherwise":422,"again":409} is not valid: again: must be `refused` or `accepted`, not the number 409',
    ],
    [
      { 'deposit.required': { fields: ['amount', 'custommer'] } },
      'deposit.required: `fields` takes a value (write {fields: …}); ["amount","custommer"] is not valid: unknown item `custommer`; did you mean `customer`?',
    ],
    [
      { 'deposit.required': { fields: ['customer'] } },
      'deposit.required: `fields` takes a value (write {fields: …}); ["customer"] is not valid: must contain `amount`',
    ],
    [{ 'list.order': {} }, 'list.order: expected exactly one choice, not {}'],
    [{ 'list.order': [] }, 'list.order: expected exactly one choice, not []'],
    [{ 'list.order': ['oldest-first'] }, 'list.order: expected exactly one choice, not ["oldest-first"]'],
    [
      { 'deposit.key-retention': { after: '1h', forever: true } },
      'deposit.key-retention: expected exactly one choice, not {"after":"1h","forever":true}',
    ],
  ])('%o', (choices, message) => {
    expect(() => resolveProfile(choices)).toThrow(expect.objectContaining({ name: 'ProfileError', message }));
  });
});

describe('choosing the default explicitly has the same effect as omitting the gap:', () => {
  test.each(Object.entries(gapRegistry))('%s', (id, gap) => {
    expect(resolveProfile({ [id]: gap.default })).toEqual(resolveProfile({}));
  });
});

describe('a duration in a profile is converted to milliseconds:', () => {
  test.each([
    ['8d', 691_200_000],
    ['P8D', 691_200_000],
    ['2h 30m', 9_000_000],
    ['PT2H30M', 9_000_000],
    ['P1DT12H', 129_600_000],
    ['2w', 1_209_600_000],
    ['P2W', 1_209_600_000],
    ['1.5h', 5_400_000],
    ['90s', 90_000],
  ])('%s', (text, milliseconds) => {
    expect(resolveProfile({ 'deposit.window': { for: text } })['deposit.window']).toEqual({ for: milliseconds });
  });
});

describe('an invalid duration in a profile is refused:', () => {
  test.each(['bogus', '', '8', '-8d', '8 bananas', '1d bogus', 'P', 'PT', 'P1D2H', 'PT8D'])('%j', (text) => {
    expect(() => resolveProfile({ 'deposit.window': { for: text } })).toThrow(
      `deposit.window: \`for\` takes a value (write {for: …}); ${JSON.stringify(text)} is not a duration such as 8d, 2h 30m or P8D`,
    );
  });
});

test.each(['P1M', '1y'])(
  'the duration %s is refused, and the message says that months and years differ in length',
  (text) => {
    expect(() => resolveProfile({ 'deposit.window': { for: text } })).toThrow(
      'or P8D; months and years differ in length, so write them in days',
    );
  },
);

describe('a profile file may leave out the quotes:', () => {
  test.each([
    ['validation.status: 400', 'validation.status', '400'],
    ['rate.exceeded: 403', 'rate.exceeded', '403'],
    ['null.optional: null', 'null.optional', 'null'],
    ['payment.paid-at-unpaid: ~', 'payment.paid-at-unpaid', 'null'],
    ['deposit.key-required: yes', 'deposit.key-required', 'yes'],
    ['amount.maximum: 999999.99', 'amount.maximum', '999999.99'],
    ['invoice.item-places: 2', 'invoice.item-places', '2'],
    ['deposit.window: {for: 8d}', 'deposit.window', { for: 691_200_000 }],
    ['invoice.tax-rate:\n  maximum: 50', 'invoice.tax-rate', { maximum: 50 }],
  ] as const)('%j', async (text, id, choice) => {
    expect(resolveProfile(await readChoices(writeProfile(text)))[id]).toEqual(choice);
  });
});

describe('Profiles.resolve', () => {
  test('returns the same profile object for equal choices in any order', () => {
    const profiles = new Profiles();
    const first = profiles.resolve({ 'list.order': 'oldest-first', 'rate.key': 'account' });
    const second = profiles.resolve({ 'rate.key': 'account', 'list.order': 'oldest-first' });
    expect(first).toBe(second);
  });

  test('returns different profile objects for different choices', () => {
    const profiles = new Profiles();
    expect(profiles.resolve({ 'deposit.window': { for: '1d' } })).not.toBe(
      profiles.resolve({ 'deposit.window': { for: '2d' } }),
    );
  });
});

/** Compiles the validators of all operations. Each is compiled when its property is first read. */
function compileValidators(profile: Profile): void {
  for (const operation of apiOf(profile).operations) {
    void operation.validateQuery;
    void operation.validateBody;
    void operation.idempotencyKey?.validate;
  }
}

describe('the document of a profile', () => {
  const choicesThatChangeDocument = namedChoicesOf(gapRegistry).filter(({ choice }) => choice.document);

  test.each(choicesThatChangeDocument)(
    'differs from the default document and has valid schemas, with $gapId: $name',
    (choice) => {
      const profile = resolveProfile(toProfile(choice));
      const document = servedDocument(profile);
      expect(document).not.toEqual(servedDocument(resolveProfile({})));
      for (const { location, schema } of schemasOf(document))
        expect(() => compileSchema(document, schema), location).not.toThrow();
      expect(() => compileValidators(profile)).not.toThrow();
    },
  );

  test('can be changed by two choices at a time', () => {
    const pairs = choicesThatChangeDocument.flatMap((first, index) =>
      choicesThatChangeDocument.slice(index + 1).map((second) => [first, second] as const),
    );
    const pairsOfGaps = pairs.filter(([first, second]) => first.gapId !== second.gapId);
    for (const [first, second] of sampleUnlessFull(pairsOfGaps, { oneIn: 120 })) {
      expect(
        () => apiOf(resolveProfile({ ...toProfile(first), ...toProfile(second) })),
        `${first.gapId} and ${second.gapId}`,
      ).not.toThrow();
    }
  });

  test('has valid schemas if the profile has a choice for every gap that can change the document', () => {
    const combinedProfile = resolveProfile(Object.assign({}, ...choicesThatChangeDocument.map(toProfile)));
    expect(() => compileValidators(combinedProfile)).not.toThrow();
  });

  test.each<[unknown]>([['top-level'], [{ members: { data: 'payload', event: 'type' } }]])(
    'has examples of events that follow the choice for event.payload: %j',
    (payload) => {
      const document = servedDocument(resolveProfile({ 'event.payload': payload }));
      const events = schemasOf(document).filter(({ location }) => /^requestBodies \w+Event$/.test(location));
      expect(events.map(({ location, examples }) => [location, examples.length])).toEqual([
        ['requestBodies PaymentEvent', 1],
        ['requestBodies DepositEvent', 2],
      ]);
      for (const { schema, examples } of events) {
        const validate = compileSchema(document, schema);
        for (const example of examples) expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
      }
    },
  );

  test('is not affected by other profiles', () => {
    const originalDocument = structuredClone(servedDocument(resolveProfile({})));
    servedDocument(resolveProfile(Object.assign({}, ...choicesThatChangeDocument.map(toProfile))));
    expect(servedDocument(resolveProfile({}))).toEqual(originalDocument);
  });
});

const profilesWithUnknownName: [string, Choices][] = [
  ['gap', { 'list.ordr': 'oldest-first' }],
  ['choice', { 'list.order': 'random' }],
];

test.each(profilesWithUnknownName)('a simulator does not start with an unknown %s', async (_kind, profile) => {
  await expect(startSimulator({ profile })).rejects.toThrow(ProfileError);
});

test.each(profilesWithUnknownName)('an account is not created with an unknown %s', async (_kind, profile) => {
  const simulator = await startSimulator();
  const refused = simulator.createAccount({ id: 'mine', profile });
  await expect(refused).rejects.toThrow(ProfileError);
  // The id is still free.
  await expect(simulator.createAccount({ id: 'mine' })).resolves.toMatchObject({ id: 'mine' });
  await simulator.close();
});

/** Example values for choices that take one, by the gap and the name of the choice. */
const exampleValues: Readonly<Record<string, unknown>> = {
  'invoice.item-places: places': 4,
  'invoice.tax-rate: maximum': 50,
  'deposit.required: fields': ['amount', 'customer'],
  'deposit.unset-fields: each': { customer: 'absent', dates: 'empty-text', metadata: 'null', moments: 'absent' },
  'deposit.fields: fields': ['id', 'status'],
  'deposit.per-page: bounds': { default: 10, maximum: 20 },
  'metadata.size: bounds': { keys: 1, key_length: 2, value_length: 3 },
  'text.lengths: bounds': { text: 10, notes: 20 },
  'amount.maximum: maximum': 500,
  'event.payload: members': { data: 'payload', event: 'type' },
  'event.payment-signature: header': 'X-Payment-Signature',
};

/** Returns a profile with only this choice, and with an example value if it takes one. */
function toProfile({ gapId, name, choice }: NamedChoice): Choices {
  if (choice.takes === undefined) return { [gapId]: name };
  const value = exampleValues[`${gapId}: ${name}`];
  if (value === undefined) throw new Error(`exampleValues has no value for ${gapId}: ${name}`);
  return { [gapId]: { [name]: value } };
}

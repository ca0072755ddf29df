import { afterEach, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/app/server.js';
import { maximumAmount } from '../../src/domain/money.js';
import { readSeed } from '../../src/files/seed-file.js';
import { apiOf, Profiles, servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import type { Api } from '../../src/openapi/document.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { compileRequestSchema } from '../../src/openapi/schemas.js';

/** Compiled profiles. Each world (all data of a server) has its own cache, with the 32 most recently used. */

const servers: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(): Promise<RunningServer> {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder: undefined,
    durability: 'os',
    seed: () => readSeed('demo'),
    choices: {},
    now: '2026-03-01T09:00:00Z',
    randomSeed: 'profiles',
    rateLimit: false,
    log: () => undefined,
  });
  servers.push(server);
  return server;
}

test('a world keeps at most 32 compiled profiles, even if the profile of an account changes 500 times', async () => {
  const server = await start();
  let account = server.world.accounts.default();
  const sizes: number[] = [];
  for (let change = 1; change <= 500; change++) {
    account = server.world.accounts.configure(account, {
      choices: { 'deposit.window': { for: `${change}h` } },
    });
    if (change % 10 === 0) expect(apiOf(account.profile).operations).toHaveLength(14);
    sizes.push(server.profiles.size);
  }
  expect(new Set(sizes.slice(100))).toEqual(new Set([32]));
  expect(account.profile['deposit.window']).toEqual({ for: 500 * 3_600_000 });
});

/** The maximum amount in the document. */
function documentedMaximum({ document }: Api): number | undefined {
  return document.components?.schemas?.['Amount']?.maximum;
}

test.each<Choices>([{}, { 'amount.maximum': 'unbounded' }, { 'amount.maximum': { maximum: 500 } }])(
  'with the profile %j, the maximum amount is the one in the document',
  (choices) => {
    const profile = resolveProfile(choices);
    expect(maximumAmount(profile)).toBe(documentedMaximum(apiOf(profile)));
  },
);

test('an evicted profile is compiled again when it is needed', async () => {
  const profiles = new Profiles();
  const first = profiles.resolve({ 'amount.maximum': { maximum: 500 } });
  const api = profiles.api(first);
  for (let hours = 1; hours <= 40; hours++) profiles.resolve({ 'deposit.window': { for: `${hours}h` } });
  expect(profiles.api(first)).not.toBe(api);
  expect(documentedMaximum(profiles.api(first))).toBe(500);
  expect(profiles.size).toBe(32);
});

test('profiles with the same schema for an operation share its validator', () => {
  const validatorsOf = (choices: Choices) => {
    const profile = resolveProfile(choices);
    return {
      createInvoiceBody: apiOf(profile).operation('createInvoice').validateBody,
      listInvoicesQuery: apiOf(profile).operation('listInvoices').validateQuery,
    };
  };
  const defaults = validatorsOf({});
  const lowerMaximum = validatorsOf({ 'amount.maximum': { maximum: 500 } });
  expect(lowerMaximum.listInvoicesQuery).toBe(defaults.listInvoicesQuery);
  expect(lowerMaximum.createInvoiceBody).not.toBe(defaults.createInvoiceBody);
});

test('a validator that was evicted from the cache is compiled again', () => {
  const validatorFor = (maximum: number) =>
    apiOf(resolveProfile({ 'amount.maximum': { maximum } })).operation('createPaymentLink').validateBody;
  const first = validatorFor(1_000);
  // More schemas than the cache holds. Compiling all schemas of so many profiles would take seconds.
  for (let maximum = 1; maximum <= 300; maximum++) compileRequestSchema({ type: 'number', maximum });
  const recompiled = validatorFor(1_000);
  expect(recompiled).not.toBe(first);
  const results = [1_000, 1_001].map((amount) => recompiled({ description: 'Room 7', amount }));
  expect(results).toEqual([true, false]);
});

test('a profile that is used again and again is never evicted', () => {
  const profiles = new Profiles();
  const used = profiles.resolve({ 'list.order': 'oldest-first' });
  const api = profiles.api(used);
  for (let hours = 1; hours <= 40; hours++) {
    profiles.resolve({ 'deposit.window': { for: `${hours}h` } });
    expect(profiles.api(used)).toBe(api);
  }
  expect(profiles.resolve({ 'list.order': 'oldest-first' })).toBe(used);
});

describe('two worlds in one process', () => {
  test('do not share profiles', () => {
    const [profiles, otherProfiles] = [new Profiles(), new Profiles()];
    const choices = { 'status.created': '200' };
    const profile = profiles.resolve(choices);
    expect(otherProfiles.resolve(choices)).not.toBe(profile);
    expect(apiOf(otherProfiles.resolve(choices))).not.toBe(apiOf(profile));
    expect(servedDocument(otherProfiles.resolve(choices))).not.toBe(servedDocument(profile));
    expect(servedDocument(otherProfiles.resolve(choices))).toEqual(servedDocument(profile));
    expect(apiOf(profile)).toBe(profiles.api(profile));
  });

  test("do not fill each other's caches", async () => {
    const [server, otherServer] = [await start(), await start()];
    const sizeBefore = otherServer.profiles.size;
    for (let hours = 1; hours <= 10; hours++) {
      server.world.accounts.configure(server.world.accounts.default(), {
        choices: { 'deposit.window': { for: `${hours}h` } },
      });
    }
    expect(otherServer.profiles.size).toBe(sizeBefore);
  });
});

test('compiling a profile does not generate the document that is served for it', () => {
  const profiles = new Profiles();
  const profile = profiles.resolve({ 'decimal.encoding': 'string' });
  const { document } = profiles.api(profile);
  expect(document.info.description).not.toContain('decimal.encoding');
  expect(profiles.document(profile).info.description).toContain('decimal.encoding');
});

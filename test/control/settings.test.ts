import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readChoices } from '../../src/files/seed-file.js';
import { invalid } from '../support/envelope.js';
import { tempFolder } from '../support/temp-folder.js';
import { type ControlServer, dataOf, startControlServer } from './control-server.js';

/** Settings as a whole, and those that are changed one at a time: the webhook secret, and the choice for one gap. */

/** Choices of every form: a name, a status, a duration, and an object. */
const chosen = {
  'list.order': 'oldest-first',
  'validation.status': '400',
  'deposit.window': { for: '30d' },
  'auth.scope': { answer: { status: 404, error: 'Gone' } },
  'payment.methods': { only: ['card', 'cash'] },
};

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

async function openAccount(profile = {}): Promise<string> {
  return dataOf(await sim.control.POST('/accounts', { body: { profile, random_seed: 'fixed' } })).id;
}

const settingsOf = async (account: string) =>
  dataOf(await sim.control.GET('/accounts/{account}/settings', { params: { path: { account } } }));

test('a rotated webhook secret is new each time, whatever the random seed, and holds', async () => {
  const account = await openAccount();
  const known = new Set([(await settingsOf(account)).webhook_secret]);
  for (const count of [2, 3]) {
    const rotated = dataOf(
      await sim.control.POST('/accounts/{account}/webhook-secret/rotate', { params: { path: { account } } }),
    );
    expect(rotated.webhook_secret).toMatch(/^whsec_[0-9a-f]{32}$/);
    expect(await settingsOf(account)).toMatchObject(rotated);
    expect(known.add(rotated.webhook_secret).size).toBe(count);
  }
});

describe('settings', () => {
  test('as they are read can be sent back, and are the same then', async () => {
    const account = await openAccount(chosen);
    const before = await settingsOf(account);
    expect(before.profile).toEqual(chosen);
    expect(await sim.ask('PATCH', `/accounts/${account}/settings`, before)).toMatchObject({
      status: 200,
      body: before,
    });
    expect(await settingsOf(account)).toEqual(before);
  });

  test('have the profile as a profile file has it', async () => {
    const file = join(tempFolder(), 'profile.yaml');
    writeFileSync(file, stringify((await settingsOf(await openAccount(chosen))).profile));
    expect(await readChoices(file)).toEqual(chosen);
    const again = await openAccount(await readChoices(file));
    expect((await settingsOf(again)).profile).toEqual(chosen);
  });
});

describe('the choice for one gap', () => {
  const choose = (account: string, gap: string, body: unknown) =>
    sim.ask('PUT', `/accounts/${account}/profile/${gap}`, body);

  test('leaves those for the others', async () => {
    const account = await openAccount({ 'list.order': 'oldest-first', 'request.malformed-json': 'as-empty' });
    await choose(account, 'deposit.window', { choice: { for: '30d' } });
    await choose(account, 'list.order', { choice: 'newest-first' });
    const profile = { 'request.malformed-json': 'as-empty', 'deposit.window': { for: '30d' } };
    expect((await settingsOf(account)).profile).toEqual(profile);
  });

  test.each([
    ['list.order', { choice: 'newest' }, 'list.order has no choice `newest`; did you mean `newest-first`?'],
    ['list.order', { choice: { 'newest-first': 1 } }, 'takes no value'],
    ['deposit.window', { choice: 'for' }, 'takes a value'],
  ])('for %s is refused: %j', async (gap, body, why) => {
    const account = await openAccount();
    const answer = await choose(account, gap, body);
    expect(answer.status).toBe(422);
    expect(Reflect.get(Object(answer.body), 'error')).toContain(why);
    expect((await settingsOf(account)).profile).toEqual({});
  });

  test('is there for known gaps only', async () => {
    const { status, headers } = await choose(await openAccount(), 'list.oder', { choice: 'newest-first' });
    expect({ status, hint: headers.get('x-sim-hint') }).toEqual({ status: 404, hint: 'did you mean list.order?' });
  });

  test('has a name', async () => {
    const account = await openAccount();
    const answer = await choose(account, 'list.order', {});
    expect(answer).toMatchObject({ status: 422, body: invalid('choice', 'choice is required') });
  });
});

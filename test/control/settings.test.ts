import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readChoices } from '../../src/files/seed-file.js';
import { invalidFieldBody } from '../support/envelope.js';
import { tempFolder } from '../support/temp-folder.js';
import { type ControlServer, dataOf, startControlServer } from './control-server.js';

/** Settings as a whole, and those that are changed one at a time: the webhook secret, and the choice for one gap. */

/** A choice of every form: a name, a status, a duration, an error response and a list. */
const choicesOfEveryForm = {
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

test('a rotated webhook secret is new each time, even with a random seed, and is saved', async () => {
  const account = await openAccount();
  const secrets = new Set([(await settingsOf(account)).webhook_secret]);
  for (const count of [2, 3]) {
    const rotated = dataOf(
      await sim.control.POST('/accounts/{account}/webhook-secret/rotate', { params: { path: { account } } }),
    );
    expect(rotated.webhook_secret).toMatch(/^whsec_[0-9a-f]{32}$/);
    expect(await settingsOf(account)).toMatchObject(rotated);
    expect(secrets.add(rotated.webhook_secret).size).toBe(count);
  }
});

describe('settings', () => {
  test('can be sent back as they were read, without a change', async () => {
    const account = await openAccount(choicesOfEveryForm);
    const before = await settingsOf(account);
    expect(before.profile).toEqual(choicesOfEveryForm);
    expect(await sim.callControl('PATCH', `/accounts/${account}/settings`, before)).toMatchObject({
      status: 200,
      body: before,
    });
    expect(await settingsOf(account)).toEqual(before);
  });

  test('have the profile in the format of profile files', async () => {
    const file = join(tempFolder(), 'profile.yaml');
    writeFileSync(file, stringify((await settingsOf(await openAccount(choicesOfEveryForm))).profile));
    expect(await readChoices(file)).toEqual(choicesOfEveryForm);
    const again = await openAccount(await readChoices(file));
    expect((await settingsOf(again)).profile).toEqual(choicesOfEveryForm);
  });
});

describe('the choice for one gap', () => {
  const choose = (account: string, gap: string, body: unknown) =>
    sim.callControl('PUT', `/accounts/${account}/profile/${gap}`, body);

  test('leaves the choices for other gaps unchanged', async () => {
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

  test('can be made for known gaps only', async () => {
    const { status, headers } = await choose(await openAccount(), 'list.oder', { choice: 'newest-first' });
    expect({ status, hint: headers.get('x-sim-hint') }).toEqual({ status: 404, hint: 'did you mean list.order?' });
  });

  test('requires the field `choice`', async () => {
    const account = await openAccount();
    const answer = await choose(account, 'list.order', {});
    expect(answer).toMatchObject({ status: 422, body: invalidFieldBody('choice', 'choice is required') });
  });
});

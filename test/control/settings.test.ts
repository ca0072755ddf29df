import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openListener } from '../../src/commands/simulator/listener.js';
import { readChoices } from '../../src/files/profile-file.js';
import { listenerUrlFor } from '../../src/webhooks/listener-url.js';
import { invalidControlFieldBody } from '../support/envelope.js';
import { tempFolder } from '../support/temp-folder.js';
import { type ControlServer, requireData, startControlServer } from './control-server.js';

/** The settings of an account, and the operations that change only the webhook secret or the choice for one gap. */

/** A profile with a choice of every format: a name, a status, a duration, an error response and a list. */
const choicesOfEveryFormat = {
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

/** Creates an account. @returns its id */
async function openAccount(profile = {}): Promise<string> {
  return requireData(await sim.control.POST('/accounts', { body: { profile, random_seed: 'fixed' } })).id;
}

const readSettings = async (account: string) =>
  requireData(await sim.control.GET('/accounts/{account}/settings', { params: { path: { account } } }));

test('each rotation creates a new webhook secret, even with a random seed, and stores it', async () => {
  const account = await openAccount();
  const secrets = new Set([(await readSettings(account)).webhook_secret]);
  for (const distinctCount of [2, 3]) {
    const rotated = requireData(
      await sim.control.POST('/accounts/{account}/webhook-secret/rotate', { params: { path: { account } } }),
    );
    expect(rotated.webhook_secret).toMatch(/^whsec_[0-9a-f]{32}$/);
    expect(await readSettings(account)).toMatchObject(rotated);
    expect(secrets.add(rotated.webhook_secret).size).toBe(distinctCount);
  }
});

describe('settings', () => {
  test('keep the URL of a running listener, but get back the URL that a stopped listener had replaced', async () => {
    const account = await openAccount();
    const listener = await openListener({
      port: 0,
      respond: async () => ({ status: 200, body: '', retryAfter: null, date: null }),
      onFailure: () => undefined,
    });
    const replacedUrl = 'http://127.0.0.1:9/hooks';
    const settings = { webhook_url: listenerUrlFor(listener.url, replacedUrl) };
    await sim.callControl('PATCH', `/accounts/${account}/settings`, settings);
    expect(await readSettings(account)).toMatchObject(settings);
    await listener.close();
    await sim.callControl('PATCH', `/accounts/${account}/settings`, settings);
    expect(await readSettings(account)).toMatchObject({ webhook_url: replacedUrl });
  });

  test('stay the same if a client sends them back unchanged', async () => {
    const account = await openAccount(choicesOfEveryFormat);
    const settings = await readSettings(account);
    expect(settings.profile).toEqual(choicesOfEveryFormat);
    expect(await sim.callControl('PATCH', `/accounts/${account}/settings`, settings)).toMatchObject({
      status: 200,
      body: settings,
    });
    expect(await readSettings(account)).toEqual(settings);
  });

  test('have the profile in the same format as profile files', async () => {
    const file = join(tempFolder(), 'profile.yaml');
    writeFileSync(file, stringify((await readSettings(await openAccount(choicesOfEveryFormat))).profile));
    expect(await readChoices(file)).toEqual(choicesOfEveryFormat);
    const otherAccount = await openAccount(await readChoices(file));
    expect((await readSettings(otherAccount)).profile).toEqual(choicesOfEveryFormat);
  });
});

describe('a change of the choice for one gap', () => {
  const chooseForGap = (account: string, gap: string, body: unknown) =>
    sim.callControl('PUT', `/accounts/${account}/profile/${gap}`, body);

  test('leaves the choices for other gaps unchanged', async () => {
    const account = await openAccount({ 'list.order': 'oldest-first', 'request.malformed-json': 'as-empty' });
    await chooseForGap(account, 'deposit.window', { choice: { for: '30d' } });
    await chooseForGap(account, 'list.order', { choice: 'newest-first' });
    const profile = { 'request.malformed-json': 'as-empty', 'deposit.window': { for: '30d' } };
    expect((await readSettings(account)).profile).toEqual(profile);
  });

  test.each([
    ['list.order', { choice: 'newest' }, 'list.order has no choice `newest`; did you mean `newest-first`?'],
    ['list.order', { choice: { 'newest-first': 1 } }, 'takes no value'],
    ['deposit.window', { choice: 'for' }, 'takes a value'],
  ])('for %s is refused if the body is %j', async (gap, body, reason) => {
    const account = await openAccount();
    const response = await chooseForGap(account, gap, body);
    expect(response.status).toBe(422);
    expect(Object(response.body).error).toContain(reason);
    expect((await readSettings(account)).profile).toEqual({});
  });

  test.each(['uuid', 'prefixed'])(
    'to deposit ids of the format %s keeps existing deposits readable',
    async (choice) => {
      const created = requireData(await sim.control.POST('/accounts', { body: { id: `ids-${choice}`, seed: 'demo' } }));
      await chooseForGap(created.id, 'deposit.id', { choice });
      expect(await sim.callService(created.tokens.full, 'GET', '/deposits/7')).toMatchObject({
        status: 200,
        body: { data: { id: 7 } },
      });
      const unknown = await sim.callService(created.tokens.full, 'GET', '/deposits/99');
      expect(unknown.status).toBe(404);
    },
  );

  test('for an unknown gap is refused with 404', async () => {
    const { status, headers } = await chooseForGap(await openAccount(), 'list.oder', { choice: 'newest-first' });
    expect({ status, hint: headers.get('x-sim-hint') }).toEqual({ status: 404, hint: 'did you mean list.order?' });
  });

  test('requires the `choice` field', async () => {
    const account = await openAccount();
    const response = await chooseForGap(account, 'list.order', {});
    expect(response).toMatchObject({ status: 422, body: invalidControlFieldBody('choice', 'choice is required') });
  });
});

import { describe, expect, test } from 'vitest';
import { dataOf, startControlServerForTest } from './control-server.js';

/** Starts a simulator, and returns every token and webhook secret that it creates over a fixed series of calls. */
async function secretsOf(randomSeed: string | undefined): Promise<string[]> {
  const { control } = await startControlServerForTest({ randomSeed });
  const made = dataOf(await control.POST('/accounts', {}));
  const secrets = [...Object.values(made.tokens), made.webhook_secret];
  for (const account of ['demo', made.id]) {
    const params = { params: { path: { account } } };
    const settings = dataOf(await control.GET('/accounts/{account}/settings', params));
    if (account === 'demo') secrets.push(String(settings.webhook_secret));
    for (let times = 1; times <= 2; times++) {
      const body = { name: 'client', scopes: ['billing.read' as const] };
      secrets.push(dataOf(await control.POST('/accounts/{account}/tokens', { ...params, body })).token);
      secrets.push(dataOf(await control.POST('/accounts/{account}/webhook-secret/rotate', params)).webhook_secret);
    }
  }
  return secrets;
}

describe('tokens and webhook secrets, including later and rotated ones,', () => {
  test('are determined by the random seed', async () => {
    const secrets = await secretsOf('42');
    expect(new Set(secrets).size).toBe(13);
    expect(await secretsOf('42')).toEqual(secrets);
  });

  test('differ under another random seed', async () => {
    const [one, other] = [await secretsOf('42'), await secretsOf('43')];
    expect(one.filter((secret) => other.includes(secret))).toEqual([]);
  });

  test('are unpredictable without a random seed', async () => {
    const [one, other] = [await secretsOf(undefined), await secretsOf(undefined)];
    expect(one.filter((secret) => other.includes(secret))).toEqual([]);
    for (const secret of one) expect(secret).toMatch(/[0-9a-f]{32}$/);
  });
});

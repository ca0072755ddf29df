import { describe, expect, test } from 'vitest';
import { requireData, startControlServerForTest } from './control-server.js';

/** Starts a simulator, makes a fixed series of calls, and returns all tokens and webhook secrets that they create. */
async function collectSecrets(randomSeed: string | undefined): Promise<string[]> {
  const { control } = await startControlServerForTest({ randomSeed });
  const created = requireData(await control.POST('/accounts', {}));
  const secrets = [...Object.values(created.tokens), created.webhook_secret];
  for (const account of ['demo', created.id]) {
    const params = { params: { path: { account } } };
    const settings = requireData(await control.GET('/accounts/{account}/settings', params));
    if (account === 'demo') secrets.push(String(settings.webhook_secret));
    for (let count = 1; count <= 2; count++) {
      const body = { name: `client-${count}`, scopes: ['billing.read' as const] };
      secrets.push(requireData(await control.POST('/accounts/{account}/tokens', { ...params, body })).token);
      secrets.push(requireData(await control.POST('/accounts/{account}/webhook-secret/rotate', params)).webhook_secret);
    }
  }
  return secrets;
}

describe('tokens and webhook secrets, including those created or rotated later,', () => {
  test('are determined by the random seed', async () => {
    const secrets = await collectSecrets('42');
    // The new account has 3 tokens and a secret, `demo` has a secret, and each gets 2 more tokens and 2 more secrets.
    expect(new Set(secrets).size).toBe(13);
    expect(await collectSecrets('42')).toEqual(secrets);
  });

  test('differ for another random seed', async () => {
    const [secrets, secretsOfOtherSeed] = [await collectSecrets('42'), await collectSecrets('43')];
    expect(secrets.filter((secret) => secretsOfOtherSeed.includes(secret))).toEqual([]);
  });

  test('differ in each run without a random seed', async () => {
    const [secrets, secretsOfOtherRun] = [await collectSecrets(undefined), await collectSecrets(undefined)];
    expect(secrets.filter((secret) => secretsOfOtherRun.includes(secret))).toEqual([]);
    for (const secret of secrets) expect(secret).toMatch(/[0-9a-f]{32}$/);
  });
});

import { test } from 'vitest';
import { dataOf, openControlServer } from './control-server.js';

test('try', async () => {
  const { control, ask, service } = await openControlServer();
  console.log((await ask('GET', '/health')).body, (await ask('GET', '/accounts')).body);
  const made = dataOf(await control.POST('/accounts', { body: { seed: 'demo', now: '2026-03-01T09:00:00Z' } }));
  console.log(made);
  const path = { account: made.id };
  console.log(dataOf(await control.GET('/accounts/{account}/settings', { params: { path } })));
  console.log(
    dataOf(
      await control.POST('/accounts/{account}/deposits/{deposit}/authorize', {
        params: { path: { ...path, deposit: 1 } },
      }),
    ),
  );
  console.log(
    JSON.stringify(
      dataOf(await control.POST('/accounts/{account}/clock/advance', { params: { path }, body: { by: '8d' } })),
      null,
      1,
    ).slice(0, 1500),
  );
  for (const [m, p, b] of [
    ['POST', '/accounts/demo/clock/advance', {}],
    ['POST', '/accounts/demo/clock/advance', { by: '8d', to: '2026-03-09T09:00:00Z' }],
    ['POST', '/accounts/demo/clock/advance', { by: '8 bananas' }],
    ['POST', '/accounts/demo/clock/advance', { to: '2026-13-09T09:00:00Z' }],
    ['POST', '/accounts/demo/clock/advance', { to: '2016-03-09T09:00:00Z' }],
    ['POST', '/accounts/demo/clock/advance', { by: '1d', patience: '11m' }],
    ['POST', '/accounts', { profile: { 'list.ordr': 'x' } }],
    ['POST', '/accounts', { seed: 'dmo' }],
    ['POST', '/accounts', { seed: {} }],
    ['POST', '/accounts', { webhookUrl: 'ftp://x' }],
    ['PUT', '/accounts/demo/scenarios/foo', {}],
    ['PUT', '/accounts/demo/scenarios/foo', { description: 'x', for: 'deposit', steps: [{ do: 'authorise' }] }],
    ['GET', '/accounts/demo/agenda?limit=0', undefined],
    ['GET', '/accounts/demo/agenda?limt=5', undefined],
    ['GET', '/nothing', undefined],
    ['PATCH', '/accounts', {}],
    ['OPTIONS', '/accounts', undefined],
    ['POST', '/accounts/demo/trigger', { event: 'deposit.expired' }],
    ['POST', '/accounts/demo/deposits/1/authorize', { amount: 5 }],
    ['GET', '/accounts/demo/scenarios', undefined],
  ] as const) {
    const a = await ask(m, p, b);
    console.log(
      m,
      p,
      JSON.stringify(b),
      a.status,
      JSON.stringify(a.body).slice(0, 400),
      a.headers.get('x-sim-hint'),
      a.headers.get('allow'),
    );
  }
  console.log((await service(made.tokens.full, 'GET', '/deposits?per_page=1')).status);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effects } from '../../src/faults/index.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The faults page of the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

describe('a fault', () => {
  test('is added, fires the given number of times, and is counted', async () => {
    const { client, dashboard } = await createAccountWithDashboard(sim);
    const fields = { effect: 'status=503', 'match.operation': 'listDeposits', 'times:number': '1' };
    const { notice, html } = await dashboard.submitForm('faults', 'addFault', fields);
    expect(notice).toBe('Fault 1 added.');
    expect(visibleText(html)).toContain('status=503 listDeposits, once never matched active');
    const statuses = [(await client.GET('/deposits')).response.status, (await client.GET('/deposits')).response.status];
    expect(statuses).toEqual([503, 200]);
    expect(await dashboard.readText('faults')).toContain('status=503 listDeposits, once matched 1, fired 1 ended');
  });

  test('can be limited to every second webhook of an event, and to one hour', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const fields = {
      effect: 'delay=5m, duplicate',
      'match.event': 'deposit.expired',
      'match.every:number': '2',
      for: '1h',
    };
    const { html } = await dashboard.submitForm('faults', 'addFault', fields);
    const limits = 'deposit.expired, every 2nd, until 2026-03-01 10:00:00';
    expect(visibleText(html)).toContain(`delay=5m, duplicate ${limits} never matched`);
    expect(await account.faults.list()).toHaveLength(1);
  });

  test('with a misspelled effect is refused, with a suggestion', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { notice } = await dashboard.submitForm('faults', 'addFault', { effect: 'latensy=2s' });
    expect(notice).toContain('latency');
    expect(await account.faults.list()).toEqual([]);
  });

  test('with a word in a number field is refused, with a message that does not mention JSON types', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const { notice } = await dashboard.submitForm('faults', 'addFault', { effect: 'reset', 'times:number': 'two' });
    expect(notice).toBe('Maximum number of times: must be a whole number.');
  });

  test.each<[fields: Record<string, string>, errors: readonly string[]]>([
    [
      { effect: 'latensy=2s', 'times:number': 'two', 'match.probability:number': '2', for: 'soon' },
      [
        'Unknown effect `latensy`; did you mean `latency`?',
        'Maximum number of times: must be a whole number.',
        'Probability: must be 1 or less.',
        "Duration, on the account's clock: `soon` is not a duration (for example 30s, 2h or 8d)",
      ],
    ],
    [
      { effect: 'latensy=2s', 'match.token': 'nobody', 'match.nth:number': '3', 'match.every:number': '2', for: '0s' },
      [
        'Unknown effect `latensy`; did you mean `latency`?',
        'Match: unknown token `nobody`; available: `full`, `read`, `write`.',
        'Every nth: the fault would never fire, since `nth` (3) is not a multiple of `every` (2)',
        "Duration, on the account's clock: must be longer than 0.",
      ],
    ],
    [
      { effect: 'status=503', 'match.event': 'deposit.created', 'match.token': 'nobody' },
      [
        'Webhooks of: status applies to requests, which have no event.',
        'Match: unknown token `nobody`; available: `full`, `read`, `write`.',
      ],
    ],
  ])('with several invalid fields is refused, with a message for each of them: %j', async (fields, errors) => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const { html } = await dashboard.submitForm('faults', 'addFault', fields);
    const messages = [...html.matchAll(/<p id="[^"]*-error" class="error">(.*?)<\/p>/g)].map(([, text = '']) =>
      visibleText(text),
    );
    expect(messages.sort()).toEqual(errors.toSorted());
  });

  test('is cleared alone, or with all other faults', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    for (const effect of ['hang', 'reset', 'outage']) await account.faults.add({ effect });
    const afterClearingOne = await dashboard.submitForm('faults', 'clearFault/1');
    expect(afterClearingOne.notice).toBe('Fault 1 cleared (never matched).');
    expect((await account.faults.list()).map(({ id }) => id)).toEqual([2, 3]);
    const afterClearingAll = await dashboard.submitForm('faults', 'clearFaults');
    expect(afterClearingAll.notice).toBe('2 faults cleared.');
    expect(visibleText(afterClearingAll.html)).toContain('No faults active. Inject one below.');
  });

  test('is counted before all are cleared', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await account.faults.add({ effect: 'hang' });
    expect(await dashboard.readText('confirm/clearFaults')).toContain('Removes 1 fault and its counters.');
    await account.faults.add({ effect: 'reset' });
    expect(await dashboard.readText('confirm/clearFaults')).toContain('Removes 2 faults and their counters.');
  });
});

test.each([
  ['Fail next request', 'status=503 every request, once'],
  ['Delay responses', 'latency=2s every request'],
  ['Rate limit', 'rate-limited=30s every request, until 2026-03-01 09:00:30'],
  ['Drop connection', 'reset every request, once'],
  ['Lose next response', 'lose-response every request, once'],
  ['Delay webhooks', 'delay=5m every webhook'],
  ['Send webhooks twice', 'duplicate every webhook'],
  ['Receiver down', 'receiver-fails=503 every webhook'],
])("the preset '%s' injects the fault '%s'", async (label, faultText) => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const [htmlBeforeButton = ''] = (await dashboard.readHtml('faults')).split(`>${label}</button>`);
  const form = htmlBeforeButton.slice(htmlBeforeButton.lastIndexOf('<form'));
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const { notice, html } = await dashboard.postFields('faults', 'addFault', Object.fromEntries(fields));
  expect(notice).toBe('Fault 1 added.');
  expect(visibleText(html)).toContain(faultText);
});

test('the page says that Drop connection acts before the request is handled', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  expect(await dashboard.readText('faults')).toContain('Drop connection once, before the request is handled');
});

test('the advanced form is closed until an effect is chosen or an error is shown', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const advanced = /<details( open)?><summary>Advanced</;
  expect(advanced.exec(await dashboard.readHtml('faults'))?.[1]).toBeUndefined();
  expect(advanced.exec(await dashboard.readHtml('faults?effect=hang'))?.[1]).toBe(' open');
  const { html } = await dashboard.submitForm('faults', 'addFault', { effect: 'latensy=2s', 'match.event': '' });
  expect(advanced.exec(html)?.[1]).toBe(' open');
});

test('every effect is listed with a link that fills in the form with its example', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const html = await dashboard.readHtml('faults');
  for (const { name, example } of effects) {
    const link = `faults?${new URLSearchParams({ effect: example })}#new`;
    expect(html).toContain(`<code>${name}</code>`);
    expect(html).toContain(link);
  }
  const linkedPage = await dashboard.readHtml(`faults?${new URLSearchParams({ effect: 'latency=200ms;max=2s' })}`);
  expect(linkedPage).toContain('name="effect" value="latency=200ms;max=2s"');
});

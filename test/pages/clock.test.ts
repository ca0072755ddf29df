import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createAccountWithDashboard } from './dashboard-forms.js';

/** The clock page of the dashboard: time, agenda, and the report that lists what happened while the clock advanced. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

describe('the clock', () => {
  test.each(['tomorrow', '2030-01-01T00:00', '2030-02-30T00:00:00Z'])(
    'is not advanced to the invalid time %s, and the error says what a time looks like',
    async (to) => {
      const { dashboard } = await createAccountWithDashboard(sim);
      const { notice } = await dashboard.submitForm('clock', 'advanceClock', { to });
      expect(notice).toBe(
        'The Time field must be a date or a time in 1970 or later, such as 2026-03-01 or 2026-03-01T09:00:00Z.',
      );
    },
  );

  test('shows the time of the account, and that it is frozen', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    expect(await dashboard.readText('clock')).toContain("The account's time 2026-03-01 09:00:00 UTC Clock frozen");
  });

  test('is resumed and frozen again', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await dashboard.submitForm('clock', 'setClock', { mode: 'real' });
    expect(await account.clock.show()).toMatchObject({ mode: 'real' });
    expect(await dashboard.readText('clock')).toContain('Clock running Freeze');
    await dashboard.submitForm('clock', 'setClock', { mode: 'frozen' });
    expect(await account.clock.show()).toMatchObject({ mode: 'frozen' });
  });

  test.each([
    ['by', '1h', '2026-03-01T10:00:00.000Z'],
    ['by', '8d', '2026-03-09T09:00:00.000Z'],
    ['by', '2h 30m', '2026-03-01T11:30:00.000Z'],
    ['to', '2026-03-02T00:00:00+01:00', '2026-03-01T23:00:00.000Z'],
  ])('is advanced %s %s, and then shows %s', async (field, value, now) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await dashboard.postFields('clock', 'advanceClock', { [field]: value });
    expect(await account.clock.show()).toMatchObject({ now });
  });

  // Without a `form-key`, the page does not know which form was sent, so the message has the name of the field.
  test.each([
    ['eight days', 'The by field must be a duration such as 8d, 2h 30m or P8D.'],
    ['-1d', 'The by field must be a duration such as 8d, 2h 30m or P8D.'],
    [
      'P1M',
      'The by field must be a duration such as 8d, 2h 30m or P8D; months and years differ in length, so write them in days.',
    ],
  ])('is not advanced by the invalid duration %j, and the page shows why', async (by, message) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { notice, isRefused } = await dashboard.postFields('clock', 'advanceClock', { by });
    expect({ notice, isRefused }).toEqual({ notice: message, isRefused: true });
    expect(await account.clock.show()).toMatchObject({ now: '2026-03-01T09:00:00.000Z' });
  });

  test.each([{}, { by: '1h', to: '2026-03-02' }])(
    'is not advanced by %j, which is not one duration or time',
    async (fields) => {
      const { account, dashboard } = await createAccountWithDashboard(sim);
      const { notice, isRefused } = await dashboard.postFields('clock', 'advanceClock', fields);
      expect({ notice, isRefused }).toEqual({
        notice: 'Exactly one of the fields by, to is required.',
        isRefused: true,
      });
      expect(await account.clock.show()).toMatchObject({ now: '2026-03-01T09:00:00.000Z' });
    },
  );

  test.each<Choices>([{}, { 'validation.messages': 'json-schema' }, { 'validation.status': '400-without-errors' }])(
    'is not advanced by an invalid duration, and the error names the label of the field (profile: %j)',
    async (profile) => {
      const { dashboard } = await createAccountWithDashboard(sim, profile);
      // The key says which form of the page was sent.
      const fields = { 'form-key': 'advanceClock-by', by: 'eight days' };
      const { notice, html } = await dashboard.postFields('clock', 'advanceClock', fields);
      const message = 'The Duration field must be a duration such as 8d, 2h 30m or P8D.';
      expect(notice).toBe(message);
      expect(html).toContain(`<p id="advanceClock-by-by-error" class="error">${message}</p>`);
    },
  );
});

test('the page has buttons for an hour, a day, eight and thirty days, and a field for any duration or time', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const html = await dashboard.readHtml('clock');
  const durations = [...html.matchAll(/<input type="hidden" name="by" value="([^"]*)"/g)].map(([, value]) => value);
  expect(durations).toEqual(['1h', '1d', '8d', '30d']);
  expect(html).toContain('<label>Duration <input id="advanceClock-by-by" name="by"');
  expect(html).toContain('name="to" value="2026-03-01T09:00:00Z"');
});

describe('the agenda', () => {
  test('lists the expiry of a deposit, with a link to the deposit', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const id = data?.data.id ?? '';
    await account.deposits.authorize(id);
    const html = await dashboard.readHtml('clock');
    expect(html).toContain(`<a href="/dashboard/${account.id}/deposits/${id}">deposit ${id}</a> expires`);
    expect(await dashboard.readText('clock')).toContain(`2026-03-08 09:00:00 in 7 d deposit ${id} expires`);
  });

  test('names the event and the record of a webhook, and links to both', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    const receiver = await openReceiver((_request, response) => void response.writeHead(503).end());
    await account.webhooks.configure({ url: receiver.url });
    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    await account.clock.advance('1s');
    const [webhook] = await account.webhooks.all();
    for (const page of ['clock', 'overview']) {
      expect(await dashboard.readHtml(page)).toContain(
        `retry of <a href="/dashboard/${account.id}/webhooks/${webhook?.id}">deposit.created</a> (<a href="/dashboard/${account.id}/deposits/8">deposit 8</a>)`,
      );
    }
  });

  test('names the event of a webhook that is being sent, and links to it', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    const receiver = await openReceiver(() => undefined);
    await account.webhooks.configure({ url: receiver.url });
    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const [webhook] = await account.webhooks.all();
    expect(await dashboard.readHtml('clock')).toContain(
      `Being sent: <a href="/dashboard/${account.id}/webhooks/${webhook?.id}">deposit.created</a>.`,
    );
  });

  test('names the scenario and the record of a run, and links to both', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    // The demo records include seven deposits, so this one gets the id 8.
    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const { id } = await account.scenarios.run('no-show', 8);
    expect(await dashboard.readHtml('clock')).toContain(
      `<a href="/dashboard/${account.id}/scenarios/runs/${id}">no-show</a> (<a href="/dashboard/${account.id}/deposits/8">deposit 8</a>) continues`,
    );
  });

  test('when empty, suggests authorizing a deposit', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    // After 400 days, everything planned for the demo records has happened.
    await account.clock.advance('400d');
    expect(await dashboard.readText('clock')).toContain('The agenda is empty. Authorize a deposit');
  });
});

describe('the report', () => {
  test('lists a transition, its event and the delivery of the webhook in order', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    const receiver = await openReceiver((_request, response) => void response.writeHead(204).end());
    await account.webhooks.configure({ url: receiver.url });
    const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const id = data?.data.id ?? '';
    await account.deposits.authorize(id);
    const { notice, html } = await dashboard.postFields('clock', 'advanceClock', { by: '8d' });
    expect(notice).toContain('Clock advanced by 8 d to 2026-03-09 09:00:00:');
    const steps = [
      `2026-03-08 09:00:00 deposit ${id} authorized → expired (expire)`,
      `2026-03-08 09:00:00 deposit.expired for deposit ${id}`,
      '2026-03-08 09:00:00 deposit.expired → 204 on attempt 1',
    ];
    const positions = steps.map((step) => notice.indexOf(step));
    expect(steps.filter((step) => !notice.includes(step))).toEqual([]);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(html).toMatch(new RegExp(`<a href="/dashboard/${account.id}/webhooks/evt_\\w+">deposit.expired</a>`));
  });

  test('is shown only once', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const { notice, pathWithNotice } = await dashboard.postFields('clock', 'advanceClock', { by: '1h' });
    expect(notice).toContain('Clock advanced by 1 h');
    expect(await dashboard.readText(pathWithNotice.replace(/^.*\/clock/, 'clock'))).not.toContain('Clock advanced');
  });

  test('lists the first 100 steps, and shows the number of further steps', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    // Each of the 60 deposits expires and causes an event, so there are at least 120 steps.
    for (let count = 0; count < 60; count++) {
      const { data } = await client.POST('/deposits', { body: { booking_reference: `BK-${count}`, amount: 5 } });
      await account.deposits.authorize(data?.data.id ?? '');
    }
    const { notice, html } = await dashboard.postFields('clock', 'advanceClock', { by: '8d' });
    expect(html.match(/<li><time/g)).toHaveLength(100);
    expect(notice).toMatch(/… and \d+ more\.$/);
  });
});

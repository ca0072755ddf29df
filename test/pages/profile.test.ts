import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/**
 * The profile page of the dashboard. For each gap, which is a question that the specification leaves open, it shows the
 * possible answers, the choices.
 */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Reads the profile of an account: its choices that are not the defaults. */
async function readProfile(accountId: string): Promise<unknown> {
  const { text } = await sendHttpRequest(sim.url, { path: `/_sim/accounts/${accountId}/settings` });
  return Reflect.get(JSON.parse(text), 'profile');
}

test('every gap is shown with its question, its current choice and a form for each other choice', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const html = await dashboard.readHtml('profile');
  for (const [id, { section, question, choices, default: defaultChoice }] of Object.entries(gapRegistry)) {
    const start = html.indexOf(`<article class="gap" id="${id}">`);
    const article = html.slice(start, html.indexOf('</article>', start));
    const offered = [...article.matchAll(/name="choice" value="([^"]*)"/g)].map(([, name]) => name);
    const otherChoices = Object.keys(choices).filter((name) => name !== defaultChoice);
    expect({ id, offered: offered.sort() }).toEqual({ id, offered: otherChoices.sort() });
    expect(visibleText(article)).toContain(question.replaceAll('`', ''));
    expect(article.match(/>chosen</g)).toHaveLength(1);
    expect(html).toContain(`<h2>${section}</h2>`);
  }
});

test.each([
  ['q=list.order', ['list.order']],
  ['q=oldest+first', ['list.order']],
  ['changed=yes', ['deposit.window']],
  ['q=nothing+of+this', []],
])('the profile page with %s shows the gaps %j', async (query, ids) => {
  const { dashboard } = await createAccountWithDashboard(sim, { 'deposit.window': { for: '30d' } });
  const html = await dashboard.readHtml(`profile?${query}`);
  expect([...html.matchAll(/<article class="gap" id="([^"]*)"/g)].map(([, id]) => id)).toEqual(ids);
});

test('changed choices come first, in an open section; others are closed unless they have search results', async () => {
  const { dashboard } = await createAccountWithDashboard(sim, { 'deposit.window': { for: '30d' } });
  const sectionsOf = (html: string) =>
    [...html.matchAll(/<details class="sheet gaps"( open)?><summary><h2>(.*?)<\/h2>/g)].map(
      ([, open = '', title]) => title + open,
    );
  const [first, ...others] = sectionsOf(await dashboard.readHtml('profile'));
  expect(first).toBe('Changed open');
  expect(others.length).toBeGreaterThan(3);
  expect(others.filter((title) => title.endsWith(' open'))).toEqual([]);
  expect(sectionsOf(await dashboard.readHtml('profile?q=list.order'))).toEqual([expect.stringMatching(/ open$/)]);
});

test('a section is open if one of its forms has an error', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  // The key identifies the form for this choice. In a key, the dot of a gap id is encoded as `.2e`.
  const fields = { choice: 'for', value: 'soon', 'form-key': 'chooseForGap-deposit.2ewindow-for' };
  const { html } = await dashboard.postFields('profile', 'chooseForGap/deposit.window', fields);
  const [openSection = ''] = /<details class="sheet gaps" open>.*?<\/details>/s.exec(html) ?? [];
  expect(openSection).toContain('id="deposit.window"');
});

test('the changed choices are exported as a profile file', async () => {
  const choices = {
    'deposit.window': { for: '30d' },
    'list.order': 'oldest-first',
    'auth.unauthenticated': '403',
  } as const;
  const { account } = await createAccountWithDashboard(sim, choices);
  const { text } = await sendHttpRequest(sim.url, { path: `/dashboard/${account.id}/profile/export` });
  expect(parse(text)).toEqual(choices);
});

describe('a choice', () => {
  test('is saved for its gap, and the choices for other gaps are kept', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim, { 'request.malformed-json': 'as-empty' });
    const { notice, path } = await dashboard.postFields('profile#list.order', 'chooseForGap/list.order', {
      choice: 'oldest-first',
    });
    expect(notice).toBe('Saved.');
    expect(path).toBe(`/dashboard/${account.id}/profile#list.order`);
    expect(await readProfile(account.id)).toEqual({
      'request.malformed-json': 'as-empty',
      'list.order': 'oldest-first',
    });
    const text = await dashboard.readText('profile?q=list.order');
    // Two badges, and the description of the choice.
    expect(text).toContain('differs from the default chosen Oldest first.');
  });

  test('that is the default removes the gap from the profile', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim, { 'list.order': 'oldest-first' });
    // The gap has two choices. The current one has no form, so this submits the form of the default.
    await dashboard.submitForm('profile?q=list.order', 'chooseForGap/list.order');
    expect(await readProfile(account.id)).toEqual({});
  });

  test.each([
    ['deposit.window', 'for', { value: '30d' }, '30d'],
    ['invoice.tax-rate', 'maximum', { 'value:number': '27.5' }, 27.5],
    ['auth.scope', 'answer', { 'value.status:number': '404', 'value.error': 'Gone' }, { status: 404, error: 'Gone' }],
    ['payment.methods', 'only', { 'value[]': ['card', 'cash'] }, ['card', 'cash']],
    ['invoice.subscription', 'fields', { 'value[]': ['id', 'name'] }, ['id', 'name']],
    [
      'deposit.capture-when',
      'answers',
      { 'value.otherwise:json': '422', 'value.above:json': '"capped"' },
      { otherwise: 422, above: 'capped' },
    ],
  ])('for %s is saved with its value, and the page shows the value', async (gap, choice, fields, value) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const page = `profile?q=${gap}`;
    const htmlBefore = await dashboard.readHtml(page);
    for (const name of Object.keys(fields)) expect(htmlBefore).toContain(`name="${name}"`);
    await dashboard.postFields(page, `chooseForGap/${gap}`, { choice, ...fields });
    expect(await readProfile(account.id)).toEqual({ [gap]: { [choice]: value } });
    const html = await dashboard.readHtml(page);
    const shownValues = [value].flat().flatMap((part) => (typeof part === 'object' ? Object.values(part) : [part]));
    for (const shownValue of shownValues) {
      expect(html).toMatch(new RegExp(`<input[^>]* value="${shownValue}"|<option [^>]* selected>${shownValue}<`));
    }
    expect(html).toContain('aria-label="Change');
  });

  test('requires only the members of a value that its schema requires', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const html = await dashboard.readHtml('profile?q=event.payload');
    const requiredNames = [...html.matchAll(/<input id="[^"]*" name="value\.(\w+)"[^>]* required /g)];
    expect(requiredNames.map(([, name]) => name)).toEqual(['data']);
  });

  test.each([
    ['deposit.window', { choice: 'for', value: 'soon' }, 'is not a duration'],
    ['list.order', { choice: 'newest' }, 'did you mean `newest-first`?'],
  ])('for %s is refused if it is invalid: %j', async (gap, fields, error) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { notice, isRefused } = await dashboard.postFields('profile', `chooseForGap/${gap}`, fields);
    expect(isRefused).toBe(true);
    expect(notice).toContain(error);
    expect(await readProfile(account.id)).toEqual({});
  });

  test.each([
    ['auth.scope', 'answer', { 'value.status:number': '200', 'value.error': 'Fine' }, 'Status: must be 400 or more.'],
    ['auth.scope', 'answer', { 'value.status:number': '403' }, 'The error field is required.'],
    ['event.payload', 'members', {}, 'The data field is required.'],
    ['deposit.window', 'for', {}, 'Enter a value for deposit.window.'],
    [
      'deposit.window',
      'for',
      { value: 'soon' },
      'Value for deposit.window: "soon" is not a duration such as 8d, 2h 30m or P8D.',
    ],
    [
      'payment.methods',
      'only',
      { 'value[]': ['card', 'card'] },
      'Values for payment.methods: must not have the same item twice.',
    ],
  ])(
    'for %s with an invalid value is refused with an error at its field, which names the label and not the JSON key',
    async (gap, choice, fields, error) => {
      const { dashboard } = await createAccountWithDashboard(sim);
      const values = { choice, ...fields, 'form-key': `chooseForGap-${gap.replace('.', '.2e')}-${choice}` };
      const { notice, html } = await dashboard.postFields('profile', `chooseForGap/${gap}`, values);
      expect(notice).toBe(error);
      const [, form = ''] = html.split(`value="${values['form-key']}"`);
      const [fieldErrors = ''] = /^.*?<\/form>/s.exec(form) ?? [];
      expect(visibleText(fieldErrors)).toContain(error);
    },
  );

  test('for an unknown gap is refused, and the nearest gap is suggested', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { notice } = await dashboard.postFields('profile', 'chooseForGap/list.oder', { choice: 'newest-first' });
    expect(notice).toContain('Gap not found. Did you mean list.order?');
    expect(await readProfile(account.id)).toEqual({});
  });
});

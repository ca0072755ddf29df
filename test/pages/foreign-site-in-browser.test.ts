import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { isFullRun, sampleUnlessFull } from '../support/sample.js';
import { cards, createDemoAccount } from './guest.js';

/** A page of another site, which a user of the simulator has opened in a browser, attacks the simulator. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

type Account = Awaited<ReturnType<typeof createDemoAccount>>['account'];

/**
 * Creates two accounts, and opens a page of an attacking site.
 * @param host the host of the attacking site: `localhost`, or `127.0.0.1` like the simulator, but with another port
 */
async function openAttackingPage(context: TestContext, host = 'localhost') {
  const browser = await openBrowser(context);
  const { port } = await listenUntilTestEnds(
    createServer((_request, response) => void response.setHeader('Content-Type', 'text/html').end('<body>Win a prize')),
  );
  const { account, client } = await createDemoAccount(sim);
  const otherAccount = await sim.createAccount({ id: `${account.id}-other` });
  // The attacks try to delete this snapshot and to read this email.
  await account.snapshots.save('before');
  await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
  const page = await browser.newPage();
  await page.goto(`http://${host}:${port}/`);
  return { page, account, otherAccount, stateBefore: await readState(account, otherAccount) };
}

/** Everything that an attack could change. */
async function readState(account: Account, otherAccount: Account): Promise<unknown> {
  const { deposits, invoices, payments } = await fetchRecords(account);
  return {
    deposits,
    invoices,
    payments,
    clock: await account.clock.show(),
    agenda: await account.agenda(),
    events: (await account.webhooks.all()).map(({ event }) => event),
    // The settings include the webhook URL and the profile.
    settings: await (await fetch(`${sim.url}/_sim/accounts/${account.id}/settings`)).json(),
    secret: account.webhookSecret,
    faults: await account.faults.list(),
    snapshots: await account.snapshots.names(),
    mails: (await account.mails.all()).length,
    otherAccount: await otherAccount.clock.show(),
    accountIds: await fetchAccountIds(),
  };
}

async function fetchRecords({ tokens }: Account): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${tokens.full}` };
  const records = ['deposits', 'invoices', 'payments'].map(async (name) => [
    name,
    await (await fetch(`${sim.baseUrl}/${name}`, { headers })).json(),
  ]);
  return Object.fromEntries(await Promise.all(records));
}

/** Returns the ids of all accounts except those that these tests create. */
async function fetchAccountIds(): Promise<string[]> {
  const accounts: { data: { id: string }[] } = JSON.parse(await (await fetch(`${sim.url}/_sim/accounts`)).text());
  return accounts.data.map(({ id }) => id).filter((id) => !/^guests-\d+(?:-other)?$/.test(id));
}

interface AttackingRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The fields of a form, or the properties of a JSON body. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Requests that change something if they come from the simulator's own pages. */
function attackingRequests({ id }: Account, otherAccount: Account): readonly AttackingRequest[] {
  const control = `/_sim/accounts/${id}`;
  const actions = `/dashboard/${id}/do`;
  return [
    { method: 'POST', path: '/_sim/accounts', fields: { id: `intruder-of-${id}` } },
    { method: 'PATCH', path: `${control}/settings`, fields: { webhook_url: 'http://127.0.0.1:9/stolen' } },
    { method: 'POST', path: `${control}/webhook-secret/rotate`, fields: {} },
    { method: 'PUT', path: `${control}/profile/list.order`, fields: { choice: 'oldest-first' } },
    { method: 'POST', path: `${control}/clock/advance`, fields: { by: '1d' } },
    { method: 'POST', path: `${control}/deposits/2/expire`, fields: {} },
    { method: 'POST', path: `${control}/faults`, fields: { effect: 'outage' } },
    { method: 'DELETE', path: `${control}/snapshots/before`, fields: {} },
    { method: 'POST', path: `${actions}/advanceClock`, fields: { by: '1d' } },
    { method: 'POST', path: `${actions}/captureDeposit/3`, fields: { 'amount:number': '1' } },
    { method: 'POST', path: `${actions}/rotateWebhookSecret`, fields: {} },
    { method: 'POST', path: `${actions}/addFault`, fields: { effect: 'outage' } },
    { method: 'POST', path: `/authorize/${id}/1`, fields: { number: cards.paid } },
    { method: 'POST', path: `/pay/${id}/inv_2`, fields: { form: 'id-of-some-payment-form', number: cards.paid } },
    { method: 'POST', path: `${control}/reset`, fields: {} },
    { method: 'DELETE', path: `/_sim/accounts/${otherAccount.id}`, fields: {} },
  ];
}

const json = 'application/json';
const urlencoded = 'application/x-www-form-urlencoded';

/**
 * Sends a request with `fetch` in the page.
 * @returns `done`, or the status of an error, if the page can read the response; `opaque` or `opaqueredirect` if it
 *   cannot; or the name of the exception that `fetch` throws
 */
function fetchFrom(
  page: Page,
  { method, path, fields }: AttackingRequest,
  contentType: string,
  mode: 'same-origin' | 'cors' | 'no-cors',
): Promise<unknown> {
  const body = contentType === urlencoded ? new URLSearchParams(fields).toString() : JSON.stringify(fields);
  // Forms redirect if they succeed. With `manual`, the type of such a response is `opaqueredirect`. The `no-cors` mode
  // requires `follow`.
  const redirect = mode === 'no-cors' ? 'follow' : 'manual';
  const init = { method, mode, credentials: 'include', headers: { 'Content-Type': contentType }, body, redirect };
  return page.evaluate(
    `fetch(${JSON.stringify(sim.url + path)}, ${JSON.stringify(init)}).then(({ type, ok, status }) => type !== 'basic' ? type : ok ? 'done' : status, ({ name }) => name)`,
  );
}

/** True for a request to a form of the dashboard or of a guest page, false for one to the control API. */
const isFormRequest = ({ path }: AttackingRequest): boolean => !path.startsWith('/_sim');

test('the attacking requests would succeed from the dashboard itself', async (context) => {
  const { page, account, otherAccount } = await openAttackingPage(context);
  await page.goto(`${sim.url}/dashboard/${account.id}`);
  for (const request of attackingRequests(account, otherAccount)) {
    const result = await fetchFrom(page, request, isFormRequest(request) ? urlencoded : json, 'same-origin');
    expect({ ...request, result }).toMatchObject({ result: isFormRequest(request) ? 'opaqueredirect' : 'done' });
  }
});

// The other port comes first: browsers restrict it least, since they consider it the same site.
const attackers = [
  ['another port of the same host', '127.0.0.1'],
  ['another site', 'localhost'],
] as const;
const sampleOfAttackers = sampleUnlessFull(attackers, { oneIn: 2 });

test.for(attackers)('forms sent from %s are refused', async ([, host], context) => {
  const { page, account, otherAccount, stateBefore } = await openAttackingPage(context, host);
  const requests = attackingRequests(account, otherAccount);
  for (const [index, { path, fields }] of requests.filter(({ method }) => method === 'POST').entries()) {
    // The second form sends plain text that is valid JSON, such as {"by":"1d","":"="}. A plain-text form puts = between
    // the name and the value of its field, so the name is the JSON up to that =.
    const jsonStart = JSON.stringify({ ...fields, '': '' }).slice(0, -2);
    const forms = [
      [urlencoded, fields],
      ['text/plain', { [jsonStart]: '"}' }],
    ] as const;
    // In a partial run, requests alternate between the two forms.
    for (const [contentType, formFields] of isFullRun ? forms : [forms[index % 2 === 0 ? 0 : 1]]) {
      const inputs = Object.entries(formFields).map(([name, value]) => ({ name, value }));
      // Each form has its own frame, because a frame that is still loading may drop another submission.
      const target = `${contentType} ${path}`;
      const form = { method: 'post', enctype: contentType, action: sim.url + path, target };
      const response = page.waitForResponse(sim.url + path);
      await page.evaluate(`(() => {
        document.body.append(Object.assign(document.createElement('iframe'), { name: ${JSON.stringify(target)} }));
        const form = Object.assign(document.createElement('form'), ${JSON.stringify(form)});
        for (const input of ${JSON.stringify(inputs)})
          form.append(Object.assign(document.createElement('input'), { type: 'hidden' }, input));
        document.body.append(form);
        form.submit();
      })()`);
      const status = (await response).status();
      expect({ path, contentType, status }).toEqual({ path, contentType, status: 403 });
    }
  }
  expect(await readState(account, otherAccount)).toEqual(stateBefore);
});

test.for(sampleOfAttackers)(
  'requests by scripts of %s are refused, and the scripts cannot read the responses',
  async ([, host], context) => {
    const { page, account, otherAccount, stateBefore } = await openAttackingPage(context, host);
    for (const request of attackingRequests(account, otherAccount)) {
      const results = [
        await fetchFrom(page, request, 'text/plain', 'no-cors'),
        await fetchFrom(page, request, urlencoded, 'no-cors'),
        await fetchFrom(page, request, 'text/plain', 'cors'),
        await fetchFrom(page, request, json, 'cors'),
      ];
      // Without CORS a script cannot read the response to a POST, and can only use the methods GET, HEAD and POST.
      const noCorsResult = request.method === 'POST' ? 'opaque' : 'TypeError';
      expect({ ...request, results }).toMatchObject({
        results: [noCorsResult, noCorsResult, 'TypeError', 'TypeError'],
      });
    }
    expect(await readState(account, otherAccount)).toEqual(stateBefore);
  },
);

/** Paths that return data, or that change something if a form is posted to them. */
const sensitivePaths = ({ id }: Account): readonly string[] => [
  '/_sim/accounts',
  `/_sim/accounts/${id}/requests`,
  `/_sim/accounts/${id}/reset`,
  `/_sim/accounts/${id}/requests/stream`,
  `/dashboard/${id}`,
  `/dashboard/${id}/tokens`,
  `/dashboard/${id}/live`,
  `/dashboard/${id}/mails/1/html`,
  `/dashboard/${id}/do/advanceClock?by=1d`,
  `/dashboard/${id}/do/resetAccount`,
  `/authorize/${id}/1?answer=approve&number=4242424242424242`,
  `/pay/${id}/inv_3?number=4242424242424242`,
];

test('the dashboard itself can read those paths', async (context) => {
  const { page, account } = await openAttackingPage(context);
  await page.goto(`${sim.url}/dashboard/${account.id}`);
  for (const path of sensitivePaths(account)) {
    const status = await page.evaluate(`(async () => {
      const controller = new AbortController();
      const { status } = await fetch('${sim.url + path}', { signal: controller.signal });
      controller.abort();
      return status;
    })()`);
    // Some paths are only for forms, which are posted.
    const statusOfGet = path.endsWith('/reset') ? 405 : 200;
    const expectedStatus = /\/do\//.test(path) ? 404 : statusOfGet;
    expect({ path, status }).toEqual({ path, status: expectedStatus });
  }
});

/** JavaScript that loads a URL in an element, and returns the type of the event that follows: `load` or `error`. */
const embedScript = (tagName: string, url: string): string => `new Promise((resolve) => {
  const element = document.createElement('${tagName}');
  element.onload = element.onerror = ({ type }) => resolve(type);
  element.src = '${url}';
  document.body.append(element);
})`;

test.for(sampleOfAttackers)('%s cannot read anything, and its attempts change nothing', async ([, host], context) => {
  const { page, account, otherAccount, stateBefore } = await openAttackingPage(context, host);
  for (const path of sensitivePaths(account)) {
    const url = sim.url + path;
    const isStream = /stream$|live$/.test(path);
    const fetchResult = await page.evaluate(
      `fetch('${url}', { credentials: 'include' }).then((response) => response.text(), ({ name }) => name)`,
    );
    const streamEvent = await page.evaluate(`new Promise((resolve) => {
      const source = new EventSource('${url}', { withCredentials: true });
      source.onmessage = source.onopen = source.onerror = ({ type }) => { source.close(); resolve(type); };
    })`);
    expect({ path, fetchResult, streamEvent }).toEqual({ path, fetchResult: 'TypeError', streamEvent: 'error' });
    // A stream does not end, so an element that loads it would wait forever.
    for (const tagName of isStream ? [] : ['img', 'script']) {
      const elementEvent = await page.evaluate(embedScript(tagName, url));
      expect({ path, tagName, elementEvent }).toEqual({ path, tagName, elementEvent: 'error' });
    }
  }
  expect(await readState(account, otherAccount)).toEqual(stateBefore);
});

test.for(sampleOfAttackers)('%s cannot show any page in a frame', async ([, host], context) => {
  const { page, account, otherAccount, stateBefore } = await openAttackingPage(context, host);
  for (const path of sensitivePaths(account).filter((path) => /^\/(?:dashboard|pay|authorize)/.test(path))) {
    if (path.endsWith('/live')) continue;
    await page.evaluate(embedScript('iframe', sim.url + path));
    const [, frame] = page.frames();
    // Chromium shows this page instead of a page that must not be framed.
    await expect.poll(() => frame?.url(), { message: path }).toBe('chrome-error://chromewebdata/');
    await page.evaluate("document.querySelector('iframe').remove()");
  }
  expect(await readState(account, otherAccount)).toEqual(stateBefore);
});

test('another site that opens the dashboard in a window cannot read that window', async (context) => {
  const { page, account } = await openAttackingPage(context);
  const popupOpened = page.waitForEvent('popup');
  await page.evaluate(`void (window.popup = window.open('${sim.url}/dashboard/${account.id}/tokens'))`);
  const popup = await popupOpened;
  await popup.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  const readProperty = (property: string): Promise<unknown> =>
    page.evaluate(`(() => { try { return String(window.popup.${property}); } catch ({ name }) { return name; } })()`);
  expect(await readProperty('document.body.innerText')).toBe('SecurityError');
  expect(await readProperty('location.href')).toBe('SecurityError');
});

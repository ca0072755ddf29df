import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';
import { listening } from '../webhooks/receiver.js';
import { cards, createDemoAccount } from './guest.js';

/** Attacks by a page of another site, in the browser of a user who runs a simulator. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

type Account = Awaited<ReturnType<typeof createDemoAccount>>['account'];

/** Creates two accounts, and opens a page of an attacking site: `localhost`, or the host of the simulator with another port. */
async function openTestPage(context: TestContext, host = 'localhost') {
  const browser = await openBrowser(context);
  const { port } = await listening(
    createServer((_request, response) => void response.setHeader('Content-Type', 'text/html').end('<body>Win a prize')),
    'http',
  );
  const { account, client } = await createDemoAccount(sim);
  const otherAccount = await sim.createAccount({ id: `${account.id}-bystander` });
  await account.snapshots.save('before');
  await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
  const page = await browser.newPage();
  await page.goto(`http://${host}:${port}/`);
  return { page, account, otherAccount, stateBefore: await stateOf(account, otherAccount) };
}

/** Everything that an attack could change. */
async function stateOf(account: Account, otherAccount: Account): Promise<unknown> {
  const { deposits, invoices, payments } = await recordsOf(account);
  return {
    deposits,
    invoices,
    payments,
    clock: await account.clock.show(),
    agenda: await account.agenda(),
    events: (await account.webhooks.all()).map(({ event }) => event),
    secret: account.webhookSecret,
    faults: await account.faults.list(),
    snapshots: await account.snapshots.names(),
    mails: (await account.mails.all()).length,
    otherAccount: await otherAccount.clock.show(),
    accounts: await accountIds(),
  };
}

async function recordsOf({ tokens }: Account): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${tokens.full}` };
  const records = ['deposits', 'invoices', 'payments'].map(async (name) => [
    name,
    await (await fetch(`${sim.baseUrl}/${name}`, { headers })).json(),
  ]);
  return Object.fromEntries(await Promise.all(records));
}

async function accountIds(): Promise<string[]> {
  const listed: { data: { id: string }[] } = JSON.parse(await (await fetch(`${sim.url}/_sim/accounts`)).text());
  return listed.data.map(({ id }) => id).filter((id) => !/^guests-\d+(?:-bystander)?$/.test(id));
}

interface Change {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Requests that change something when they come from the simulator's own pages. */
function changesOf({ id }: Account, otherAccount: Account): readonly Change[] {
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
    { method: 'POST', path: `/pay/${id}/inv_2`, fields: { form: 'x'.repeat(36), number: cards.paid } },
    { method: 'POST', path: `${control}/reset`, fields: {} },
    { method: 'DELETE', path: `/_sim/accounts/${otherAccount.id}`, fields: {} },
  ];
}

const json = 'application/json';
const urlencoded = 'application/x-www-form-urlencoded';

/** Sends a request by `fetch` in the page. @returns the response type, status or error name that the page sees */
function fetchFrom(page: Page, { method, path, fields }: Change, type: string, mode: string): Promise<unknown> {
  const body = type === urlencoded ? new URLSearchParams(fields).toString() : JSON.stringify(fields);
  // A redirect means success; a cross-site response without CORS can only be followed, not read.
  const redirect = mode === 'no-cors' ? 'follow' : 'manual';
  const init = { method, mode, credentials: 'include', headers: { 'Content-Type': type }, body, redirect };
  return page.evaluate(
    `fetch(${JSON.stringify(sim.url + path)}, ${JSON.stringify(init)}).then(({ type, ok, status }) => type !== 'basic' ? type : ok ? 'done' : status, ({ name }) => name)`,
  );
}

const isPage = ({ path }: Change): boolean => !path.startsWith('/_sim');

test('the attacking requests would succeed from the dashboard itself', async (context) => {
  const { page, account, otherAccount } = await openTestPage(context);
  await page.goto(`${sim.url}/dashboard/${account.id}`);
  for (const change of changesOf(account, otherAccount)) {
    const reported = await fetchFrom(page, change, isPage(change) ? urlencoded : json, 'same-origin');
    expect({ ...change, reported }).toMatchObject({ reported: isPage(change) ? 'opaqueredirect' : 'done' });
  }
});

const hosts = [
  ['another site', 'localhost'],
  ['another port of this machine', '127.0.0.1'],
] as const;

test.for(hosts)('forms sent from %s are refused', async ([, host], context) => {
  const { page, account, otherAccount, stateBefore } = await openTestPage(context, host);
  for (const { path, fields } of changesOf(account, otherAccount).filter(({ method }) => method === 'POST')) {
    // The second form sends plain text that is valid JSON: {"by":"1d","":"="}
    const asJson = JSON.stringify({ ...fields, '': '' }).slice(0, -2);
    for (const [type, sent] of [
      [urlencoded, fields],
      ['text/plain', { [asJson]: '"}' }],
    ] as const) {
      const inputs = Object.entries(sent).map(([name, value]) => ({ name, value }));
      // Each form has its own frame, because a frame that is still loading may drop another submission.
      const target = `${type} ${path}`;
      const form = { method: 'post', enctype: type, action: sim.url + path, target };
      const answered = page.waitForResponse(sim.url + path);
      await page.evaluate(`(() => {
        document.body.append(Object.assign(document.createElement('iframe'), { name: ${JSON.stringify(target)} }));
        const form = Object.assign(document.createElement('form'), ${JSON.stringify(form)});
        for (const input of ${JSON.stringify(inputs)})
          form.append(Object.assign(document.createElement('input'), { type: 'hidden' }, input));
        document.body.append(form);
        form.submit();
      })()`);
      expect({ path, type, status: (await answered).status() }).toEqual({ path, type, status: 403 });
    }
  }
  expect(await stateOf(account, otherAccount)).toEqual(stateBefore);
});

test.for(hosts)(
  'requests by scripts of %s are refused, and the scripts cannot read the responses',
  async ([, host], context) => {
    const { page, account, otherAccount, stateBefore } = await openTestPage(context, host);
    for (const change of changesOf(account, otherAccount)) {
      const reported = [
        await fetchFrom(page, change, 'text/plain', 'no-cors'),
        await fetchFrom(page, change, urlencoded, 'no-cors'),
        await fetchFrom(page, change, 'text/plain', 'cors'),
        await fetchFrom(page, change, json, 'cors'),
      ];
      // Methods other than GET and POST need a CORS preflight, which the simulator does not grant.
      const unreadable = change.method === 'POST' ? 'opaque' : 'TypeError';
      expect({ ...change, reported }).toMatchObject({ reported: [unreadable, unreadable, 'TypeError', 'TypeError'] });
    }
    expect(await stateOf(account, otherAccount)).toEqual(stateBefore);
  },
);

/** Paths that have data, or that change something when a form is posted to them. */
const addresses = ({ id }: Account): readonly string[] => [
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

/** JavaScript that loads a URL in an element, and returns the type of its event: `load` or `error`. */
const embed = (tag: string, address: string): string => `new Promise((tell) => {
  const part = document.createElement('${tag}');
  part.onload = part.onerror = ({ type }) => tell(type);
  part.src = '${address}';
  document.body.append(part);
})`;

test.for(hosts)('%s can read nothing, and its attempts change nothing', async ([, host], context) => {
  const { page, account, otherAccount, stateBefore } = await openTestPage(context, host);
  for (const path of addresses(account)) {
    const address = sim.url + path;
    const isStream = /stream$|live$/.test(path);
    const fetched = await page.evaluate(
      `fetch('${address}', { credentials: 'include' }).then((response) => response.text(), ({ name }) => name)`,
    );
    const streamed = await page.evaluate(`new Promise((tell) => {
      const source = new EventSource('${address}', { withCredentials: true });
      source.onmessage = source.onopen = source.onerror = ({ type }) => { source.close(); tell(type); };
    })`);
    expect({ path, fetched, streamed }).toEqual({ path, fetched: 'TypeError', streamed: 'error' });
    // A stream does not end, so that the element would wait for ever.
    for (const tag of isStream ? [] : ['img', 'script'])
      expect({ path, tag, reported: await page.evaluate(embed(tag, address)) }).toEqual({
        path,
        tag,
        reported: 'error',
      });
  }
  expect(await stateOf(account, otherAccount)).toEqual(stateBefore);
});

test.for(hosts)('%s cannot frame any page', async ([, host], context) => {
  const { page, account, otherAccount, stateBefore } = await openTestPage(context, host);
  for (const path of addresses(account).filter((path) => /^\/(?:dashboard|pay|authorize)/.test(path))) {
    if (path.endsWith('/live')) continue;
    await page.evaluate(embed('iframe', sim.url + path));
    const [, frame] = page.frames();
    await expect.poll(() => frame?.url(), { message: path }).toBe('chrome-error://chromewebdata/');
    await page.evaluate("document.querySelector('iframe').remove()");
  }
  expect(await stateOf(account, otherAccount)).toEqual(stateBefore);
});

test('another site that opens the dashboard in a window cannot read that window', async (context) => {
  const { page, account } = await openTestPage(context);
  const opened = page.waitForEvent('popup');
  await page.evaluate(`void (window.other = window.open('${sim.url}/dashboard/${account.id}/tokens'))`);
  const popup = await opened;
  await popup.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  const readProperty = (property: string): Promise<unknown> =>
    page.evaluate(`(() => { try { return String(window.other.${property}); } catch ({ name }) { return name; } })()`);
  expect(await readProperty('document.body.innerText')).toBe('SecurityError');
  expect(await readProperty('location.href')).toBe('SecurityError');
});

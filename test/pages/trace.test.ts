import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Choices, type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { traceHtml } from '../../src/text/trace-html.js';
import { runCliWith } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createAccountWithDashboard, dashboardOf } from './dashboard-forms.js';

/** Traces: HTML and JSON files with the activity of an account. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('tokens and webhook secrets are masked in headers and in bodies', async () => {
  const { account, client } = await createAccountWithDashboard(sim);
  const secrets = [account.tokens.full, account.tokens.read, account.webhookSecret];
  await fetch(`${sim.baseUrl}/invoices`, { headers: { Authorization: `Bearer ${account.tokens.read}` } });
  await client.POST('/deposits', {
    body: { booking_reference: 'BK-1', amount: 5, metadata: { leak: secrets.join() } },
  });
  const [html, json] = [await account.trace.html(), JSON.stringify(await account.trace.json())];
  for (const secret of secrets) {
    expect(html).not.toContain(secret);
    expect(json).not.toContain(secret);
  }
  expect(html).toContain('Bearer ****');
  expect(json).toContain('"leak":');
  // The API still returns the record unmasked.
  expect((await client.GET('/deposits')).data?.data.data.map(({ metadata }) => metadata)).toContainEqual({
    leak: secrets.join(),
  });
});

test('tokens and webhook secrets are masked in metadata keys, too, and when URL-encoded or JSON-escaped', async () => {
  const { account, client } = await createAccountWithDashboard(sim);
  const secret = 'two "words"/ü!';
  await account.webhooks.configure({ secret });
  const { full } = account.tokens;
  // This unknown token is a prefix of `full`. Masking it first would leave the end of `full` visible.
  await fetch(`${sim.baseUrl}/invoices`, { headers: { Authorization: `Bearer ${full.slice(0, -4)}` } });
  await client.POST('/deposits', { body: { booking_reference: secret, amount: 5, metadata: { [`key ${full}`]: 1 } } });
  // JSON encoders differ in whether they escape slashes and characters that are not ASCII.
  for (const inJson of ['two \\"words\\"\\/ü!', 'two \\"words\\"/\\u00fc!', 'two \\"words\\"\\/\\u00fc!'])
    await fetch(`${sim.baseUrl}/deposits`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${full}`, 'Content-Type': 'application/json' },
      body: `{"booking_reference":"${inJson}","amount":5}`,
    });
  // Query encoders differ in whether they escape the exclamation mark.
  await client.GET('/payments', { params: { query: { description: secret } } });
  for (const query of [
    new URLSearchParams({ description: secret }).toString(),
    `description=${encodeURIComponent(secret).replaceAll('%20', '+')}`,
  ])
    await fetch(`${sim.baseUrl}/payments?${query}`, { headers: { Authorization: `Bearer ${full}` } });
  for (const text of [await account.trace.html(), JSON.stringify(await account.trace.json())]) {
    expect(text).not.toContain(full);
    expect(text).not.toContain(full.slice(-4));
    expect(text).not.toMatch(/two(?: |%20|\+)/);
  }
});

test('tokens and webhook secrets are masked, too, if more characters than necessary or lowercase digits encode them', async () => {
  const { account } = await createAccountWithDashboard(sim);
  const secret = 'plus+slash/equals=and&key🔑';
  await account.webhooks.configure({ secret });
  const token = account.tokens.full;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const encodedToken = token.replaceAll('f', '%66').replaceAll('_', '%5F');
  const inQueries = [
    'plus%2bslash%2fequals%3dand%26key%f0%9f%94%91',
    '%70lus%2Bslash/equals=and%26key🔑',
    encodedToken,
  ];
  for (const description of inQueries) await fetch(`${sim.baseUrl}/payments?description=${description}`, { headers });
  for (const inJson of ['plus\\u002Bslash/equals\\u003dand\\u0026key\\uD83D\\udd11', token.replaceAll('f', '\\u0066')])
    await fetch(`${sim.baseUrl}/deposits`, {
      method: 'POST',
      headers,
      body: `{"booking_reference":"${inJson}","amount":5}`,
    });
  const trace = await account.trace.json();
  expect(trace.requests).toHaveLength(5);
  for (const text of [await account.trace.html(), JSON.stringify(trace)]) {
    expect(text).not.toMatch(/lus(?:\+|%2b|\\+u002b)slash/i);
    expect(text.replace(/%66|\\+u0066/g, 'f').replaceAll('%5F', '_')).not.toContain(token);
  }
});

test('a secret that is encoded in a part of its text is masked as a whole, even if another secret is its beginning', async () => {
  const { account } = await createAccountWithDashboard(sim);
  for (const secret of ['hotel-key', 'hotel-key/2026+Zz']) await account.webhooks.configure({ secret });
  const headers = { Authorization: `Bearer ${account.tokens.full}` };
  // The second one follows a byte that is not UTF-8.
  for (const encoded of ['hotel-key%2F2026%2BZz', '%E9%68otel-key/2026+Zz'])
    await fetch(`${sim.baseUrl}/payments?description=${encoded}`, { headers });
  const shown = JSON.stringify(await account.trace.json()).match(/description=[^\s"]*/g);
  expect(new Set(shown)).toEqual(new Set(['description=****', 'description=%E9****']));
});

test('unused tokens and replaced webhook secrets are masked, but similar text is not', async () => {
  const { account, client } = await createAccountWithDashboard(sim);
  const { id: tokenId, token } = await account.apiTokens.create({ name: 'unused', scopes: ['billing.read'] });
  await account.apiTokens.revoke(tokenId);
  const secrets = [account.tokens.read, token, account.webhookSecret];
  for (const secret of ['second', 'third']) await account.webhooks.configure({ secret });
  const similar = `${account.id}_${'0123456789abcdef'.repeat(2)}`;
  await client.POST('/deposits', {
    body: { booking_reference: similar, amount: 5, metadata: { leak: secrets.join() } },
  });
  await fetch(`${sim.baseUrl}/deposits/${account.tokens.write}`, {
    headers: { Authorization: `Bearer ${account.tokens.full}` },
  });
  for (const text of [await account.trace.html(), JSON.stringify(await account.trace.json())]) {
    for (const secret of [...secrets, account.tokens.write]) expect(text).not.toContain(secret);
    expect(text).toContain(similar);
  }
});

test.each(['e', 'created'])(
  'an unknown token `%s`, which other text contains, is masked only in its header',
  async (token) => {
    await sim.account.trigger('deposit.created');
    await fetch(`${sim.baseUrl}/invoices`, { headers: { Authorization: `Bearer ${token}` } });
    const trace = await sim.account.trace.json();
    expect(JSON.stringify(trace)).toContain('deposit.created');
    expect(trace.requests.at(-1)?.received?.body?.text).toContain('Unauthenticated.');
    expect(await sim.account.trace.html()).toContain('Bearer ****');
  },
);

test.each(['id', 'kind', 'token', 'request', 'deposit', 'e'])(
  'the token and webhook secret `%s` is masked in text from clients, but not in names, ids and words of the trace',
  async (secret) => {
    const seed = join(tempFolder(), 'seed.json');
    writeFileSync(
      seed,
      JSON.stringify({ currency: 'EUR', time_zone: 'UTC', tokens: { full: secret, read: 'r-1', write: 'w-1' } }),
    );
    const simulator = await startSimulator({ seed, webhookSecret: secret, now: '2026-03-01' });
    onTestFinished(() => simulator.close());
    const clientChosen = { [`<${secret}>`]: `<${secret}>`, status: `<${secret}>` };
    for (const amount of [5, clientChosen]) {
      await fetch(`${simulator.baseUrl}/deposits`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ booking_reference: `<${secret}>`, amount, metadata: clientChosen }),
      });
    }
    const printed = await runCliWith({ BILLING_SIM_URL: simulator.url }, 'trace', '--json');
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    const trace = await simulator.account.trace.json();
    expect(JSON.parse(printed.stdout)).toEqual(trace);
    expect(JSON.stringify(trace)).not.toContain(`<${secret}>`);
    const masked = { '<****>': '<****>', status: '<****>' };
    const { after } = trace.states[0] ?? {};
    expect(after).toMatchObject({ status: 'pending', booking_reference: '<****>', metadata: masked });
    expect(trace.requests[1]?.error_details?.fields[0]?.sent).toEqual(masked);
    const requestIds = (await simulator.account.requests()).map(({ id }) => id);
    expect(trace.chains.map(({ correlation_id }) => correlation_id)).toEqual(requestIds.toReversed());
    expect(trace.chains[0]?.entries.map(({ kind }) => kind)).toEqual(['request', 'created', 'event']);
  },
);

/** The status of a deposit before and after each of its changes, as a trace has them. */
async function statusesInTrace(account: SimulatorAccount, depositId: number | string | undefined) {
  const { chains, states } = await account.trace.json();
  return chains
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.kind === 'created' || entry.kind === 'transition')
    .filter(({ subject }) => subject.resource === 'deposit' && subject.id === depositId)
    .map(({ sequence }) => states.find((state) => state.sequence === sequence))
    .map((state) => [state?.before?.['status'], state?.after?.['status']]);
}

test.each<Choices>([
  {},
  { 'event.payload': 'top-level' },
  { 'event.payload': { members: { data: 'record', event: 'id' } } },
])('the trace has the state of a deposit before and after each transition, with the profile %j', async (profile) => {
  const { account, client } = await createAccountWithDashboard(sim, profile);
  const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  await account.deposits.authorize(data?.data.id ?? 0);
  await account.clock.advance('8d');
  expect(await statusesInTrace(account, data?.data.id)).toEqual([
    [undefined, 'pending'],
    ['pending', 'authorized'],
    ['authorized', 'expired'],
  ]);
});

test('the state before a change is not that of a record before a reset, even after a second one', async () => {
  const { account, client } = await createAccountWithDashboard(sim);
  await account.deposits.authorize(1);
  await client.POST('/deposits/{id}/capture', { params: { path: { id: 1 } }, body: { amount: 3 } });
  await account.reset();
  await account.deposits.decline(1);
  // A reset removes the webhooks, but not the log, which has the response to the capture.
  expect(await statusesInTrace(account, 1)).toEqual([
    [undefined, undefined],
    [undefined, 'partially_captured'],
    [undefined, 'failed'],
  ]);
  await account.reset();
  expect(await statusesInTrace(account, 1)).toEqual([
    [undefined, undefined],
    [undefined, 'partially_captured'],
    [undefined, undefined],
  ]);
});

test('the state after a change is not that of another record that changes in the same chain', async () => {
  const account = await sim.createAccount({ seed: 'empty' });
  const { id: customer_id } = await account.customers.create({ name: 'Ada', email: 'ada@example.com' });
  const client = clientOf(account.baseUrl, account.tokens.full);
  const items = [{ description: 'Night', quantity: 1, unit_price: 90 }];
  await client.POST('/invoices', { body: { customer_id, date: '2026-03-01', due_date: '2026-03-05', items } });
  await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  await account.deposits.authorize(1);
  // The invoice, which has the id of the deposit, becomes overdue without an event. Then the deposit expires.
  await account.clock.advance('8d');
  await account.invoices.pay(1);
  const { chains, states } = await account.trace.json();
  const changes = chains
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.kind === 'created' || entry.kind === 'transition')
    .map(({ sequence, subject }) => {
      const { after } = states.find((state) => state.sequence === sequence) ?? {};
      return [subject.resource, after && [after['id'], after['status']]];
    });
  expect(changes).toEqual([
    ['customer', null],
    ['invoice', [1, 'pending']],
    ['deposit', [1, 'pending']],
    ['deposit', [1, 'authorized']],
    ['invoice', null],
    ['deposit', [1, 'expired']],
    ['payment', null],
    ['payment', [1, 'paid']],
    ['invoice', null],
  ]);
});

test('events and emails before a reset are not shown with the content of later ones that have their ids', async () => {
  const account = await sim.createAccount({ seed: 'demo', randomSeed: 'same ids after a reset' });
  const client = clientOf(account.baseUrl, account.tokens.full);
  const createDeposit = (booking_reference: string) =>
    client.POST('/deposits', { body: { booking_reference, amount: 5 } });
  await createDeposit('BK-FIRST');
  await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 5 } } });
  await account.reset();
  await createDeposit('BK-SECOND');
  await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 6 } } });
  const trace = await account.trace.json();
  const idsOf = (kind: string) =>
    trace.chains.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.kind === kind ? [Reflect.get(entry, 'id')] : [])),
    );
  for (const kind of ['event', 'mail']) expect(new Set(idsOf(kind)).size, kind).toBe(1);
  expect(trace.states.map(({ after }) => after?.['booking_reference']).filter(Boolean)).toEqual([
    'BK-FIRST',
    'BK-SECOND',
  ]);
  const html = traceHtml(trace);
  for (const label of ['Event', 'Email']) expect(html.split(`<summary>${label}</summary>`), label).toHaveLength(2);
});

test.each<{ title: string; status: number; effects: string[]; isMarked: boolean }>([
  { title: 'a webhook that the receiver rejects is marked as an error', status: 401, effects: [], isMarked: true },
  {
    title: 'a forged webhook that the receiver rejects is not marked as an error',
    status: 401,
    effects: ['tamper-body'],
    isMarked: false,
  },
  {
    title: 'a webhook that the receiver accepts is not marked as an error',
    status: 204,
    effects: [],
    isMarked: false,
  },
  {
    title: 'a forged webhook that the receiver accepts is marked as an error',
    status: 204,
    effects: ['tamper-body'],
    isMarked: true,
  },
])('$title', async ({ status, effects, isMarked }) => {
  const receiver = await openReceiver((_request, response) => void response.writeHead(status).end());
  const account = await sim.createAccount({ webhookUrl: receiver.url });
  for (const effect of effects) await account.faults.add({ effect });
  const { data } = await clientOf(account.baseUrl, account.tokens.full).POST('/deposits', {
    body: { booking_reference: 'BK-1', amount: 5 },
  });
  await account.deposits.authorize(data?.data.id ?? 0);
  const marksInTrace = async (): Promise<boolean[]> => {
    const pattern = new RegExp(`<span( class="bad")?>[^<]*${status} on attempt 1`, 'g');
    return [...(await account.trace.html()).matchAll(pattern)].map(([, mark]) => mark !== undefined);
  };
  await expect.poll(marksInTrace).toEqual([isMarked, isMarked]);
  const { readHtml } = dashboardOf(sim.url, account.id);
  const [delivery] = (await account.webhooks.all()).filter(({ event }) => event === 'deposit.authorized');
  const pages = { activity: '', webhook: `webhooks/${delivery?.id}`, deposit: `deposits/${data?.data.id}` };
  const marks: Record<string, boolean> = {};
  for (const [name, page] of Object.entries(pages)) {
    marks[name] = new RegExp(`class="(?:status )?bad">(?:${status}|[^\\n]*→ ${status})`).test(await readHtml(page));
  }
  expect(marks).toEqual({ activity: isMarked, webhook: isMarked, deposit: isMarked });
});

test('the HTML of a trace shows that a body is empty, and that no response arrived', async () => {
  const receiver = await openReceiver();
  const account = await sim.createAccount({ webhookUrl: receiver.url });
  await account.trigger('deposit.created');
  await expect.poll(() => account.trace.html()).toContain('of the receiver:</p><p class="soft">An empty body.</p>');
  await account.webhooks.configure({ url: 'http://127.0.0.1:1' });
  await account.trigger('deposit.created');
  await expect.poll(() => account.trace.html()).toContain('of the receiver:</p><p class="soft">No response.</p>');
});

test('the HTML of a trace says how many of the invalid fields of a request it leaves out', async () => {
  const { account } = await createAccountWithDashboard(sim);
  const items = Array.from({ length: 24 }, () => ({ description: 'Night', quantity: 0, unit_price: 90 }));
  await fetch(`${sim.baseUrl}/invoices`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.tokens.full}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ customer_id: 1, date: '2026-03-01', due_date: '2026-03-31', items }),
  });
  const html = await account.trace.html();
  expect(html.split('<br>items.')).toHaveLength(1 + 20);
  expect(html).toContain('<br>4 more fields in the JSON trace.</p>');
});

describe('the HTML of a trace stays below 500 kB', () => {
  const maxBytes = 500_000;

  test('by omitting the oldest bodies, and saying how many', async () => {
    const { account, client } = await createAccountWithDashboard(sim);
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, '"<&'.repeat(100)]));
    for (let number = 1; number <= 60; number++) {
      await client.POST('/deposits', { body: { booking_reference: `BK-${number}`, amount: 5, metadata } });
    }
    const html = await account.trace.html();
    expect(Buffer.byteLength(html)).toBeLessThan(maxBytes);
    expect(Buffer.byteLength(html)).toBeGreaterThan(400_000);
    const count = (text: string): number => html.split(text).length - 1;
    const [, omitted] = /the oldest (\d+) bodies with their headers/.exec(html) ?? [];
    expect(Number(omitted)).toBe(count(': left out</p>'));
    // Requests are listed from the oldest to the newest, so the omitted bodies come before those in a details element.
    expect(html.lastIndexOf(': left out</p>')).toBeLessThan(html.indexOf('<details>'));
    expect((await account.trace.json()).requests).toHaveLength(60);
  });

  /** A chain is a request, an action or a due agenda item, with its consequences. The page calls a chain a cause. */
  test('by omitting the oldest chains if there are too many', async () => {
    const { account } = await createAccountWithDashboard(sim);
    // The page shows the path twice for each request.
    const path = `/deposits/${'x'.repeat(900)}`;
    for (let number = 1; number <= 400; number++) {
      await fetch(sim.baseUrl + path, { headers: { Authorization: `Bearer ${account.tokens.full}` } });
    }
    const html = await account.trace.html();
    expect(Buffer.byteLength(html)).toBeLessThan(maxBytes);
    expect(html).toMatch(/the oldest \d+ causes/);
  });

  test('by omitting the oldest chains and the oldest bodies if there are too many of both', async () => {
    const { account, client } = await createAccountWithDashboard(sim);
    // After 400 days, nothing further is due for the demo records.
    await account.clock.advance('400d');
    for (let number = 1; number <= 150; number++) {
      const { data } = await client.POST('/deposits', { body: { booking_reference: 'x', amount: 5 } });
      await account.deposits.authorize(data?.data.id ?? 0);
    }
    await account.clock.advance('8d');
    const html = await account.trace.html();
    expect(Buffer.byteLength(html)).toBeLessThan(maxBytes);
    expect(html).toMatch(/the oldest \d+ causes and the oldest \d+ bodies with their headers/);
  });

  test('by omitting the last entries of a chain that has too many', async () => {
    const { account } = await createAccountWithDashboard(sim);
    await account.deposits.authorize(1);
    const trace = await account.trace.json();
    const entries = trace.chains.flatMap((chain) => chain.entries);
    const repeatedEntries = Array.from({ length: 2_000 }, () => entries).flat();
    const html = traceHtml({ ...trace, chains: trace.chains.map((chain) => ({ ...chain, entries: repeatedEntries })) });
    expect(Buffer.byteLength(html)).toBeLessThan(maxBytes);
    const [, omitted] = /(\d+) more entries in the JSON trace/.exec(html) ?? [];
    expect(Number(omitted) + html.split('<li>').length - 1).toBe(repeatedEntries.length);
    expect(html).toContain(`the last ${omitted} consequences of causes that have very many`);
  });
});

describe('billing-sim trace', () => {
  test('saves HTML or JSON, and prints JSON', async () => {
    const { account, client } = await createAccountWithDashboard(sim);
    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const run = (...args: string[]) =>
      runCliWith({ BILLING_SIM_URL: sim.url, BILLING_SIM_ACCOUNT: account.id }, 'trace', ...args);
    const folder = tempFolder();
    const [htmlFile, jsonFile] = [join(folder, 'trace.html'), join(folder, 'trace.json')];
    expect(await run('--output', htmlFile)).toMatchObject({
      code: 0,
      stdout: `Trace of ${account.id} saved to ${htmlFile}: 1 cause, 1 request\n`,
    });
    expect(readFileSync(htmlFile, 'utf8')).toBe(await account.trace.html());
    expect((await run('--output', jsonFile)).code).toBe(0);
    expect(JSON.parse(readFileSync(jsonFile, 'utf8'))).toEqual(await account.trace.json());
    expect(JSON.parse((await run('--json')).stdout)).toEqual(await account.trace.json());
    const inNewFolder = join(folder, 'traces', 'trace.html');
    expect((await run('--output', inNewFolder)).code).toBe(0);
    expect(existsSync(inNewFolder)).toBe(true);
    for (const impossible of [join(htmlFile, 'trace.html'), '/proc/billing-sim/trace.html'])
      expect(await run('--output', impossible)).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^error: cannot write .*: E[A-Z]+: /),
      });
    for (const file of [folder, 'trace.txt', '-']) {
      const { code, stderr } = await run('--output', file);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `error: option '--output <file>' argument '${file}' is invalid: expected a file that ends with .html or .json\n`,
      });
    }
    expect(statSync(htmlFile).size).toBeLessThan(500_000);
  });
});

test('account.trace.save() creates the folder', async () => {
  const { account } = await createAccountWithDashboard(sim);
  const file = join(tempFolder(), 'new', 'trace.html');
  await account.trace.save(file);
  expect(readFileSync(file, 'utf8')).toBe(await account.trace.html());
});

test('account.trace.save() fails where no folder can be created', async (context) => {
  context.skip(!existsSync('/proc/self'), 'needs /proc, where no folder can be created');
  await expect(sim.account.trace.save('/proc/none/trace.html')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the overview has a link that downloads the trace', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  expect(await dashboard.readHtml('overview')).toContain(`href="/dashboard/${account.id}/trace.html" download`);
  const response = await fetch(`${sim.url}/dashboard/${account.id}/trace.html`);
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="trace-${account.id}.html"`);
  expect(await response.text()).toContain('Nothing has happened yet.');
});

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  runCli,
  runCliUntilShown,
  spawnCli,
  spawnSimulator,
  startCliInProcess,
  startSimulatorInProcess,
} from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { tempFolder } from '../support/temp-folder.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

const authorization = { Authorization: 'Bearer demo_full' };

const scenarioYaml = (name: string, description: string): string =>
  `name: ${name}\ndescription: ${description}\nfor: deposit\nsteps: [{ do: authorize }]\n`;

test('start refuses two scenario files with the same name', async () => {
  const paths = ['a.yaml', 'b.yaml'].map((name) => join(tempFolder(), name));
  for (const path of paths) writeFileSync(path, scenarioYaml('dup', 'An example.'));
  const flags = paths.flatMap((path) => ['--scenario', path]);
  expect(await runCli('start', '--memory', '--port', '0', ...flags)).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${paths[1]}: the scenario \`dup\` is already defined in ${paths[0]}\n`,
  });
});

test('a scenario file with the name of a built-in scenario replaces it', async () => {
  const path = join(tempFolder(), 'no-show.yaml');
  writeFileSync(path, scenarioYaml('no-show', 'Never arrives.'));
  const { ready } = await spawnSimulator('--memory', '--scenario', path);
  const { stdout } = await runCli('scenario', 'list', '--url', ready.url);
  expect(stdout.split('\n').filter((line) => line.includes('no-show'))).toEqual([
    expect.stringMatching(/^no-show .+ 1 step .+Never arrives\.$/),
  ]);
});

describe('billing-sim start', () => {
  test('completes a local host and port to a public URL and the URL of an SMTP server', async () => {
    const flags = ['--public-url', 'localhost:8080', '--smtp', '1025'];
    const { ready } = await startSimulatorInProcess('--memory', ...flags);
    const { data } = await clientOf(ready.baseUrl, 'demo_full').POST('/deposits', {
      body: { booking_reference: 'BK-1', amount: 300 },
    });
    expect(data?.data.authorization_url).toMatch(/^http:\/\/localhost:8080\/authorize\//);
  });

  test('with --json prints one line of JSON when it is ready', async () => {
    const { ready } = await spawnSimulator('--memory');
    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      baseUrl: `${ready.url}/api/v1`,
      account: 'demo',
      tokens: { full: 'demo_full', read: 'demo_read', write: 'demo_write' },
      webhookSecret: expect.stringMatching(/^whsec_[0-9a-f]{32}$/),
    });
  });

  test('prints its URLs, the tokens and a command to try', async () => {
    const { output } = await runCliUntilShown('Ctrl-C', process.env, 'start', '--memory', '--port', '0');
    const [, url] = /listening on (\S+)/.exec(output) ?? [];
    expect(output).toBe(
      [
        `billing-sim is listening on ${url}`,
        '',
        `  dashboard ${url}/dashboard`,
        `  service   ${url}/api/v1`,
        `  docs      ${url}/docs`,
        '  data      in memory only',
        '  tokens    demo_full (all scopes), demo_read (billing.read), demo_write (billing.write)',
        `  webhooks  none; run \`billing-sim listen --url ${url}\` to receive them`,
        '',
        'Try:',
        `  curl -H 'Authorization: Bearer demo_full' ${url}/api/v1/invoices/stats`,
        '',
        'Press Ctrl-C to stop.',
        '',
      ].join('\n'),
    );
  });

  test('quotes the URL of an IPv6 address in the command to try, since shells expand brackets', async () => {
    const { output } = await startCliInProcess('start', '--port', '0', '--memory', '--host', '::1');
    expect(output.stdout).toMatch(/ 'http:\/\/\[::1\]:\d+\/api\/v1\/invoices\/stats'$/m);
  });

  test.each([
    [[], /^hotel {2}2026-03-01 09:00:00 {2}req_\d+ {2}404 {2}GET {2}\/api\/v1\/deposits\/9 {2}Deposit not found$/m],
    [['--json'], /^{"account":"hotel","id":"req_\d+",.*"status":404,"error":"Deposit not found",/m],
  ])('with --log-requests prints the requests of all accounts (%j)', async (flags, line) => {
    const { output } = await startCliInProcess('start', '--port', '0', '--memory', '--log-requests', ...flags);
    const [url] = /http:\/\/[\d.:]+/.exec(output.stdout) ?? [];
    const created = await fetch(`${url}/_sim/accounts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: 'hotel', now: '2026-03-01T09:00:00Z' }),
    });
    const { base_url, tokens } = JSON.parse(await created.text());
    await fetch(`${base_url}/deposits/9`, { headers: { Authorization: `Bearer ${tokens.full}` } });
    await expect.poll(() => output.stdout).toMatch(line);
  });

  test('freezes the clock at --now', async () => {
    const { ready } = await startSimulatorInProcess('--memory', '--now', '2026-03-01T09:30:00Z');
    const body = { description: 'Now', amount: 1 };
    const { data } = await clientOf(ready.baseUrl).POST('/payment-links', { body });
    expect(data?.data.created_at).toBe('2026-03-01T09:30:00+00:00');
  });

  test('with --rate-limit off sends rate-limit headers, but refuses no request', async () => {
    const { ready } = await startSimulatorInProcess('--memory', '--rate-limit', 'off');
    const responses = [];
    for (let request = 0; request < 120; request++)
      responses.push(await fetch(`${ready.baseUrl}/invoices/stats`, { headers: authorization }));
    expect(responses.map(({ status }) => status)).toEqual(Array(120).fill(200));
    // Once half of the 100 requests of a window are used, a new window starts, because clients slow down if few are left.
    const remaining = responses.map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
    expect(Math.min(...remaining)).toBe(50);
  });

  test('generates the same ids for the same --random-seed', async () => {
    const profile = join(tempFolder(), 'profile.yaml');
    writeFileSync(profile, 'deposit.id: uuid\n');
    const ids = [];
    for (let run = 0; run < 2; run++) {
      const { ready, end } = await startSimulatorInProcess('--memory', '--random-seed', '42', '--profile', profile);
      const { data } = await clientOf(ready.baseUrl).GET('/deposits');
      ids.push(data?.data.data[0]?.id);
      await end();
    }
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  test('starts with the records of a seed file', async () => {
    const path = join(tempFolder(), 'seed.yaml');
    writeFileSync(
      path,
      [
        'currency: CHF',
        'time_zone: Europe/Zurich',
        'tokens: {full: a, read: b, write: c}',
        'customers: []',
        'invoices: []',
        'payment_links: [{id: 5, description: Fondue, amount: 25, is_active: true, created: -2d}]',
        'payments: []',
        'deposits: []',
      ].join('\n'),
    );
    const { ready } = await startSimulatorInProcess('--memory', '--seed', path);
    const { data } = await clientOf(ready.baseUrl, 'a').GET('/payment-links');
    expect(data?.data.data).toMatchObject([{ id: 5, description: 'Fondue', amount: 25, currency: 'CHF' }]);
  });

  test('keeps its data and its profile across restarts', async () => {
    const folder = tempFolder();
    const profile = join(tempFolder(), 'profile.yaml');
    writeFileSync(profile, 'decimal.encoding: string\n');
    const first = await startSimulatorInProcess('--data', folder, '--profile', profile);
    const body = { description: 'Kept', amount: 5 };
    await clientOf(first.ready.baseUrl).POST('/payment-links', { body });
    await first.end('SIGTERM');
    const second = await startSimulatorInProcess('--data', folder);
    const { data } = await clientOf(second.ready.baseUrl).GET('/payment-links');
    expect(data?.data.data[0]).toMatchObject({ description: 'Kept', amount: '5.00' });
  });
});

describe('start on a data folder that already has the account', () => {
  const webhookUrl = 'http://127.0.0.1:9/hooks';

  test.each<[title: string, startArguments: string[], settings: object]>([
    ['keeps its rate limit off and its webhook URL', [], { rate_limit: false, webhook_url: webhookUrl }],
    ['with --rate-limit on turns its rate limit on', ['--rate-limit', 'on'], { rate_limit: true }],
    ['with --webhook-url none removes its webhook URL', ['--webhook-url', 'none'], { webhook_url: null }],
  ])('%s', async (_title, startArguments, expectedSettings) => {
    const folder = tempFolder();
    const settingsFlags = ['--rate-limit', 'off', '--webhook-url', webhookUrl];
    const first = await startCliInProcess('start', '--port', '0', '--data', folder, ...settingsFlags);
    await first.end();
    const second = await startCliInProcess('start', '--port', '0', '--data', folder, '--json', ...startArguments);
    const { url } = JSON.parse(second.output.stdout);
    const settings = await fetch(`${url}/_sim/accounts/demo/settings`);
    expect(await settings.json()).toMatchObject(expectedSettings);
  });

  test.each<[title: string, seedArguments: string[], expectedNotice: (folder: string) => string]>([
    [
      'with --seed prints a notice that it has no effect',
      ['--seed', 'empty'],
      (folder) =>
        `--seed has no effect: ${folder} already contains the demo account; choose another folder with --data, or use --memory\n`,
    ],
    ['without --seed prints no notice', [], () => ''],
  ])('%s', async (_title, seedArguments, expectedNotice) => {
    const folder = tempFolder();
    const firstRun = await startCliInProcess('start', '--port', '0', '--data', folder, '--seed', 'empty');
    expect(await firstRun.end()).toMatchObject({ code: 0, stderr: '' });
    const secondRun = await startCliInProcess('start', '--port', '0', '--data', folder, ...seedArguments);
    expect(await secondRun.end()).toMatchObject({ code: 0, stderr: expectedNotice(folder) });
  });
});

describe('start on a data folder whose account was created from a seed file and with a profile', () => {
  const seed = JSON.stringify({
    currency: 'JPY',
    time_zone: 'UTC',
    tokens: { full: 'full', read: 'read', write: 'write' },
    deposits: [{ id: 1, booking_reference: 'BK-1', amount: 1.5, status: 'pending', created: '0' }],
  });

  test.each([
    ['still reads its tokens', seed, 'full'],
    ['does not need the file', undefined, undefined],
    ['does not refuse a file that has become invalid', '{}', undefined],
  ])('%s', async (_title, laterSeed, fullToken) => {
    const folder = tempFolder();
    const seedFile = join(folder, 'seed.json');
    const profileFile = join(folder, 'profile.yaml');
    writeFileSync(seedFile, seed);
    writeFileSync(profileFile, 'amount.minor-units: two');
    vi.stubEnv('BILLING_SIM_SEED', seedFile);
    onTestFinished(() => void vi.unstubAllEnvs());
    const start = ['start', '--port', '0', '--json', '--data', join(folder, 'data')];
    const firstRun = await startCliInProcess(...start, '--profile', profileFile);
    expect(await firstRun.end()).toMatchObject({ code: 0, stderr: '' });
    if (laterSeed === undefined) rmSync(seedFile);
    else writeFileSync(seedFile, laterSeed);
    const secondRun = await startCliInProcess(...start);
    expect(JSON.parse(secondRun.output.stdout).tokens?.full).toBe(fullToken);
    expect(await secondRun.end()).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('start on a data folder whose account has a random seed', () => {
  test.each<[title: string, env: Record<string, string>, args: string[], hasNotice: boolean]>([
    ['with another seed on the command line prints a notice', {}, ['--random-seed', 'other'], true],
    ['with another seed in an environment variable prints a notice', { BILLING_SIM_RANDOM_SEED: 'other' }, [], true],
    ['with the same seed prints no notice', {}, ['--random-seed', 'first'], false],
    ['without a seed prints no notice', {}, [], false],
  ])('%s', async (_title, env, args, hasNotice) => {
    const folder = tempFolder();
    const firstRun = await startCliInProcess('start', '--port', '0', '--data', folder, '--random-seed', 'first');
    expect(await firstRun.end()).toMatchObject({ code: 0, stderr: '' });
    vi.stubEnv('BILLING_SIM_RANDOM_SEED', env['BILLING_SIM_RANDOM_SEED']);
    onTestFinished(() => void vi.unstubAllEnvs());
    const secondRun = await startCliInProcess('start', '--port', '0', '--data', folder, ...args);
    const notice = `--random-seed has no effect on the demo account: ${folder} already contains that account; choose another folder with --data, or use --memory\n`;
    expect(await secondRun.end()).toMatchObject({ code: 0, stderr: hasNotice ? notice : '' });
  });
});

describe('start with --now on a data folder whose account has a clock that shows 2026-03-09', () => {
  test.each<[title: string, env: Record<string, string>, args: string[], isIgnored: boolean, clock: string]>([
    ['and an earlier time prints a notice', {}, ['--now', '2026-03-01'], true, '2026-03-09'],
    ['and an earlier time in a variable prints a notice', { BILLING_SIM_NOW: '2026-03-01' }, [], true, '2026-03-09'],
    ['and the same time prints no notice', {}, ['--now', '2026-03-09'], false, '2026-03-09'],
    ['and a later time sets the clock to it', {}, ['--now', '2026-03-12'], false, '2026-03-12'],
  ])('%s', async (_title, env, args, isIgnored, clock) => {
    const folder = tempFolder();
    const start = ['start', '--port', '0', '--json', '--data', folder];
    const firstRun = await startCliInProcess(...start, '--now', '2026-03-09');
    expect(await firstRun.end()).toMatchObject({ code: 0, stderr: '' });
    vi.stubEnv('BILLING_SIM_NOW', env['BILLING_SIM_NOW']);
    onTestFinished(() => void vi.unstubAllEnvs());
    const secondRun = await startCliInProcess(...start, ...args);
    const { url } = JSON.parse(secondRun.output.stdout);
    const shown = await fetch(`${url}/_sim/accounts/demo/clock`);
    expect(await shown.json()).toEqual({ now: `${clock}T00:00:00.000Z`, mode: 'frozen' });
    const notice = `--now has no effect: the clock of the demo account in ${folder} already shows 2026-03-09T00:00:00.000Z; choose another folder with --data, or use --memory\n`;
    expect(await secondRun.end()).toMatchObject({ code: 0, stderr: isIgnored ? notice : '' });
  });
});

describe('start fails with a one-line error that says what to do', () => {
  test('if the port is in use', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    onTestFinished(() => void otherServer.close());
    const address = otherServer.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await spawnCli('start', '--memory', '--port', String(port))).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: port ${port} is already in use; choose another with --port, or 0 for a free one\n`,
    });
  });

  test('if the address is public and no control token is set', async () => {
    expect(await runCli('start', '--memory', '--port', '0', '--host', '0.0.0.0')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: the host 0.0.0.0 may be reachable from other machines; also set a control token (--control-token, or controlToken in the library)\n',
    });
  });

  test('if --now is after the year 8999', async () => {
    expect(await runCli('start', '--memory', '--port', '0', '--now', '9000-01-01')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --now: the latest possible time is 8999-12-31T23:59:59.999Z\n',
    });
  });

  test('if the data folder contains files of another program', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'thesis.tex'), '');
    expect(await runCli('start', '--port', '0', '--data', folder)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${folder} is not a data folder of billing-sim (it contains thesis.tex); choose an empty one with --data\n`,
    });
  });

  test('if the data folder is a file', async () => {
    const path = join(tempFolder(), 'file');
    writeFileSync(path, '');
    expect(await runCli('start', '--port', '0', '--data', path)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: cannot use the data folder ${path} (ENOTDIR: not a directory, scandir '${path}'); choose another folder\n`,
    });
  });

  test('if another simulator uses the data folder', async () => {
    const folder = tempFolder();
    const { child } = await spawnSimulator('--data', folder);
    expect(await spawnCli('start', '--port', '0', '--data', folder)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: the data folder ${folder} is in use by process ${child.pid}; stop it, or choose another folder with --data\n`,
    });
  });

  test.each([
    ['', 'error: the working directory has been deleted; change to another one\n'],
    [
      '--json',
      '{"error":{"code":"failed","message":"the working directory has been deleted; change to another one"}}\n',
    ],
  ])('if the working directory has been deleted (flags: "%s")', async (flags, stderr) => {
    const command = `"$NODE" "$CLI" start --memory --port 0 ${flags}`;
    const env = { ...process.env, NODE: process.execPath, CLI: cli };
    const options = { cwd: tempFolder(), env, timeout: hangTimeoutMs };
    await expect(
      promisify(execFile)('sh', ['-c', `mkdir gone && cd gone && rmdir ../gone && ${command}`], options),
    ).rejects.toMatchObject({ code: 2, stdout: '', stderr });
  });

  test.each([
    ['a line that is cut off', '{"format": "billing-sim/1", "seq": 3, "acc', 1],
    ['a key that is not a JSON string', '{\n"for\\mat": "billing-sim/2"\n}\n', 2],
  ])('if db.json is damaged by %s', async (_damage, text, line) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'db.json'), text);
    const { code, stderr } = await runCli('start', '--port', '0', '--data', folder);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(
          `^error: .*/db\\.json, line ${line}: unexpected content(?: \\(and \\d+ more\\))?\\. Nothing has been changed; \`billing-sim data check\` .*\\n$`,
        ),
      ),
    });
  });

  test.each([
    [['--prot', '1'], "error: unknown option '--prot' (Did you mean --port?)\n"],
    [
      ['--port', '70000'],
      "error: option '--port <number>' argument '70000' is invalid: expected a port from 0 to 65535\n",
    ],
    [
      ['--now', 'yesterday'],
      "error: option '--now <time>' argument 'yesterday' is invalid: expected a date, or a time with a UTC offset, for example 2026-03-01 or 2026-03-01T09:00:00Z\n",
    ],
    [
      ['--rate-limit', 'maybe'],
      "error: option '--rate-limit <mode>' argument 'maybe' is invalid: expected one of on, off\n",
    ],
    [['--data', 'x', '--memory'], "error: option '--data <folder>' cannot be used with option '--memory'\n"],
    [
      ['--durability', 'disk', '--memory'],
      "error: option '--durability <level>' cannot be used with option '--memory'\n",
    ],
    [['--accept-rollback', '--memory'], "error: option '--accept-rollback' cannot be used with option '--memory'\n"],
  ])('if the flags %j are invalid', async (flags, stderr) => {
    expect(await runCli('start', ...flags)).toEqual({ code: 2, stdout: '', stderr });
  });

  test.each([
    ['nothing', 'error: unknown seed nothing; use demo, empty or the path of a file, for example ./nothing.json\n'],
    ['./no.json', 'error: cannot read ./no.json: no such file; check the path\n'],
    [
      './package.json',
      'error: ./package.json:2: unknown key `name`; available: `currency`, `time_zone`, `tokens`, `customers`, `invoices`, `payment_links`, `payments`, `deposits`\n',
    ],
  ])('if the seed %s is invalid', async (seed, stderr) => {
    expect(await runCli('start', '--memory', '--port', '0', '--seed', seed)).toEqual({ code: 2, stdout: '', stderr });
  });
});

test.each([
  ['customers: []\ntime_zone: UTC', 4, 'invoices[0].customer_id: the seed has no customer 9'],
  ['customers: []\ntime_zone: Mars/Base', 2, 'time_zone: `Mars/Base` is not a time zone (for example Europe/Berlin)'],
])('start refuses a seed with an invalid reference or time zone: %j', async (text, line, problem) => {
  const path = join(tempFolder(), 'seed.yaml');
  const item = '{description: a, quantity: 1, unit_price: 1, tax_rate: 0}';
  const invoice = `{id: 1, invoice_number: A, reference: null, customer_id: 9, status: sent, date: '0', due_date: 1d, notes: null, items: [${item}], subscription: null}`;
  writeFileSync(
    path,
    `${text}\ncurrency: EUR\ninvoices: [${invoice}]\npayment_links: []\npayments: []\ndeposits: []\n`,
  );
  const result = await runCli('start', '--memory', '--port', '0', '--seed', path);
  expect(result).toEqual({ code: 2, stdout: '', stderr: `error: ${path}:${line}: ${problem}\n` });
});

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('lets a request in progress finish, stores all data, and exits with 0', async () => {
    const folder = tempFolder();
    const { child, ready } = await spawnSimulator('--data', folder);
    const socket = connect(Number(new URL(ready.url).port), '127.0.0.1');
    let response = '';
    socket.on('data', (data) => {
      response += data;
    });
    const body = '{"description":"Under way","amount":5}';
    socket.write(
      `POST /api/v1/payment-links HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer demo_full\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    );
    // Once the server responds to a later request, the first part of this one has arrived.
    const idleSocket = connect(Number(new URL(ready.url).port), '127.0.0.1');
    idleSocket.write('GET /_sim/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idleSocket, 'data');
    child.kill(signal);
    // The server closes idle connections when it stops listening.
    await once(idleSocket.resume(), 'close');
    socket.write(body.slice(9));
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(response).toContain('HTTP/1.1 201 Created');
    expect(readFileSync(join(folder, 'db.json'), 'utf8')).toContain('"description":"Under way"');
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });
});

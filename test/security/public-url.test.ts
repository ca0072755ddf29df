import { describe, expect, onTestFinished, test } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { sendRaw } from '../support/raw.js';

/** A simulator behind a reverse proxy: browsers know it by its public URL, and the proxy may pass on any Host. */

async function start(options: SimulatorOptions) {
  const sim = await startSimulator({ rateLimit: false, ...options });
  onTestFinished(() => sim.close());
  return sim;
}

interface RequestHeaders {
  /** By default the address of the simulator, which some proxies set. */
  readonly host?: string;
  readonly origin?: string;
  readonly site?: string;
}

const changingRequests = [
  { name: 'a form of the dashboard', path: '/dashboard/demo/do/clearFaults', body: 'then=/dashboard/demo/faults' },
  { name: 'a form of a guest', path: '/authorize/1', body: 'outcome=none' },
  { name: 'a change by the control API', path: '/_sim/accounts/demo/reset', body: '{}' },
];

async function send(
  url: string,
  { path, body }: { path: string; body: string },
  { host, origin, site }: RequestHeaders,
) {
  const type = path.startsWith('/_sim') ? 'application/json' : 'application/x-www-form-urlencoded';
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host ?? new URL(url).host}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(site === undefined ? [] : [`Sec-Fetch-Site: ${site}`]),
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const [answer] = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n${body}`);
  if (!answer) throw new Error('no answer');
  return answer;
}

describe.each([
  { publicUrl: 'https://billing.example', origin: 'https://billing.example', host: 'billing.example' },
  { publicUrl: 'https://billing.example/', origin: 'https://billing.example', host: 'billing.example' },
  { publicUrl: 'https://Billing.Example:443/sim', origin: 'https://billing.example', host: 'billing.example' },
  { publicUrl: 'https://billing.example:8443', origin: 'https://billing.example:8443', host: 'billing.example:8443' },
  { publicUrl: 'http://billing.example/a/b/', origin: 'http://billing.example', host: 'billing.example' },
  { publicUrl: 'http://[2001:db8::7]:8080', origin: 'http://[2001:db8::7]:8080', host: '[2001:db8::7]:8080' },
])('with the public URL $publicUrl', ({ publicUrl, origin, host }) => {
  test.each(changingRequests)('$name is accepted from the origin of the public URL', async (form) => {
    const { url } = await start({ publicUrl });
    for (const sent of [{ origin }, { origin, site: 'same-origin' }, { origin, host }]) {
      expect((await send(url, form, sent)).status).not.toBeOneOf([403, 421]);
    }
  });

  test.each(changingRequests)('$name is accepted from the origin at which the simulator listens', async (form) => {
    const { url } = await start({ publicUrl });
    expect((await send(url, form, { origin: url })).status).not.toBeOneOf([403, 421]);
  });

  test.each(changingRequests)('$name is refused from other origins', async (form) => {
    const { url } = await start({ publicUrl });
    const refusedHeaders: RequestHeaders[] = [
      { origin: 'https://evil.example' },
      { origin: 'https://evil.billing.example' },
      { origin: 'https://billing.example.evil.example' },
      { origin: `${origin}:1` },
      { origin: `${origin}/` },
      { origin: 'null' },
      { origin: '' },
      { origin, site: 'cross-site' },
      { site: 'cross-site' },
    ];
    for (const sent of refusedHeaders)
      expect({ sent, status: (await send(url, form, sent)).status }).toEqual({ sent, status: 403 });
  });

  test('other hosts are still rejected', async () => {
    const { url } = await start({ publicUrl });
    expect((await send(url, { path: '/dashboard', body: '' }, { host: 'evil.example' })).status).toBe(421);
  });
});

test('a trailing slash of the public URL is not doubled in generated URLs', async () => {
  const sim = await start({ publicUrl: 'https://billing.example/sim/' });
  const body = { description: 'Villa Rosa', amount: 1 };
  const { data } = await clientOf(sim.baseUrl).POST('/payment-links', { body });
  expect(data?.data.url).toBe('https://billing.example/sim/pay/villa-rosa');
});

test('the error for a change from another origin says how to allow it', async () => {
  const { url } = await start({});
  const [, , change] = changingRequests;
  if (!change) throw new Error('changingRequests has no third request');
  const { headers } = await send(url, change, { origin: 'https://billing.example' });
  expect(headers['x-sim-hint']).toBe('behind a reverse proxy, start with --public-url and the URL that browsers show');
});

describe('an invalid public URL', () => {
  const values = [
    'billing.example',
    'ftp://billing.example',
    'https://billing.example/?a',
    'https://a:b@billing.example',
    '',
  ];

  test.each(values)('`%s` makes `startSimulator` fail', async (publicUrl) => {
    await expect(startSimulator({ publicUrl })).rejects.toThrow(
      `"${publicUrl}" is not a public URL (for example https://billing.example)`,
    );
  });

  test('stops the command with a one-line error', async () => {
    expect(await runCli('start', '--memory', '--port', '0', '--public-url', 'billing.example')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: "billing.example" is not a public URL (for example https://billing.example)\n',
    });
  });
});

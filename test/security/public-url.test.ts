import { describe, expect, onTestFinished, test } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { sendRaw } from '../support/raw.js';

/**
 * A simulator behind a reverse proxy: browsers know it by its public URL. The proxy may pass on the Host of the browser,
 * or send the address of the simulator instead.
 */

async function start(options: SimulatorOptions) {
  const sim = await startSimulator({ rateLimit: false, ...options });
  onTestFinished(() => sim.close());
  return sim;
}

interface RequestHeaders {
  /** By default the address of the simulator, which some proxies set. */
  readonly host?: string;
  readonly origin?: string;
  /** The `Sec-Fetch-Site` header. */
  readonly fetchSite?: string;
}

const controlRequest = {
  name: 'a state-changing request to the control API',
  path: '/_sim/accounts/demo/reset',
  body: '{}',
  acceptedStatus: 200,
};

const stateChangingRequests = [
  {
    name: 'a form on the dashboard',
    path: '/dashboard/demo/do/clearFaults',
    body: 'return_to=/dashboard/demo/faults',
    acceptedStatus: 303,
  },
  // The form has no card number, so the page is shown again with a message.
  { name: 'a form on a page for guests', path: '/authorize/1', body: 'outcome=none', acceptedStatus: 422 },
  controlRequest,
];

async function send(
  url: string,
  { path, body }: { path: string; body: string },
  { host, origin, fetchSite }: RequestHeaders,
) {
  const contentType = path.startsWith('/_sim') ? 'application/json' : 'application/x-www-form-urlencoded';
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host ?? new URL(url).host}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(fetchSite === undefined ? [] : [`Sec-Fetch-Site: ${fetchSite}`]),
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const [response] = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n${body}`);
  if (!response) throw new Error('no response');
  return response;
}

describe.each([
  { publicUrl: 'https://billing.example', origin: 'https://billing.example', host: 'billing.example' },
  { publicUrl: 'https://billing.example/', origin: 'https://billing.example', host: 'billing.example' },
  { publicUrl: 'https://Billing.Example:443', origin: 'https://billing.example', host: 'billing.example' },
  { publicUrl: 'https://billing.example:8443', origin: 'https://billing.example:8443', host: 'billing.example:8443' },
  { publicUrl: 'http://billing.example', origin: 'http://billing.example', host: 'billing.example' },
  { publicUrl: 'http://[2001:db8::7]:8080', origin: 'http://[2001:db8::7]:8080', host: '[2001:db8::7]:8080' },
])('with the public URL $publicUrl', ({ publicUrl, origin, host }) => {
  test.each(stateChangingRequests)('$name is accepted from the origin of the public URL', async (request) => {
    const { url } = await start({ publicUrl });
    for (const headers of [{ origin }, { origin, fetchSite: 'same-origin' }, { origin, host }]) {
      expect((await send(url, request, headers)).status).toBe(request.acceptedStatus);
    }
  });

  test.each(stateChangingRequests)(
    '$name is accepted from the origin at which the simulator listens',
    async (request) => {
      const { url } = await start({ publicUrl });
      expect((await send(url, request, { origin: url })).status).toBe(request.acceptedStatus);
    },
  );

  test.each(stateChangingRequests)('$name is refused from other origins', async (request) => {
    const { url } = await start({ publicUrl });
    const refusedHeaders: RequestHeaders[] = [
      { origin: 'https://evil.example' },
      { origin: 'https://evil.billing.example' },
      { origin: 'https://billing.example.evil.example' },
      { origin: `${origin}:1` },
      { origin: `${origin}/` },
      { origin: 'null' },
      { origin: '' },
      { origin, fetchSite: 'cross-site' },
      { fetchSite: 'cross-site' },
    ];
    for (const headers of refusedHeaders)
      expect({ headers, status: (await send(url, request, headers)).status }).toEqual({ headers, status: 403 });
  });

  test('a request with another host is refused', async () => {
    const { url } = await start({ publicUrl });
    expect((await send(url, { path: '/dashboard', body: '' }, { host: 'evil.example' })).status).toBe(421);
  });
});

test('a trailing slash of the public URL is not doubled in generated URLs', async () => {
  const sim = await start({ publicUrl: 'https://billing.example/' });
  const body = { description: 'Villa Rosa', amount: 1 };
  const { data } = await clientOf(sim.baseUrl).POST('/payment-links', { body });
  expect(data?.data.url).toBe('https://billing.example/pay/villa-rosa');
});

test('the error for a cross-origin request to the control API says how to allow it', async () => {
  const { url } = await start({});
  const { headers } = await send(url, controlRequest, { origin: 'https://billing.example' });
  expect(headers['x-sim-hint']).toBe(
    'behind a reverse proxy, start with --public-url and the URL in the address bar of the browser',
  );
});

describe('an invalid public URL', () => {
  const pathProblem =
    'is not a valid public URL: the pages of the simulator cannot be served under a path; have the reverse proxy serve them at https://billing.example, or at a separate host name';
  const formProblem =
    'is not a valid public URL: expected one such as https://billing.example, without credentials, a query or a fragment';
  const invalidUrls = [
    'billing.example',
    'ftp://billing.example',
    'https://billing.example/?a',
    'https://a:b@billing.example',
    '',
  ];

  test.each(invalidUrls)('`%s` makes `startSimulator` fail', async (publicUrl) => {
    await expect(startSimulator({ publicUrl })).rejects.toThrow(`"${publicUrl}" ${formProblem}`);
  });

  test.each(['https://billing.example/sim', 'https://billing.example/sim/', 'https://billing.example//'])(
    '`%s` makes `startSimulator` fail, since it has a path',
    async (publicUrl) => {
      await expect(startSimulator({ publicUrl })).rejects.toThrow(`"${publicUrl}" ${pathProblem}`);
    },
  );

  test.each([
    ['billing.example', formProblem],
    ['https://billing.example/sim', pathProblem],
  ])('`%s` stops the command with a one-line error', async (publicUrl, problem) => {
    expect(await runCli('start', '--memory', '--port', '0', '--public-url', publicUrl)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: "${publicUrl}" ${problem}\n`,
    });
  });
});

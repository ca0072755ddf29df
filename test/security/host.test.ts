import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { externalAddress } from '../support/external-address.js';
import { type RawResponse, sendRaw } from '../support/raw.js';

/** Protection against DNS rebinding: a request must have exactly one Host, which names this machine or is allowed. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ rateLimit: false, allowedHosts: ['sim.internal', 'CI.Internal', '192.0.2.7'] });
});

afterAll(() => sim.close());

/** Requests the invoice statistics with these Host headers and this request target. */
async function requestStats(
  hosts: readonly string[],
  target = '/api/v1/invoices/stats',
): Promise<RawResponse | undefined> {
  const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
  const [response] = await sendRaw(
    sim.url,
    `GET ${target} HTTP/1.1\r\n${lines}Authorization: Bearer demo_full\r\nConnection: close\r\n\r\n`,
  );
  return response;
}

/** Status, content type and body of a response, without the hint on how to allow the host. */
function summaryOf(response: RawResponse | undefined): object {
  const body = response?.body.replace(/; start with [^"]+/, '.');
  return { status: response?.status, type: response?.headers['content-type'], body };
}

const json = 'application/json; charset=utf-8';
const hostRefused = { status: 421, type: json, body: '{"success":false,"error":"This host is not served here."}' };
const invalidRequest = { status: 400, type: json, body: '{"success":false,"error":"The request is not valid HTTP."}' };

describe('a request whose Host', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1:4010',
    '127.0.0.1:65535',
    '127.1.2.3',
    'localhost',
    'LOCALHOST',
    'localhost:4010',
    'foo.localhost',
    'a.b.localhost:4010',
    '[::1]',
    '[::1]:4010',
    'sim.internal',
    'SIM.internal:4010',
    'ci.internal',
    '192.0.2.7',
  ])('is %s is served', async (host) => {
    expect((await requestStats([host]))?.status).toBe(200);
  });

  test.each([
    'evil.example',
    'localhost.evil.example',
    'foo.localhost.evil.example',
    '127.0.0.1.nip.io',
    '127.0.0.1.evil.example:4010',
    'notlocalhost',
    'localhost.',
    'localhost@evil.example',
    'evil.example@localhost',
    'evil.example#localhost',
    'evil.example/localhost',
    'evil.example localhost',
    'evil.example,localhost',
    'http://localhost',
    'localhost:99999999',
    'localhost:',
    'localhost:80:80',
    'localhost:evil',
    '0x7f.1',
    '0x7f000001',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.256',
    '127.0.0.1.1',
    '0.0.0.0',
    '192.168.1.2',
    '[::ffff:127.0.0.1]',
    '[::]',
    '[::2]',
    '::1',
    '[::1',
    '[::1]evil',
    'sim.internal.evil.example',
    'evil.sim.internal',
    '192.0.2.70',
  ])('is %s is refused with 421', async (host) => {
    expect(summaryOf(await requestStats([host]))).toStrictEqual(hostRefused);
  });

  // The hint has a placeholder in place of a Host that is not a valid host name.
  test.each<{ host: string; target: string; nameInHint: string }>([
    { host: 'Build-7:4010', target: '/api/v1/invoices/stats', nameInHint: 'build-7' },
    { host: '[2001:db8::7]:4010', target: '/api/v1/invoices/stats', nameInHint: '[2001:db8::7]' },
    { host: 'evil.example/localhost', target: '/api/v1/invoices/stats', nameInHint: 'NAME' },
    { host: 'localhost', target: 'http://build-7/api/v1/invoices/stats', nameInHint: 'build-7' },
  ])('is $host, for $target, is refused with a hint on how to allow it', async ({ host, target, nameInHint }) => {
    const hint = `start with --allow-host ${nameInHint}, BILLING_SIM_ALLOW_HOST=${nameInHint} or \`start: { allow-host: [${nameInHint}] }\` in billing-sim.config.yaml to serve it, or use localhost`;
    const response = await requestStats([host], target);
    expect(response?.headers['x-sim-hint']).toBe(hint);
    expect(JSON.parse(response?.body ?? '')).toEqual({
      success: false,
      error: `This host is not served here; ${hint}.`,
    });
  });

  test.each<{ name: string; hosts: string[] }>([
    { name: 'missing', hosts: [] },
    { name: 'empty', hosts: [''] },
    { name: 'set twice, with an unknown host second', hosts: ['localhost', 'evil.example'] },
    { name: 'set twice, with an unknown host first', hosts: ['evil.example', 'localhost'] },
    { name: 'set twice to the same host', hosts: ['localhost', 'localhost'] },
  ])('is $name is refused with 400', async ({ hosts }) => {
    expect(summaryOf(await requestStats(hosts))).toStrictEqual(invalidRequest);
  });

  test.each(['/', '/docs', '/openapi.json', '/nothing', '*'])(
    'is unknown is refused for the target %s',
    async (target) => {
      expect(summaryOf(await requestStats(['evil.example'], target))).toStrictEqual(hostRefused);
    },
  );

  test.each(['/_sim', '/_sim/health', '/_sim/accounts', '/_sim?a=/api/v1', 'http://evil.example/_sim/health'])(
    'is unknown is refused, with a code, for the target %s of the control API',
    async (target) => {
      expect(summaryOf(await requestStats(['evil.example'], target))).toStrictEqual({
        ...hostRefused,
        body: '{"success":false,"error":"This host is not served here.","code":"host-not-allowed"}',
      });
    },
  );

  test('is unknown is refused even if the request is not the first of its connection', async () => {
    const request = (host: string, connection: string): string =>
      `GET /_sim/health HTTP/1.1\r\nHost: ${host}\r\nConnection: ${connection}\r\n\r\n`;
    const responses = await sendRaw(sim.url, request('localhost', 'keep-alive') + request('evil.example', 'close'));
    expect(responses.map(({ status }) => status)).toStrictEqual([200, 421]);
  });
});

describe('a request target with a host', () => {
  test.each(['http://localhost/api/v1/invoices/stats', 'http://127.0.0.1:4010/api/v1/invoices/stats'])(
    '%s is served',
    async (target) => {
      expect((await requestStats(['localhost'], target))?.status).toBe(200);
    },
  );

  test.each([
    'http://evil.example/api/v1/invoices/stats',
    'HTTP://evil.example/api/v1/invoices/stats',
    'https://evil.example/api/v1/invoices/stats',
    'http://evil.example',
    'http://localhost.evil.example/api/v1/invoices/stats',
    'http://localhost@evil.example/api/v1/invoices/stats',
    'http://evil.example:80/api/v1/invoices/stats',
    'http://evil.example?/api/v1/invoices/stats',
  ])('%s is refused although Host is localhost', async (target) => {
    expect(summaryOf(await requestStats(['localhost'], target))).toStrictEqual(hostRefused);
  });

  test('that is localhost is refused if Host is unknown', async () => {
    expect(summaryOf(await requestStats(['evil.example'], 'http://localhost/api/v1/invoices/stats'))).toStrictEqual(
      hostRefused,
    );
  });

  test('without a scheme is a path, which is not found', async () => {
    expect(summaryOf(await requestStats(['localhost'], '//evil.example/api/v1/invoices/stats'))).toStrictEqual({
      status: 404,
      type: json,
      body: '{"success":false,"error":"Route not found"}',
    });
  });
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

describe('a server bound to ::1', () => {
  async function startOnIPv6(context: TestContext): Promise<Simulator> {
    context.skip(!hasIPv6, 'this machine has no IPv6');
    const simulator = await startSimulator({ host: '::1', rateLimit: false });
    onTestFinished(() => simulator.close());
    return simulator;
  }

  test('shows its address in brackets', async (context) => {
    expect((await startOnIPv6(context)).url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  });

  test.for([
    ['[::1]', 200],
    ['localhost', 200],
    ['evil.example', 421],
    ['[::ffff:127.0.0.1]', 421],
  ] as const)('answers the host %s with %d', async ([host, status], context) => {
    const { url } = await startOnIPv6(context);
    const responses = await sendRaw(url, `GET /_sim/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(responses.map((response) => response.status)).toStrictEqual([status]);
  });
});

describe('a server bound to an address that other machines can reach', () => {
  test('serves its own URL, but no other unknown host', async (context) => {
    context.skip(externalAddress === undefined, 'this machine has only loopback addresses');
    const simulator = await startSimulator({ host: externalAddress ?? '', controlToken: 'sesame' });
    onTestFinished(() => simulator.close());
    const readHealth = async (host: string): Promise<number | undefined> => {
      const headers = `Host: ${host}\r\nAuthorization: Bearer sesame\r\nConnection: close`;
      return (await sendRaw(simulator.url, `GET /_sim/health HTTP/1.1\r\n${headers}\r\n\r\n`))[0]?.status;
    };
    expect(await readHealth(new URL(simulator.url).host)).toBe(200);
    expect(await readHealth('localhost')).toBe(200);
    expect(await readHealth('198.51.100.7')).toBe(421);
  });
});

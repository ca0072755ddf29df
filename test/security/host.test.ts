import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { type RawResponse, sendRaw } from '../support/raw.js';

/** Protection against DNS rebinding: a request must have exactly one Host, which is this machine. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ rateLimit: false, allowedHosts: ['sim.internal', 'CI.Internal', '192.0.2.7'] });
});

afterAll(() => sim.close());

/** Reads the statistics with these Host headers and this request target. */
async function read(hosts: readonly string[], target = '/api/v1/invoices/stats'): Promise<RawResponse | undefined> {
  const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
  const [answer] = await sendRaw(
    sim.url,
    `GET ${target} HTTP/1.1\r\n${lines}Authorization: Bearer demo_full\r\nConnection: close\r\n\r\n`,
  );
  return answer;
}

function seen(answer: RawResponse | undefined): object {
  const body = answer?.body.replace(/; start with [^"]+/, '.');
  return { status: answer?.status, type: answer?.headers['content-type'], body };
}

const json = 'application/json; charset=utf-8';
const unknown = { status: 421, type: json, body: '{"success":false,"error":"This host is not served here."}' };
const broken = { status: 400, type: json, body: '{"success":false,"error":"The request is not valid HTTP."}' };

describe('the host', () => {
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
  ])('%s is served', async (host) => {
    expect((await read([host]))?.status).toBe(200);
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
  ])('%s is not served', async (host) => {
    expect(seen(await read([host]))).toStrictEqual(unknown);
  });

  test.each<{ host: string; target?: string; name: string }>([
    { host: 'Build-7:4010', name: 'build-7' },
    { host: '[2001:db8::7]:4010', name: '[2001:db8::7]' },
    { host: 'evil.example/localhost', name: 'NAME' },
    { host: 'localhost', target: 'http://build-7/api/v1/invoices/stats', name: 'build-7' },
  ])('a refusal of $host $target says how to allow the host', async ({ host, target, name }) => {
    const hint = `start with --allow-host ${name}, BILLING_SIM_ALLOW_HOST=${name} or \`start: { allow-host: [${name}] }\` in billing-sim.config.yaml to serve it, or use localhost`;
    const answer = await read([host], target);
    expect(answer?.headers['x-sim-hint']).toBe(hint);
    expect(JSON.parse(answer?.body ?? '')).toEqual({ success: false, error: `This host is not served here; ${hint}.` });
  });

  test.each<{ name: string; hosts: string[] }>([
    { name: 'missing', hosts: [] },
    { name: 'empty', hosts: [''] },
    { name: 'there twice', hosts: ['localhost', 'evil.example'] },
    { name: 'there twice, the other way round', hosts: ['evil.example', 'localhost'] },
    { name: 'there twice and the same', hosts: ['localhost', 'localhost'] },
  ])('is refused when $name', async ({ hosts }) => {
    expect(seen(await read(hosts))).toStrictEqual(broken);
  });

  test.each(['/', '/docs', '/openapi.json', '/_sim/health', '/_sim/accounts', '/nothing', '*'])(
    'is looked at for %s too',
    async (target) => {
      expect(seen(await read(['evil.example'], target))).toStrictEqual(unknown);
    },
  );

  test('is checked for every request of a connection', async () => {
    const request = (host: string, connection: string): string =>
      `GET /_sim/health HTTP/1.1\r\nHost: ${host}\r\nConnection: ${connection}\r\n\r\n`;
    const answers = await sendRaw(sim.url, request('localhost', 'keep-alive') + request('evil.example', 'close'));
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 421]);
  });
});

describe('a request target with a host', () => {
  test.each(['http://localhost/api/v1/invoices/stats', 'http://127.0.0.1:4010/api/v1/invoices/stats'])(
    '%s is served',
    async (target) => {
      expect((await read(['localhost'], target))?.status).toBe(200);
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
  ])('%s is not served, whatever Host says', async (target) => {
    expect(seen(await read(['localhost'], target))).toStrictEqual(unknown);
  });

  test('does not make up for a foreign Host', async () => {
    expect(seen(await read(['evil.example'], 'http://localhost/api/v1/invoices/stats'))).toStrictEqual(unknown);
  });

  test('without a scheme is a path, which is not found', async () => {
    expect(seen(await read(['localhost'], '//evil.example/api/v1/invoices/stats'))).toStrictEqual({
      status: 404,
      type: json,
      body: '{"success":false,"error":"Route not found"}',
    });
  });
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

describe.runIf(hasIPv6)('a server bound to ::1', () => {
  let six: Simulator;

  beforeAll(async () => {
    six = await startSimulator({ host: '::1', rateLimit: false });
  });

  afterAll(() => six.close());

  test('shows its address in brackets', () => {
    expect(six.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  });

  test.each([
    ['[::1]', 200],
    ['localhost', 200],
    ['evil.example', 421],
    ['[::ffff:127.0.0.1]', 421],
  ])('answers the host %s with %d', async (host, status) => {
    const answers = await sendRaw(six.url, `GET /_sim/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answers.map((answer) => answer.status)).toStrictEqual([status]);
  });
});

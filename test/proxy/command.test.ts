import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { runCli, startCliInProcess } from '../support/cli.js';
import { killAfterTest } from '../support/kill-after-test.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { selfSigned, selfSignedCertificatePath } from '../support/self-signed.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { tempFolder } from '../support/temp-folder.js';
import { setValueAt, startAlteringProxy } from './altering-proxy.js';
import { dial } from './test-connection.js';
import { openUpstream, unreachableUrl } from './test-proxy.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});
afterAll(() => sim.close());

/** Starts a service whose responses have one error and one note. */
function startServiceWithErrorAndNote(): Promise<string> {
  return startAlteringProxy(sim.url, ({ path }, { body, status }) => {
    if (path.endsWith('/stats') && status === 200) setValueAt(body, 'data.total_invoices', '9');
    if (path.endsWith('/invoices/2') && status === 200) setValueAt(body, 'data.amount', '19.90');
  });
}

interface ProxyCommand {
  readonly url: string;
  /** Stops the proxy, and returns its exit code and the printed lines. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<{ code: number | null; lines: string[] }>;
}

/** Starts `billing-sim proxy` on a free port, in this process, and waits until it is ready. */
async function startProxy(upstream: string, flags: readonly string[] = []): Promise<ProxyCommand> {
  const { output, end } = await startCliInProcess('proxy', '--port', '0', '--upstream', upstream, ...flags);
  return {
    url: urlIn(output.stdout),
    async stop(signal) {
      const { code, stdout, stderr } = await end(signal);
      expect(stderr).toBe('');
      return { code, lines: stdout.trimEnd().split('\n') };
    },
  };
}

/** Starts the built `billing-sim proxy` in a separate process, which is killed after the test. */
async function spawnProxy(upstream: string, flags: readonly string[] = [], env: object = {}): Promise<ProxyCommand> {
  const child = spawn(process.execPath, [cli, 'proxy', '--port', '0', '--upstream', upstream, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  killAfterTest(child);
  const lines: string[] = [];
  const closed = once(child, 'close');
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  await once(reader, 'line');
  return {
    url: urlIn(lines[0] ?? ''),
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      const [code] = await closed;
      return { code, lines };
    },
  };
}

function urlIn(text: string): string {
  return /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
}

const get = (url: string, path: string, token: string | undefined = 'demo_full') =>
  sendHttpRequest(url, { path: `/api/v1${path}`, token });

describe('billing-sim proxy', () => {
  test('prints each deviation once, and a summary', async () => {
    const service = await startServiceWithErrorAndNote();
    const { url, stop } = await spawnProxy(service);
    for (let count = 0; count < 3; count += 1) await get(url, '/invoices/stats');
    await get(url, '/invoices/2');
    await get(url, '/invoices/2', 'made_up');
    await get(url, '/invoices?per_page=1');
    await sendHttpRequest(url, {
      path: '/api/v1/payment-links',
      method: 'POST',
      token: 'demo_full',
      body: '{"amount":5}',
    });
    const { code, lines } = await stop();
    expect(code).toBe(0);
    const error = 'error  GET /invoices/stats → 200  response body data.total_invoices: must be integer, but is string';
    const note =
      'note   GET /invoices/{invoice} → 200  response body data.amount: must be number, but is string (gap decimal.encoding)';
    expect(lines).toEqual([
      `Forwarding ${url}/api/v1 to ${service}`,
      'Press Ctrl-C to stop and print a summary.',
      '',
      error,
      note,
      '',
      '7 requests: 1 error (seen 3 times), 1 note (seen 1 time)',
      `     3 × ${error}`,
      `     1 × ${note}`,
    ]);
  });

  test('does not make Node warn about `url.parse()`, which prism-http uses', async () => {
    const child = spawn(process.execPath, [cli, 'proxy', '--port', '0', '--upstream', sim.url], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Makes older versions of Node warn, too.
      env: { ...process.env, NODE_OPTIONS: '--pending-deprecation' },
    });
    killAfterTest(child);
    const warnings = text(child.stderr);
    // It is ready once prism-http has read the document.
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await warnings).not.toContain('DEP0169');
  });

  test('prints only lines of JSON with --json, and fails after an error with --fail', async () => {
    const service = await startServiceWithErrorAndNote();
    const { url, stop } = await startProxy(service, ['--json', '--fail']);
    await get(url, '/invoices/stats');
    await get(url, '/invoices/stats');
    const { code, lines } = await stop('SIGTERM');
    expect(code).toBe(1);
    const deviation = {
      severity: 'error',
      operation: 'GET /invoices/stats',
      status: 200,
      side: 'response',
      part: 'body',
      at: 'data.total_invoices',
      rule: 'type',
      message: 'must be integer, but is string',
      gaps: [],
    };
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { url, baseUrl: `${url}/api/v1`, upstream: service },
      { deviation },
      { summary: { requests: 2, unanswered: 0, errors: [{ ...deviation, count: 2 }], notes: [], unlisted: 0 } },
    ]);
  });

  test('with --fail does not fail because of notes', async () => {
    const { url, stop } = await startProxy(await startServiceWithErrorAndNote(), ['--fail']);
    for (const path of ['/invoices', '/invoices/2', '/invoices?per_page=500', '/customers']) await get(url, path);
    const { code, lines } = await stop();
    expect(code).toBe(0);
    expect(lines).toContain('4 requests: 0 errors (seen 0 times), 2 notes (seen 2 times)');
  });

  test('with --fail fails if the upstream does not respond', async () => {
    const { url, stop } = await startProxy(unreachableUrl, ['--fail']);
    expect((await get(url, '/invoices')).status).toBe(502);
    const { code, lines } = await stop();
    expect(code).toBe(1);
    expect(lines).toContain('error  GET /invoices  got no response: connect ECONNREFUSED 127.0.0.1:1');
    expect(lines).toContain('1 request: 0 errors (seen 0 times), 0 notes (seen 0 times), 1 without a response');
  });

  test('with --fail fails if the upstream does not respond within --timeout', async () => {
    const hanging = await openUpstream(() => undefined);
    const { url, stop } = await startProxy(hanging, ['--fail', '--timeout', '50ms']);
    const { status, text } = await get(url, '/invoices');
    expect([status, text]).toEqual([504, `billing-sim proxy: ${hanging} did not respond (timed out after 0.05 s)\n`]);
    const { code, lines } = await stop();
    expect(code).toBe(1);
    expect(lines).toContain('error  GET /invoices  got no response: timed out after 0.05 s');
  });

  test('with --profile reports a deviation from a choice as an error', async () => {
    const profile = join(tempFolder(), 'profile.yaml');
    writeFileSync(profile, 'decimal.encoding: string');
    const { url, stop } = await startProxy(sim.url, ['--fail', '--profile', profile]);
    await get(url, '/invoices/2');
    const { code, lines } = await stop();
    expect(code).toBe(1);
    expect(lines).toContain(
      'error  GET /invoices/{invoice} → 200  response body data.amount: must be string, but is number',
    );
  });

  test.each([
    ['evil.example', '421'],
    ['localhost.evil.example', '421'],
    ['build-7:80', '200'],
    ['[::1]:9', '200'],
    ['a.localhost', '200'],
    ['127.0.0.1', '200'],
  ])('with --allow-host Build-7, responds to a request for the host %s with %s', async (host, status) => {
    const upstream = await openUpstream((_request, response) => response.end());
    const { url, stop } = await startProxy(upstream, ['--allow-host', 'Build-7']);
    const client = dial(url);
    client.write(`GET /pay/x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await client.untilClosed()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    await stop();
  });

  test('checks the scopes of the tokens in its options, and prints no token', async () => {
    const lenient = await startAlteringProxy(sim.url, (_, response) => {
      response.status = 200;
    });
    const flags = ['--read-token', 'demo_read', '--write-token', 'demo_write'];
    const { url, stop } = await startProxy(lenient, flags);
    await get(url, '/invoices', 'demo_read');
    await get(url, '/invoices/stats', 'demo_write');
    const { code, lines } = await stop();
    expect(code).toBe(0);
    expect(lines).toContain(
      'error  GET /invoices/stats → 200  request scope: the token has billing.write, but the operation accepts only billing.read',
    );
    expect(lines.join('\n')).not.toMatch(/demo_/);
  });
});

test('an upstream over TLS must have a trusted certificate', async () => {
  const { port } = await listenUntilTestEnds(
    createServer(selfSigned, (request, response) => response.end(request.headers.host)),
  );
  const upstream = `https://localhost:${port}`;
  const untrusted = await startProxy(upstream);
  const refused = await sendHttpRequest(untrusted.url, { path: '/pay/x' });
  await untrusted.stop();
  expect([refused.status, refused.text]).toEqual([
    502,
    expect.stringMatching(/set NODE_EXTRA_CA_CERTS .+DEPTH_ZERO_SELF_SIGNED_CERT/),
  ]);
  const trusted = await spawnProxy(upstream, [], { NODE_EXTRA_CA_CERTS: selfSignedCertificatePath });
  expect(await sendHttpRequest(trusted.url, { path: '/pay/x' })).toMatchObject({
    status: 200,
    text: new URL(upstream).host,
  });
});

describe('billing-sim proxy exits with 2 and prints one line', () => {
  test.each<[title: string, flags: string[], message: string | RegExp]>([
    ['without an upstream', [], "required option '--upstream <url>' not specified"],
    [
      'for an upstream that is not a URL',
      ['--upstream', 'billing.example'],
      /expected a URL that begins with http:\/\/ or https:\/\//,
    ],
    [
      'for an upstream with credentials',
      ['--upstream', 'http://me:secret@x'],
      /expected a URL without credentials; let the client send them/,
    ],
    ['for an upstream with a query', ['--upstream', 'http://x/?a'], /expected a URL without a query or fragment/],
    ['for an invalid port', ['--upstream', 'http://x', '--port', '70000'], /expected a port from 0 to 65535/],
    [
      'for an invalid timeout',
      ['--upstream', 'http://x', '--timeout', '0s'],
      /is invalid: expected a duration from 1ms to 10m, for example 30s/,
    ],
    [
      'for an unknown option',
      ['--upstream', 'http://x', '--fial'],
      /unknown option '--fial' \(Did you mean --fail\?\)/,
    ],
    [
      'for a host of another machine',
      ['--upstream', 'http://x', '--host', '192.0.2.1'],
      /192\.0\.2\.1 is not an address of this machine/,
    ],
    [
      'for a profile that does not exist',
      ['--upstream', 'http://x', '--profile', '/nowhere.yaml'],
      /cannot read .*\/nowhere\.yaml/,
    ],
    [
      'for an upstream that is the proxy itself, on the default port',
      ['--upstream', 'http://localhost:4011/api/v1'],
      /is the address of the proxy itself/,
    ],
  ])('%s', async (_title, flags, message) => {
    const { code, stdout, stderr } = await runCli('proxy', ...flags);
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 });
    expect(stderr).toMatch(message);
  });

  test('for a port that is taken', async () => {
    const { port } = new URL(sim.url);
    const { code, stderr } = await runCli('proxy', '--upstream', 'http://x', '--port', port);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: port ${port} is already in use; choose another with --port, or 0 for a free one\n`,
    });
  });
});

test('billing-sim proxy --help has an example, and exits with 0', async () => {
  const { code, stdout } = await runCli('proxy', '--help');
  expect(code).toBe(0);
  expect(stdout).toContain('$ billing-sim proxy --upstream https://billing.example/api/v1 --fail');
});

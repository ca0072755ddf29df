import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/app/server.js';
import { readSeed } from '../../src/files/seed-file.js';
import { type Simulator, startSimulator } from '../../src/index.js';

async function look(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const cookie = answer.headers.get('set-cookie');
  return { status: answer.status, location: answer.headers.get('location'), cookie, text: await answer.text() };
}

describe('without a control token', () => {
  let sim: Simulator;
  beforeAll(async () => {
    sim = await startSimulator();
  });
  afterAll(() => sim.close());

  test.each([
    ['/', '/dashboard'],
    ['/dashboard', '/dashboard/demo'],
    ['/dashboard?account=other', '/dashboard/other'],
  ])('%s leads to %s', async (path, location) => {
    expect(await look(sim.url + path)).toMatchObject({ status: 303, location });
  });

  test('a nonexistent account has an error page', async () => {
    const { status, text } = await look(`${sim.url}/dashboard/other`);
    expect({ status, text }).toEqual({ status: 404, text: expect.stringContaining('<h1>Account not found') });
  });

  test('neither is logged as a request to the service', async () => {
    await look(`${sim.url}/`);
    expect(await sim.account.requests()).toEqual([]);
  });
});

describe('with a control token', () => {
  const controlToken = 'a-control-token';
  const form = (...fields: [string, string][]): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) });

  async function open(): Promise<string> {
    const server = await startServer({
      port: 0,
      host: '127.0.0.1',
      allowedHosts: [],
      controlToken,
      folder: undefined,
      durability: 'os',
      seed: await readSeed('demo'),
      log: () => undefined,
    });
    onTestFinished(() => server.close());
    return server.url;
  }

  test.each(['/dashboard', '/dashboard/demo', '/dashboard/demo/live'])('%s asks for it', async (path) => {
    const { status, text } = await look((await open()) + path);
    expect({ status, text }).toEqual({ status: 401, text: expect.stringContaining('<h1>Sign in</h1>') });
  });

  test('another one is refused, and is not shown', async () => {
    const { status, text, cookie } = await look(`${await open()}/dashboard/sign-in`, form(['token', 'a-guess']));
    expect({ status, cookie }).toEqual({ status: 401, cookie: null });
    expect(text).toContain('That is not the control token.');
    expect(text).not.toContain('a-guess');
  });

  test('it is requested once, and is not in the cookie', async () => {
    const url = await open();
    const signedIn = await look(
      `${url}/dashboard/sign-in`,
      form(['token', controlToken], ['then', '/dashboard/demo/clock']),
    );
    expect(signedIn).toMatchObject({ status: 303, location: '/dashboard/demo/clock' });
    expect(signedIn.cookie).toMatch(/^billing-sim-session=[\w-]{36}; Path=\/dashboard; HttpOnly; SameSite=Strict$/);
    const headers = { Cookie: String(signedIn.cookie?.split(';')[0]) };
    expect((await look(`${url}/dashboard/demo/clock`, { headers })).status).toBe(200);
  });

  test('forms require it, too', async () => {
    const url = await open();
    const { status } = await look(`${url}/dashboard/demo/do/resetAccount`, form(['then', '/dashboard/demo']));
    expect(status).toBe(401);
  });

  test.each(['https://elsewhere.example/', '//elsewhere.example', '/docs', '/dashboardly'])(
    'and does not redirect beyond the dashboard, such as to %s',
    async (then) => {
      const answer = await look(`${await open()}/dashboard/sign-in`, form(['token', controlToken], ['then', then]));
      expect(answer).toMatchObject({ status: 303, location: '/dashboard' });
    },
  );

  test('pages for guests do not require it', async () => {
    expect((await look(`${await open()}/pay/nothing`)).status).toBe(404);
  });
});

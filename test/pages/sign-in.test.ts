import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/index.js';

/**
 * The start page of the simulator, and signing in to the dashboard with the control token. redirects.test.ts tests the
 * pages to which the sign-in form redirects.
 */

/** Requests a URL without following redirects. */
async function request(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const cookie = response.headers.get('set-cookie');
  return { status: response.status, location: response.headers.get('location'), cookie, text: await response.text() };
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
  ])('%s redirects to %s', async (path, location) => {
    expect(await request(sim.url + path)).toMatchObject({ status: 303, location });
  });

  test('the dashboard of a nonexistent account is an error page', async () => {
    const { status, text } = await request(`${sim.url}/dashboard/other`);
    expect({ status, text }).toEqual({ status: 404, text: expect.stringContaining('<h1>Account not found') });
  });

  test('the redirect is not logged as a request to the service', async () => {
    await request(`${sim.url}/`);
    // A request to the service, which is logged after the redirect would have been.
    await request(`${sim.baseUrl}/invoices`);
    await expect.poll(() => sim.account.requests()).not.toEqual([]);
    expect(await sim.account.requests()).toMatchObject([{ path: '/api/v1/invoices' }]);
  });
});

describe('with a control token', () => {
  const controlToken = 'a-control-token';
  const formRequest = (...fields: [string, string][]): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams(fields),
  });

  /** Starts a simulator with a control token. @returns its URL */
  async function startWithControlToken(options: SimulatorOptions = {}): Promise<string> {
    const sim = await startSimulator({ controlToken, seed: 'demo', ...options });
    onTestFinished(() => sim.close());
    return sim.url;
  }

  test.each(['/dashboard', '/dashboard/demo', '/dashboard/demo/live'])('%s shows the sign-in form', async (path) => {
    const { status, text } = await request((await startWithControlToken()) + path);
    expect({ status, text }).toEqual({ status: 401, text: expect.stringContaining('<h1>Sign in</h1>') });
  });

  test('a wrong token is refused, and does not appear on the page', async () => {
    const { status, text, cookie } = await request(
      `${await startWithControlToken()}/dashboard`,
      formRequest(['token', 'a-guess']),
    );
    expect({ status, cookie }).toEqual({ status: 401, cookie: null });
    expect(text).toContain('That is not the control token.');
    expect(text).not.toContain('a-guess');
  });

  test('signing in sets a session cookie that does not contain the token', async () => {
    const url = await startWithControlToken();
    const signedIn = await request(
      `${url}/dashboard`,
      formRequest(['token', controlToken], ['return_to', '/dashboard/demo/clock']),
    );
    expect(signedIn).toMatchObject({ status: 303, location: '/dashboard/demo/clock' });
    expect(signedIn.cookie).toMatch(/^billing-sim-session-\d+=[\w-]{36}; Path=\/dashboard; HttpOnly; SameSite=Strict$/);
    expect(signedIn.cookie).not.toContain(controlToken);
    const headers = { Cookie: String(signedIn.cookie?.split(';')[0]) };
    expect((await request(`${url}/dashboard/demo/clock`, { headers })).status).toBe(200);
  });

  test.each([
    [[['return_to', '/dashboard/demo/clock']], '/dashboard/demo/clock'],
    [[['return_to', 'https://evil.example/']], '/dashboard'],
    [[], '/dashboard'],
  ] satisfies [[string, string][], string][])(
    'a form with the fields %j is refused without a session, and the sign-in form returns to %s',
    async (fields, page) => {
      const url = await startWithControlToken();
      const { status, text } = await request(`${url}/dashboard/demo/do/resetAccount`, formRequest(...fields));
      expect(status).toBe(401);
      expect(text).toContain('The action was not performed, since you are signed out. Sign in, then try again.');
      expect(text).toContain(`<input type="hidden" name="return_to" value="${page}">`);
    },
  );

  describe('a session', () => {
    const dayMs = 24 * 60 * 60_000;

    /** Signs in, and returns a function that requests a page later, with the status of its response. */
    async function signIn() {
      const url = await startWithControlToken();
      const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
      onTestFinished(() => clock.mockRestore());
      const { cookie } = await request(`${url}/dashboard`, formRequest(['token', controlToken]));
      const headers = { Cookie: String(cookie?.split(';')[0]) };
      return async (milliseconds: number): Promise<number> => {
        clock.mockReturnValue(milliseconds);
        return (await request(`${url}/dashboard/demo/clock`, { headers })).status;
      };
    }

    test('ends when it was not used for a day', async () => {
      const statusAt = await signIn();
      expect(await statusAt(dayMs)).toBe(401);
    });

    test('continues while it is used', async () => {
      const statusAt = await signIn();
      expect([await statusAt(dayMs - 1), await statusAt(2 * dayMs - 2)]).toEqual([200, 200]);
    });
  });

  test.each([
    { name: 'a page at an https: public URL', origin: 'https://billing.example', isSecure: true },
    { name: 'a client that sends no Origin', isSecure: true },
    { name: 'a page at its own http: URL', origin: 'own', isSecure: false },
  ])('behind a public URL with https:, the cookie for $name is Secure: $isSecure', async ({ origin, isSecure }) => {
    const url = await startWithControlToken({ publicUrl: 'https://billing.example' });
    const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin === 'own' ? url : origin };
    const { status, cookie } = await request(`${url}/dashboard`, {
      ...formRequest(['token', controlToken]),
      headers,
    });
    expect({ status, isSecure: cookie?.endsWith('; Secure') }).toEqual({ status: 303, isSecure });
  });

  test('a simulator on another port of the machine uses its own cookie', async () => {
    const signIns = [await startWithControlToken(), await startWithControlToken()].map((url) =>
      request(`${url}/dashboard`, formRequest(['token', controlToken])),
    );
    const cookieNames = (await Promise.all(signIns)).map(({ cookie }) => cookie?.split('=')[0]);
    expect(new Set(cookieNames).size).toBe(2);
  });

  test('after a failed sign-in, opening its URL again and signing in leads to the dashboard', async () => {
    const url = await startWithControlToken();
    const { text } = await request(`${url}/dashboard`, formRequest(['token', 'a-guess']));
    const [, path = ''] = /action="([^"]*)"/.exec(text) ?? [];
    const signInPage = await request(url + path);
    const [, returnTo = ''] = /name="return_to" value="([^"]*)"/.exec(signInPage.text) ?? [];
    const fields = formRequest(['token', controlToken], ['return_to', returnTo]);
    const { cookie, location } = await request(url + path, fields);
    const headers = { Cookie: String(cookie?.split(';')[0]) };
    expect(await request(url + location, { headers })).toMatchObject({ status: 303, location: '/dashboard/demo' });
  });

  test('guest pages do not require signing in', async () => {
    expect((await request(`${await startWithControlToken()}/pay/nothing`)).status).toBe(404);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Driver, DriverFactory } from '../../src/contract/drivers/driver.js';
import { loadDriver } from '../../src/contract/drivers/load-driver.js';
import { CannotRun } from '../../src/contract/engine/cannot-run.js';
import { type ContractOptions, openSession } from '../../src/contract/engine/open-session.js';
import { runContract } from '../../src/contract/engine/run-contract.js';
import { ClauseContext, type Session } from '../../src/contract/engine/session.js';
import { createDeferred } from '../support/deferred.js';
import { tempFolder } from '../support/temp-folder.js';
import { serve, serveAlways, serveSecondImplementation } from './targets.js';

/** Writes a module with the given source, which need not be a valid driver, and returns its path. */
function writeModule(source: string): string {
  const file = join(tempFolder(), 'driver.mjs');
  writeFileSync(file, source);
  return file;
}

const methodNames =
  'createCustomer, markInvoicePaid, payLink, authorizeDeposit, declineDeposit, expireDeposit, configureWebhook, rotateWebhookSecret, resendWebhook, close';

/** Loads a driver file that cannot be used, and returns the error message. */
async function loadingErrorOf(file: string, timeoutMs = 10_000): Promise<string> {
  const loading = loadDriver(file, { baseUrl: 'http://a.example/api/v1', token: 'a-token' }, timeoutMs);
  const error = await loading.catch((reason: unknown) => reason);
  if (!(error instanceof CannotRun)) throw new Error(`expected a CannotRun, got ${String(error)}`);
  return error.message.replace(file, 'FILE');
}

describe('a driver file', () => {
  test.each([
    ['that does not exist', undefined, /^cannot read the driver FILE: no such file; check the path$/],
    [
      'that imports a missing module',
      'import "./gone.mjs"',
      /^loading the driver FILE failed: Cannot find module .*gone/,
    ],
    ['that is not a module', 'export default (', /^loading the driver FILE failed: ./],
    ['that throws', 'throw new Error("no database")', /^loading the driver FILE failed: no database$/],
    [
      'without a default export',
      'export const driver = {}',
      /^the driver FILE must have a function as its default export: \(options\) => driver$/,
    ],
    [
      'whose default export is a driver itself',
      'export default { payLink() {} }',
      /must have a function as its default export/,
    ],
    [
      'whose function throws',
      'export default () => { throw new Error("no database") }',
      /^the default export of the driver FILE failed: no database$/,
    ],
    [
      'whose function rejects',
      'export default async () => { throw "no database" }',
      /^the default export of the driver FILE failed: no database$/,
    ],
    [
      'whose function returns nothing',
      'export default () => undefined',
      new RegExp(`^the driver FILE must be an object with any of these methods: ${methodNames}$`),
    ],
    [
      'with a method of an unknown name',
      'export default () => ({ authoriseDeposit() {} })',
      new RegExp(`^the driver FILE has an unknown method \`authoriseDeposit\`; the known methods are ${methodNames}$`),
    ],
    [
      'with a method that is not a function',
      'export default () => ({ payLink: true, close() {} })',
      /^the driver FILE has `payLink`, which must be a function$/,
    ],
  ])('%s is reported in one line', async (_what, source, expectedMessage) => {
    const file = source === undefined ? join(tempFolder(), 'driver.mjs') : writeModule(source);
    expect(await loadingErrorOf(file)).toMatch(expectedMessage);
  });

  test.each([
    [
      'that never finishes loading',
      200,
      'await new Promise(() => setInterval(() => {}, 1e6).unref())',
      'loading the driver FILE did not finish within 0.2 s',
    ],
    [
      'whose function hangs',
      // Long enough to load the file on a busy machine.
      3_000,
      'export default () => new Promise(() => {})',
      'the default export of the driver FILE did not finish within 3 s',
    ],
  ])('%s is reported after the timeout', async (_what, timeoutMs, source, expectedMessage) => {
    expect(await loadingErrorOf(writeModule(source), timeoutMs)).toBe(expectedMessage);
  });

  test('gets the base URL and the token of the target', async () => {
    const file = writeModule('export default (options) => ({ options, payLink: () => JSON.stringify(options) })');
    const driver = await loadDriver(file, { baseUrl: 'http://a.example/api/v1', token: 'a-token' }, 10_000);
    expect(await driver.payLink?.({})).toBe('{"baseUrl":"http://a.example/api/v1","token":"a-token"}');
  });

  test('may return an instance of a class', async () => {
    const file = writeModule('export default () => new (class { calls = 0; payLink() { return ++this.calls; } })()');
    const driver = await loadDriver(file, { baseUrl: 'http://a.example/api/v1', token: 'a-token' }, 10_000);
    expect([await driver.payLink?.({}), await driver.payLink?.({})]).toEqual([1, 2]);
  });
});

/**
 * Opens a session with a driver, on a target that sends the same response to every request. The `timeout` option is the
 * timeout of a request in milliseconds; a driver method gets three times as long.
 */
async function sessionWith(
  driver: string | Driver | DriverFactory,
  options: Partial<ContractOptions> = {},
): Promise<Session> {
  const baseUrl = await serveAlways({ body: { success: true, data: [] } });
  return openSession({ baseUrl, token: 'a-token', driver, ...options });
}

describe('a driver factory', () => {
  test.each<[what: string, DriverFactory]>([
    ['a driver', () => ({ payLink: async () => 'paid' })],
    ['a promise of a driver', async () => ({ payLink: async () => 'paid' })],
    [
      'a driver that knows the token of the target',
      ({ token }) => ({ payLink: async () => (token === 'a-token' ? 'paid' : token) }),
    ],
  ])('may return %s', async (_what, factory) => {
    const session = await sessionWith(factory);
    expect(await new ClauseContext(session, 'a test').drive('payLink', {})).toBe('paid');
  });

  test('is called once for each session, which closes the driver when it ends', async () => {
    const calls: string[] = [];
    const session = await sessionWith(() => {
      calls.push('created');
      return { close: async () => calls.push('closed') };
    });
    await session.close();
    expect(calls).toEqual(['created', 'closed']);
  });

  test.each<[what: string, DriverFactory, message: string]>([
    ['rejects', () => Promise.reject(new Error('no database')), 'the driver factory failed: no database'],
    [
      'quotes the token in its error',
      ({ token }) => Promise.reject(new Error(`no account for ${token}`)),
      'the driver factory failed: no account for [redacted]',
    ],
    ['hangs', () => new Promise(() => undefined), 'the driver factory did not finish within 1.8 s'],
    [
      'returns an object with an unknown method',
      () => Object.assign({ payLink: async () => 1 }, { authoriseDeposit: async () => 1 }),
      `the driver has an unknown method \`authoriseDeposit\`; the known methods are ${methodNames}`,
    ],
  ])('that %s cannot be used', async (_what, factory, message) => {
    await expect(sessionWith(factory, { timeout: 600 })).rejects.toThrow(new CannotRun(message));
  });

  test('that is in a file and quotes the token in its error cannot be used either', async () => {
    const file = writeModule('export default ({ token }) => { throw new Error("no account for " + token); }');
    await expect(sessionWith(file)).rejects.toThrow(
      new CannotRun(`the default export of the driver ${file} failed: no account for [redacted]`),
    );
  });
});

describe('a driver method', () => {
  test.each<[what: string, Driver, error: string, message: string]>([
    [
      'that throws',
      {
        payLink: () => {
          throw new Error('no such button');
        },
      },
      'DriverError',
      "the driver's payLink() failed: no such button",
    ],
    [
      'that rejects',
      { payLink: () => Promise.reject(new Error('no such button')) },
      'DriverError',
      "the driver's payLink() failed: no such button",
    ],
    [
      'that rejects with nothing',
      { payLink: () => Promise.reject() },
      'DriverError',
      "the driver's payLink() failed: undefined",
    ],
    [
      'that hangs',
      { payLink: () => new Promise(() => undefined) },
      'DriverError',
      "the driver's payLink() did not finish within 1.8 s",
    ],
    ['that does not exist', {}, 'Skip', 'payLink: the driver has no such method'],
  ])('%s is reported', async (_what, driver, name, message) => {
    const session = await sessionWith(driver, { timeout: 600 });
    await expect(new ClauseContext(session, 'a test').drive('payLink', {})).rejects.toMatchObject({ name, message });
  });

  test('that has hung is not called again', async () => {
    let calls = 0;
    const payLink = (): Promise<never> => {
      calls += 1;
      return new Promise(() => undefined);
    };
    const context = new ClauseContext(await sessionWith({ payLink }, { timeout: 600 }), 'a test');
    for (let call = 0; call < 3; call++) await expect(context.drive('payLink', {})).rejects.toThrow('did not finish');
    expect(calls).toBe(1);
  });

  test('is not called in a read-only run', async () => {
    const session = await sessionWith({ payLink: () => Promise.reject(new Error('called')) }, { write: false });
    await expect(new ClauseContext(session, 'a test').drive('payLink', {})).rejects.toThrow(
      '--write: without it, the suite only reads from the target',
    );
  });

  test('that is running when the session is closed ends before `close` is called, and no other method is called', async () => {
    const calls: string[] = [];
    const configuration = createDeferred();
    const session = await sessionWith({
      async configureWebhook() {
        await configuration.promise;
        calls.push('configured');
      },
      payLink: async () => calls.push('paid'),
      close: async () => calls.push('closed'),
    });
    const context = new ClauseContext(session, 'a test');
    const configuring = context.drive('configureWebhook', {});
    const closing = session.close();
    await expect(context.drive('payLink', {})).rejects.toThrow('the run has ended');
    await expect(context.get('/invoices')).rejects.toThrow('the run has ended');
    configuration.resolve();
    await Promise.all([configuring, closing]);
    expect(calls).toEqual(['configured', 'closed']);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no way');
      },
      "the driver's close() failed: no way",
    ],
    ['hangs', () => new Promise(() => undefined), "the driver's close() did not finish within 1.8 s"],
  ])('`close` that %s does not prevent other cleanups', async (_what, close, message) => {
    const session = await sessionWith({ close }, { timeout: 600 });
    let isCleanedUp = false;
    session.onClose(async () => {
      isCleanedUp = true;
    });
    await expect(session.close()).rejects.toThrow(message);
    expect(isCleanedUp).toBe(true);
  });

  test('`close` that throws does not hide the reason why a run cannot start', async () => {
    const baseUrl = await serve((request, response) => {
      response.writeHead(request.method === 'GET' ? 200 : 403).end('{"success":true,"data":{}}');
    });
    const driver = { close: () => Promise.reject(new Error('no way')) };
    await expect(openSession({ baseUrl, token: 'a-token', driver })).rejects.toThrow(CannotRun);
  });

  test('an error thrown by `close` is among the problems of the report, even if the run is interrupted', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    const driver = writeModule("export default () => ({ close() { throw new Error('no way'); } })");
    const interruption = new AbortController();
    const report = await runContract(
      { baseUrl, token: tokens.full, driver, only: ['INV-STATS'] },
      { signal: interruption.signal, onClause: () => interruption.abort() },
    );
    expect(report.problems).toEqual([
      "the driver's close() failed: no way",
      expect.stringMatching(/^the run was interrupted after 1 of \d+ clauses$/),
    ]);
  });

  test('`close` is called even if another cleanup fails', async () => {
    let isClosed = false;
    const session = await sessionWith({
      close: async () => {
        isClosed = true;
      },
    });
    session.onClose(() => Promise.reject(new Error('stuck')));
    await expect(session.close()).rejects.toThrow('stuck');
    expect(isClosed).toBe(true);
  });

  test('a cleanup that fails does not prevent other cleanups, and its error is thrown even if `close` fails, too', async () => {
    const session = await sessionWith({ close: () => Promise.reject(new Error('no way')) });
    let isCleanedUp = false;
    session.onClose(async () => {
      isCleanedUp = true;
    });
    session.onClose(() => Promise.reject(new Error('stuck')));
    await expect(session.close()).rejects.toThrow('stuck');
    expect(isCleanedUp).toBe(true);
  });
});

test('a violation after a driver method that did nothing names the call of the method', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation();
  const driver = writeModule('export default () => ({ payLink() {} })');
  const { clauses } = await runContract({
    baseUrl,
    token: tokens.full,
    driver,
    only: ['PAY-LIST-01', 'PAY-LIST-21'],
    eventuallyTimeoutMs: 200,
  });
  expect(clauses.map(({ id, status, driverCalls }) => ({ id, status, driverCalls }))).toEqual([
    { id: 'PAY-LIST-01', status: 'passed', driverCalls: undefined },
    { id: 'PAY-LIST-21', status: 'failed', driverCalls: [expect.stringMatching(/^payLink \(id \d+\)$/)] },
  ]);
});

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../../lib/errors.js';
import { isRecord } from '../../lib/json.js';
import { CannotRun } from '../engine/cannot-run.js';
import { recordsAt, valueAt } from '../engine/expect.js';
import { formatExactJson } from '../engine/json.js';
import { isOpenReceiver } from '../engine/receiver.js';
import type { Driver, TargetRecord } from './driver.js';

/** Driver for a simulator, with the rate limit of the account turned off. */
export interface SimulatorDriver {
  readonly driver: Driver;
  readonly account: ControlledAccount;
  /** Restores the account's rate limit while the driver is still open, for the clauses that exceed it. */
  readonly restoreLimit: () => Promise<unknown>;
}

/** The account that a driver controls. */
export interface ControlledAccount {
  readonly id: string;
  /**
   * The request with which the driver has found the account, as in the request log. It identifies the account among the
   * accounts of all simulators: requests to two simulators may have the same id and time, but not the same duration.
   */
  readonly request: LoggedRequest;
  /** True if the request log of the account contains a request, so that it is the account that received it. */
  readonly hasReceived: (request: LoggedRequest) => Promise<boolean>;
}

type LoggedRequest = Readonly<Record<string, unknown>>;

/** Timeout of every request that the driver sends. */
const responseTimeoutMs = 10_000;

/** Finds out whether the server at a URL is a simulator: only a simulator has the control API. */
export async function isSimulator(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${new URL(baseUrl).origin}/_sim/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    const health: unknown = await response.json();
    return response.status === 200 && valueAt(health, 'status') === 'ok' && isRecord(health) && 'version' in health;
  } catch {
    // No response, or not JSON: it is not a simulator.
    return false;
  }
}

/** Checks that a simulator can be controlled, without changing anything. @throws CannotRun */
export async function checkControlAccess(baseUrl: string, controlToken: string | undefined): Promise<void> {
  try {
    await createControlClient(new URL(baseUrl).origin, controlToken)('GET', '/accounts?per_page=1');
  } catch (error) {
    throw cannotBeControlled(error);
  }
}

function cannotBeControlled(error: unknown): CannotRun {
  return new CannotRun(`the simulator cannot be controlled: ${errorMessage(error)}`);
}

/**
 * Creates a driver that uses the control API of a simulator. Turns the account's rate limit off until `restoreLimit` is
 * called or the driver is closed.
 * @param token token of the service, which identifies the account
 * @param controlToken control token of the simulator, if it has one
 * @throws CannotRun if the simulator cannot be controlled
 */
export async function makeSimulatorDriver(
  baseUrl: string,
  token: string,
  controlToken: string | undefined,
): Promise<SimulatorDriver> {
  const sendControlRequest = createControlClient(new URL(baseUrl).origin, controlToken);
  try {
    const { id: accountId, request } = await findAccount(baseUrl, token, sendControlRequest);
    const accountPath = `/accounts/${encodeURIComponent(accountId)}`;
    const readSettings = (): Promise<unknown> => sendControlRequest('GET', `${accountPath}/settings`);
    const patchSettings = (settings: object): Promise<unknown> =>
      sendControlRequest('PATCH', `${accountPath}/settings`, settings);
    const settingsAtStart = await readSettings();
    const rate_limit = valueAt(settingsAtStart, 'rate_limit');
    let webhook_url = valueAt(settingsAtStart, 'webhook_url');
    let webhook_secret = valueAt(settingsAtStart, 'webhook_secret');
    let suiteUrl: string | undefined;
    let suiteSecret: string | undefined;
    const deliversToSuite = (settings: unknown): boolean =>
      suiteUrl !== undefined && deliversTo(valueAt(settings, 'webhook_url'), suiteUrl);
    const hasSuiteSecret = (settings: unknown): boolean =>
      suiteSecret !== undefined && valueAt(settings, 'webhook_secret') === suiteSecret;
    await patchSettings({ rate_limit: false });
    return {
      account: {
        id: accountId,
        request,
        hasReceived: async (other) =>
          (await readRequestLog(accountId, sendControlRequest)).some((logged) => isDeepStrictEqual(logged, other)),
      },
      restoreLimit: () => patchSettings({ rate_limit }),
      driver: {
        ...singleRequestMethods((path, body) => sendControlRequest('POST', `${accountPath}${path}`, body)),
        async configureWebhook({ url, secret }) {
          const current = await readSettings();
          if (!deliversToSuite(current)) {
            webhook_url = valueAt(current, 'webhook_url');
            if (await isOpenReceiver(webhook_url)) {
              throw new Error(
                `another run of the suite receives the webhooks of account ${accountId}; wait until it has ended, or use another account`,
              );
            }
          }
          if (!hasSuiteSecret(current)) webhook_secret = valueAt(current, 'webhook_secret');
          [suiteUrl, suiteSecret] = [url, secret];
          await patchSettings({ webhook_url: url, webhook_secret: secret });
        },
        async rotateWebhookSecret() {
          const response = await sendControlRequest('POST', `${accountPath}/webhook-secret/rotate`);
          suiteSecret = String(valueAt(response, 'webhook_secret'));
          return { secret: suiteSecret };
        },
        async resendWebhook({ id }) {
          const deliveries = recordsAt(await sendControlRequest('GET', `${accountPath}/deliveries`), 'data');
          // The list begins with the newest.
          const newest = deliveries.find(
            ({ subject }) => valueAt(subject, 'resource') === 'deposit' && valueAt(subject, 'id') === id,
          );
          if (!newest) throw new Error(`there is no webhook for deposit ${id}`);
          await sendControlRequest(
            'POST',
            `${accountPath}/deliveries/${encodeURIComponent(String(newest['id']))}/resend`,
          );
        },
        // Restores the settings that the suite has changed, but keeps a webhook URL or secret that someone else set
        // during the run. If the rate limit was already off, another run may have turned it off, and will restore it.
        async close() {
          const current = await readSettings();
          await patchSettings({
            ...(rate_limit === true && { rate_limit }),
            ...(deliversToSuite(current) && { webhook_url }),
            ...(hasSuiteSecret(current) && { webhook_secret }),
          });
        },
      },
    };
  } catch (error) {
    throw cannotBeControlled(error);
  }
}

/**
 * True if the account's webhook URL is the suite's, or contains it as the fragment: `billing-sim listen`, if started
 * during the run, stores the suite's URL in the fragment of its own URL, and sets it again when it ends.
 */
function deliversTo(webhookUrl: unknown, suiteUrl: string): boolean {
  return webhookUrl === suiteUrl || (typeof webhookUrl === 'string' && webhookUrl.endsWith(`#${suiteUrl}`));
}

/** Optional fields of the customers that the driver creates, so that clauses about these fields see values. */
export const optionalCustomerFields = {
  company: 'Contract Suite Ltd',
  phone: '+49 30 1234567',
  address: '1 Main Street',
  city: 'Berlin',
  postal_code: '01067',
  country: 'DE',
};

type PostToAccount = (path: string, body?: object) => Promise<unknown>;

/** Returns the driver methods that only send a single request to the control API. */
function singleRequestMethods(
  post: PostToAccount,
): Required<Omit<Driver, 'configureWebhook' | 'rotateWebhookSecret' | 'resendWebhook' | 'close'>> {
  const idOf = (record: TargetRecord): string => encodeURIComponent(String(record['id']));
  return {
    async createCustomer() {
      const name = `contract-${randomBytes(4).toString('hex')}`;
      const fields = { name, email: `${name}@example.com`, ...optionalCustomerFields };
      const id = valueAt(await post('/customers', fields), 'id');
      if (typeof id !== 'number') throw new Error('the simulator created a customer without a numeric id');
      return { id, ...fields };
    },
    markInvoicePaid: (invoice) => post(`/invoices/${idOf(invoice)}/pay`, {}),
    payLink: (link) => post(`/payment-links/${idOf(link)}/pay`, {}),
    authorizeDeposit: (deposit) => post(`/deposits/${idOf(deposit)}/authorize`, {}),
    declineDeposit: (deposit) => post(`/deposits/${idOf(deposit)}/decline`, {}),
    expireDeposit: (deposit) => post(`/deposits/${idOf(deposit)}/expire`, {}),
  };
}

/** Driver for read-only runs. It has every method, so that none is reported as missing, but each of them rejects. */
export const rejectingDriver: Driver = {
  ...singleRequestMethods(() => Promise.reject(new Error('the run is read-only'))),
  configureWebhook: () => Promise.reject(new Error('the run is read-only')),
  rotateWebhookSecret: () => Promise.reject(new Error('the run is read-only')),
  resendWebhook: () => Promise.reject(new Error('the run is read-only')),
};

/** Maximum number of times the logs are searched for a request, which may be logged shortly after its response. */
const maxLogReads = 3;

/**
 * Finds the account of a token: sends a request with the token, and searches the request logs of all accounts for it.
 */
async function findAccount(
  baseUrl: string,
  token: string,
  sendControlRequest: SendControlRequest,
): Promise<Pick<ControlledAccount, 'id' | 'request'>> {
  const response = await fetch(`${baseUrl}/invoices?per_page=1`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(responseTimeoutMs),
  });
  // Reads the body, so that the connection is released.
  await response.arrayBuffer();
  const requestId = response.headers.get('x-request-id');
  for (let read = 1; read <= maxLogReads; read++) {
    for (const account of recordsAt(await sendControlRequest('GET', '/accounts?per_page=10000'), 'data')) {
      const id = String(account['id']);
      const request = (await readRequestLog(id, sendControlRequest)).find((logged) => logged['id'] === requestId);
      if (request) return { id, request };
    }
    await sleep(100);
  }
  throw new Error('no account of the simulator has the token');
}

/** Reads the latest requests that an account has received. */
async function readRequestLog(account: string, sendControlRequest: SendControlRequest): Promise<LoggedRequest[]> {
  const path = `/accounts/${encodeURIComponent(account)}/requests?per_page=1000`;
  return recordsAt(await sendControlRequest('GET', path), 'data');
}

/**
 * Sends a request to the control API of a simulator, which can do what the API of the service cannot: pay a link, for
 * example.
 * @param path below `/_sim`
 * @throws Error that says why the simulator did not do it, or did not respond
 */
type SendControlRequest = (method: 'GET' | 'PATCH' | 'POST', path: string, body?: object) => Promise<unknown>;

/** Creates a client for a control API. @param token control token of the simulator, if it has one */
function createControlClient(origin: string, token: string | undefined): SendControlRequest {
  return async (method, path, body) => {
    const response = await fetch(`${origin}/_sim${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: formatExactJson(body) ?? '' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    const value: unknown = await response.json().catch(() => undefined);
    if (response.ok) return value;
    if (response.status === 401) {
      throw new Error(
        token === undefined
          ? 'the control API requires a token; pass it with --control-token'
          : 'the control API refuses the control token; check --control-token',
      );
    }
    throw new Error(`${method} /_sim${path}: ${valueAt(value, 'error') ?? response.status}`);
  };
}

import { randomBytes, randomInt } from 'node:crypto';
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
   * The request by which the driver found the account, as in the request log. Its random page number identifies it among
   * the requests to all simulators: requests to two of them may have the same id and time.
   */
  readonly request: LoggedRequest;
  /** True if the request log of the account contains `request`, that is, if this account received it. */
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
    const { id, request } = await findAccount(baseUrl, token, sendControlRequest);
    const sendAccountRequest = forAccount(sendControlRequest, id);
    const settings = new BorrowedSettings(sendAccountRequest, id, await sendAccountRequest('GET', '/settings'));
    await settings.turnLimitOff();
    return {
      account: {
        id,
        request,
        hasReceived: async (other) =>
          (await readRequestLog(sendAccountRequest)).some((logged) => isDeepStrictEqual(logged, other)),
      },
      restoreLimit: () => settings.restoreLimit(),
      driver: {
        ...singleRequestMethods((path, body) => sendAccountRequest('POST', path, body)),
        configureWebhook: (webhook) => settings.configureWebhook(webhook),
        rotateWebhookSecret: () => settings.rotateWebhookSecret(),
        resendWebhook: (deposit) => resendWebhook(sendAccountRequest, deposit),
        close: () => settings.restore(),
      },
    };
  } catch (error) {
    throw cannotBeControlled(error);
  }
}

/** The settings of an account that the suite changes during a run. */
class BorrowedSettings {
  readonly #send: SendControlRequest;
  readonly #accountId: string;
  readonly #rateLimit: unknown;
  /** The webhook URL and secret to restore: those of the account before the suite set its own. */
  #webhookUrl: unknown;
  #webhookSecret: unknown;
  #suiteUrl: string | undefined;
  #suiteSecret: string | undefined;

  /** @param send sends a request for a path below that of the account */
  constructor(send: SendControlRequest, accountId: string, settingsAtStart: unknown) {
    this.#send = send;
    this.#accountId = accountId;
    this.#rateLimit = valueAt(settingsAtStart, 'rate_limit');
    this.#webhookSecret = valueAt(settingsAtStart, 'webhook_secret');
  }

  turnLimitOff(): Promise<unknown> {
    return this.#patch({ rate_limit: false });
  }

  restoreLimit(): Promise<unknown> {
    return this.#patch({ rate_limit: this.#rateLimit });
  }

  async configureWebhook({ url, secret }: { readonly url: string; readonly secret: string }): Promise<void> {
    const current = await this.#read();
    if (!this.#deliversToSuite(current)) {
      this.#webhookUrl = valueAt(current, 'webhook_url');
      if (await isOpenReceiver(this.#webhookUrl)) {
        throw new Error(
          `another run of the suite receives the webhooks of account ${this.#accountId}; wait until it has ended, or use another account`,
        );
      }
    }
    if (!this.#hasSuiteSecret(current)) this.#webhookSecret = valueAt(current, 'webhook_secret');
    this.#suiteUrl = url;
    this.#suiteSecret = secret;
    await this.#patch({ webhook_url: url, webhook_secret: secret });
  }

  async rotateWebhookSecret(): Promise<{ secret: string }> {
    const response = await this.#send('POST', '/webhook-secret/rotate');
    const secret = String(valueAt(response, 'webhook_secret'));
    this.#suiteSecret = secret;
    return { secret };
  }

  /**
   * Restores the settings that the suite has changed, but keeps a webhook URL or secret that someone else set during
   * the run. If the rate limit was already off, another run may have turned it off, and will restore it.
   */
  async restore(): Promise<void> {
    const current = await this.#read();
    await this.#patch({
      ...(this.#rateLimit === true && { rate_limit: true }),
      ...(this.#deliversToSuite(current) && { webhook_url: this.#webhookUrl }),
      ...(this.#hasSuiteSecret(current) && { webhook_secret: this.#webhookSecret }),
    });
  }

  #read(): Promise<unknown> {
    return this.#send('GET', '/settings');
  }

  #patch(settings: object): Promise<unknown> {
    return this.#send('PATCH', '/settings', settings);
  }

  /**
   * True if the account's webhook URL is the suite's, or contains it as the fragment: `billing-sim listen`, if started
   * during the run, stores the suite's URL in the fragment of its own URL, and sets it again when it ends.
   */
  #deliversToSuite(settings: unknown): boolean {
    if (this.#suiteUrl === undefined) return false;
    const url = valueAt(settings, 'webhook_url');
    return url === this.#suiteUrl || (typeof url === 'string' && url.endsWith(`#${this.#suiteUrl}`));
  }

  #hasSuiteSecret(settings: unknown): boolean {
    return this.#suiteSecret !== undefined && valueAt(settings, 'webhook_secret') === this.#suiteSecret;
  }
}

/** Resends the latest webhook about a deposit. */
async function resendWebhook(send: SendControlRequest, { id }: TargetRecord): Promise<void> {
  const deliveries = recordsAt(await send('GET', '/deliveries?per_page=10000'), 'data');
  // The list begins with the newest.
  const newest = deliveries.find(
    ({ subject }) => valueAt(subject, 'resource') === 'deposit' && String(valueAt(subject, 'id')) === String(id),
  );
  if (!newest) throw new Error(`no webhook about deposit ${id} has been sent`);
  await send('POST', `/deliveries/${encodeURIComponent(String(newest['id']))}/resend`);
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

const rejectCall = (): Promise<never> => Promise.reject(new Error('the run is read-only'));

/** Driver for read-only runs. It has every method, so that none is reported as missing, but each of them rejects. */
export const rejectingDriver: Driver = {
  ...singleRequestMethods(rejectCall),
  configureWebhook: rejectCall,
  rotateWebhookSecret: rejectCall,
  resendWebhook: rejectCall,
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
  const response = await fetch(`${baseUrl}/invoices?per_page=1&page=${randomInt(1, 2 ** 31)}`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(responseTimeoutMs),
  });
  // Reads the body, so that the connection is released.
  await response.arrayBuffer();
  const requestId = response.headers.get('x-request-id');
  for (let read = 1; read <= maxLogReads; read++) {
    if (read > 1) await sleep(100);
    for (const account of recordsAt(await sendControlRequest('GET', '/accounts?per_page=10000'), 'data')) {
      const id = String(account['id']);
      const log = await readRequestLog(forAccount(sendControlRequest, id));
      const request = log.find((logged) => logged['id'] === requestId);
      if (request) return { id, request };
    }
  }
  throw new Error('no account of the simulator has the token');
}

/** Reads the latest requests that an account has received. @param send for paths below that of the account */
async function readRequestLog(send: SendControlRequest): Promise<LoggedRequest[]> {
  return recordsAt(await send('GET', '/requests?per_page=1000'), 'data');
}

/**
 * Sends a request to the control API of a simulator, which can do what the API of the service cannot: pay a link, for
 * example.
 * @param path below `/_sim`
 * @throws Error that says why the simulator did not do it, or did not respond
 */
type SendControlRequest = (method: 'GET' | 'PATCH' | 'POST', path: string, body?: object) => Promise<unknown>;

/** Returns a function that sends requests for paths below that of an account. */
function forAccount(send: SendControlRequest, id: string): SendControlRequest {
  return (method, path, body) => send(method, `/accounts/${encodeURIComponent(id)}${path}`, body);
}

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

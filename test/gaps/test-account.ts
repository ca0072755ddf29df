import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '../../src/app/server.js';
import { ServiceError } from '../../src/domain/service-error.js';
import { readSeed } from '../../src/files/seed-file.js';
import type { Choices } from '../../src/index.js';
import { parseDuration } from '../../src/lib/durations.js';
import type { GapId } from '../../src/openapi/profile.js';
import type { Account } from '../../src/simulation/account.js';
import { authorizeDeposit, declineDeposit } from '../../src/simulation/operations/deposits.js';
import {
  createInvoicePayment,
  createLinkPayment,
  type PaymentOutcome,
} from '../../src/simulation/operations/payments.js';
import type { AccountTokens } from '../../src/simulation/tokens.js';
import { findAccount } from '../control/control-server.js';
import { type CheckedFetch, createCheckedFetch } from '../support/checked-fetch.js';
import { openReceiver, type Receiver, type ReplyChooser } from './receiver.js';

/**
 * A test of a gap: a probe, and its expected result for each choice. A gap is a question that the specification leaves open;
 * its choices are the possible answers.
 */
interface GapCase {
  /**
   * Observes the behavior that the gap leaves open, with an account that has these choices.
   * @returns what it observed, or a promise of it
   */
  probe(choices: Choices): unknown;
  /** The values of the choices that take one, such as the duration of `for`, by the name of the choice. */
  readonly choiceValues?: Readonly<Record<string, unknown>>;
  /** Expected results of the probe, by the name of the choice. */
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Tests of gaps, by the id of the gap. */
export type GapCases = { readonly [Id in GapId]?: GapCase };

/** Time at which the clocks are frozen, unless a probe advances them. */
export const startTime = '2026-03-01T09:00:00Z';
/** Path of the seed of an account in Swiss francs. */
export const swissSeedPath = fileURLToPath(new URL('swiss-account.json', import.meta.url));

/** A response, with access to the fields of its body. */
export interface ResponseSummary {
  readonly status: number;
  /** The text of the error; undefined on success. */
  readonly error: unknown;
  /** Returns the value at a path of the body, such as `data.data.0.id`; undefined if there is none. */
  valueAt(path: string): unknown;
  header(name: string): string | null;
}

interface RequestOptions {
  /** One of the account's tokens (default: `full`), an unknown one, or none. */
  readonly token?: keyof AccountTokens | 'made-up' | 'none';
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of one account; every response is checked against the API document with the account's profile applied. */
export interface Client {
  get(path: string, options?: RequestOptions): Promise<ResponseSummary>;
  /** Posts JSON, or no body. */
  post(path: string, body?: unknown, options?: RequestOptions): Promise<ResponseSummary>;
  /** Sends a text as the body, or no body. */
  send(method: string, path: string, text: string | undefined, options?: RequestOptions): Promise<ResponseSummary>;
  /** Freezes the account's clock at a time. */
  freezeClockAt(now: string): void;
  /** Advances the clock by a duration such as `8d`, and waits until receivers have responded to all due messages. */
  advance(by: string): Promise<void>;
  /** Sends the webhooks that are due now, and waits until receivers have responded. */
  deliverEvents(): Promise<void>;
  /** Sends the account's webhooks to a new receiver from now on. */
  startReceiver(chooseReply?: ReplyChooser): Promise<Receiver>;
  // The next four act as a guest or customer, since the API has no operations for that. Each returns the new status of
  // the deposit or payment, or the code of the error.
  authorize(depositId: number): string;
  decline(depositId: number): string;
  payLink(linkId: number, outcome?: PaymentOutcome): string;
  payInvoice(invoiceId: number): string;
  /** Opens another account on the same server, with the same choices. */
  openAnotherAccount(): Promise<Client>;
}

export interface AccountOptions {
  /** Name of a built-in seed, or path of a seed file; `demo` by default. */
  readonly seed?: string;
  /** Time at which the clock is frozen; `startTime` by default. */
  readonly now?: string;
}

/** Time in which receivers must respond, in real time. */
const receiverTimeoutMs = 20_000;
const webhookSecret = 'a webhook secret';

const servers: RunningServer[] = [];
const receivers: Receiver[] = [];
let sharedServer: Promise<RunningServer> | undefined;
let accountCount = 0;

/** Creates an account with these choices on a shared server, whose default account has the default profile. */
export async function openAccount(choices: Choices, options: AccountOptions = {}): Promise<Client> {
  sharedServer ??= startTestServer({}, {});
  return addAccount(await sharedServer, choices, options);
}

/**
 * Starts a server whose default account has these choices. Needed for requests without a known token, which follow the
 * choices of the default account.
 */
export async function openDefaultAccount(choices: Choices, options: AccountOptions = {}): Promise<Client> {
  const server = await startTestServer(choices, options);
  if (!server.tokens) throw new Error('the server has no tokens of the demo account');
  return createClient(server, 'demo', server.tokens, choices);
}

/** Closes all servers and webhook receivers that this module has opened. */
export async function closeServers(): Promise<void> {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
  sharedServer = undefined;
}

async function startTestServer(choices: Choices, options: AccountOptions): Promise<RunningServer> {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder: undefined,
    durability: 'os',
    seed: () => readSeed(options.seed ?? 'demo'),
    choices,
    now: options.now ?? startTime,
    randomSeed: 'gaps',
    rateLimit: true,
    log: () => undefined,
  });
  servers.push(server);
  return server;
}

async function addAccount(server: RunningServer, choices: Choices, options: AccountOptions): Promise<Client> {
  accountCount += 1;
  const id = `gaps${accountCount}`;
  const { tokens: _tokens, ...seed } = await readSeed(options.seed ?? 'demo');
  const { tokens } = server.world.accounts.create({
    id,
    seed,
    choices,
    now: options.now ?? startTime,
    randomSeed: 'gaps',
    rateLimit: true,
  });
  return createClient(server, id, tokens, choices);
}

function createClient(server: RunningServer, id: string, tokens: AccountTokens, choices: Choices): Client {
  const checkedFetch = createCheckedFetch({ choices });
  const send = createSendFunction(checkedFetch, `${server.url}/api/v1`, tokens);
  const account = (): Account => findAccount({ server }, id);
  const advance = async (by: string): Promise<void> => {
    const durationMs = parseDuration(by);
    if (durationMs === undefined) throw new Error(`${by} is not a duration`);
    const { in_progress } = await account().schedule.advance({ by: durationMs, timeoutMs: receiverTimeoutMs });
    if (in_progress.length > 0) throw new Error(`${in_progress.join(', ')} were not settled in time`);
  };
  return {
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body === undefined ? undefined : JSON.stringify(body), options),
    freezeClockAt: (now) => account().schedule.freezeAt(Date.parse(now)),
    advance,
    deliverEvents: () => advance('0s'),
    async startReceiver(chooseReply = () => ({})) {
      const receiver = await openReceiver({ choices, secret: webhookSecret, now: () => account().now(), chooseReply });
      receivers.push(receiver);
      server.world.accounts.configure(account(), { webhookUrl: receiver.url, webhookSecret });
      return receiver;
    },
    authorize: (depositId) => statusAfter(() => authorizeDeposit(account(), depositId)),
    decline: (depositId) => statusAfter(() => declineDeposit(account(), depositId)),
    payLink: (linkId, outcome) => statusAfter(() => createLinkPayment(account(), linkId, { outcome })),
    payInvoice: (invoiceId) => statusAfter(() => createInvoicePayment(account(), invoiceId, {})),
    openAnotherAccount: () => addAccount(server, choices, {}),
  };
}

/** Returns the status after a change, or the code of the error if the change fails. */
function statusAfter(change: () => { readonly status: string }): string {
  try {
    return change().status;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

function createSendFunction(checkedFetch: CheckedFetch, baseUrl: string, tokens: AccountTokens): Client['send'] {
  const tokenTexts = { ...tokens, 'made-up': 'made_up', none: undefined };
  return async (method, path, text, { token = 'full', headers = {} } = {}) => {
    const tokenText = tokenTexts[token];
    const response = await checkedFetch(`${baseUrl}${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(tokenText === undefined ? {} : { Authorization: `Bearer ${tokenText}` }),
        ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const body: unknown = await response.json();
    return {
      status: response.status,
      error: valueAt(body, 'error'),
      valueAt: (path) => valueAt(body, path),
      header: (name) => response.headers.get(name),
    };
  };
}

/** Returns the value at a path of a JSON value, such as `data.data.0.id`; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce(fieldOf, value);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the value of one field for every record of a list. */
export function fieldValues(list: unknown, field: string): unknown[] {
  if (!Array.isArray(list)) throw new Error(`${JSON.stringify(list)} is not a list`);
  return list.map((row) => fieldOf(row, field));
}

/** Returns the names of an object's fields. */
export function fieldNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) throw new Error(`${JSON.stringify(value)} is not an object`);
  return Object.keys(value);
}

import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '../../src/app/server.js';
import { ServiceError } from '../../src/domain/service-error.js';
import { readSeed } from '../../src/files/seed-file.js';
import type { Choices } from '../../src/index.js';
import { parseDuration } from '../../src/lib/durations.js';
import type { GapId } from '../../src/openapi/gaps.js';
import type { Account } from '../../src/simulation/account.js';
import type { AccountTokens } from '../../src/simulation/accounts.js';
import { authorizeDeposit, declineDeposit } from '../../src/simulation/operations/deposits.js';
import { type PaymentOutcome, payInvoiceLink, payLink } from '../../src/simulation/operations/payments.js';
import { type CheckedFetch, createCheckedFetch } from '../support/checked-fetch.js';
import { openReceiver, type Receiver, type Script } from './receiver.js';

/** A test of a gap: a probe, and its expected result under each choice. */
interface GapCase {
  /** Observes the behavior that the gap leaves open, under these choices. */
  probe(choices: Choices): unknown;
  /** The values of the choices that take one. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Expected results of the probe, by choice. */
  readonly expected: Readonly<Record<string, unknown>>;
}

export type GapCases = { readonly [Id in GapId]?: GapCase };

/** Time at which the clocks are frozen, unless a probe advances them. */
export const startTime = '2026-03-01T09:00:00Z';
/** An account in Swiss francs. */
export const swissSeed = fileURLToPath(new URL('swiss-account.json', import.meta.url));

/** Summary of a response. */
export interface Result {
  readonly status: number;
  /** The text of the error; undefined on success. */
  readonly error: unknown;
  /** A part of the body by its path, such as `data.data.0.id`; undefined where there is none. */
  at(path: string): unknown;
  header(name: string): string | null;
}

interface RequestOptions {
  /** One of the account's tokens (default: `full`), an unknown one, or none. */
  readonly token?: keyof AccountTokens | 'made-up' | 'none';
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of one account; every response is checked against the document of the account's choices. */
export interface Client {
  get(path: string, options?: RequestOptions): Promise<Result>;
  /** Posts JSON, or no body. */
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Result>;
  send(method: string, path: string, text: string | undefined, options?: RequestOptions): Promise<Result>;
  /** Sets the account's clock. */
  moveTo(now: string): void;
  /** Advances it by a duration such as `8d`; settles once receivers have responded to all messages sent meanwhile. */
  advance(by: string): Promise<void>;
  /** Sends the account's webhooks to a new receiver from now on. */
  receive(script?: Script): Promise<Receiver>;
  /** Actions of guests and customers, which the API has no operations for. @returns the new status, or the error */
  authorize(deposit: number): string;
  decline(deposit: number): string;
  payLink(link: number, outcome?: PaymentOutcome): string;
  payInvoice(invoice: number): string;
  /** A client of another account on the same server, with the same choices. */
  another(): Promise<Client>;
}

export interface AccountOptions {
  readonly seed?: string;
  readonly now?: string;
}

/** Real time in which receivers must respond. */
const testTimeoutMs = 20_000;
const webhookSecret = 'the secret of the lab';

const servers: RunningServer[] = [];
const receivers: Receiver[] = [];
let shared: Promise<RunningServer> | undefined;
let accounts = 0;

/** Creates an account on a server whose default account has the default profile. */
export async function openAccount(choices: Choices, options: AccountOptions = {}): Promise<Client> {
  shared ??= startTestServer({}, {});
  return addAccount(await shared, choices, options);
}

/** The default account of a separate server, to test responses to clients without a token. */
export async function openDefaultAccount(choices: Choices, options: AccountOptions = {}): Promise<Client> {
  const server = await startTestServer(choices, options);
  if (!server.tokens) throw new Error('the tokens of the demo account are known');
  return createClient(server, 'demo', server.tokens, choices);
}

/** Closes all servers that were opened. */
export async function closeServers(): Promise<void> {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
  shared = undefined;
}

async function startTestServer(choices: Choices, options: AccountOptions): Promise<RunningServer> {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder: undefined,
    durability: 'os',
    seed: await readSeed(options.seed ?? 'demo'),
    choices,
    now: options.now ?? startTime,
    randomSeed: 'lab',
    rateLimit: true,
    log: () => undefined,
  });
  servers.push(server);
  return server;
}

async function addAccount(server: RunningServer, choices: Choices, options: AccountOptions): Promise<Client> {
  accounts += 1;
  const id = `lab${accounts}`;
  const { tokens: _fixed, ...seed } = await readSeed(options.seed ?? 'demo');
  const { tokens } = server.world.accounts.create({
    id,
    seed,
    choices,
    now: options.now ?? startTime,
    randomSeed: 'lab',
    rateLimit: true,
  });
  return createClient(server, id, tokens, choices);
}

function createClient(server: RunningServer, id: string, tokens: AccountTokens, choices: Choices): Client {
  const checkedFetch = createCheckedFetch({ choices });
  const send = sender(checkedFetch, `${server.url}/api/v1`, tokens);
  const account = (): Account => {
    const found = server.world.accounts.get(id);
    if (!found) throw new Error(`there is no account ${id}`);
    return found;
  };
  return {
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body === undefined ? undefined : JSON.stringify(body), options),
    moveTo: (now) => account().schedule.freezeAt(Date.parse(now)),
    async advance(by) {
      const span = parseDuration(by);
      if (span === undefined) throw new Error(`${by} is not a duration`);
      const { unsettled } = await account().schedule.advance({ by: span, timeoutMs: testTimeoutMs });
      if (unsettled.length > 0) throw new Error(`${unsettled.join(', ')} were not settled in time`);
    },
    async receive(script = () => ({})) {
      const receiver = await openReceiver({ choices, secret: webhookSecret, now: () => account().now(), script });
      receivers.push(receiver);
      server.world.accounts.configure(account(), { webhookUrl: receiver.url, webhookSecret });
      return receiver;
    },
    authorize: (deposit) => statusAfter(() => authorizeDeposit(account(), deposit)),
    decline: (deposit) => statusAfter(() => declineDeposit(account(), deposit)),
    payLink: (link, outcome) => statusAfter(() => payLink(account(), link, { outcome })),
    payInvoice: (invoice) => statusAfter(() => payInvoiceLink(account(), invoice, {})),
    another: () => addAccount(server, choices, {}),
  };
}

/** Returns the status after a change, or the code of its error. */
function statusAfter(change: () => { readonly status: string }): string {
  try {
    return change().status;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

function sender(checkedFetch: CheckedFetch, baseUrl: string, tokens: AccountTokens): Client['send'] {
  const texts = { ...tokens, 'made-up': 'made_up', none: undefined };
  return async (method, path, text, { token = 'full', headers = {} } = {}) => {
    const sent = texts[token];
    const response = await checkedFetch(`${baseUrl}${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(sent === undefined ? {} : { Authorization: `Bearer ${sent}` }),
        ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const body: unknown = await response.json();
    const at = (place: string): unknown => partAt(body, place);
    return { status: response.status, error: at('error'), at, header: (name) => response.headers.get(name) };
  };
}

/** A part of a JSON value by its path, such as `data.data.0.id`; undefined where there is none. */
export function partAt(value: unknown, path: string): unknown {
  return path.split('.').reduce(partOf, value);
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the value of one field for every record of a list. */
export function column(list: unknown, field: string): unknown[] {
  if (!Array.isArray(list)) throw new Error(`${JSON.stringify(list)} is not a list`);
  return list.map((row) => partOf(row, field));
}

/** The names of an object's fields. */
export function fields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) throw new Error(`${JSON.stringify(value)} is not an object`);
  return Object.keys(value);
}

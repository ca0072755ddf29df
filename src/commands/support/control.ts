import type { IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { Answer } from '../../generated/answer-validators.js';
import type { paths } from '../../generated/control-types.js';
import { version } from '../../generated/version.js';
import { errorCode } from '../../lib/error-code.js';
import { tryParseJson } from '../../lib/parse-json.js';
import { dataErrorOf } from '../../lib/schema-errors.js';
import { readAccount, readUrl } from './arguments.js';
import { CommandError } from './command-error.js';
import { printable } from './output.js';

/** Flags of every command that calls a simulator. */
export interface ControlFlags {
  readonly url: string;
  readonly controlToken?: string;
  readonly json?: true;
  /** Omitted by commands that are not about a single account. */
  readonly account?: string;
}

type Method = 'get' | 'put' | 'patch' | 'post' | 'delete';
/** Paths of the control API that support a method. */
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, object>> ? P : never;
}[keyof paths];
type Json<Message> = Message extends { readonly content: { readonly 'application/json': infer Value } } ? Value : never;
type Body<Operation> = Operation extends { readonly requestBody?: infer Content } ? Json<Content> : never;

interface RequestParts<Content> {
  /** Values for `{deposit}` and so on in the path. `{account}` defaults to that of the flags. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Undefined fields are omitted. */
  readonly body?: { [Field in keyof Content]: Content[Field] | undefined };
}

/** Client for the control API of a running simulator. */
export interface Control {
  readonly url: string;
  readonly account: string;
  /** Sends a request. @throws CommandError with the error message of the simulator, or if it does not respond */
  call<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    asked?: RequestParts<Body<paths[P][M]>>,
  ): Promise<Answer<paths[P][M]>>;
}

/** Query for the largest page that a list can have. */
export const wholeList = { per_page: 10_000 };

/** The simulator cannot be reached. */
export class UnreachableError extends CommandError {}

/** Adds the options to find a simulator. */
export function addConnectionOptions(command: Command): Command {
  const url = new Option('--url <url>', 'URL of the simulator')
    .env('BILLING_SIM_URL')
    .default('http://127.0.0.1:4010')
    .argParser(readUrl);
  const token = new Option('--control-token <token>', 'control token that the simulator was started with');
  return command.addOption(url).addOption(token.env('BILLING_SIM_CONTROL_TOKEN')).option('--json', 'print JSON');
}

/** Adds the options to find an account of a simulator. */
export function addAccountOptions(command: Command): Command {
  const account = new Option('--account <id>', 'account to use')
    .env('BILLING_SIM_ACCOUNT')
    .default('demo')
    .argParser(readAccount);
  return addConnectionOptions(command.addOption(account));
}

/**
 * Connects to a simulator, and warns if it is of another version.
 * @param connectTimeoutMs limit for the health check only; later requests may take any time
 * @throws CommandError if no simulator responds
 */
export async function connect(
  { url, account = '', controlToken }: ControlFlags,
  connectTimeoutMs = 10_000,
  warn: (line: string) => void = (line) => console.error(line),
): Promise<Control> {
  const { answerValidators } = await import('../../generated/answer-validators.js');
  const send = await senderOf(url);
  const notSimulator = new CommandError(
    `the server at ${url} is not billing-sim; give the address of a simulator with --url`,
  );

  const call: Control['call'] = async (method, path, { path: parts = {}, query = {}, body } = {}) => {
    const filled: Readonly<Record<string, string>> = { account, ...parts };
    const place = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(filled[name] ?? ''));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    const answer = await send({
      timeoutMs: path === '/health' ? connectTimeoutMs : undefined,
      method,
      path: `/_sim${place}${search.size > 0 ? `?${search}` : ''}`,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: controlToken ? { Authorization: `Bearer ${controlToken}` } : {},
    });
    const value = tryParseJson(answer.text);
    if (answer.status >= 400) throw refused(value, answer) ?? notSimulator;
    const isAnswer = answerValidators[path][method];
    if (!isAnswer) throw new Error(`the document has no JSON answer of ${method} ${path}`);
    if (isAnswer(value)) return value;
    if (path === '/health') throw notSimulator;
    throw new CommandError(
      `billing-sim ${version} cannot read the response of the simulator at ${url} to ${method.toUpperCase()} ${path}: ${dataErrorOf(isAnswer.errors, 'body')}`,
    );
  };

  const health = await call('get', '/health');
  if (health.version !== version) {
    const theirs = printable(health.version);
    warn(`Warning: this is billing-sim ${version}, the simulator at ${url} is ${theirs}; some commands may not work.`);
  }
  return { url, account, call };
}

interface Sent {
  readonly method: Method;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number | undefined;
}

interface Received {
  readonly status: number;
  readonly hint: string | undefined;
  readonly text: string;
}

/** Sends over HTTP. `fetch` would give up after five minutes, but an advance may wait longer for receivers. */
async function senderOf(url: string): Promise<(sent: Sent) => Promise<Received>> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return async ({ method, path, body, headers, timeoutMs }) => {
    const options = {
      method: method.toUpperCase(),
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
    };
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(url + path, options, resolve)
          .on('error', reject)
          .end(body);
      });
      const hint = response.headers['x-sim-hint'];
      return {
        status: response.statusCode ?? 0,
        hint: typeof hint === 'string' ? hint : undefined,
        text: await textOf(response),
      };
    } catch (error) {
      const code = errorCode(error) ?? error;
      const why = code === 'ABORT_ERR' ? 'timed out' : code;
      throw new UnreachableError(
        `cannot reach a simulator at ${url} (${why}); start one with billing-sim start, or give its address with --url`,
      );
    }
  };
}

/** Hints for errors to which the simulator adds none. */
const ways: Readonly<Record<string, string>> = {
  'The control token is missing or wrong.': 'pass it with --control-token or in BILLING_SIM_CONTROL_TOKEN',
  'Account not found': 'list the accounts with billing-sim account list',
  'Deposit not found': 'list the deposits with GET /api/v1/deposits',
  'Invoice not found': 'list the invoices with GET /api/v1/invoices',
  'Payment link not found': 'list the payment links with GET /api/v1/payment-links',
  'Delivery not found': 'list the deliveries with billing-sim deliveries list',
  'Mail not found': 'list the mails with billing-sim mails list',
  'Run not found': 'list the runs with billing-sim scenario list',
  'Fault not found': 'list the faults with billing-sim fault list',
  'Snapshot not found': 'list the snapshots with billing-sim snapshot list',
};

/** Error of an error envelope; undefined for any other value. */
function refused(value: unknown, { hint }: Received): CommandError | undefined {
  if (typeof value !== 'object' || value === null || !('success' in value && 'error' in value)) return undefined;
  const error = String(value.error);
  const way = ways[error] ?? hint;
  return new CommandError(way === undefined ? error : `${error.replace(/\.$/, '')}; ${way}`);
}

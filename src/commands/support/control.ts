import type { IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { defaultAccountId, defaultUrl } from '../../domain/defaults.js';
import type { ErrorCode } from '../../domain/service-error.js';
import type { paths } from '../../generated/control-types.js';
import type { ResponseBody } from '../../generated/response-validators.js';
import { version } from '../../generated/version.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import { errorCode } from '../../lib/errors.js';
import { isRecord, memberOf, tryParseJson } from '../../lib/json.js';
import { fillPath } from '../../lib/path-template.js';
import { describeDataError } from '../../lib/schema-errors.js';
import { type CommandTarget, nextCommand } from '../../text/next-command.js';
import { readControlToken, readName, readSimulatorUrl } from './arguments.js';
import { CommandError } from './command-error.js';
import { maxPageSize, printable } from './output.js';
import { printNotice } from './style.js';

/** Flags of every command that calls a simulator. */
export interface ControlFlags {
  readonly url: string;
  readonly controlToken?: string;
  readonly json?: true;
  /** Omitted by commands that are not about a single account. */
  readonly account?: string;
  /** True if `url` is from the command line, so that the next command needs the option, too. */
  readonly hasUrlOption?: boolean;
}

type Method = 'get' | 'put' | 'patch' | 'post' | 'delete';
/** Paths of the control API that support a method. */
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, object>> ? P : never;
}[keyof paths];
type Json<Message> = Message extends { readonly content: { readonly 'application/json': infer Value } } ? Value : never;
type Body<Operation> = Operation extends { readonly requestBody?: infer Content } ? Json<Content> : never;

interface RequestParts<Content> {
  /** Values for the placeholders of the path, such as `{deposit}`. `{account}` defaults to the account of the flags. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Maximum time for the response. Default: no limit. */
  readonly timeoutMs?: number;
  /** Undefined fields are omitted. */
  readonly body?: { [Field in keyof Content]: Content[Field] | undefined };
}

/** Client for the control API of a running simulator. */
export interface Control {
  readonly url: string;
  readonly account: string;
  /** Formats a command about the same account for the user to run next. */
  nextCommand(words: string): string;
  /** Sends a request. @throws CommandError with the error message of the simulator, or if it does not respond */
  call<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    requestParts?: RequestParts<Body<paths[P][M]>>,
  ): Promise<ResponseBody<paths[P][M]>>;
}

/** Query for a list on a single page, of the maximum size. */
export const singlePageQuery = { per_page: maxPageSize };

/** Error for a simulator that cannot be reached. */
export class UnreachableError extends CommandError {
  constructor(message: string) {
    super(message, 'unreachable');
  }
}

/** Error that the simulator returned for a request. */
export class RejectedError extends CommandError {
  /** HTTP status of the response. */
  readonly status: number;
  /** Names of the fields that are invalid; empty if the error is not about fields. */
  readonly fields: readonly string[];

  constructor(message: string, { status, fields }: Pick<RejectedError, 'status' | 'fields'>) {
    super(message, 'rejected');
    this.status = status;
    this.fields = fields;
  }
}

/** Adds the options that every command needs to call a simulator. */
export function addConnectionOptions(command: Command): Command {
  const url = new Option('--url <url>', 'URL of the simulator').default(defaultUrl).argParser(readSimulatorUrl);
  const token = new Option('--control-token <token>', 'control token that the simulator was started with').argParser(
    readControlToken,
  );
  return command.addOption(url).addOption(token).option('--json', 'print JSON');
}

/** Adds the options that a command needs to call a simulator about one account. */
export function addAccountOptions(command: Command): Command {
  const account = new Option('--account <id>', 'account to use').default(defaultAccountId).argParser(readName);
  return addConnectionOptions(command.addOption(account));
}

/** Returns the flags of a command that calls a simulator. */
export function controlFlagsOf<Flags extends object>(command: Command): Flags & ControlFlags {
  const flags = command.optsWithGlobals<Flags & ControlFlags>();
  return { ...flags, hasUrlOption: command.getOptionValueSourceWithGlobals('url') === 'cli' };
}

/**
 * Connects to a simulator, and warns if it has another version.
 * @param connectTimeoutMs timeout of the health check only; each later request may have its own
 * @throws CommandError if no simulator responds
 */
export async function connect(
  { url, account = '', controlToken, hasUrlOption = false }: ControlFlags,
  warn: (line: string) => void = printNotice,
  connectTimeoutMs = 10_000,
): Promise<Control> {
  const { responseValidators } = await import('../../generated/response-validators.js');
  const send = await createSender(url);
  const shownUrl = withoutPassword(url);
  const { pathname } = new URL(url);
  const pathHint = pathname === '/' ? '' : `, usually without a path such as ${pathname}`;
  const notSimulatorError = new CommandError(
    `the server at ${shownUrl} is not billing-sim; give the address of a simulator with --url${pathHint}`,
  );

  const target = { account, url: hasUrlOption ? url : undefined };

  const call: Control['call'] = async (
    method,
    path,
    { path: givenPathValues = {}, query = {}, timeoutMs, body } = {},
  ) => {
    const pathValues: Readonly<Record<string, string>> = { account, ...givenPathValues };
    const response = await send({
      timeoutMs,
      method,
      path: `/_sim${fillPath(path, (name) => pathValues[name])}${queryText(query)}`,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: controlToken ? { Authorization: `Bearer ${controlToken}` } : {},
    });
    const value = tryParseJson(response.text);
    if (response.status >= 400) {
      const error = errorOf(value, response, target) ?? notSimulatorError;
      // `withNearestAccount` calls this function to list the accounts. The path of that call has no account, so its
      // error does not lead here again.
      const isUnknownAccount = path.includes('{account}') && memberOf(value, 'code') === 'account-not-found';
      throw isUnknownAccount ? await withNearestAccount(error, call, pathValues['account']) : error;
    }
    const validateResponse = responseValidators[path][method];
    if (!validateResponse) throw new Error(`openapi/control.yaml has no JSON response for ${method} ${path}`);
    if (validateResponse(value)) return value;
    if (path === '/health') throw notSimulatorError;
    throw new CommandError(
      `billing-sim ${version} cannot read the response of the simulator at ${shownUrl} to ${method.toUpperCase()} ${path}: ${describeDataError(validateResponse.errors, 'body')}`,
    );
  };

  const health = await call('get', '/health', { timeoutMs: connectTimeoutMs });
  if (health.version !== version) {
    const simulatorVersion = printable(health.version);
    warn(
      `Warning: this is billing-sim ${version}, but the simulator at ${shownUrl} is ${simulatorVersion}; some commands may not work.`,
    );
  }
  return { url, account, call, nextCommand: (words) => nextCommand(words, target) };
}

/** Formats a query: `?status=paid`, or an empty string without parameters. */
function queryText(query: NonNullable<RequestParts<never>['query']>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `?${search}` : '';
}

interface OutgoingRequest {
  readonly method: Method;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number | undefined;
}

interface ReceivedResponse {
  readonly status: number;
  readonly hint: string | undefined;
  readonly text: string;
}

/**
 * Creates a function that sends requests. It does not use `fetch`, which gives up after five minutes, because an
 * advance may take longer.
 */
async function createSender(url: string): Promise<(outgoing: OutgoingRequest) => Promise<ReceivedResponse>> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  const shownUrl = withoutPassword(url);
  return async ({ method, path, body, headers, timeoutMs }) => {
    const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const options = {
      method: method.toUpperCase(),
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(timeout && { signal: timeout }),
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
      if (timeoutMs !== undefined && timeout?.aborted) {
        throw new UnreachableError(
          `${shownUrl} does not respond (timed out after ${timeoutMs / 1_000} s); check that a simulator is running there, or give its address with --url`,
        );
      }
      const reason = errorCode(error) ?? error;
      // Node reports the same code if the connection ends early, for example because the simulator stops.
      if (reason === 'ECONNRESET') {
        throw new UnreachableError(
          `the connection to ${shownUrl} was closed before the response was complete (${reason}); check that the simulator is still running there`,
        );
      }
      throw new UnreachableError(
        `cannot reach a simulator at ${shownUrl} (${reason}); start one with billing-sim start, or give its address with --url`,
      );
    }
  };
}

/** Masks the password in a URL, for messages, which may end up in the log of a CI job. */
function withoutPassword(url: string): string {
  return url.replace(/^(https?:\/\/[^/?#@]*:)[^/?#]*@/, '$1****@');
}

/**
 * Replaces the hint of an error with the name of the most similar account; returns the error itself if none is similar.
 */
async function withNearestAccount(error: CommandError, call: Control['call'], account = ''): Promise<CommandError> {
  const suggestion = await call('get', '/accounts', { query: singlePageQuery }).then(
    ({ data }) =>
      didYouMean(
        account,
        data.map(({ id }) => id),
        { listKnown: 'never' },
      ),
    // If the list cannot be read either, the original error is reported.
    () => '',
  );
  return suggestion === '' ? error : new CommandError(`Account not found${suggestion}`, error.code);
}

type Hint = (target: CommandTarget) => string;

/** Hints that name a command, by error code. They take precedence over the hints of the simulator. */
const hints: ReadonlyMap<unknown, Hint> = new Map<ErrorCode, Hint>([
  ['control-token-invalid', () => 'pass it with --control-token or in BILLING_SIM_CONTROL_TOKEN'],
  ['account-not-found', ({ url }) => `list the accounts with ${nextCommand('account list', { url })}`],
  ['deposit-not-found', (target) => `list the deposits with ${nextCommand('deposit list', target)}`],
  ['invoice-not-found', (target) => `list the invoices with ${nextCommand('invoice list', target)}`],
  ['payment-not-found', (target) => `list the payments with ${nextCommand('payment list', target)}`],
  ['payment-link-not-found', (target) => `list the payment links with ${nextCommand('payment-link list', target)}`],
  ['token-not-found', (target) => `list the tokens with ${nextCommand('token list', target)}`],
  ['request-not-found', (target) => `list the requests with ${nextCommand('requests list', target)}`],
  ['delivery-not-found', (target) => `list the deliveries with ${nextCommand('deliveries list', target)}`],
  ['webhook-url-missing', (target) => `set one with ${nextCommand('settings set --webhook-url URL', target)}`],
  ['mail-not-found', (target) => `list the emails with ${nextCommand('mails list', target)}`],
  ['run-not-found', (target) => `list the runs with ${nextCommand('scenario list', target)}`],
  ['fault-not-found', (target) => `list the faults with ${nextCommand('fault list', target)}`],
  ['snapshot-not-found', (target) => `list the snapshots with ${nextCommand('snapshot list', target)}`],
]);

/** Turns the body of an error response into an error; undefined if the body is not from a simulator. */
function errorOf(value: unknown, { status, hint }: ReceivedResponse, target: CommandTarget): CommandError | undefined {
  if (typeof value !== 'object' || value === null || !('success' in value && 'error' in value)) return undefined;
  const fieldErrors = 'errors' in value && isRecord(value.errors) ? value.errors : {};
  // Of several messages about fields, `error` has only the first one and a count.
  const messages = new Set(Object.values(fieldErrors).flat().map(String));
  const error = printable(messages.size > 1 ? [...messages].join('; ') : String(value.error));
  const advice = hints.get(memberOf(value, 'code'))?.(target) ?? hint;
  // Some messages already say what to do.
  const isComplete = advice === undefined || error.includes(advice);
  const message = isComplete ? error : `${error.replace(/\.$/, '')}; ${advice}`;
  return new RejectedError(message, { status, fields: Object.keys(fieldErrors) });
}

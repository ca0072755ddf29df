import { certificateHint } from '../../lib/certificate-hint.js';
import { errorMessage } from '../../lib/errors.js';
import { isRecord } from '../../lib/json.js';
import { withoutTrailingSlashes } from '../../lib/path-template.js';
import { fullCreation } from '../sections/invoice-creation/setups.js';
import { CannotRun } from './cannot-run.js';
import { Blocked } from './check-errors.js';
import type { Exchange, TokenKind } from './exchange.js';
import { describeError, isClientError, isSuccess, isTokenRefused, valueAt } from './expect.js';
import { ifPossible } from './if-possible.js';
import { openReceiver } from './receiver.js';
import { ClauseContext, type Session } from './session.js';
import type { Target } from './target.js';

/**
 * Checks that the target can be tested: requests the list of invoices, and if that fails, the statistics. If only one
 * of these operations is faulty, that is not a reason to stop: its clauses will report it.
 * @returns an exchange with the service
 * @throws CannotRun
 */
export async function preflight(target: Target): Promise<Exchange> {
  const list = await requestService(target, '/invoices?per_page=1');
  if (!(list instanceof CannotRun)) return list;
  const statistics = await requestService(target, '/invoices/stats');
  if (!(statistics instanceof CannotRun)) return statistics;
  throw list;
}

/**
 * Sends a GET request, and checks that the response comes from an implementation of the service.
 * @returns the exchange, or an error that explains why the target cannot be tested
 * @throws CannotRun if the rate limit is used up
 */
async function requestService(target: Target, path: string): Promise<Exchange | CannotRun> {
  const exchange = await request(target, path);
  if (exchange instanceof Unreachable || isService(target, exchange)) return exchange;
  return new CannotRun(target.redact(explainProblem(target.options.baseUrl, exchange)));
}

/** The target did not respond to a request. */
class Unreachable extends CannotRun {}

/**
 * Checks the tokens of a run, except the one without scopes, which no operation accepts. Without permission to write, a
 * token that can only write cannot be checked.
 * @throws CannotRun
 */
export async function checkTokens(target: Target): Promise<void> {
  if (target.options.mayWrite) await checkWriteAccess(target);
  const refusedTokens = new Set<FurtherToken>();
  for (const [token, method] of furtherTokenChecks(target)) {
    if (!(await isTokenAccepted(target, token, method))) refusedTokens.add(token);
  }
  // A target that refuses only one of the two has a defect, which clauses report.
  if (refusedTokens.has('read') && refusedTokens.has('write')) {
    throw new CannotRun(
      `${target.options.baseUrl} refuses the read token for GET and the write token for POST: if they are not swapped, check the scopes of --read-token and --write-token`,
    );
  }
}

/** The kinds of further tokens that `checkTokens` checks, with their names and the advice about them in messages. */
const furtherTokens = {
  read: { name: 'read token', advice: 'check --read-token' },
  write: { name: 'write token', advice: 'check --write-token' },
  otherAccount: {
    name: 'token of the other account',
    advice: 'check --other-account-token, which needs both scopes',
  },
} as const;
type FurtherToken = keyof typeof furtherTokens;

/** Tokens that `checkTokens` checks in addition to `full`, each with a method of the requests that it must be good for. */
const possibleTokenChecks = [
  ['read', 'GET'],
  ['write', 'POST'],
  ['otherAccount', 'GET'],
  ['otherAccount', 'POST'],
] as const;

/** Selects those of `possibleTokenChecks` that a run makes, usually with one request each. */
export function furtherTokenChecks({ options: { tokens, mayWrite } }: Target): (typeof possibleTokenChecks)[number][] {
  return possibleTokenChecks.filter(([kind, method]) => tokens[kind] !== undefined && (mayWrite || method === 'GET'));
}

/** Paths that are requested to check a token. If only one of the operations refuses it, its clauses will report it. */
const readPaths = ['/invoices?per_page=1', '/invoices/stats'];
const writePaths = ['/invoices', '/payment-links'];

/**
 * Checks that the target knows the token. Otherwise its requests would all be refused, which looks like violations, and
 * like the refusals that a missing scope must cause. The token of another account must also have the scope: no clause
 * reports that it lacks it, and clauses would take its refusals for the protection of the account's records.
 * @returns false if each of the operations refuses the token, but not as it refuses one that was never issued
 * @throws CannotRun if each of them refuses it as one that was never issued; that of another account, for any reason
 */
async function isTokenAccepted(target: Target, token: FurtherToken, method: 'GET' | 'POST'): Promise<boolean> {
  let refusal = '';
  let isKnown = false;
  for (const path of method === 'GET' ? readPaths : writePaths) {
    const exchange = await request(target, path, method, token);
    if (exchange instanceof Unreachable || !isTokenRefused(exchange)) return true;
    refusal = describeError(exchange);
    if (token === 'otherAccount') continue;
    const withUnknownToken = await request(target, path, method, 'unknown');
    isKnown ||= withUnknownToken instanceof Unreachable || !isSameRefusal(exchange, withUnknownToken);
  }
  if (isKnown) return false;
  const { name, advice } = furtherTokens[token];
  throw new CannotRun(target.redact(`${target.options.baseUrl} refuses the ${name} (${refusal}); ${advice}`));
}

/** True if two refusals differ at most in numbers and in sequences of hex digits, such as the id of the request. */
function isSameRefusal(...exchanges: [Exchange, Exchange]): boolean {
  const [first, second] = exchanges.map((exchange) => describeError(exchange).replace(/[0-9a-f-]{8,}|\d+/gi, '#'));
  return first === second;
}

/**
 * Checks that the token may write, so that a missing scope does not count as a violation. Sends empty bodies, which
 * create nothing.
 * @throws CannotRun if both operations refuse the token, or neither responds; if only one does, its clauses will report
 *   it
 */
async function checkWriteAccess(target: Target): Promise<void> {
  const failures: CannotRun[] = [];
  for (const path of writePaths) {
    const failure = await whyNotWritable(target, path);
    if (!failure) return;
    failures.push(failure);
  }
  const failure = failures.find((other) => !(other instanceof Unreachable)) ?? failures[0];
  if (failure) throw failure;
}

/**
 * Sends an empty body. @returns an error if the target refuses the token, or does not respond
 * @throws CannotRun if the rate limit is used up
 */
async function whyNotWritable(target: Target, path: string): Promise<CannotRun | undefined> {
  const exchange = await request(target, path, 'POST');
  if (exchange instanceof Unreachable) return exchange;
  if (!isTokenRefused(exchange)) return undefined;
  return new CannotRun(
    `${target.options.baseUrl} accepts the token for GET and refuses it for POST: use a token with both scopes`,
    { cliHint: ', or run without writes (--no-write)' },
  );
}

/**
 * Checks that the target accepts the customer of `--customer-id`, so that a wrong id does not count as a violation.
 * Creates the first invoice of the run, which clauses use, too.
 * @throws CannotRun if the target refuses the invoice with an error about the customer
 */
export async function checkCustomer(session: Session): Promise<void> {
  const { customerId } = session.options;
  if (customerId === undefined) return;
  const creation = await ifPossible(new ClauseContext(session, 'preflight').use(fullCreation));
  if (!creation || !isClientError(creation.exchange) || !isAboutCustomer(creation.exchange)) return;
  throw new CannotRun(
    `${session.target.options.baseUrl} refuses customer ${customerId} (${creation.exchange.status}); check --customer-id`,
  );
}

/**
 * Checks that the suite can receive webhooks on the port of `--webhook-port`. Otherwise every clause about webhooks would
 * be skipped, and the run could pass without them.
 * @throws CannotRun
 */
export async function checkWebhookPort(port: number | undefined): Promise<void> {
  // Port 0 picks a free one.
  if (!port) return;
  const receiver = await openReceiver({ port, secret: undefined, redact: (text) => text }).catch((error: unknown) => {
    throw new CannotRun(
      `the suite cannot receive webhooks on port ${port} (${errorMessage(error)}); choose another with --webhook-port`,
    );
  });
  await receiver.close();
}

/** True if an error is about the customer: in `errors`, which is optional, or in the text of `error`. */
function isAboutCustomer({ json }: Exchange): boolean {
  return valueAt(json, 'errors.customer_id') !== undefined || /customer/i.test(String(valueAt(json, 'error')));
}

/** Sends a request. @throws CannotRun if the rate limit is used up */
async function request(
  target: Target,
  path: string,
  method: 'GET' | 'POST' = 'GET',
  token: TokenKind = 'full',
): Promise<Exchange | Unreachable> {
  const { baseUrl } = target.options;
  try {
    return await target.send({ method, path, token, ...(method === 'POST' ? { body: {} } : {}) });
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    // Of the errors of `send`, only the one about a used-up rate limit has an exchange.
    if (error.exchange) throw new CannotRun(`${baseUrl}: the rate limit is used up; try again later`);
    const { message } = error;
    const hint = certificateHint(message) ?? hints.find(([pattern]) => pattern.test(message))?.[1];
    return new Unreachable(`${baseUrl} cannot be reached: ${hint === undefined ? message : `${hint} (${message})`}`);
  }
}

/** Explanations of network errors. */
const hints: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'the host does not exist; check the base URL'],
  [/ECONNREFUSED/, 'nothing listens at this address; check the base URL'],
  [/wrong version number|EPROTO|packet length/, 'it does not speak TLS; should the base URL begin with http://?'],
  [/exceeded/, 'it did not respond in time; see --timeout'],
];

/**
 * True if a response seems to come from an implementation of the service, perhaps a faulty one, that accepted the
 * token: it is a success with `success` or `data` in its body, and the base URL ends with the version prefix.
 */
function isService({ options }: Target, exchange: Exchange): boolean {
  return endsWithVersionPrefix(options.baseUrl) && isSuccess(exchange) && isEnvelope(exchange.json);
}

function isEnvelope(json: unknown): boolean {
  return isRecord(json) && ('success' in json || 'data' in json);
}

const versionPrefix = '/api/v1';

function endsWithVersionPrefix(baseUrl: string): boolean {
  // Only the path counts: in `http://api/v1`, `api` is the host.
  return new URL(baseUrl).pathname.endsWith(versionPrefix);
}

/** Replaces what seems to be another version prefix, or a part of one, at the end of a base URL. */
function withVersionPrefix(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + withoutTrailingSlashes(pathname).replace(/\/(api(\/.*)?|v\d+)$/, '') + versionPrefix;
}

/** Explains what is wrong with the response to the request for the list of invoices. */
function explainProblem(baseUrl: string, exchange: Exchange): string {
  const { status, headers, text, json } = exchange;
  if (status >= 300 && status < 400) {
    return `${baseUrl} redirects to ${headers['location'] ?? 'another address'}; check the base URL`;
  }
  // A gateway in front of a service that is down also sends HTML.
  if (status < 500 && /^text\/html/i.test(headers['content-type'] ?? '') && !isRecord(json)) {
    return `${baseUrl} responds with an HTML page (${status}); it may be a login page, or a different service`;
  }
  if (!endsWithVersionPrefix(baseUrl)) {
    return `the base URL must end with the version prefix: did you mean ${withVersionPrefix(baseUrl)}?`;
  }
  if (status === 401) return `${baseUrl} refuses the token (${describeError(exchange)}); check the token`;
  if (status === 403) return `${baseUrl} refuses the token (${describeError(exchange)}): the token needs both scopes`;
  if (status === 404) return `${baseUrl} has no /invoices (404); check the base URL`;
  if (status >= 400)
    return `${baseUrl} responds to GET /invoices with ${describeError(exchange)}: it cannot handle requests at the moment`;
  if (text.trim() === '')
    return `${baseUrl} responds to GET /invoices with ${status} and an empty body: this is not a Billing Service; check the base URL`;
  if (json === undefined)
    return `${baseUrl} responds to GET /invoices with a body that is not JSON: this is not a Billing Service; check the base URL`;
  return `${baseUrl} responds to GET /invoices with JSON that has neither \`success\` nor \`data\`; check the base URL`;
}

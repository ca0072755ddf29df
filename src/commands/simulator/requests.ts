import { Command } from 'commander';
import type { components } from '../../generated/control-types.js';
import { formatCount, formatTime } from '../../text/format.js';
import { readLimit, readMethod, readRequestId, readStatusFilter } from '../support/arguments.js';
import { addAccountOptions, type Control, type ControlFlags, connect, controlFlagsOf } from '../support/control.js';
import { example, notes } from '../support/help-text.js';
import { type CommandOutput, columns, listOutput, onOneLine, printable } from '../support/output.js';
import { stopOnSignalOrClosedOutput } from '../support/stop-signal.js';
import { printNotice, printText } from '../support/style.js';
import { addSubcommands, controlAction } from '../support/subcommand.js';
import { pollSimulator } from './poll.js';
import { requestCells } from './request-cells.js';

type LoggedRequest = components['schemas']['LoggedRequest'];
type RequestDetails = components['schemas']['RequestDetails'];

interface Filters {
  readonly status?: string;
  readonly method?: string;
  readonly operation?: string;
  readonly token?: string;
}

/** Interval at which `tail` reads the log. */
const pollIntervalMs = 500;

/** Maximum time for a response of the simulator, after which the connection counts as lost. */
const responseTimeoutMs = 5_000;

/** Number of requests that `tail` reads at a time. If all of them are new, it reads the whole log. */
const tailPageSize = 50;

/** Maximum number of requests in the log of an account. */
const logSize = 1_000;

export function createCommand(): Command {
  const requests = new Command('requests')
    .description('show the requests to the service')
    .addHelpText('after', example('requests list --status 422', 'requests tail'));
  return addSubcommands(addAccountOptions(requests), [
    addFilters(new Command('list'))
      .description('list the last 1,000 requests, newest first')
      .option('--limit <number>', 'maximum number to show', readLimit, 100)
      .addHelpText('after', example('requests list --method POST --limit 10'))
      .action(controlAction(list)),
    new Command('show')
      .description('show a request with headers, bodies and the response; credentials are masked')
      .argument('<id>', 'id of the request, as in its X-Request-Id header', readRequestId)
      .addHelpText('after', example('requests show req_1'))
      .action(
        controlAction(async ({ call }, _flags, request) => {
          const value = await call('get', '/accounts/{account}/requests/{request}', { path: { request } });
          return { value, text: formatDetails(value) };
        }),
      ),
    addFilters(new Command('tail'))
      .description('print requests as they are answered')
      .addHelpText('after', example('requests tail --operation createDeposit', 'requests tail --json'))
      .addHelpText(
        'after',
        notes(
          'The command prints only requests that are answered after it has started. If the simulator stops, the command waits until it can connect again. With --json, each line is a request.',
        ),
      )
      .action(async function (this: Command) {
        await tail(controlFlagsOf<Filters>(this));
      }),
  ]);
}

function addFilters(command: Command): Command {
  return command
    .option(
      '--status <status>',
      'only requests that were answered with this status, such as 404, or class, such as 4xx',
      readStatusFilter,
    )
    .option('--method <name>', 'only requests with this method', readMethod)
    .option('--operation <id>', 'only requests for this operation, such as createDeposit')
    .option('--token <name>', 'only requests with the token of this name');
}

function queryOf({ status, method, operation, token }: Filters, limit: number) {
  return { status, method, operation, token, per_page: limit };
}

async function list({ call }: Control, flags: Filters & { readonly limit: number }): Promise<CommandOutput> {
  const value = await call('get', '/accounts/{account}/requests', { query: queryOf(flags, flags.limit) });
  return listOutput(value, 'No requests.', requestCells);
}

/** Prints new requests until the command is stopped. Continues after a restart of the simulator. */
async function tail(flags: ControlFlags & Filters): Promise<void> {
  const stopSignal = stopOnSignalOrClosedOutput();
  const { call } = await connect(flags);
  const readLatest = async (limit: number): Promise<readonly LoggedRequest[]> => {
    const query = queryOf(flags, limit);
    return (await call('get', '/accounts/{account}/requests', { query, timeoutMs: responseTimeoutMs })).data;
  };
  const readStartTime = async (): Promise<string | undefined> =>
    (await call('get', '/health', { timeoutMs: responseTimeoutMs })).started_at;
  let startTime = await readStartTime();
  // Requests that were logged before the command started are not printed.
  let seenIds = new Set((await readLatest(logSize)).map(({ id }) => id));
  const notice = 'Waiting for requests. Press Ctrl-C to stop.';
  if (flags.json) printNotice(notice);
  else printText(notice);
  await pollSimulator({ intervalMs: pollIntervalMs, maxRetryDelayMs: pollIntervalMs, stopSignal }, async () => {
    const currentStartTime = await readStartTime();
    // A simulator that has restarted counts its requests from 1 again.
    if (currentStartTime !== startTime) seenIds = new Set();
    startTime = currentStartTime;
    const isNew = ({ id }: LoggedRequest): boolean => !seenIds.has(id);
    const latest = await readLatest(tailPageSize);
    const isBurst = latest.length === tailPageSize && latest.every(isNew);
    const newRequests = (isBurst ? await readLatest(logSize) : latest).filter(isNew);
    // Keeps as many ids as the log can contain, newest first, because a burst makes the command read the whole log.
    seenIds = new Set([...newRequests.map(({ id }) => id), ...seenIds].slice(0, logSize));
    return () => {
      for (const request of newRequests.toReversed()) {
        if (flags.json) console.log(JSON.stringify(request));
        else printText(onOneLine(requestCells(request).join('  ')));
      }
    };
  });
}

function formatDetails(details: RequestDetails): string {
  const { id, at, method, path, operation, token, status, milliseconds, faults, sent, received } = details;
  const head = columns([
    ['id', id],
    ['received', formatTime(at)],
    ['request', `${method} ${path}`],
    ['operation', operation ?? 'unknown'],
    ['token', token ?? 'none or unknown'],
    ['status', String(status ?? 'no response')],
    ['took', `${milliseconds.toFixed(1)} ms`],
    ...errorRows(details),
    ...(faults.length === 0 ? [] : [['faults', faults.join(', ')]]),
  ]);
  const response = received === null ? ['No response was sent.'] : messageBlocks('Response', received);
  return [head, ...messageBlocks('Request', sent), ...response].join('\n\n');
}

/** Rows about the error of a response: its text with the hint, and the messages about each invalid field. */
function errorRows({ error, error_details }: RequestDetails): string[][] {
  if (error === null) return [];
  const { hint = null, fields = [] } = error_details ?? {};
  return [
    ['error', hint === null ? error : `${error.replace(/\.$/, '')}; ${hint}`],
    ...fields.map(({ field, messages }) => ['', `${field}: ${messages.join(' ')}`]),
  ];
}

/** Formats the headers and the body of a request or a response, as blocks below a title. */
function messageBlocks(title: string, { headers, body }: RequestDetails['sent']): string[] {
  const lines = headers.map(({ name, value }) => `  ${name}: ${value}`);
  return [printable([`${title}:`, ...lines].join('\n')), ...(body === null ? [] : [formatBody(body)])];
}

function formatBody({ size, text, is_truncated }: NonNullable<RequestDetails['sent']['body']>): string {
  if (text === null) return `The log no longer has this body, which had ${formatCount(size, 'byte')}.`;
  const note = is_truncated ? `\n… cut off; the whole body has ${formatCount(size, 'byte')}` : '';
  return `${printable(text)}${note}`;
}

import { Command, InvalidArgumentError, Option } from 'commander';
import { documentOf } from '../../app/document.js';
import { isAllowedHost } from '../../lib/host-name.js';
import { whenAborted } from '../../lib/when-aborted.js';
import type { Deviation, Part } from '../../proxy/deviation.js';
import { createExchangeChecker } from '../../proxy/exchange-checker.js';
import { type RunningProxy, startProxy } from '../../proxy/proxy.js';
import type { CountedDeviation, Summary } from '../../proxy/report.js';
import { formatCount } from '../../text/format.js';
import { isOnThisMachine, portOf } from '../../webhooks/url.js';
import { readHostName, readHttpUrl, readPort, readTimeout, repeatable } from '../support/arguments.js';
import { CommandError } from '../support/command-error.js';
import { example, notes } from '../support/help-text.js';
import { listenError } from '../support/listen-error.js';
import { printable } from '../support/output.js';
import { readProfile } from '../support/read-profile.js';
import { stopOnSignalOrClosedOutput } from '../support/stop-signal.js';

interface ProxyFlags {
  readonly upstream: URL;
  readonly port: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  /** In milliseconds. */
  readonly timeout: number;
  readonly profile?: string;
  readonly readToken?: string;
  readonly writeToken?: string;
  readonly fail?: true;
  readonly json?: true;
}

export function createCommand(): Command {
  return new Command('proxy')
    .description('validate the requests and responses between a client and an implementation against the API document')
    .requiredOption('--upstream <url>', 'base URL of the implementation, with or without /api/v1', readUpstream)
    .option('--port <number>', 'port to listen on; 0 picks a free one', readPort, 4011)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(repeatable('--allow-host <name>', 'additional host name to accept', readHostName).default([]))
    .addOption(
      new Option('--timeout <duration>', 'how long to wait for data from the implementation before responding with 504')
        .argParser(readTimeout)
        .default(30_000, '30s'),
    )
    .option(
      '--profile <file>',
      'YAML file with choices for gaps in the specification; exchanges are checked against them, too',
    )
    .option('--read-token <token>', 'token that has only the billing.read scope')
    .option('--write-token <token>', 'token that has only the billing.write scope')
    .option('--fail', 'exit with 1 if there were errors')
    .option('--json', 'print a line of JSON when ready, for each new deviation or missing response, and at the end')
    .addHelpText('after', example('proxy --upstream https://billing.example/api/v1 --fail'))
    .addHelpText(
      'after',
      notes(
        'An error is a deviation from a documented statement, or a missing response. A note is about something that the specification leaves open, an unknown parameter, or a body that was not checked. An invalid request that was refused with 4xx is neither. The X-Sim-Deviations header counts the errors and notes of an exchange. Responses larger than 64 kB, and those of unknown length that take longer than half a second, carry it as a trailer, for clients that send `TE: trailers`. Bodies are checked up to 1 MB.',
      ),
    )
    .action(run);
}

async function run(flags: ProxyFlags): Promise<void> {
  const stopSignal = stopOnSignalOrClosedOutput();
  refuseOwnAddress(flags);
  const choices = (await readProfile(flags.profile)) ?? {};
  const print = (line: string, value: object): void =>
    console.log(flags.json ? JSON.stringify(value) : printable(line));
  const checker = createExchangeChecker({
    document: documentOf(choices),
    knownGaps: Object.keys(choices),
    scopes: scopesOf(flags),
  });
  const allowedHosts = [flags.host, `[${flags.host}]`, ...flags.allowHost].map((name) => name.toLowerCase());
  const proxy = await startProxy({
    checker,
    upstream: flags.upstream,
    port: flags.port,
    host: flags.host,
    timeoutMs: flags.timeout,
    isAllowedHost: (header) => isAllowedHost(header, allowedHosts),
    onDeviation: (deviation) => print(deviationLine(deviation), { deviation }),
    onUnanswered: (request, reason) =>
      print(`error  ${request}  got no response: ${reason}`, { unanswered: { request, reason } }),
    onFailure: (error) => console.error(error),
  }).catch((error: unknown) => {
    throw listenError(error, flags);
  });
  // Prepares the checker before printing that the proxy is ready, so that the first response is not delayed.
  await checker.prepare();
  printReady(proxy, flags);
  await whenAborted(stopSignal);
  await proxy.close();
  const summary = proxy.summary();
  print(summaryText(summary), { summary });
  if (flags.fail && summary.errors.length + summary.unanswered > 0) process.exitCode = 1;
}

function printReady({ url, baseUrl, upstreamUrl }: RunningProxy, { json }: ProxyFlags): void {
  if (json) console.log(JSON.stringify({ url, baseUrl, upstream: upstreamUrl }));
  else console.log(`Forwarding ${baseUrl} to ${upstreamUrl}\nPress Ctrl-C to stop and print a summary.\n`);
}

function summaryText({ requests, unanswered, errors, notes, unlisted }: Summary): string {
  const totalCount = (all: readonly CountedDeviation[]): number => all.reduce((sum, { count }) => sum + count, 0);
  const kinds = [
    `${formatCount(errors.length, 'error')} (seen ${formatCount(totalCount(errors), 'time')})`,
    `${formatCount(notes.length, 'note')} (seen ${formatCount(totalCount(notes), 'time')})`,
    ...(unanswered > 0 ? [`${unanswered} without a response`] : []),
    ...(unlisted > 0 ? [`${formatCount(unlisted, 'more deviation')} not listed`] : []),
  ];
  const lines = [...errors, ...notes].map(
    (deviation) => `${String(deviation.count).padStart(6)} × ${deviationLine(deviation)}`,
  );
  return ['', `${formatCount(requests, 'request')}: ${kinds.join(', ')}`, ...lines].join('\n');
}

/** @throws CommandError if the upstream is the proxy itself */
function refuseOwnAddress({ upstream, port }: ProxyFlags): void {
  if (port !== 0 && portOf(upstream) === port && isOnThisMachine(upstream)) {
    throw new CommandError(
      `${upstream.origin} is the address of the proxy itself; choose another port with --port`,
      'usage',
    );
  }
}

function scopesOf({ readToken, writeToken }: ProxyFlags): Map<string, string> {
  return new Map([
    ...(readToken === undefined ? [] : [[readToken, 'billing.read'] as const]),
    ...(writeToken === undefined ? [] : [[writeToken, 'billing.write'] as const]),
  ]);
}

function readUpstream(text: string): URL {
  const url = readHttpUrl(text);
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('expected a URL without credentials; let the client send them');
  }
  if (url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('expected a URL without a query or fragment');
  return url;
}

/** Names of the parts of a request or a response. */
const partNames: Record<Part, string> = {
  route: 'route',
  token: 'Authorization header',
  scope: 'scope',
  path: 'path parameter',
  query: 'query parameter',
  header: 'header',
  'media-type': 'Content-Type header',
  body: 'body',
  status: 'status',
};

/** Formats a deviation on one line. */
function deviationLine({ severity, operation, status, side, part, at, message, gaps }: Deviation): string {
  const location = [side, partNames[part], at].filter((word) => word !== '').join(' ');
  const reason = gaps.length > 0 ? ` (gap ${gaps.join(', ')})` : '';
  return `${severity.padEnd(5)}  ${operation} → ${status}  ${location}: ${message}${reason}`;
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen, urlOf } from '../lib/listen.js';
import type { Deviation } from './deviation.js';
import { answerPlainly, Forwarder, largestHead } from './forward.js';
import type { Judge } from './judge.js';
import { Report, type Summary } from './report.js';
import { Target } from './target.js';

export interface ProxyOptions {
  readonly judge: Pick<Judge, 'address' | 'judge' | 'nameOf'>;
  readonly upstream: URL;
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** How long the upstream may send nothing before it is given up, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether requests with a Host header are served, so that a page of another site cannot reach the upstream by its own name. */
  readonly serves: (host: string) => boolean;
  /** Called with each deviation when it is first seen. */
  readonly onDeviation: (deviation: Deviation) => void;
  /** Called with each request that was not answered. */
  readonly onUnanswered: (request: string, reason: string) => void;
  /** Called with failures of the proxy itself; the exchange goes through unchecked. */
  readonly onFailure: (error: unknown) => void;
}

export interface RunningProxy {
  /** Such as `http://127.0.0.1:4011`. */
  readonly url: string;
  /** The service's address here. */
  readonly baseUrl: string;
  /** The service's address at the upstream. */
  readonly upstreamUrl: string;
  summary(): Summary;
  close(): Promise<void>;
}

/** How long requests that are under way have at the end, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * Stands between clients and an implementation of the service, and tells where either departs from the document.
 * @throws Error if the port cannot be listened on
 */
export async function openProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { upstream, judge, onFailure } = options;
  const report = new Report();
  const target = new Target(upstream, judge.address);
  const forwarder = new Forwarder({
    upstream,
    target,
    timeoutMs: options.timeoutMs,
    async judge(asked, answered) {
      try {
        const deviations = await judge.judge(asked, answered);
        for (const deviation of report.add(deviations)) options.onDeviation(deviation);
        return headerOf(deviations);
      } catch (error) {
        onFailure(error);
        return undefined;
      }
    },
    onUnanswered(method, { path, service }, reason) {
      report.addUnanswered();
      options.onUnanswered(judge.nameOf({ method, path: service?.path ?? path.replace(/\?.*/s, '') }), reason);
    },
  });

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (options.serves(request.headers.host ?? '')) forwarder.pass(request, response);
    else answerPlainly(response, 421, 'billing-sim proxy: this host is not served here; allow it with --allow-host');
  };
  const server = createServer({ maxHeaderSize: largestHead, requestTimeout: 0, noDelay: true }, answer);
  server.maxHeadersCount = 0;
  // What a client expects, the upstream is to say.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  const url = urlOf(await listen(server, options.port, options.host));
  return {
    url,
    baseUrl: `${url}${judge.address}`,
    upstreamUrl: `${upstream.origin}${target.address}`,
    summary: () => report.summary(),
    async close() {
      await stop(server);
      await forwarder.close();
    },
  };
}

/** Value of the response header: the number of errors, their codes, and the number of notes. */
function headerOf(deviations: readonly Deviation[]): string {
  const errors = deviations.filter(({ severity }) => severity === 'error');
  const notes = deviations.length - errors.length;
  const codes = new Set(errors.map(({ side, part, rule }) => `${side}-${part}-${rule}`));
  const named = codes.size === 0 ? '' : `;codes="${[...codes].join(' ')}"`;
  return `${errors.length}${notes === 0 ? '' : `;notes=${notes}`}${named}`;
}

async function stop(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(timer);
}

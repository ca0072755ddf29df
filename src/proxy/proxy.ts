import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { allowHalfClosedConnections } from '../lib/half-closed.js';
import { listen, urlOf } from '../lib/listen.js';
import type { Deviation } from './deviation.js';
import type { ExchangeChecker } from './exchange-checker.js';
import { Forwarder, maxHeaderBytes, respondWithText } from './forward.js';
import { Report, type Summary } from './report.js';
import { UpstreamPaths } from './upstream-paths.js';

export interface ProxyOptions {
  readonly checker: Pick<ExchangeChecker, 'basePath' | 'check' | 'nameOf'>;
  /** URL of the implementation to forward requests to. */
  readonly upstream: URL;
  /** Port to listen on; 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Time without data from the upstream after which a request fails. */
  readonly timeoutMs: number;
  /**
   * Returns true if requests with this Host header are served. Others are refused, so that a page of another site
   * cannot reach the upstream by pointing its own host name to this machine.
   */
  readonly isAllowedHost: (host: string) => boolean;
  /** Called once for each distinct deviation, until the report is full. */
  readonly onDeviation: (deviation: Deviation) => void;
  /** Called for each request without a complete response, with its name (such as `GET /invoices`) and the reason. */
  readonly onUnanswered: (requestName: string, reason: string) => void;
  /** Called if a check itself fails; the exchange is forwarded unchecked. */
  readonly onFailure: (error: unknown) => void;
}

export interface RunningProxy {
  /** Such as `http://127.0.0.1:4011`. */
  readonly url: string;
  /** Base URL of the service through the proxy. */
  readonly baseUrl: string;
  /** Base URL of the service at the upstream. */
  readonly upstreamUrl: string;
  summary(): Summary;
  close(): Promise<void>;
}

/** Time that requests in progress may take to finish when the proxy stops, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * Starts a proxy between clients and an implementation. It reports where either side deviates from the document.
 * @throws Error if the port cannot be used
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { upstream, checker, onFailure } = options;
  const report = new Report();
  const paths = new UpstreamPaths(upstream, checker.basePath);
  const forwarder = new Forwarder({
    upstream,
    paths,
    timeoutMs: options.timeoutMs,
    async check(request, response) {
      try {
        const deviations = await checker.check(request, response);
        for (const newDeviation of report.add(deviations)) options.onDeviation(newDeviation);
        return deviationsHeaderOf(deviations);
      } catch (error) {
        onFailure(error);
        return undefined;
      }
    },
    onUnanswered(method, { path, serviceRequest }, reason) {
      report.addUnanswered();
      options.onUnanswered(checker.nameOf({ method, path: serviceRequest?.path ?? path.replace(/\?.*/s, '') }), reason);
    },
  });

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (options.isAllowedHost(request.headers.host ?? '')) forwarder.forward(request, response);
    else
      respondWithText(
        response,
        421,
        'billing-sim proxy: this host is not served here; allow it with --allow-host, BILLING_SIM_PROXY_ALLOW_HOST or `proxy: { allow-host: [NAME] }` in billing-sim.config.yaml',
      );
  };
  // 0 means no limit: the upstream limits how long requests take and how many headers they have.
  const server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0, noDelay: true }, handle);
  server.maxHeadersCount = 0;
  allowHalfClosedConnections(server);
  // Requests with an `Expect` header are forwarded, too. Without these listeners, Node would respond to them itself.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  const url = urlOf(await listen(server, options.port, options.host));
  return {
    url,
    baseUrl: `${url}${checker.basePath}`,
    upstreamUrl: `${upstream.origin}${paths.basePath}`,
    summary: () => report.summary(),
    async close() {
      await stop(server);
      await forwarder.close();
    },
  };
}

/** Formats the X-Sim-Deviations header: `1;notes=2;codes="response-body-enum"` for one error and two notes. */
function deviationsHeaderOf(deviations: readonly Deviation[]): string {
  const errors = deviations.filter(({ severity }) => severity === 'error');
  const notes = deviations.length - errors.length;
  const codes = new Set(errors.map(({ side, part, rule }) => `${side}-${part}-${rule}`));
  const codeList = codes.size === 0 ? '' : `;codes="${[...codes].join(' ')}"`;
  return `${errors.length}${notes === 0 ? '' : `;notes=${notes}`}${codeList}`;
}

async function stop(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(timer);
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clauseReport } from '../../src/contract/report/clause-report.js';
import { explainExitCode, reportOf, summarizeUnanswered } from '../../src/contract/report/report.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import type { SecondImplementation } from '../second-implementation/server.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { sampleRun } from './sample-report.js';
import { checkClauses, describeResults } from './support.js';
import { serveSecondImplementation } from './targets.js';

/** How a target that has stopped reacts to a connection. */
const failureModes: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'closes every connection': (response) => response.destroy(),
  'is behind a proxy that responds with 502': (response) =>
    response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>'),
};

/** Starts a server that forwards the first requests to a service, and fails all later ones. Returns its base URL. */
async function serveFirstRequests(
  maxRequests: number,
  service: SecondImplementation,
  fail: (response: ServerResponse) => unknown,
): Promise<string> {
  let requestCount = 0;
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requestCount += 1;
    if (requestCount > maxRequests) return void fail(response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'accept']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const forwarded = await fetch(service.baseUrl + (request.url ?? '').replace('/api/v1', ''), {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    response.writeHead(forwarded.status, Object.fromEntries(forwarded.headers)).end(await forwarded.text());
  };
  const { url } = await listenUntilTestEnds(createServer((request, response) => void forward(request, response)));
  return `${url}/api/v1`;
}

describe('a target that stops during a run violates nothing, and is reported as stopped:', () => {
  test.each(Object.entries(failureModes))('%s', async (_what, fail) => {
    const service = await serveSecondImplementation();
    // The other members of the service are the methods of a driver.
    const { tokens, close: _close, settled: _settled, baseUrl: _baseUrl, ...driver } = service;
    const baseUrl = await serveFirstRequests(100, service, fail);
    const unanswered: string[] = [];
    const outcome = await checkClauses({ baseUrl, tokens, driver }, clauses, {
      eventuallyTimeoutMs: 500,
      onEnd: (session) => unanswered.push(...session.target.unanswered),
    });
    expect(describeResults(outcome, 'failed', 'warned')).toEqual([]);
    const redactNothing = (text: string): string => text;
    const report = reportOf(
      { ...sampleRun, problems: summarizeUnanswered(unanswered) },
      outcome.results.map((result) => clauseReport(result, redactNothing)),
      [],
      '2026-03-01',
    );
    expect(report.problems).toEqual([expect.stringMatching(/^the target stopped responding after 100 requests: /)]);
    expect({ exitCode: report.exitCode, meaning: explainExitCode(report) }).toEqual({
      exitCode: 2,
      meaning: 'the target stopped responding',
    });
    // The suite gives up after a few failed requests.
    expect(outcome.requests).toBeLessThan(115);
  });
});

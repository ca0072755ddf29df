import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clauseReport } from '../../src/contract/report/clause-report.js';
import { meaningOf, reportOf, unansweredIn } from '../../src/contract/report/report.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import type { Second } from '../second/second.js';
import { check } from './support.js';
import { listen, serveSecond } from './targets.js';

/** Ways for a target to be unavailable: its connections end, or a proxy answers in its place. */
const ways: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'ends every connection': (response) => response.destroy(),
  'answers 502 from a proxy': (response) =>
    response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>'),
};

/** Passes so many requests on to a service; from then on that is gone. */
async function diesAfter(
  requests: number,
  second: Second,
  die: (response: ServerResponse) => unknown,
): Promise<string> {
  let taken = 0;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    taken += 1;
    if (taken > requests) return void die(response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'accept']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const answer = await fetch(second.baseUrl + (request.url ?? '').replace('/api/v1', ''), {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  };
  return `${await listen(createServer((request, response) => void pass(request, response)))}/api/v1`;
}

describe('a target that stops during a run violates nothing, and is reported as stopped:', () => {
  test.each(Object.entries(ways))('%s', async (_what, die) => {
    const second = await serveSecond();
    const { tokens, close: _close, settled: _settled, baseUrl: _baseUrl, ...driver } = second;
    const baseUrl = await diesAfter(100, second, die);
    const unanswered: string[] = [];
    const { results, requests } = await check(
      { baseUrl, tokens: { ...tokens, scopeless: tokens.none }, driver },
      clauses,
      { eventuallyTimeoutMs: 500, onEnd: (session) => unanswered.push(...session.target.unanswered) },
    );
    const report = reportOf(
      {
        target: baseUrl,
        driver: 'the driver',
        startedAt: new Date(),
        durationMs: 1,
        requests,
        gaps: [],
        problems: unansweredIn(unanswered),
        hasCrashed: false,
      },
      results.map((result) => clauseReport(result, (text) => text)),
      [],
      '2026-01-01',
    );
    expect(
      results.filter(({ status }) => status === 'failed').map(({ clause, detail }) => `${clause.id} ${detail}`),
    ).toEqual([]);
    expect(report.problems).toEqual([expect.stringMatching(/^the target stopped responding after 100 requests: /)]);
    expect({ exitCode: report.exitCode, meaning: meaningOf(report) }).toEqual({
      exitCode: 2,
      meaning: 'the target stopped responding',
    });
    expect(requests).toBeLessThan(115);
  });
});

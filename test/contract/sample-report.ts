import type { ClauseReport, Evidence, Waiver } from '../../src/contract/report/clause-report.js';
import { type RunFacts, reportOf } from '../../src/contract/report/report.js';
import { type RunReport, reportedOptions } from '../../src/contract/report/run-report.js';

/**
 * Strings from a target that a report must show unchanged. Most of them set `window.hurt` if a browser interprets them
 * as code.
 */
export const hostileStrings = [
  `<script>window.hurt = 'script'</script>`,
  `<img src=x onerror="window.hurt = 'image'">`,
  `"><svg onload="window.hurt = 'svg'">`,
  `' autofocus onfocus='window.hurt = 1`,
  '</pre></details><script>window.hurt=2</script>',
  '</style><script>window.hurt=3</script>',
  '<!-- ]]> <![CDATA[',
  '&lt;b&gt; &amp; &#x3c;script&#x3e;',
  '{{constructor.constructor("window.hurt=4")()}}',
  'javascript:window.hurt=6',
  '\u202Eright to left\u202C',
];

/** Strings with characters that XML cannot contain, or that must not reach a terminal. */
export const controlStrings = ['\u0000\u0008\u001B[2J\u001B]0;title\u0007', '\uFFFE', '\uD800 half', '\u0085'];

export const sampleExchange: Evidence = {
  request: {
    method: 'GET',
    url: 'http://127.0.0.1:4010/api/v1/invoices/stats',
    body: null,
    curl: `curl -i 'http://127.0.0.1:4010/api/v1/invoices/stats' -H "Authorization: Bearer $TOKEN"`,
  },
  response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"success":true}' },
};

export function sampleClause(overrides: Partial<ClauseReport> = {}): ClauseReport {
  return {
    id: 'INV-STATS-01',
    level: 'documented',
    operation: 'getInvoiceStats',
    title: '`stats` can be read.',
    spec: 'Invoice statistics',
    status: 'passed',
    detail: '',
    milliseconds: 12,
    evidence: [],
    deliveries: [],
    ...overrides,
  };
}

/** A run without problems. */
export const sampleRun: RunFacts = {
  target: 'http://127.0.0.1:4010/api/v1',
  driver: 'no driver',
  startedAt: new Date('2026-03-01T09:00:00.123Z'),
  durationMs: 4_321,
  requests: 205,
  gaps: [],
  problems: [],
  hasSuiteFailed: false,
};

/** A report on clauses, as of 2026-03-01. */
export function sampleReport(
  clauses: readonly ClauseReport[],
  overrides: Partial<RunFacts> = {},
  waivers: readonly Waiver[] = [],
): RunReport {
  const { target, ...results } = reportOf({ ...sampleRun, ...overrides }, clauses, waivers, '2026-03-01');
  const mayWrite = true;
  return {
    target,
    version: '0.1.0',
    options: reportedOptions({ baseUrl: target, token: 'a-token' }, mayWrite),
    complete: true,
    ...results,
  };
}

/**
 * Returns a report with a clause of each status, and the strings in every field that a target, a driver or a tester can
 * fill.
 */
export function hostileReport(strings: readonly string[]): RunReport {
  const text = strings.join(' ');
  const evidence: Evidence = {
    request: { ...sampleExchange.request, url: text, body: text, curl: text },
    response: { status: 200, headers: { 'x-echo': text }, body: text },
  };
  const delivery = {
    method: 'POST',
    path: text,
    headers: { 'x-echo': text },
    body: text,
    receivedAt: '2026-03-01T09:00:00.000Z',
  };
  const statuses = ['failed', 'broken', 'warned', 'skipped', 'observed', 'passed', 'waived'] as const;
  const clauses = statuses.map((status, index) =>
    sampleClause({
      id: `INV-STATS-0${index + 1}`,
      status,
      detail: text,
      ...(status === 'skipped' ? { missing: text } : {}),
      ...(status === 'failed' ? { expected: text, got: text, driverCalls: [text] } : {}),
      evidence: [evidence],
      deliveries: [delivery],
    }),
  );
  return {
    ...sampleReport(clauses, {
      driver: text,
      problems: [text],
      gaps: [{ id: 'GAP-1', observed: { [text]: text } }],
    }),
    staleWaivers: [{ clause: 'INV-STATS-01', why: text }],
  };
}

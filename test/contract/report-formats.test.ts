import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { formatReport } from '../../src/commands/contract/contract-text.js';
import type { ClauseReport } from '../../src/contract/report/clause-report.js';
import { htmlReport } from '../../src/contract/report/html.js';
import { jsonReport } from '../../src/contract/report/json.js';
import { junitReport } from '../../src/contract/report/junit.js';
import type { RunReport } from '../../src/contract/report/run-report.js';
import {
  controlStrings,
  hostileReport,
  hostileStrings,
  sampleClause,
  sampleExchange,
  sampleReport,
} from './sample-report.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const ajv = new Ajv2020.default({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const validateJson = ajv.compile(JSON.parse(read('../../openapi/contract-report.schema.json')));

const failed = sampleClause({
  id: 'INV-STATS-02',
  status: 'failed',
  detail: 'expected an integer, got "1"',
  expected: 'an integer',
  got: '"1"',
  evidence: [sampleExchange],
});

test.each([
  ['JSON', jsonReport],
  ['HTML', htmlReport],
  ['JUnit', junitReport],
])('the %s report shows the quote of a clause', (_format, toText) => {
  const quote = 'sum of all unpaid invoices';
  expect(toText(sampleReport([failed]))).not.toContain(quote);
  expect(toText(sampleReport([{ ...failed, quote }]))).toContain(quote);
});

test.each([
  ['text', formatReport],
  ['JSON', jsonReport],
  ['HTML', htmlReport],
  ['JUnit', junitReport],
])('the %s report names the driver calls before a violation', (_format, toText) => {
  expect(toText(sampleReport([failed]))).not.toContain('payLink');
  expect(toText(sampleReport([{ ...failed, driverCalls: ['payLink (id 21)'] }]))).toContain('payLink (id 21)');
});

test.each([
  ['text', formatReport],
  ['JSON', jsonReport],
  ['HTML', htmlReport],
  ['JUnit', junitReport],
])('the %s report says until when a violation is waived, and why', (_format, toText) => {
  const waiver = { clause: failed.id, reason: 'known since May', until: '2026-06-30' };
  expect(toText(sampleReport([failed], {}, [waiver]))).toContain('waived until 2026-06-30: known since May');
});

describe('the schema of the JSON report', () => {
  test('accepts reports with and without clauses', () => {
    const shared = { ...sampleClause({ id: 'INV-STATS-03', quote: 'a sentence' }), evidenceIn: ['INV-STATS-02'] };
    const open = sampleClause({ id: 'GAP-DEPOSIT-REPLAY-BODY', level: 'open', status: 'observed' });
    for (const validReport of [
      sampleReport([sampleClause(), failed, open, shared]),
      sampleReport([failed], {}, [{ clause: failed.id, reason: 'known since May', until: '2026-06-30' }]),
      sampleReport([]),
      hostileReport([...hostileStrings, ...controlStrings]),
    ]) {
      validateJson(JSON.parse(jsonReport(validReport)));
      expect(validateJson.errors).toBeNull();
    }
  });

  test.each([
    ['an unknown field', { color: 'red' }],
    ['an unknown exit code', { exitCode: 5 }],
    ['a clause without evidence', { clauses: [{ ...sampleClause(), evidence: undefined }] }],
    ['a skipped clause without `missing`', { clauses: [sampleClause({ status: 'skipped', detail: 'untestable' })] }],
    ['a skipped clause without `detail`', { clauses: [sampleClause({ status: 'skipped', missing: 'payLink' })] }],
    ['a clause with an unknown level', { clauses: [{ ...sampleClause(), level: 'strict' }] }],
  ])('refuses %s', (_what, overrides) => {
    expect(validateJson(JSON.parse(JSON.stringify({ ...sampleReport([sampleClause()]), ...overrides })))).toBe(false);
  });
});

test('the JSON report contains the whole report, with one line for each clause', () => {
  const original = hostileReport([...hostileStrings, ...controlStrings]);
  expect(JSON.parse(jsonReport(original))).toEqual(JSON.parse(JSON.stringify(original)));
  expect(JSON.parse(jsonReport(sampleReport([])))).toEqual(JSON.parse(JSON.stringify(sampleReport([]))));
  const lines = jsonReport(original).split('\n');
  expect(lines.filter((line) => /^ {4}\{"id":"INV-STATS-/.test(line))).toHaveLength(original.clauses.length);
});

describe('the JUnit report', () => {
  const schema = read('junit.xsd');
  const problemsOf = async (xml: string): Promise<string[]> => {
    const { errors } = await validateXML({
      xml: [{ fileName: 'report.xml', contents: xml }],
      schema: [{ fileName: 'junit.xsd', contents: schema }],
    });
    return errors.map(({ message }) => message);
  };

  test('is valid XML whatever strings come from a target, a driver or a tester', async () => {
    for (const anyReport of [
      sampleReport([]),
      sampleReport([sampleClause(), failed]),
      hostileReport([...hostileStrings, ...controlStrings]),
    ]) {
      expect(await problemsOf(junitReport(anyReport))).toEqual([]);
    }
  });

  test('is validated by a check that finds invalid reports', async () => {
    const xml = junitReport(sampleReport([sampleClause()]));
    expect(await problemsOf(xml.replace('</testcase>', ''))).not.toEqual([]);
    expect(await problemsOf(xml.replace('tests="1"', 'tests="many"'))).not.toEqual([]);
  });

  test('counts a violation as a failure, a broken clause as an error, and an unchecked or waived one as skipped', () => {
    const xml = junitReport(
      sampleReport([
        sampleClause(),
        failed,
        sampleClause({ id: 'INV-STATS-03', status: 'broken', detail: "the driver's payLink() failed: card refused" }),
        sampleClause({
          id: 'INV-STATS-04',
          status: 'skipped',
          missing: 'payLink',
          detail: 'payLink: there is no driver',
        }),
        sampleClause({ id: 'INV-STATS-05', status: 'waived', detail: 'waived until 2027-01-31: known' }),
        sampleClause({ id: 'INV-STATS-06', status: 'warned', level: 'inferred', detail: 'expected 1, got 2' }),
        sampleClause({ id: 'INV-STATS-07', status: 'observed', level: 'open', detail: 'number', spec: 'Limits' }),
      ]),
    );
    expect(xml).toContain('<testsuites name="Billing Service contract" tests="7" failures="1" errors="1"');
    expect(xml).toContain(
      '<testsuite name="Invoice statistics" tests="6" failures="1" errors="1" skipped="2" time="0.072"',
    );
    expect(xml).toContain('<failure type="documented" message="expected an integer, got &quot;1&quot;">curl -i');
    expect(xml).toContain(`<error type="broken" message="the driver&#39;s payLink() failed: card refused"/>`);
    expect(xml).toContain('<skipped type="payLink" message="payLink: there is no driver"/>');
    expect(xml).toContain('<skipped type="waived" message="waived until 2027-01-31: known"/>');
    expect(xml).toContain(
      'level: inferred\nspecification: Invoice statistics\noperation: getInvoiceStats\nwarned: expected 1, got 2<',
    );
    expect(xml).toContain('observed: number<');
  });

  test('has a suite for the run as a whole', () => {
    const xml = junitReport(sampleReport([sampleClause()], { problems: ['1 request got no response'] }));
    expect(xml).toContain('<property name="exitCode" value="2"/>');
    expect(xml).toContain('<property name="target" value="http://127.0.0.1:4010/api/v1"/>');
    expect(xml).toContain('<system-err>1 request got no response</system-err>');
  });

  const skipped = sampleClause({ id: 'INV-STATS-03', status: 'skipped', missing: '--write', detail: '--write: off' });

  test.each<[what: string, error: string, report: RunReport]>([
    [
      'requests without a response',
      '<error type="exit code 2" message="some clauses could not be checked properly"/>',
      sampleReport([sampleClause()], { problems: ['1 request got no response'] }),
    ],
    [
      'no verified clause',
      '<error type="exit code 2" message="no documented clause was verified"/>',
      sampleReport([skipped]),
    ],
    [
      'a stale waiver',
      '<error type="exit code 3" message="1 waiver is stale and must be removed"/>',
      sampleReport([sampleClause()], {}, [{ clause: 'INV-STATS-01', reason: 'known', until: '2026-12-31' }]),
    ],
  ])('has an error for a run that fails because of %s', async (_what, error, report) => {
    const xml = junitReport(report);
    expect(xml).toContain('<testsuites name="Billing Service contract" tests="2" failures="0" errors="1"');
    expect(xml).toContain('<testsuite name="the run" tests="1" failures="0" errors="1"');
    expect(xml).toContain(error);
    expect(await problemsOf(xml)).toEqual([]);
  });

  test.each<[what: string, report: RunReport]>([
    ['passes, although clauses were skipped', sampleReport([sampleClause(), skipped])],
    ['has a failed clause', sampleReport([failed], { problems: ['1 request got no response'] })],
    [
      'has a broken clause',
      sampleReport([sampleClause({ status: 'broken', detail: "the driver's payLink() failed" })]),
    ],
  ])('has no error for the run itself if it %s', (_what, report) => {
    expect(junitReport(report)).toContain('<testsuite name="the run" tests="0" failures="0" errors="0"');
  });
});

describe('the HTML report', () => {
  test('is one self-contained file', () => {
    const page = htmlReport(sampleReport([sampleClause({ evidence: [sampleExchange] }), failed]));
    expect(page).not.toMatch(/\s(?:src|href(?!="#)|action|srcset|poster)\s*=/i);
    expect(page).not.toMatch(/@import|url\(/i);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-[\w+/=]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">/,
    );
  });

  test('lists what the skipped clauses need, as the terminal does', () => {
    const skipped = (number: number, missing: string): ClauseReport =>
      sampleClause({ id: `INV-STATS-${10 + number}`, status: 'skipped', missing, detail: 'not given' });
    const report = sampleReport([
      sampleClause(),
      skipped(0, '--read-token'),
      ...[1, 2, 3, 4, 5, 6].map((number) => skipped(number, 'payLink')),
    ]);
    const page = htmlReport(report);
    const link = (id: string): string => `<a href="#${id}">${id}</a>`;
    const firstFour = ['INV-STATS-11', 'INV-STATS-12', 'INV-STATS-13', 'INV-STATS-14'];
    expect(page.match(/<td>.+<\/td>/g)).toEqual([
      `<td>6</td><td>payLink (--driver)</td><td>${firstFour.map(link).join(', ')}, …</td>`,
      `<td>1</td><td>--read-token</td><td>${link('INV-STATS-10')}</td>`,
    ]);
    expect(formatReport(report)).toContain(`Not checked, grouped by what is missing:
     6  payLink (--driver)  ${firstFour.join(', ')}, …
     1  --read-token        INV-STATS-10`);
    expect(htmlReport(sampleReport([sampleClause()]))).not.toContain('Not checked');
  });

  test('shows shared evidence once, and links to it from the other clauses', () => {
    const page = htmlReport(
      sampleReport([
        sampleClause({ evidence: [sampleExchange] }),
        sampleClause({ id: 'INV-STATS-03', evidence: [sampleExchange] }),
      ]),
    );
    expect(page.match(/<details class="exchange"/g)).toHaveLength(1);
    expect(page).toContain(' · evidence at <a href="#INV-STATS-01">INV-STATS-01</a></p>');
  });

  test('shows everything about a violation, and the essentials of a pass', () => {
    const longExchange = { ...sampleExchange, response: { ...sampleExchange.response, body: 'x'.repeat(4_000) } };
    const fiveExchanges = { evidence: Array.from({ length: 5 }, () => longExchange) };
    const exchangesIn = (page: string): number => page.match(/<details class="exchange"/g)?.length ?? 0;
    const violation = htmlReport(sampleReport([{ ...failed, ...fiveExchanges }]));
    expect(exchangesIn(violation)).toBe(5);
    expect(violation).toContain('x'.repeat(4_000));
    const pass = htmlReport(sampleReport([sampleClause(fiveExchanges)]));
    expect(exchangesIn(pass)).toBe(1);
    expect(pass).toContain(`${'x'.repeat(500)}…`);
    expect(pass).not.toContain('x'.repeat(501));
  });
});

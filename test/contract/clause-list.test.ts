import { describe, expect, test } from 'vitest';
import { operationOf, operations } from '../../src/contract/engine/operations.js';
import { headings, headingsOf } from '../../src/contract/report/headings.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { operationIds } from '../../src/generated/billing-document.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { clauseTable } from '../docs/clause-table.js';
import { readPage } from '../docs/page.js';
import { nonOpenClauses } from './clauses-by-topic.js';

const ids = clauses.map(({ id }) => id);
const openClauses = clauses.filter(({ level }) => level === 'open');

test('no two clauses have the same id', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('no two clauses have the same title', () => {
  const titles = clauses.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test('the id of every clause that is not open consists of its group, its section and a number', () => {
  const nonOpenIds = nonOpenClauses.map(({ id }) => id);
  expect(nonOpenIds.filter((id) => !/^[A-Z]+-[A-Z]+-\d{2}$/.test(id))).toEqual([]);
});

test('every open clause has an id derived from its gap, and the question of the gap as its title', () => {
  const registered = Object.entries(gapRegistry).map(([gap, { question }]) => ({ id: idOf(gap), title: question }));
  for (const { id, title } of openClauses) expect(registered).toContainEqual({ id, title });
});

function idOf(gap: string): string {
  return `GAP-${gap.replace('.', '-').toUpperCase()}`;
}

test('the title of every clause that is not open is one sentence', () => {
  const isSentence = (title: string): boolean => /^[A-Z`].*[^.]\.$/.test(title) && title.length < 140;
  expect(nonOpenClauses.filter(({ title }) => !isSentence(title)).map(({ id, title }) => `${id} ${title}`)).toEqual([]);
});

test('every clause without a check gives its reason as a phrase', () => {
  const reasons = clauses.flatMap(({ check }) => (typeof check === 'object' ? [check.untestable] : []));
  expect(reasons.filter((reason) => !/^[a-z].{10,}[^.]$/.test(reason))).toEqual([]);
});

test('every heading of the reports has a clause', () => {
  expect(headings.filter((heading) => !clauses.some(({ spec }) => spec === heading))).toEqual([]);
});

test('headings are in the order of the specification', () => {
  expect(headingsOf([{ spec: 'Limits' }, { spec: 'Invoice' }, { spec: 'Limits' }])).toEqual(['Invoice', 'Limits']);
});

test.each(operationIds)(
  '%s has a clause about its success envelope, its error envelope and each kind of token',
  (operationId) => {
    const ownClauses = clauses.filter(({ operation, level }) => operation === operationId && level === 'documented');
    for (const topic of ['ENV-SUCCESS', 'ENV-ERROR', 'AUTH-NOTOKEN', 'AUTH-UNKNOWN', 'AUTH-SCOPE', 'AUTH-ADMITS']) {
      expect(
        ownClauses.filter((clause) => clause.id.startsWith(topic)),
        topic,
      ).toHaveLength(1);
    }
    expect(ownClauses.filter((clause) => !/^(ENV|AUTH)-/.test(clause.id))).not.toEqual([]);
  },
);

test('the last clauses are those that read earlier responses, then those that exhaust the rate limit, then open ones', () => {
  const firstEnvelopeIndex = ids.findIndex((id) => id.startsWith('ENV-'));
  expect(firstEnvelopeIndex).toBeGreaterThan(0);
  expect(ids.slice(firstEnvelopeIndex).filter((id) => !/^(ENV|VERSION|RATE|GAP)-/.test(id))).toEqual([]);
  const firstExcessIndex = ids.findIndex((id) => id.startsWith('RATE-EXCESS'));
  expect(firstExcessIndex).toBeGreaterThan(firstEnvelopeIndex);
  // Open clauses send no requests in a contract run, so they can follow when the rate limit has been exhausted.
  expect(ids.slice(firstExcessIndex).filter((id) => !/^(RATE-EXCESS|GAP)-/.test(id))).toEqual([]);
  expect(clauses.slice(-openClauses.length)).toEqual(openClauses);
});

describe('the operation of a request', () => {
  test.each(operations)('is $id for its own path', ({ id, method, path }) => {
    expect(operationOf({ method, path: `${path.replace(/\{\w+\}/, '17')}?per_page=2` })?.id).toBe(id);
  });

  test('is undefined for other paths', () => {
    expect(operationOf({ method: 'DELETE', path: '/invoices' })).toBeUndefined();
    expect(operationOf({ method: 'GET', path: '/invoices/1/reminder' })).toBeUndefined();
    expect(operationOf({ method: 'GET', path: '/customers' })).toBeUndefined();
  });
});

test('docs/clauses.md lists all clauses', () => {
  expect(readPage('docs/clauses.md'), 'stale: run `npm run docs`').toBe(clauseTable());
});

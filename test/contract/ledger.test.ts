import { describe, expect, test } from 'vitest';
import { clauses } from '../../src/contract/clauses/index.js';
import { headings } from '../../src/contract/headings.js';
import { operationOf, operations } from '../../src/contract/operations.js';
import { operationIds } from '../../src/generated/billing-document.js';

const ids = clauses.map(({ id }) => id);

test('no two clauses have the same id', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('no two clauses promise the same', () => {
  const titles = clauses.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test('every clause is named by its section, its topic and a number', () => {
  expect(ids.filter((id) => !/^[A-Z]+-[A-Z]+-\d{2}$/.test(id))).toEqual([]);
});

test('every clause is one plain sentence', () => {
  const isSentence = (title: string): boolean => /^[A-Z`].*[^.]\.$/.test(title) && title.length < 140;
  expect(clauses.filter(({ title }) => !isSentence(title)).map(({ id, title }) => `${id} ${title}`)).toEqual([]);
});

test('every clause has a check, or a reason why it has none', () => {
  const reasons = clauses.flatMap(({ check }) => (typeof check === 'object' ? [check.untestable] : []));
  expect(reasons.filter((reason) => !/^[a-z].{10,}[^.]$/.test(reason))).toEqual([]);
});

test('every heading has a clause', () => {
  expect(headings.filter((heading) => !clauses.some(({ spec }) => spec === heading))).toEqual([]);
});

test.each(operationIds)('%s has clauses on its answer, its refusal and its tokens', (id) => {
  const own = clauses.filter(({ operation, level }) => operation === id && level === 'documented');
  for (const topic of ['ENV-SUCCESS', 'ENV-ERROR', 'AUTH-NOTOKEN', 'AUTH-UNKNOWN', 'AUTH-SCOPE', 'AUTH-ADMITS']) {
    expect(own.filter((clause) => clause.id.startsWith(topic))).toHaveLength(1);
  }
  expect(own.filter((clause) => !/^(ENV|AUTH)-/.test(clause.id))).not.toEqual([]);
});

test('clauses that look at all answers come last, and of these the one that uses the limit up', () => {
  const first = ids.findIndex((id) => id.startsWith('ENV-'));
  expect(ids.slice(first).every((id) => /^(ENV|VERSION|RATE)-/.test(id))).toBe(true);
  const excess = ids.findIndex((id) => id.startsWith('RATE-EXCESS'));
  expect(ids.slice(excess).every((id) => id.startsWith('RATE-EXCESS'))).toBe(true);
});

describe('the operation of a request', () => {
  test.each(operations)('is $id for its own path', ({ id, method, path }) => {
    expect(operationOf({ method, path: `${path.replace(/\{\w+\}/, '17')}?per_page=2` })).toBe(id);
  });

  test('is none elsewhere', () => {
    expect(operationOf({ method: 'DELETE', path: '/invoices' })).toBeUndefined();
    expect(operationOf({ method: 'GET', path: '/invoices/1/reminder' })).toBeUndefined();
    expect(operationOf({ method: 'GET', path: '/customers' })).toBeUndefined();
  });
});

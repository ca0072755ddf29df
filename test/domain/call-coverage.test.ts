import { describe, expect, test } from 'vitest';
import {
  type CallCount,
  coverErrors,
  coverKeys,
  coverOperations,
  coverScopes,
  type DocumentedOperation,
} from '../../src/domain/call-coverage.js';

const operations: readonly DocumentedOperation[] = [
  { id: 'list', method: 'GET', path: '/things', scope: 'billing.read', statuses: [200, 401], takesKey: false },
  { id: 'create', method: 'POST', path: '/things', scope: 'billing.write', statuses: [201, 401, 422], takesKey: true },
];

const call = (operation: string, status: number, count = 1, token = 1): CallCount => ({
  operation,
  token,
  status,
  count,
});

describe('operations', () => {
  test.each([
    { says: 'nothing was called', calls: [], missing: ['list', 'create'] },
    { says: 'one was refused', calls: [call('list', 401)], missing: ['list', 'create'] },
    { says: 'one was answered with nothing', calls: [call('list', 0)], missing: ['list', 'create'] },
    { says: 'one has succeeded', calls: [call('list', 401), call('list', 200)], missing: ['create'] },
    { says: 'a status of success counts that is not documented', calls: [call('create', 204)], missing: ['list'] },
  ])('are missing that have never succeeded: $says', ({ calls, missing }) => {
    expect(coverOperations(operations, calls).missing).toEqual(missing);
  });

  test('have their statuses summed up over tokens, in order, and the documented ones that are missing', () => {
    const calls = [call('create', 422, 2), call('create', 201, 1), call('create', 422, 3, 2), call('create', 0, 4)];
    expect(coverOperations(operations, calls).all[1]).toEqual({
      operation: 'create',
      method: 'POST',
      path: '/things',
      calls: 10,
      unanswered: 4,
      statuses: [
        { status: 201, count: 1 },
        { status: 422, count: 5 },
      ],
      missing: [401],
    });
  });

  test('that there are not are counted apart', () => {
    const { unknown, all } = coverOperations(operations, [call('', 404, 3), call('list', 200)]);
    expect({ unknown, calls: all.map(({ calls }) => calls) }).toEqual({ unknown: 3, calls: [1, 0] });
  });
});

describe('errors', () => {
  test('are met from any operation, and are missing where the document has them and nobody met them', () => {
    const calls = [call('list', 401), call('create', 401, 2), call('create', 503), call('', 404), call('list', 200)];
    expect(coverErrors(operations, [...calls, call('list', 0)])).toEqual({
      missing: [422],
      unanswered: 1,
      all: [
        { status: 401, count: 3, operations: ['list', 'create'] },
        { status: 404, count: 1, operations: [] },
        { status: 503, count: 1, operations: ['create'] },
      ],
    });
  });
});

describe('scopes', () => {
  const token = { id: 1, name: 'shop', scopes: ['billing.read', 'billing.write'], revoked_at: null } as const;

  test.each([
    {
      says: 'a token that is used for all it may do',
      calls: [call('list', 200), call('create', 201)],
      unused: [],
    },
    {
      says: 'a token that could do with less',
      calls: [call('list', 200)],
      unused: [{ token: 'shop', scope: 'billing.write' }],
    },
    { says: 'a refused request is a use, too', calls: [call('list', 429), call('create', 422)], unused: [] },
    { says: 'a token that is not used at all tells nothing', calls: [call('list', 200, 1, 2)], unused: [] },
  ])('$says', ({ calls, unused }) => {
    expect(coverScopes(operations, [token], calls).unused).toEqual(unused);
  });

  test('that a token lacks are reported with what they were wanted for', () => {
    const reader = { ...token, scopes: ['billing.read'] } as const;
    expect(coverScopes(operations, [reader], [call('create', 403, 2)]).all).toEqual([
      {
        id: 1,
        name: 'shop',
        calls: 2,
        granted: ['billing.read'],
        used: [],
        unused: ['billing.read'],
        lacking: [{ scope: 'billing.write', operations: ['create'] }],
      },
    ]);
  });

  test('of a revoked token matter no more', () => {
    const revoked = { ...token, revoked_at: '2026-03-01T09:00:00.000Z' };
    expect(coverScopes(operations, [revoked], [call('list', 200)])).toEqual({ unused: [], all: [] });
  });
});

test('keys are missing where an operation that takes one was asked for without', () => {
  const calls = [call('create', 201, 3), call('list', 200)];
  const without = (operation: string): number => (operation === 'create' ? 2 : 0);
  expect(coverKeys(operations, calls, without)).toEqual({
    missing: ['create'],
    all: [{ operation: 'create', calls: 3, without: 2 }],
  });
  expect(coverKeys(operations, calls, () => 0).missing).toEqual([]);
});

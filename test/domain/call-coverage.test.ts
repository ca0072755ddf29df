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
    { says: 'an operation was refused', calls: [call('list', 401)], missing: ['list', 'create'] },
    { says: 'an operation had no response', calls: [call('list', 0)], missing: ['list', 'create'] },
    { says: 'an operation has succeeded', calls: [call('list', 401), call('list', 200)], missing: ['create'] },
    { says: 'a success status that is not documented counts, too', calls: [call('create', 204)], missing: ['list'] },
  ])('are missing until they have succeeded: $says', ({ calls, missing }) => {
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

  test('that are unknown are counted separately', () => {
    const { unknown, all } = coverOperations(operations, [call('', 404, 3), call('list', 200)]);
    expect({ unknown, calls: all.map(({ calls }) => calls) }).toEqual({ unknown: 3, calls: [1, 0] });
  });
});

describe('errors', () => {
  test('count for every operation, and are missing if they are documented and were never returned', () => {
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
      says: 'a token that uses all of its scopes',
      calls: [call('list', 200), call('create', 201)],
      unused: [],
    },
    {
      says: 'a token with a scope that it never uses',
      calls: [call('list', 200)],
      unused: [{ token: 'shop', scope: 'billing.write' }],
    },
    { says: 'a refused request is a use, too', calls: [call('list', 429), call('create', 422)], unused: [] },
    { says: 'an unused token is not reported', calls: [call('list', 200, 1, 2)], unused: [] },
  ])('$says', ({ calls, unused }) => {
    expect(coverScopes(operations, [token], calls).unused).toEqual(unused);
  });

  test('that a token lacks are reported with the operations that need them', () => {
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

  test('of a revoked token are left out', () => {
    const revoked = { ...token, revoked_at: '2026-03-01T09:00:00.000Z' };
    expect(coverScopes(operations, [revoked], [call('list', 200)])).toEqual({ unused: [], all: [] });
  });
});

test('keys are missing for operations that accept one and were called without', () => {
  const calls = [call('create', 201, 3), call('list', 200)];
  const without = (operation: string): number => (operation === 'create' ? 2 : 0);
  expect(coverKeys(operations, calls, without)).toEqual({
    missing: ['create'],
    all: [{ operation: 'create', calls: 3, without: 2 }],
  });
  expect(coverKeys(operations, calls, () => 0).missing).toEqual([]);
});

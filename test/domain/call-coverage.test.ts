import { describe, expect, test } from 'vitest';
import {
  type CallCount,
  type DocumentedOperation,
  errorCoverage,
  keyCoverage,
  operationCoverage,
  scopeCoverage,
} from '../../src/domain/call-coverage.js';

const operations: readonly DocumentedOperation[] = [
  { id: 'list', method: 'GET', path: '/things', scope: 'billing.read', statuses: [200, 401], takesKey: false },
  { id: 'create', method: 'POST', path: '/things', scope: 'billing.write', statuses: [201, 401, 422], takesKey: true },
];

/** Creates a count of requests. Status 0 stands for no response, and an empty operation for an unknown one. */
const call = (
  operation: string,
  status: number,
  { count = 1, token = 1 }: { readonly count?: number; readonly token?: number } = {},
): CallCount => ({ operation, token, status, count });

describe('operations', () => {
  test.each<[string, CallCount[], string[]]>([
    ['without calls', [], ['list', 'create']],
    ['after a refused call', [call('list', 401)], ['list', 'create']],
    ['after a call without a response', [call('list', 0)], ['list', 'create']],
    ['after a refused and a successful call', [call('list', 401), call('list', 200)], ['create']],
    ['after a success with a status that is not documented', [call('create', 204)], ['list']],
  ])('are missing until they have succeeded: %s', (_when, calls, missing) => {
    expect(operationCoverage(operations, calls).missing).toEqual(missing);
  });

  test('have their calls by all tokens, in ascending order of status, and the documented statuses that never occurred', () => {
    const calls = [
      call('create', 422, { count: 2 }),
      call('create', 201),
      call('create', 422, { count: 3, token: 2 }),
      call('create', 0, { count: 4 }),
    ];
    expect(operationCoverage(operations, calls).all[1]).toEqual({
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

  test('do not include calls that match no operation, which are counted separately', () => {
    const { unknown, all } = operationCoverage(operations, [call('', 404, { count: 3 }), call('list', 200)]);
    expect({ unknown, calls: all.map(({ calls }) => calls) }).toEqual({ unknown: 3, calls: [1, 0] });
  });
});

describe('errors', () => {
  test('are listed with their operations; a documented status is missing if no operation has returned it', () => {
    const calls = [
      call('list', 401),
      call('create', 401, { count: 2 }),
      call('create', 503),
      call('create', 400),
      call('', 404),
      call('list', 200),
    ];
    expect(errorCoverage(operations, [...calls, call('list', 0)])).toEqual({
      missing: [422],
      unanswered: 1,
      all: [
        { status: 400, count: 1, operations: ['create'] },
        { status: 401, count: 3, operations: ['list', 'create'] },
        { status: 404, count: 1, operations: [] },
        { status: 503, count: 1, operations: ['create'] },
      ],
    });
  });
});

describe('scopes', () => {
  const token = { id: 1, name: 'shop', scopes: ['billing.read', 'billing.write'], revoked_at: null } as const;

  test.each<[string, CallCount[], object[]]>([
    ['are used if requests of their token needed them', [call('list', 200), call('create', 201)], []],
    [
      'are unused if no request of their token needed them',
      [call('list', 200)],
      [{ token: 'shop', scope: 'billing.write' }],
    ],
    ['are used even if the requests that needed them were refused', [call('list', 429), call('create', 422)], []],
    ['are not listed if their token sent no requests', [call('list', 200, { token: 2 })], []],
  ])('%s', (_title, calls, unused) => {
    expect(scopeCoverage(operations, [token], calls).unused).toEqual(unused);
  });

  test('that a token lacks are reported with the operations that need them', () => {
    const reader = { ...token, scopes: ['billing.read'] } as const;
    expect(scopeCoverage(operations, [reader], [call('create', 403, { count: 2 })]).all).toEqual([
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
    expect(scopeCoverage(operations, [revoked], [call('list', 200)])).toEqual({ unused: [], all: [] });
  });
});

test('Idempotency-Keys are missing for operations that accept one and were called without one', () => {
  const calls = [call('create', 201, { count: 3 }), call('list', 200)];
  const countWithoutKey = (operation: string): number => (operation === 'create' ? 2 : 0);
  expect(keyCoverage(operations, calls, countWithoutKey)).toEqual({
    missing: ['create'],
    all: [{ operation: 'create', calls: 3, without: 2 }],
  });
  expect(keyCoverage(operations, calls, () => 0).missing).toEqual([]);
});

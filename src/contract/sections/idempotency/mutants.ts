import { isRecord } from '../../../lib/is-record.js';

import type { InterceptedRequest, InterceptedResponse, Interceptor, Json } from '../../mutation/interceptor.js';
import { chain, onAnswer, onRecord, onRequest } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const deposits = '/deposits';
const header = 'idempotency-key';

const keyOf = ({ headers }: InterceptedRequest): string => headers[header] ?? '';

/** Changes responses to repeated keys. */
function onReplay(change: (response: InterceptedResponse, first: Json) => void): Interceptor {
  const firsts = new Map<string, Json>();
  return onAnswer('POST', deposits, (response, request) => {
    const first = firsts.get(keyOf(request));
    if (first) change(response, first);
    else firsts.set(keyOf(request), response.body);
  });
}

const inReplay =
  (change: (deposit: Json) => Json): (() => Interceptor) =>
  () =>
    onReplay((response) => {
      const { data } = response.body;
      if (isRecord(data)) response.body = { ...response.body, data: { ...data, ...change(data) } };
    });

/** Ignores the keys of some requests. */
function ignoreKeys(isSelected: (request: InterceptedRequest) => boolean): Interceptor {
  let count = 0;
  return onRequest('POST', deposits, (request) => {
    if (!isSelected(request)) return;
    count += 1;
    request.headers[header] = `${keyOf(request)} ${count}`;
  });
}

/** A repeated request creates a second deposit, but the response shows the first. */
function createDuplicate(): Interceptor {
  const firsts = new Map<string, Json>();
  let count = 0;
  return {
    request(request) {
      if (request.method !== 'POST' || request.path !== deposits || !firsts.has(keyOf(request))) return;
      count += 1;
      request.headers[header] = `${keyOf(request)}${separator}${count}`;
    },
    ...onAnswer('POST', deposits, (response, request) => {
      const [key = ''] = keyOf(request).split(separator);
      const first = firsts.get(key);
      if (first) response.body = first;
      else firsts.set(key, response.body);
    }),
  };
}

const separator = ' duplicate ';

/** Concurrent requests with one key both create a deposit. */
function createConcurrentDuplicates(): Interceptor {
  const underWay = new Set<string>();
  const known = new Set<string>();
  return chain(
    ignoreKeys((request) => {
      const key = keyOf(request);
      const isOvertaken = underWay.has(key) && !known.has(key);
      underWay.add(key);
      return isOvertaken;
    }),
    onAnswer('POST', deposits, (_answered, request) => void known.add(keyOf(request))),
  );
}

/** A repeated request creates another deposit once the guest has authorized the first. */
function forgetKeyOnceAuthorized(): Interceptor {
  const ids = new Map<string, unknown>();
  const authorized = new Set<unknown>();
  return {
    ...ignoreKeys((request) => authorized.has(ids.get(keyOf(request)))),
    ...onRecord('POST', deposits, (deposit, request) => void ids.set(keyOf(request), deposit['id'])),
    authorized: ({ id }) => void authorized.add(id),
  };
}

/** The same body creates the same deposit, whatever the key. */
function useBodyAsKey(): Interceptor {
  const keys = new Map<string, string>();
  return onRequest('POST', deposits, (request) => {
    const body = JSON.stringify(request.body);
    const first = keys.get(body);
    if (first === undefined) keys.set(body, keyOf(request));
    else request.headers[header] = first;
  });
}

/** Remembers only the last key. */
function rememberOnlyLastKey(): Interceptor {
  let last: string | undefined;
  let count = 0;
  return onRequest('POST', deposits, (request) => {
    const key = keyOf(request);
    if (key !== last) count += 1;
    last = key;
    request.headers[header] = `${key} ${count}`;
  });
}

/** Mutants of `Idempotency-Key`. */
export const depositKeyMutants: readonly Mutant[] = mutantsOf([
  [
    'DEP-IDEM-01',
    'A repeated creation fails with a conflict.',
    () => onReplay((response) => void Object.assign(response, { status: 409 })),
  ],
  ['DEP-IDEM-02', 'A repeated creation returns another deposit.', inReplay(({ id }) => ({ id: Number(id) + 1 }))],
  ['DEP-IDEM-03', 'A repeated creation returns the original, and makes a duplicate.', createDuplicate],
  [
    'DEP-IDEM-04',
    'A repeated creation gives another `authorization_url`.',
    inReplay(() => ({ authorization_url: 'https://pay.example/new' })),
  ],
  ['DEP-IDEM-05', 'A key is forgotten once its deposit is authorized.', forgetKeyOnceAuthorized],
  ['DEP-IDEM-06', 'A key is not known until its deposit is made.', createConcurrentDuplicates],
  ['DEP-IDEM-08', 'Only the last key is remembered.', rememberOnlyLastKey],
  ['DEP-IDEM-07', 'The key is ignored, and the same body returns the same deposit.', useBodyAsKey],
]);

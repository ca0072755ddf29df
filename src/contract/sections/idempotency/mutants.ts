import { isRecord } from '../../../lib/json.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, InterceptedResponse, Interceptor } from '../../mutation/interceptor.js';
import { combine, onData, onRequest, onSuccess } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';

const depositsPath = '/deposits';
const keyHeader = 'idempotency-key';

const keyOf = ({ headers }: InterceptedRequest): string | undefined => headers[keyHeader];

/** Changes the successful response to a request that creates a deposit with a key that was used before. */
function onReplay(change: (response: InterceptedResponse) => void): Interceptor {
  const usedKeys = new Set<string>();
  return onSuccess('POST', depositsPath, (response, request) => {
    const key = keyOf(request);
    if (key === undefined) return;
    if (usedKeys.has(key)) change(response);
    else usedKeys.add(key);
  });
}

/** Replaces fields of the deposit in responses to repeated requests. @param change returns the new fields */
const changeReplayedDeposit = (change: (deposit: JsonObject) => JsonObject) => (): Interceptor =>
  onReplay((response) => {
    const { data } = response.body;
    if (isRecord(data)) response.body = { ...response.body, data: { ...data, ...change(data) } };
  });

/** Changes the keys of requests that create a deposit. Requests without a key stay as they are. */
const changeKey = (change: (key: string, request: InterceptedRequest) => string): Interceptor =>
  onRequest('POST', depositsPath, (request) => {
    const key = keyOf(request);
    if (key !== undefined) request.headers[keyHeader] = change(key, request);
  });

/** Makes the target ignore the selected keys, by making each of them unique. */
function ignoreKeys(isSelected: (key: string) => boolean): Interceptor {
  let count = 0;
  return changeKey((key) => {
    if (!isSelected(key)) return key;
    count += 1;
    return `${key} ${count}`;
  });
}

/** Makes a repeated request create a second deposit, while its response shows the first. */
function createDuplicate(): Interceptor {
  const firstBodies = new Map<string, JsonObject>();
  let count = 0;
  return combine(
    changeKey((key) => {
      if (!firstBodies.has(key)) return key;
      count += 1;
      return `${key}${duplicateSeparator}${count}`;
    }),
    onSuccess('POST', depositsPath, (response, request) => {
      // `changeKey` may have changed the key by now.
      const [key] = keyOf(request)?.split(duplicateSeparator) ?? [];
      if (key === undefined) return;
      const firstBody = firstBodies.get(key);
      if (firstBody) response.body = firstBody;
      else firstBodies.set(key, response.body);
    }),
  );
}

/** Separates the key that the suite sent from a number that makes it a different key. */
const duplicateSeparator = ' duplicate ';

/** Makes two concurrent requests with one key both create a deposit. */
function createConcurrentDuplicates(): Interceptor {
  const startedKeys = new Set<string>();
  const completedKeys = new Set<string>();
  return combine(
    ignoreKeys((key) => {
      const isConcurrent = startedKeys.has(key) && !completedKeys.has(key);
      startedKeys.add(key);
      return isConcurrent;
    }),
    onSuccess('POST', depositsPath, (_response, request) => {
      const key = keyOf(request);
      if (key !== undefined) completedKeys.add(key);
    }),
  );
}

/**
 * Makes a repeated create request create another deposit once the key of the first is forgotten.
 * @param createObserver creates the interceptor that calls `forget` with the id of a deposit whose key is to be forgotten
 */
function forgetKeyWhen(createObserver: (forget: (id: unknown) => void) => Interceptor): Interceptor {
  const idsByKey = new Map<string, string>();
  const forgottenIds = new Set<string>();
  return combine(
    ignoreKeys((key) => forgottenIds.has(idsByKey.get(key) ?? '')),
    onData('POST', depositsPath, ({ id }, request) => {
      const key = keyOf(request);
      if (key !== undefined) idsByKey.set(key, String(id));
    }),
    createObserver((id) => forgottenIds.add(String(id))),
  );
}

/**
 * Makes a repeated create request create another deposit once the first has been captured or released.
 * @param isSelected limits this to captures or releases with certain bodies
 */
const forgetKeyAfter =
  (action: 'capture' | 'release', isSelected: (body: JsonObject) => boolean = () => true) =>
  (): Interceptor =>
    forgetKeyWhen((forget) =>
      onSuccess('POST', new RegExp(`^${depositsPath}/[^/]+/${action}$`), (_response, { path, body }) => {
        const [, , id = ''] = path.split('/');
        if (isSelected(body)) forget(decodeURIComponent(id));
      }),
    );

/** Makes a repeated request create another deposit once a read has shown the first as `failed`. */
const forgetKeyWhenFailed = (): Interceptor =>
  forgetKeyWhen((forget) =>
    onData('GET', new RegExp(`^${depositsPath}/[^/]+$`), ({ id, status }) => {
      if (status === 'failed') forget(id);
    }),
  );

/** Makes requests with the same body create one deposit, whatever their keys. */
function useBodyAsKey(): Interceptor {
  const firstKeysByBody = new Map<string, string>();
  return changeKey((key, request) => {
    const body = JSON.stringify(request.body);
    const firstKey = firstKeysByBody.get(body) ?? key;
    firstKeysByBody.set(body, firstKey);
    return firstKey;
  });
}

/** Treats a key as new if another key was used in the meantime. */
function rememberOnlyLastKey(): Interceptor {
  let lastKey: string | undefined;
  let changeCount = 0;
  return changeKey((key) => {
    if (key !== lastKey) changeCount += 1;
    lastKey = key;
    return `${key} ${changeCount}`;
  });
}

/** Mutants for the clauses about `Idempotency-Key` (DEP-IDEM). */
export const idempotencyMutants: readonly MutantRow[] = [
  [
    'DEP-IDEM-01',
    'A repeated request with the same key fails with a conflict.',
    () => onReplay((response) => Object.assign(response, { status: 409 })),
  ],
  [
    'DEP-IDEM-02',
    'A repeated request with the same key returns a different deposit.',
    changeReplayedDeposit(({ id }) => ({ id: Number(id) + 1 })),
  ],
  [
    'DEP-IDEM-03',
    'A repeated request with the same key returns the original, but creates a duplicate.',
    createDuplicate,
  ],
  [
    'DEP-IDEM-04',
    'A repeated request with the same key returns a different `authorization_url`.',
    changeReplayedDeposit(() => ({ authorization_url: 'https://pay.example/new' })),
  ],
  [
    'DEP-IDEM-05',
    'A key is forgotten once its deposit is authorized.',
    () => forgetKeyWhen((forget) => ({ onAuthorize: ({ id }) => forget(id) })),
  ],
  ['DEP-IDEM-06', 'Simultaneous requests with the same key each create a deposit.', createConcurrentDuplicates],
  ['DEP-IDEM-08', 'Only the last key is remembered.', rememberOnlyLastKey],
  ['DEP-IDEM-09', 'A key is forgotten once its deposit is captured.', forgetKeyAfter('capture')],
  ['DEP-IDEM-10', 'A key is forgotten once its deposit is released.', forgetKeyAfter('release')],
  [
    'DEP-IDEM-12',
    'The response to a repeated request with the same key has null as `authorization_url`.',
    changeReplayedDeposit(() => ({ authorization_url: null })),
  ],
  [
    'DEP-IDEM-13',
    'A key is forgotten once part of its deposit is captured.',
    forgetKeyAfter('capture', ({ amount }) => amount !== undefined),
  ],
  ['DEP-IDEM-14', 'A key is forgotten once its deposit has been shown as `failed`.', forgetKeyWhenFailed],
  [
    'DEP-IDEM-16',
    'A used key with another amount creates another deposit.',
    changeKey((key, { body }) => `${key} ${String(body['amount'])}`),
  ],
  ['DEP-IDEM-15', 'Keys are truncated to 128 characters.', changeKey((key) => key.slice(0, 128))],
  ['DEP-IDEM-11', 'Keys are compared regardless of case.', changeKey((key) => key.toLowerCase())],
  ['DEP-IDEM-07', 'The key is ignored, and requests with the same body return the same deposit.', useBodyAsKey],
];

import { isRecord } from '../../../lib/is-record.js';

import type { InterceptedRequest, InterceptedResponse, Interceptor, Json } from '../../mutation/interceptor.js';
import { inTurn, onAnswer, onRecord, onRequest } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const deposits = '/deposits';
const header = 'idempotency-key';

const keyOf = ({ headers }: InterceptedRequest): string => headers[header] ?? '';

/** Changes responses to repeated keys. */
function onReplay(change: (answered: InterceptedResponse, first: Json) => void): Interceptor {
  const firsts = new Map<string, Json>();
  return onAnswer('POST', deposits, (answered, asked) => {
    const first = firsts.get(keyOf(asked));
    if (first) change(answered, first);
    else firsts.set(keyOf(asked), answered.body);
  });
}

const inReplay =
  (change: (deposit: Json) => Json): (() => Interceptor) =>
  () =>
    onReplay((answered) => {
      const { data } = answered.body;
      if (isRecord(data)) answered.body = { ...answered.body, data: { ...data, ...change(data) } };
    });

/** Ignores the keys of some requests. */
function forgetting(isMeant: (asked: InterceptedRequest) => boolean): Interceptor {
  let count = 0;
  return onRequest('POST', deposits, (asked) => {
    if (!isMeant(asked)) return;
    count += 1;
    asked.headers[header] = `${keyOf(asked)} ${count}`;
  });
}

/** A repeated request creates a second deposit, but the response shows the first. */
function duplicating(): Interceptor {
  const firsts = new Map<string, Json>();
  let count = 0;
  return {
    request(asked) {
      if (asked.method !== 'POST' || asked.path !== deposits || !firsts.has(keyOf(asked))) return;
      count += 1;
      asked.headers[header] = `${keyOf(asked)}${separator}${count}`;
    },
    ...onAnswer('POST', deposits, (answered, asked) => {
      const [key = ''] = keyOf(asked).split(separator);
      const first = firsts.get(key);
      if (first) answered.body = first;
      else firsts.set(key, answered.body);
    }),
  };
}

const separator = ' duplicate ';

/** Concurrent requests with one key both create a deposit. */
function overtaking(): Interceptor {
  const underWay = new Set<string>();
  const known = new Set<string>();
  return inTurn(
    forgetting((asked) => {
      const key = keyOf(asked);
      const isOvertaken = underWay.has(key) && !known.has(key);
      underWay.add(key);
      return isOvertaken;
    }),
    onAnswer('POST', deposits, (_answered, asked) => void known.add(keyOf(asked))),
  );
}

/** A repeated request creates another deposit once the guest has authorized the first. */
function forgettingTheAuthorized(): Interceptor {
  const ids = new Map<string, unknown>();
  const authorized = new Set<unknown>();
  return {
    ...forgetting((asked) => authorized.has(ids.get(keyOf(asked)))),
    ...onRecord('POST', deposits, (deposit, asked) => void ids.set(keyOf(asked), deposit['id'])),
    authorized: ({ id }) => void authorized.add(id),
  };
}

/** The same body creates the same deposit, whatever the key. */
function goingByTheBody(): Interceptor {
  const keys = new Map<string, string>();
  return onRequest('POST', deposits, (asked) => {
    const body = JSON.stringify(asked.body);
    const first = keys.get(body);
    if (first === undefined) keys.set(body, keyOf(asked));
    else asked.headers[header] = first;
  });
}

/** Remembers only the last key. */
function forgettingAllButTheLast(): Interceptor {
  let last: string | undefined;
  let count = 0;
  return onRequest('POST', deposits, (asked) => {
    const key = keyOf(asked);
    if (key !== last) count += 1;
    last = key;
    asked.headers[header] = `${key} ${count}`;
  });
}

/** Mutants of `Idempotency-Key`. */
export const depositKeyMutants: readonly Mutant[] = mutantsOf([
  [
    'DEP-IDEM-01',
    'A repeated creation is a conflict.',
    () => onReplay((answered) => void Object.assign(answered, { status: 409 })),
  ],
  ['DEP-IDEM-02', 'A repeated creation returns another deposit.', inReplay(({ id }) => ({ id: Number(id) + 1 }))],
  ['DEP-IDEM-03', 'A repeated creation returns the original, and makes a duplicate.', duplicating],
  [
    'DEP-IDEM-04',
    'A repeated creation gives another `authorization_url`.',
    inReplay(() => ({ authorization_url: 'https://pay.example/new' })),
  ],
  ['DEP-IDEM-05', 'A key is forgotten once its deposit is authorized.', forgettingTheAuthorized],
  ['DEP-IDEM-06', 'A key is not known until its deposit is made.', overtaking],
  ['DEP-IDEM-08', 'The key that was used last is remembered, and no other.', forgettingAllButTheLast],
  ['DEP-IDEM-07', 'The key is ignored: the same body makes the same deposit.', goingByTheBody],
]);

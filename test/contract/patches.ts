import { createHmac } from 'node:crypto';
import { isRecord } from '../../src/contract/expect.js';
import type { Answered, Asked, Json, Patch, Sent } from './patched.js';

type Method = 'GET' | 'POST';

/** Changes the answers of an operation, if they are successes. */
export function onAnswer(
  method: Method,
  path: string | RegExp,
  change: (answered: Answered, asked: Asked) => void,
): Patch {
  return {
    answer(answered, asked) {
      const isMeant = typeof path === 'string' ? asked.path === path : path.test(asked.path);
      if (isMeant && asked.method === method && answered.status < 300) change(answered, asked);
    },
  };
}

/** Changes the record in `data`. */
export function onRecord(method: Method, path: string | RegExp, change: (record: Json, asked: Asked) => void): Patch {
  return onAnswer(method, path, (answered, asked) => {
    answered.body = changed(answered.body, 'data', (data) => change(data, asked));
  });
}

/** Changes each record of a list. */
export function onRows(path: string, change: (row: Json, asked: Asked) => void): Patch {
  return onList(path, (rows, asked) =>
    rows.map((row) => {
      const copy = { ...row };
      change(copy, asked);
      return copy;
    }),
  );
}

/** Puts other records in the place of those of a list; the total is what it was, but for those left out or added. */
export function onList(path: string, change: (rows: Json[], asked: Asked) => Json[]): Patch {
  return onAnswer('GET', path, (answered, asked) => {
    answered.body = changed(answered.body, 'data', (page) => {
      const rows = Array.isArray(page['data']) ? page['data'].filter(isRecord) : [];
      const others = change(
        rows.map((row) => ({ ...row })),
        asked,
      );
      page['data'] = others;
      page['total'] = Number(page['total']) + others.length - rows.length;
    });
  });
}

/** Changes the requests of an operation. */
export function onRequest(method: Method, path: string | RegExp, change: (asked: Asked) => void): Patch {
  return {
    request(asked) {
      const isMeant = typeof path === 'string' ? asked.path === path : path.test(asked.path);
      if (isMeant && asked.method === method) change(asked);
    },
  };
}

/** Changes webhooks; whatever it makes of the body is signed anew. */
export function onWebhook(change: (sent: Sent) => void): Patch {
  return {
    webhook(sent) {
      const before = sent.text;
      change(sent);
      if (sent.text !== before) sign(sent);
      return [sent];
    },
  };
}

/** Signs a webhook as the simulator does by default. */
export function sign(sent: Sent, secret = sent.secret): void {
  sent.headers['x-service-signature'] = `sha256=${createHmac('sha256', secret).update(sent.text).digest('hex')}`;
}

/** Changes the payload of webhooks. */
export function onPayload(change: (payload: Json) => void): Patch {
  return onWebhook((sent) => {
    const payload: unknown = JSON.parse(sent.text);
    if (!isRecord(payload)) return;
    sent.text = JSON.stringify(changed({ payload }, 'payload', change)['payload']);
  });
}

/** A copy of an object, in which the object in a field is a copy, too, that was changed. */
export function changed(outer: Json, field: string, change: (inner: Json) => void): Json {
  const inner = outer[field];
  if (!isRecord(inner)) return outer;
  const copy = { ...inner };
  change(copy);
  return { ...outer, [field]: copy };
}

/** Leaves a field out, or the field of an object in a field. */
export function drop(record: Json, path: string): void {
  const [field = '', ...rest] = path.split('.');
  if (rest.length === 0) delete record[field];
  else
    Object.assign(
      record,
      changed(record, field, (inner) => drop(inner, rest.join('.'))),
    );
}

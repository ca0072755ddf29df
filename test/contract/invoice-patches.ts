import type { Answered, Asked, Json, Patch } from './patched.js';
import { onAnswer } from './patches.js';

/** Changes each overdue invoice. */
export function onOverdue(change: (rows: Json[]) => Json[]): Patch {
  return onAnswer('GET', '/invoices/overdue', (answered) => {
    const { data } = answered.body;
    if (Array.isArray(data)) answered.body['data'] = change(data.map((row) => ({ ...row })));
  });
}

/** Changes whatever is answered to some requests. */
export function onAny(
  isMeant: (asked: Asked, answered: Answered) => boolean,
  change: (answered: Answered, asked: Asked) => void,
): Patch {
  return {
    answer(answered, asked) {
      if (isMeant(asked, answered)) change(answered, asked);
    },
  };
}

/** Turns an answer into a refusal. */
export function refuse(answered: Answered, status = 422): void {
  answered.status = status;
  answered.body = { success: false, error: 'Not possible' };
}

/** Turns an answer into a success. */
export function accept(answered: Answered): void {
  answered.status = 200;
  answered.body = { success: true, data: {} };
}

/** Patches one after the other. */
export function inTurn(...patches: readonly Patch[]): Patch {
  return {
    request(asked) {
      for (const { request } of patches) request?.(asked);
    },
    answer(answered, asked) {
      for (const { answer } of patches) answer?.(answered, asked);
    },
  };
}

import { formatDecimal, round } from '../../domain/money.js';
import { isRecord, parseJson } from '../../lib/json.js';
import { defineMessageEffect, withForgedMessage, withSkippedFault } from './message.js';

/** Fields to multiply: all amounts of a record, so that they stay consistent with each other. */
const amountFields: readonly string[] = ['amount', 'captured_amount', 'remaining_amount'];
const factors = [10, 100, 1_000];

/** Keeps the signature of the original body, since an attacker who changes the body does not know the secret. */
export const tamperBody = defineMessageEffect(
  {
    name: 'tamper-body',
    summary: 'multiplies the amounts in the body but keeps the original signature',
    example: 'tamper-body',
    options: {},
    needs: 'message-sent',
  },
  (result, _options, { random }) => {
    const factor = factors[Math.floor(random() * factors.length)] ?? 10;
    const forged = withForgedMessage(result, 'tamper-body', ({ body, signedText = body }) => ({
      body: tamper(body, factor),
      signedText,
    }));
    // An unchanged message is genuine, and a receiver that accepts it is right, so the effect counts as skipped.
    if (forged.messages.some(({ body }, index) => body !== result.messages[index]?.body)) return forged;
    return withSkippedFault(result, 'tamper-body', 'the body has no amount that could be multiplied');
  },
);

function tamper(text: string, factor: number): string {
  const body = parseJson(text);
  // Cannot happen: webhook bodies are objects.
  if (!isRecord(body)) return text;
  if (amountFields.some((name) => amountOf(body[name]) !== undefined))
    return JSON.stringify(multiplyAmounts(body, factor));
  // The record is in a member whose name depends on the profile (gap event.payload), so this looks in all members.
  const tampered = Object.entries(body).map(([name, value]) => [
    name,
    isRecord(value) ? multiplyAmounts(value, factor) : value,
  ]);
  return JSON.stringify(Object.fromEntries(tampered));
}

function multiplyAmounts(record: Readonly<Record<string, unknown>>, factor: number): object {
  const multiply = ([name, value]: [string, unknown]): [string, unknown] => {
    const amount = amountFields.includes(name) ? amountOf(value) : undefined;
    if (amount === undefined) return [name, value];
    if (typeof value !== 'string') return [name, round(amount * factor)];
    // With the choice `string` of gap decimal.encoding, amounts are strings with the decimal places of their currency.
    return [name, formatDecimal(amount * factor, value.split('.')[1]?.length ?? 0)];
  };
  return Object.fromEntries(Object.entries(record).map(multiply));
}

/** Parses an amount. Returns undefined for another value: metadata may have a member with the name of an amount field. */
function amountOf(value: unknown): number | undefined {
  const isDecimal = typeof value === 'string' && /^\d+(?:\.\d{1,3})?$/.test(value);
  const amount = isDecimal ? Number(value) : value;
  return typeof amount === 'number' && Math.abs(amount) <= Number.MAX_SAFE_INTEGER ? amount : undefined;
}

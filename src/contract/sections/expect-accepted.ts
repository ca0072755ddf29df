import { randomInt, randomUUID } from 'node:crypto';
import { isRecord } from '../../lib/json.js';
import { Blocked, Skip, Violation } from '../engine/check-errors.js';
import type { Call, Exchange } from '../engine/exchange.js';
import { expectSuccess, isClientError, isSuccess } from '../engine/expect.js';
import { formatExactJson } from '../engine/json.js';
import type { ClauseContext } from '../engine/session.js';

/**
 * Checks that a valid request succeeded. A refused request is repeated to find out why:
 * - First with another idempotency key. If the target accepts this, it refused the key, perhaps because it took the key
 *   for a used one. This is a violation.
 * - Then with other texts of the same lengths. If the target accepts this, it refused a text, perhaps because an earlier
 *   record has it, too. This is a violation: no text but an invoice number or a booking reference may have to be unique.
 * - Then with shorter texts and, while it is still refused, with smaller and smaller numbers, too. If the target
 *   accepts one of these requests, the first may have exceeded a limit: the specification gives none for amounts, tax
 *   rates, texts and metadata.
 * @throws Skip if the target accepts only smaller values; Violation if the request failed for another reason
 */
export async function expectAccepted(context: ClauseContext, exchange: Exchange): Promise<void> {
  const mayExceedLimit =
    isClientError(exchange) &&
    !(await isAcceptedWithOtherKey(context, exchange.call)) &&
    !(await isAcceptedWithOtherTexts(context, exchange.call));
  if (mayExceedLimit) {
    let { call } = exchange;
    // The texts come first, and moderate numbers before the smallest ones, because a target may also have minimums.
    for (const replacements of [shorterTexts, moderateNumbers, smallNumbers, smallestNumbers]) {
      const replaced = withReplacedValues(call, replacements);
      if (formatExactJson(replaced) === formatExactJson(call)) continue;
      call = replaced;
      if (isSuccess(await context.send(withNewKey(call)))) {
        throw new Skip({
          missing: 'higher limits',
          reason:
            'the request is accepted only with smaller values, and the specification gives no limits for amounts or lengths',
        });
      }
    }
  }
  expectSuccess(exchange);
}

/**
 * Like `expectAccepted`, but for a request on which a check merely depends.
 * @throws Blocked, not Violation, if the request did not succeed: the clause about that request reports it
 */
export async function requireAccepted(context: ClauseContext, exchange: Exchange): Promise<void> {
  try {
    await expectAccepted(context, exchange);
  } catch (error) {
    throw error instanceof Violation ? new Blocked(error.message, exchange) : error;
  }
}

/** Repeats a request with another idempotency key of the same length. @returns false if it was refused again or has no key */
async function isAcceptedWithOtherKey(context: ClauseContext, call: Call): Promise<boolean> {
  return call.headers?.['Idempotency-Key'] !== undefined && isSuccess(await context.send(withOtherKey(call)));
}

/** Replaces the idempotency key with another one of the same length. */
function withOtherKey(call: Call): Call {
  const key = call.headers?.['Idempotency-Key'];
  if (key === undefined) return call;
  return { ...call, headers: { ...call.headers, 'Idempotency-Key': `${uniqueText(8)}${key.slice(8)}` } };
}

/** Repeats a request with other texts of the same lengths. @returns false if it was refused again or has no such texts */
async function isAcceptedWithOtherTexts(context: ClauseContext, call: Call): Promise<boolean> {
  const replaced = withReplacedValues(call, otherTexts);
  if (formatExactJson(replaced) === formatExactJson(call)) return false;
  return isSuccess(await context.send(withOtherKey(replaced)));
}

/**
 * Replaces ASCII letters and digits with random ones of the same kind. Other characters remain: if the target refuses
 * one of them, it must refuse the replaced text, too.
 */
function otherText(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return text.replace(/[a-z0-9]/gi, (character) => {
    if (/[0-9]/.test(character)) return String(randomInt(10));
    const letter = String.fromCodePoint(97 + randomInt(26));
    return character === character.toUpperCase() ? letter.toUpperCase() : letter;
  });
}

/** Replaces the local part of an email address as `otherText` does, and keeps its domain. */
function otherEmail(email: unknown): unknown {
  return typeof email === 'string' ? email.replace(/^[^@]*/, (local) => String(otherText(local))) : email;
}

/** Returns random text, so that shortened texts differ from those of earlier records. */
function uniqueText(length: number): string {
  return randomUUID().slice(0, length);
}

/** Replaces the idempotency key with a short one, because another body must not be sent with the same key. */
function withNewKey(call: Call): Call {
  const key = call.headers?.['Idempotency-Key'];
  if (key === undefined) return call;
  return { ...call, headers: { ...call.headers, 'Idempotency-Key': `${punctuationIn(key)}${uniqueText(8)}` } };
}

/**
 * Returns each punctuation character of a text once. Shortened texts keep them. Otherwise a target that refuses
 * punctuation, which is a violation, would seem to limit the length.
 */
function punctuationIn(text: string): string {
  return [...new Set(text.match(/[!-/:-@[-`{-~]/g))].join('');
}

/** Returns the last character of a text that is not ASCII, and has fewer than four bytes in UTF-8. */
const nonAsciiIn = (text: string): string => text.match(/[\u0080-\uffff]/gu)?.at(-1) ?? '';

/** Returns the first character of a text that has four bytes in UTF-8, such as an emoji. */
const fourBytesIn = (text: string): string => /[\u{10000}-\u{10ffff}]/u.exec(text)?.[0] ?? '';

/**
 * Shortens text to its special characters and its last letter or digit, since the first one is the same in many texts of
 * a run.
 */
function shorterText(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const lastWordCharacter = text.match(/[a-z0-9]/gi)?.at(-1) ?? '';
  return `${punctuationIn(text)}${nonAsciiIn(text)}${fourBytesIn(text)}${lastWordCharacter}`;
}

/** Shortens a booking reference. It keeps less, since a target may allow only some ten characters. */
function shorterBooking(reference: unknown): string {
  const text = String(reference);
  return `${punctuationIn(text)}${nonAsciiIn(text)}${uniqueText(2)}`;
}

/** Functions that replace valid values in a request. */
interface Replacements {
  /** Keyed by the name of the field in the body. */
  readonly body: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Keyed by the name of the query parameter. */
  readonly query: Readonly<Record<string, (value: string, pathname: string) => unknown>>;
}

const otherTexts: Replacements = {
  body: { description: otherText, name: otherText, notes: otherText, reference: otherText, email: otherEmail },
  query: {},
};

const shorterTexts: Replacements = {
  body: {
    metadata: () => ({ a: '1' }),
    email: () => 'a@b.co',
    invoice_number: () => uniqueText(8),
    booking_reference: shorterBooking,
    description: shorterText,
    name: shorterText,
    notes: shorterText,
    reference: shorterText,
  },
  query: { description: shorterText, booking_reference: shorterText },
};

/**
 * Returns a function that reduces numbers to at most `maximum`. A number with a fraction becomes one with a fraction.
 * Otherwise a target that refuses decimal places, which is a violation, would seem to limit the size.
 */
const atMost =
  (maximum: number) =>
  (value: unknown): number =>
    Math.min(Number(value), Number.isInteger(value) ? maximum : maximum - 0.01);

const moderateNumbers: Replacements = {
  body: { amount: atMost(20), unit_price: atMost(20), tax_rate: atMost(5) },
  query: {},
};

const smallNumbers: Replacements = { body: { amount: atMost(2), unit_price: atMost(2) }, query: {} };

const smallestNumbers: Replacements = {
  body: {
    amount: atMost(1),
    // A price of 0 stays 0.
    unit_price: atMost(1),
    // Keeps the total of the items small.
    quantity: (value) => Math.min(Number(value), 0.05),
    // A rate of 0 stays 0: it is the default, so every target must accept it.
    tax_rate: (value) => Math.min(Number(value), 0.01),
  },
  // Only for the list of deposits: for the other lists, the specification gives the maximum.
  query: { per_page: (value, path) => (path === '/deposits' ? 1 : value) },
};

function withReplacedValues(call: Call, { body, query }: Replacements): Call {
  return { ...call, path: withReplacedParameters(call.path, query), body: withReplacedFields(call.body, body) };
}

function withReplacedFields(part: unknown, replacements: Replacements['body']): unknown {
  if (Array.isArray(part)) return part.map((element) => withReplacedFields(element, replacements));
  if (!isRecord(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      const replace = replacements[name];
      return [name, replace && value !== undefined ? replace(value) : withReplacedFields(value, replacements)];
    }),
  );
}

function withReplacedParameters(path: string, replacements: Replacements['query']): string {
  const [pathname = '', query] = path.split('?');
  const parameters = new URLSearchParams(query);
  let isChanged = false;
  for (const [name, value] of [...parameters]) {
    const replaced = String(replacements[name]?.(value, pathname) ?? value);
    if (replaced === value) continue;
    parameters.set(name, replaced);
    isChanged = true;
  }
  // An unchanged query is not serialized again, since that might change its encoding.
  return isChanged ? `${pathname}?${parameters}` : path;
}

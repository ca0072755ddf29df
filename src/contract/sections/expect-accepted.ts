import { randomUUID } from 'node:crypto';
import { isRecord } from '../../lib/json.js';
import type { Call, Exchange } from '../engine/exchange.js';
import { expectSuccess, isClientError, isSuccess } from '../engine/expect.js';
import { jsonText } from '../engine/json.js';
import type { ClauseContext } from '../engine/session.js';
import { Skip } from '../engine/verdict.js';

/**
 * Checks that a valid request succeeded. The specification gives no maximum for amounts, tax rates, texts and metadata,
 * so a refused request is repeated with shorter texts and, if it is still refused, with smaller numbers, too. Everything
 * else is unchanged.
 * @throws Skip if the target accepts only the smaller values; Violation if the request did not succeed otherwise
 */
export async function expectAccepted(context: ClauseContext, exchange: Exchange): Promise<void> {
  if (isClientError(exchange)) {
    // The texts come first, because a target may also have a minimum amount.
    const withShortTexts = withReplacedValues(exchange.call, shorterTexts);
    const withSmallestValues = withReplacedValues(
      withShortTexts,
      exchange.call.path.startsWith('/deposits') ? smallerNumbersOfDeposits : smallerNumbers,
    );
    const sent = [jsonText(exchange.call)];
    for (const call of [withShortTexts, withSmallestValues]) {
      if (sent.includes(jsonText(call))) continue;
      sent.push(jsonText(call));
      if (isSuccess(await context.send(withNewKey(call)))) throw limitsSkip();
    }
  }
  expectSuccess(exchange);
}

/** Creates a Skip for a request that the target refuses because of limits that the specification does not mention. */
export function limitsSkip(): Skip {
  return new Skip({
    missing: 'higher limits',
    reason:
      'the request is accepted only with smaller values, and the specification gives no maximum amounts or lengths',
  });
}

/** Returns text that differs from that of earlier records. */
function uniqueText(length: number): string {
  return randomUUID().slice(0, length);
}

/** Replaces the idempotency key by a short one, because another body must not be sent with the same key. */
function withNewKey(call: Call): Call {
  const key = call.headers?.['Idempotency-Key'];
  if (key === undefined) return call;
  return { ...call, headers: { ...call.headers, 'Idempotency-Key': `${punctuationIn(key)}${uniqueText(8)}` } };
}

/** Returns each punctuation character of a text once: unlike its length, none is a reason to refuse the text. */
function punctuationIn(text: string): string {
  return [...new Set(text.match(/[!-/:-@[-`{-~]/g))].join('');
}

/** Shortens a text to its last character: the beginning is the same in all texts of a run. */
const lastCharacter = (text: unknown): unknown => (typeof text === 'string' ? [...text].at(-1) : text);

/** Functions that replace valid values in a request. */
interface Replacements {
  /** By the name of the field in the body. */
  readonly body: Readonly<Record<string, (value: unknown) => unknown>>;
  /** By the name of the query parameter. */
  readonly query: Readonly<Record<string, (value: string) => unknown>>;
}

/** Length of shortened booking references, which should still differ from each other. */
const shortReferenceLength = 10;

const shorterTexts: Replacements = {
  body: {
    metadata: () => ({ a: '1' }),
    email: () => 'a@b.co',
    invoice_number: () => uniqueText(8),
    booking_reference: (text) =>
      `${punctuationIn(String(text))}${lastCharacter(text)}${uniqueText(8)}`.slice(0, shortReferenceLength),
    description: lastCharacter,
    name: lastCharacter,
    notes: lastCharacter,
    reference: lastCharacter,
  },
  query: { description: lastCharacter, booking_reference: lastCharacter },
};

const smallerNumbers: Replacements = {
  body: {
    amount: () => 1,
    unit_price: () => 1,
    // Keeps the total of the items small.
    quantity: (value) => Math.min(Number(value), 0.1),
    // Keeps a rate of 0, which is the default and so must be allowed.
    tax_rate: (value) => Math.min(Number(value), 0.01),
  },
  query: {},
};

/** For the other lists, the specification gives the maximum of `per_page`. */
const smallerNumbersOfDeposits: Replacements = { ...smallerNumbers, query: { per_page: () => 1 } };

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
  const [pathname, query] = path.split('?');
  const parameters = new URLSearchParams(query);
  const replaced = [...parameters].filter(([name]) => replacements[name]);
  for (const [name, value] of replaced) parameters.set(name, String(replacements[name]?.(value)));
  return replaced.length > 0 ? `${pathname}?${parameters}` : path;
}

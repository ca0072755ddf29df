import { randomUUID } from 'node:crypto';
import { isRecord } from '../../lib/json.js';
import type { Exchange } from '../engine/exchange.js';
import { expectSuccess, isClientError, isSuccess } from '../engine/expect.js';
import { jsonText } from '../engine/json.js';
import type { ClauseContext } from '../engine/session.js';
import { Skip } from '../engine/verdict.js';

/**
 * Checks that a valid request succeeded. The specification gives no maximum for amounts, tax rates, texts and metadata,
 * so a refused request is repeated with the smallest values, and everything else unchanged.
 * @throws Skip if the target accepts only the smallest values; Violation if the request did not succeed otherwise
 */
export async function expectAccepted(context: ClauseContext, exchange: Exchange): Promise<void> {
  const { call } = exchange;
  const smallestCall = { ...call, path: withSmallestQuery(call.path), body: withSmallestValues(call.body) };
  if (isClientError(exchange) && jsonText(smallestCall) !== jsonText(call)) {
    const repeated = await context.send({
      ...smallestCall,
      ...(call.headers && { headers: withNewKey(call.headers) }),
    });
    if (isSuccess(repeated)) {
      throw new Skip({
        missing: 'higher limits',
        reason:
          'the request is accepted only with smaller values, and the specification gives no maximum amounts or lengths',
      });
    }
  }
  expectSuccess(exchange);
}

/** Number of characters of texts that must differ from those of earlier records. */
const uniqueTextCharacters = 8;

function uniqueText(): string {
  return randomUUID().slice(0, uniqueTextCharacters);
}

/** Replaces the key by a short one, because another body must not be sent with the same key. */
function withNewKey(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'Idempotency-Key': key } = headers;
  return key === undefined ? headers : { ...headers, 'Idempotency-Key': `${punctuationIn(key)}${uniqueText()}` };
}

/** Returns each punctuation character of a text once: unlike its length, none is a reason to refuse the text. */
function punctuationIn(text: string): string {
  return [...new Set(text.match(/[!-/:-@[-`{-~]/g))].join('');
}

/** Shortens a text to its last character: the beginning is the same in all texts of a run. */
const lastCharacter = (text: unknown): unknown => (typeof text === 'string' ? [...text].at(-1) : text);

/** Functions that replace the valid value of a field, by the name of the field. */
const smallestValues: Readonly<Record<string, (value: unknown) => unknown>> = {
  amount: () => 1,
  unit_price: () => 1,
  // Keeps the total of the items small.
  quantity: (value) => Math.min(Number(value), 0.1),
  // Keeps a rate of 0, which is the default and so must be allowed.
  tax_rate: (value) => Math.min(Number(value), 0.01),
  metadata: () => ({ a: '1' }),
  email: () => 'a@b.co',
  invoice_number: uniqueText,
  booking_reference: (text) => `${punctuationIn(String(text))}${lastCharacter(text)}`,
  description: lastCharacter,
  name: lastCharacter,
  notes: lastCharacter,
  reference: lastCharacter,
};

/** Replaces the amounts, tax rates, texts and metadata in a valid body by the smallest ones. */
function withSmallestValues(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withSmallestValues);
  if (!isRecord(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      const smallest = smallestValues[name];
      return [name, smallest && value !== undefined ? smallest(value) : withSmallestValues(value)];
    }),
  );
}

/** Replaces the texts in the query of a path, and the page size of deposits, by the smallest ones. */
function withSmallestQuery(path: string): string {
  const [pathname = '', query] = path.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of ['description', 'booking_reference']) {
    const text = parameters.get(name);
    if (text !== null) parameters.set(name, String(lastCharacter(text)));
  }
  // For the other lists, the specification gives the maximum of `per_page`.
  if (pathname === '/deposits' && parameters.has('per_page')) parameters.set('per_page', '1');
  return query === undefined ? path : `${pathname}?${parameters}`;
}

import type { Choices } from './options.js';

/**
 * Clients see the internal identifier plus this offset. A double cannot represent every sum: above 2^53, it represents
 * only even integers.
 */
const offset = 2n ** 53n;

type BigIdChoice = Pick<Choices, 'bigIds'>;

/**
 * Converts the identifiers in the JSON text of a response or webhook to those that clients see, if `bigIds` is chosen:
 * `id`, and `payment_link_id`, the only field that refers to another record by its identifier. Edits the text, since a
 * JavaScript number cannot represent all of them.
 */
export function toBigIds({ bigIds }: BigIdChoice, text: string): string {
  if (!bigIds) return text;
  return text.replace(/("(?:id|payment_link_id)":\s*)(\d+)/g, (_match, name, id) => `${name}${BigInt(id) + offset}`);
}

/**
 * Converts the 16-digit identifiers in a path or in the JSON text of a request body to the internal ones. The only
 * identifier in a body is `customer_id`.
 */
export function fromBigIds({ bigIds }: BigIdChoice, text: string): string {
  if (!bigIds) return text;
  return text.replace(/(\/|"customer_id":\s*)(\d{16})\b/g, (_match, prefix, id) => `${prefix}${BigInt(id) - offset}`);
}

/** Converts an internal identifier to the identifier that clients see. */
export function toBigId({ bigIds }: BigIdChoice, id: number): number | bigint {
  return bigIds ? BigInt(id) + offset : id;
}

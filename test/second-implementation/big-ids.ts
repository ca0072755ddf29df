import type { Choices } from './options.js';

/** The identifier that clients see is the internal one plus this offset. A double can represent only some sums. */
const offset = 2n ** 53n;

type BigIdChoice = Pick<Choices, 'bigIds'>;

/**
 * Converts the identifiers in a JSON text to those that clients see, if the variant has big identifiers. Edits the
 * text, since JSON.parse would round them.
 */
export function toBigIds({ bigIds }: BigIdChoice, text: string): string {
  if (!bigIds) return text;
  return text.replace(/("(?:id|payment_link_id)":\s*)(\d+)/g, (_match, name, id) => `${name}${BigInt(id) + offset}`);
}

/** Converts the 16-digit identifiers in a path or in the JSON text of a request body to the internal ones. */
export function fromBigIds({ bigIds }: BigIdChoice, text: string): string {
  if (!bigIds) return text;
  return text.replace(/(\/|"customer_id":\s*)(\d{16})\b/g, (_match, prefix, id) => `${prefix}${BigInt(id) - offset}`);
}

/** Converts an internal identifier to the identifier that clients see. */
export function toBigId({ bigIds }: BigIdChoice, id: number): number | bigint {
  return bigIds ? BigInt(id) + offset : id;
}

import type { Choices } from './options.js';

/** Added to an internal identifier, this makes the one that clients see. A double can represent only some of those. */
const offset = 2n ** 53n;

type BigIdChoice = Pick<Choices, 'bigIds'>;

/**
 * Converts the identifiers in a JSON text to those that clients see. Edits the text, since JSON.parse would round them.
 */
export function toBigIds({ bigIds }: BigIdChoice, text: string): string {
  if (!bigIds) return text;
  return text.replace(/("(?:id|payment_link_id)":\s*)(\d+)/g, (_match, name, id) => `${name}${BigInt(id) + offset}`);
}

/** Converts the identifiers in a path or a JSON text, which have 16 digits, to the internal ones. */
export function fromBigIds({ bigIds }: BigIdChoice, text: string): string {
  if (!bigIds) return text;
  return text.replace(/(\/|"customer_id":\s*)(\d{16})\b/g, (_match, prefix, id) => `${prefix}${BigInt(id) - offset}`);
}

/** Converts an identifier to the one that clients see. */
export function toBigId({ bigIds }: BigIdChoice, id: number): number | bigint {
  return bigIds ? BigInt(id) + offset : id;
}

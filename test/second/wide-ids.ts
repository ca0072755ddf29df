import type { Choices } from './options.js';

/** The first identifier that a double cannot represent exactly. */
const offset = 2n ** 53n;

type WideIdChoice = Pick<Choices, 'wideIds'>;

/** Converts the identifiers in a JSON text to those that clients see. */
export function toWideIds({ wideIds }: WideIdChoice, text: string): string {
  if (!wideIds) return text;
  return text.replace(/("(?:id|payment_link_id)":\s*)(\d+)/g, (_match, name, id) => `${name}${BigInt(id) + offset}`);
}

/** Converts the identifiers in a path or a JSON text to the internal ones. */
export function toInternalIds({ wideIds }: WideIdChoice, text: string): string {
  if (!wideIds) return text;
  return text.replace(/(\/|"customer_id":\s*)(\d{16})\b/g, (_match, prefix, id) => `${prefix}${BigInt(id) - offset}`);
}

/** Converts an identifier to the one that clients see. */
export function toWideId({ wideIds }: WideIdChoice, id: number): number | bigint {
  return wideIds ? BigInt(id) + offset : id;
}

import type { Choices } from './options.js';

/** The first identifier beyond what a double tells from its neighbours. */
const offset = 2n ** 53n;

type Wide = Pick<Choices, 'wideIds'>;

/** A JSON text with identifiers as clients see them. */
export function widened({ wideIds }: Wide, text: string): string {
  if (!wideIds) return text;
  return text.replace(/("(?:id|payment_link_id)":\s*)(\d+)/g, (_all, name, id) => `${name}${BigInt(id) + offset}`);
}

/** A path, or a JSON text, with identifiers as they are kept. */
export function narrowed({ wideIds }: Wide, text: string): string {
  if (!wideIds) return text;
  return text.replace(/(\/|"customer_id":\s*)(\d{16})\b/g, (_all, before, id) => `${before}${BigInt(id) - offset}`);
}

/** An identifier as clients see it. */
export function wideId({ wideIds }: Wide, id: number): number | bigint {
  return wideIds ? BigInt(id) + offset : id;
}

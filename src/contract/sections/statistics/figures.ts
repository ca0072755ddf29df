import type { Json } from '../../mutation/interceptor.js';
import { put } from '../../mutation/interceptors.js';

/** Writes a figure as a text. */
export const asText =
  (field: string) =>
  (record: Json): void =>
    put(record, { [field]: String(record[field]) });

/** A figure that stays what it was at first. */
export function stuck(field: string): (record: Json) => void {
  let first: unknown;
  return (record) => {
    first ??= record[field];
    record[field] = first;
  };
}

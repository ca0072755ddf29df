import { isRecord } from '../../lib/json.js';
import { formatValue } from '../engine/check-errors.js';

/** Formats an observed value for people: `answer (status: 401, error: Who are you?)` in place of JSON. */
export function formatObservation(value: unknown): string {
  return formatValue(toText(value));
}

function toText(value: unknown): string {
  if (Array.isArray(value)) {
    const hasOnlyPrimitives = value.every((item) => typeof item !== 'object');
    return value.length === 0 ? 'none' : value.map(toText).join(hasOnlyPrimitives ? ', ' : '; ');
  }
  if (!isRecord(value)) return formatValue(value);
  return Object.entries(value)
    .map(([name, inner]) => (isRecord(inner) ? `${name} (${toText(inner)})` : `${name}: ${toText(inner)}`))
    .join(', ');
}

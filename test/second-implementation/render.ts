import type { Json, JsonObject } from './json.js';
import type { Choices } from './options.js';

/** Renders a decimal as a number, or as a string with at least two decimal places. */
export function renderDecimal(choices: Choices, value: number): number | string {
  if (choices.decimals === 'number') return value;
  const decimalPlaces = String(value).split('.')[1]?.length ?? 0;
  return value.toFixed(Math.max(2, decimalPlaces));
}

/** Renders an amount in cents as a decimal. */
export const renderCents = (choices: Choices, cents: number): number | string => renderDecimal(choices, cents / 100);

/** Formats a time, in milliseconds since 1970, with the variant's UTC offset. */
export function formatTime(choices: Choices, timestamp: number): string {
  const { utcOffset } = choices;
  if (utcOffset === 'Z') return new Date(timestamp).toISOString();
  const local = timestamp + (utcOffset === '+02:00' ? 2 * 3_600_000 : 0);
  return `${new Date(local).toISOString().slice(0, 19)}${utcOffset}`;
}

/** Returns the date of a timestamp in the account's time zone. */
export const dateOf = (choices: Choices, timestamp: number): string => formatTime(choices, timestamp).slice(0, 10);

/** Returns a time some days before now (after now if the number is negative), in milliseconds since 1970. */
export const daysAgo = (days: number): number => Date.now() - days * 86_400_000;

/**
 * Returns an object with an optional string field. If the string is undefined, the variant decides: empty, null or
 * absent.
 */
export function optionalTextField(choices: Choices, field: string, value: string | undefined): JsonObject {
  return optionalField(choices, field, value ?? (choices.unsetFields === 'empty' ? '' : undefined));
}

/** Returns an object with an optional field. If its value is undefined, the variant decides: null or absent. */
export function optionalField(choices: Choices, field: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { [field]: value };
  return choices.unsetFields === 'absent' ? {} : { [field]: null };
}

/**
 * Returns these fields if the variant has fields that the specification does not name, otherwise none. Their values do
 * not matter; some are German, like the error messages of that variant.
 */
export const undocumentedFields = (choices: Choices, fields: JsonObject): JsonObject =>
  choices.hasUndocumentedFields ? fields : {};

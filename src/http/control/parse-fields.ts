import { parseDateOrTime } from '../../domain/dates.js';
import { invalidField, ServiceError } from '../../domain/service-error.js';
import { invalidDurationHint, parseDuration } from '../../lib/durations.js';
import { integerOrText } from '../../lib/integer-or-text.js';
import { InputError } from '../../lib/user-error.js';
import { resolveProfile } from '../../openapi/profile.js';

/** Returns the choices of a profile if they are valid. @throws ServiceError invalid */
export function readChoices<Choices extends Readonly<Record<string, unknown>>>(choices: Choices): Choices {
  withFieldErrors(() => resolveProfile(choices), 'profile');
  return choices;
}

/**
 * Calls a parser of a file format, such as seed files, on the body or a field of it. Converts its errors with
 * `asFieldError`.
 * @throws ServiceError invalid
 */
export function withFieldErrors<Value>(parse: () => Value, field?: string): Value {
  try {
    return parse();
  } catch (error) {
    throw asFieldError(error, field);
  }
}

/**
 * Converts an error of a file parser to a ServiceError with the same message. Returns other errors unchanged.
 * @param field the field of the body that the parser has read; left out if it has read the whole body, since the path
 *   of the error then names the field
 */
export function asFieldError(error: unknown, field?: string): unknown {
  if (!(error instanceof InputError)) return error;
  const violations = [error, ...error.others].map(({ path, message }) => ({
    path: [field ?? (path.join('.') || 'body')],
    rule: 'custom',
    params: { message },
  }));
  return new ServiceError('invalid', { violations });
}

/** Parses a time, or a date, taken as midnight in UTC, into milliseconds since 1970. @throws ServiceError invalid */
export function readTime(field: string, text: string): number {
  const at = parseDateOrTime(text);
  // The schema accepts dates that do not exist and times before 1970, which the clock cannot represent.
  if (at === undefined) {
    const description = 'a date or a time in 1970 or later, such as 2026-03-01 or 2026-03-01T09:00:00Z';
    throw invalidField(field, 'pattern', { form: description });
  }
  return at;
}

/** Parses a duration into milliseconds. @throws ServiceError invalid */
export function readDuration(field: string, text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined) throw invalidField(field, 'x-duration', { hint: invalidDurationHint(text) });
  return duration;
}

/** Parses the id of a record. A numeric id may be sent as a number or as a string. */
export function readRecordId(id: number | string): number | string {
  return typeof id === 'string' ? integerOrText(id) : id;
}

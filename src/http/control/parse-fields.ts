import { formatInstant, parseDateOrTime } from '../../domain/dates.js';
import { invalid, type ServiceError } from '../../domain/service-error.js';
import { invalidDurationHint, parseDuration } from '../../lib/durations.js';
import { integerOrText } from '../../lib/integer-or-text.js';
import { ProfileError, resolveProfile } from '../../openapi/profile.js';

/** Returns the choices of a profile if they are valid. @throws ServiceError invalid */
export function readChoices<Choices extends Readonly<Record<string, unknown>>>(choices: Choices): Choices {
  try {
    resolveProfile(choices);
    return choices;
  } catch (error) {
    throw profileErrorAt('profile', error);
  }
}

/** Converts an error about a choice into one about a field of the request. Returns other errors unchanged. */
export function profileErrorAt(field: string, error: unknown): unknown {
  return error instanceof ProfileError ? fieldError(field, error) : error;
}

/** Parses a time, or a date as its midnight in UTC, into milliseconds since 1970. @throws ServiceError invalid */
export function readTime(field: string, text: string): number {
  const at = parseDateOrTime(text);
  // The schema accepts dates that do not exist and times before 1970, which the clock cannot represent.
  if (at === undefined) {
    const form = 'a date or a time in 1970 or later, such as 2026-03-01 or 2026-03-01T09:00:00Z';
    throw invalid(field, 'pattern', { form });
  }
  return at;
}

/** Parses a time into the format in which instants are stored. @throws ServiceError invalid */
export function readInstant(field: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : formatInstant(readTime(field, text));
}

/** Parses a duration into milliseconds. @throws ServiceError invalid */
export function readDuration(field: string, text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined) throw invalid(field, 'x-duration', { hint: invalidDurationHint(text) });
  return duration;
}

/** Parses the id of a record. A numeric id may be sent as a number or as a string. */
export function readRecordId(id: number | string): number | string {
  return typeof id === 'string' ? integerOrText(id) : id;
}

/** Converts an error to a ServiceError about a field, with the same message. */
function fieldError(field: string, { message }: Error): ServiceError {
  return invalid(field, 'custom', { message });
}

import { instant } from '../../domain/dates.js';
import { calendarHint, parseDuration } from '../../domain/durations.js';
import type { FaultRule } from '../../domain/faults.js';
import type { Scenario } from '../../domain/scenario.js';
import type { Seed } from '../../domain/seed.js';
import { invalid, type ServiceError } from '../../domain/service-error.js';
import { ProfileError, resolveProfile } from '../../openapi/profile.js';
import { readInteger } from '../service/query.js';

/** What JSON values must be like that files hold, too; they are read where files are. */
export interface Forms {
  /** @throws ServiceError invalid */
  readonly seed: (value: object) => Seed;
  /** @throws ServiceError invalid */
  readonly scenario: (value: object) => Promise<Scenario>;
  /** @throws ServiceError invalid */
  readonly fault: (value: object) => Promise<FaultRule>;
}

/** Choices that make a profile. @throws ServiceError invalid */
export function readChoices<Choices extends Readonly<Record<string, unknown>>>(choices: Choices): Choices {
  try {
    resolveProfile(choices);
    return choices;
  } catch (error) {
    if (error instanceof ProfileError) throw said('profile', error);
    throw error;
  }
}

/** A moment in milliseconds since 1970. @throws ServiceError invalid */
export function readTime(field: string, text: string): number {
  const at = Date.parse(text);
  // The schema lets leap seconds pass, which are no moment of a clock here.
  if (!(at >= 0)) throw invalid(field, 'format', { format: 'date-time' });
  return at;
}

/** As `readTime`, in the form in which instants are stored. @throws ServiceError invalid */
export function readInstant(field: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : instant(readTime(field, text));
}

/** A span in milliseconds. @throws ServiceError invalid */
export function readDuration(field: string, text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined) throw invalid(field, 'x-duration', { hint: calendarHint(text) });
  return duration;
}

/** The id of a record: a number is one, whether it is sent as a number or as a text. */
export function readRecordId(id: number | string): number | string {
  return typeof id === 'string' ? readInteger(id) : id;
}

/** A refusal over a field in the words of an error. */
export function said(field: string, { message }: Error): ServiceError {
  return invalid(field, 'said', { message });
}

import type { Choices } from './options.js';

/** Error messages, in English and, for the variants with `language: 'de'`, in German. */
const messages = {
  unauthenticated: ['Unauthenticated.', 'Nicht angemeldet.'],
  scopeMissing: ['Invalid scope(s) provided.', 'Fehlende Berechtigung.'],
  tooManyRequests: ['Too Many Attempts.', 'Zu viele Anfragen.'],
  routeNotFound: ['Route not found', 'Adresse nicht gefunden'],
  methodNotAllowed: ['Method not allowed', 'Methode nicht erlaubt'],
  bodyMustBeJson: ['The body must be JSON', 'Der Inhalt muss JSON sein'],
  invalidJson: ['The body is not valid JSON', 'Der Inhalt ist kein gültiges JSON'],
  invoiceIdNotInteger: ['The invoice must be an integer', 'Die Rechnung muss eine Ganzzahl sein'],
  pageNotFound: ['Page not found', 'Seite nicht gefunden'],
  depositNotFound: ['Deposit not found', 'Kaution nicht gefunden'],
  reminderNotAllowed: ['Reminders can be sent only for unpaid invoices', 'Nur offene Rechnungen werden angemahnt'],
  keyRequired: ['The Idempotency-Key header is required', 'Der Kopf Idempotency-Key fehlt'],
  keyTooLong: ['The Idempotency-Key is too long', 'Der Kopf Idempotency-Key ist zu lang'],
  keyMismatch: [
    'The Idempotency-Key belongs to another request',
    'Der Idempotency-Key gehört zu einer anderen Anfrage',
  ],
  statusNotAllowed: ['The status of the deposit does not allow this', 'Der Status der Kaution lässt das nicht zu'],
  amountAboveRemaining: ['The amount exceeds the remaining amount', 'Der Betrag übersteigt den Rest'],
  internalError: ['Internal error', 'Interner Fehler'],
  // The specification defines these two messages.
  invoiceNotFound: ['Invoice not found', 'Invoice not found'],
  alreadyPaid: ['Invoice is already paid', 'Invoice is already paid'],
} as const;

/** Text of messages about an invalid field, after its name, in English and in German. */
const problems = {
  required: ['is required', 'ist erforderlich'],
  text: ['must be a string', 'muss ein Text sein'],
  tooLong: ['is too long', 'ist zu lang'],
  number: ['must be a number', 'muss eine Zahl sein'],
  integer: ['must be an integer', 'muss eine Ganzzahl sein'],
  date: ['must be a date as YYYY-MM-DD', 'muss ein Datum der Form JJJJ-MM-TT sein'],
  object: ['must be an object', 'muss ein Objekt sein'],
  nonEmptyList: ['must have at least 1 item', 'muss mindestens einen Eintrag haben'],
  belowMinimum: ['is too small', 'ist zu klein'],
  positiveCents: ['must be positive and in whole cents', 'muss positiv und auf den Cent genau sein'],
  unknown: ['is unknown', 'ist unbekannt'],
  beforeOtherDate: ['must not be before the other date', 'darf nicht vor dem anderen Datum liegen'],
  notAllowed: ['is not one of the allowed values', 'ist kein erlaubter Wert'],
  taken: ['has already been taken', 'ist bereits vergeben'],
} as const;

export type Problem = keyof typeof problems;

/** Error messages for each invalid field. */
export type FieldErrors = Record<string, string[]>;

export class ServiceError extends Error {
  readonly status: number;
  readonly fields: FieldErrors | undefined;

  constructor(status: number, message: string, fields?: FieldErrors) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

export const serviceError = ({ language }: Choices, status: number, messageId: keyof typeof messages): ServiceError =>
  new ServiceError(status, messages[messageId][language === 'en' ? 0 : 1]);

export function problemText({ language }: Choices, field: string, problem: Problem): string {
  const [english, german] = problems[problem];
  return language === 'en' ? `The ${field} field ${english}.` : `Das Feld ${field} ${german}.`;
}

export function validationError(choices: Choices, fields: FieldErrors): ServiceError {
  const firstMessage = Object.values(fields).flat()[0] ?? '';
  return new ServiceError(choices.invalidStatus, firstMessage, choices.fieldErrors === 'none' ? undefined : fields);
}

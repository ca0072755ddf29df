import { isObject, type Json, type JsonObject } from './json.js';
import { type Problem, problemText, validationError } from './service-error.js';
import type { Operation, World } from './world.js';

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().slice(0, 10) === text;

/** Converts `31.12.2026`, which only a service with a fault accepts, to `2026-12-31`. Leaves other dates unchanged. */
const toIsoDate = (date: string): string => date.split('.').toReversed().join('-');

/** Limits of a number. */
interface NumberRange {
  /** Default: no minimum. */
  readonly minimum?: number;
}

/**
 * Reads the fields of a request body, and collects validation errors until `throwIfInvalid` throws them. If a required
 * field is missing or invalid, the method that reads it returns a placeholder, so that the caller can go on to the
 * other fields.
 */
export class BodyFields {
  readonly #world: World;
  readonly #operation: Operation;
  readonly #body: JsonObject;
  readonly #path: string;
  readonly #messages: Map<string, string[]>;
  readonly #knownFields = new Set<string>();
  readonly #nested: BodyFields[] = [];

  constructor(world: World, operation: Operation, body: JsonObject, path = '', messages = new Map<string, string[]>()) {
    this.#world = world;
    this.#operation = operation;
    this.#body = body;
    this.#path = path;
    this.#messages = messages;
  }

  text(field: string): string {
    return this.#required(field, '', (value) => {
      if (value === '' && !this.#isMadeOptionalByFault(field)) return this.#rejectValue(field, 'required');
      return this.#textValue(field, value);
    });
  }

  optionalText(field: string): string | undefined {
    const value = this.#optional(field);
    return value === undefined ? undefined : this.#textValue(field, value);
  }

  #textValue(field: string, value: Json): string | undefined {
    if (typeof value !== 'string') return this.#rejectValue(field, 'text');
    const { [field]: maxLength = Infinity } = this.#world.choices.maxLengths;
    return value.length > maxLength ? this.#rejectValue(field, 'tooLong') : value;
  }

  date(field: string): string {
    return this.#required(field, new Date().toISOString().slice(0, 10), (value) =>
      typeof value === 'string' && (isDate(value) || this.#isAcceptedByFault(field, value))
        ? toIsoDate(value)
        : this.#rejectValue(field, 'date'),
    );
  }

  /** Returns true if the fault of the service makes it accept this invalid date. */
  #isAcceptedByFault(field: string, value: string): boolean {
    const { fault } = this.#world;
    const hasDateFormat = /^\d{4}-\d{2}-\d{2}$/.test(value);
    if (field === 'date' && fault === 'impossible-date-accepted') return hasDateFormat;
    if (field === 'due_date' && fault === 'impossible-due-date-accepted') return hasDateFormat;
    return field === 'date' && fault === 'date-in-other-format-accepted' && /^\d{2}\.\d{2}\.\d{4}$/.test(value);
  }

  optionalDate(field: string): string | undefined {
    return this.#optional(field) === undefined ? undefined : this.date(field);
  }

  number(field: string, { minimum = -Infinity }: NumberRange = {}): number {
    return this.#required(field, 1, (value) => {
      const number =
        this.#world.choices.acceptsNumericStrings && typeof value === 'string' && value !== '' ? +value : value;
      if (typeof number !== 'number' || !Number.isFinite(number)) return this.#rejectValue(field, 'number');
      return number < minimum ? this.#rejectValue(field, 'belowMinimum') : number;
    });
  }

  optionalNumber(field: string, range?: NumberRange): number | undefined {
    return this.#optional(field) === undefined ? undefined : this.number(field, range);
  }

  integer(field: string): number {
    const number = this.number(field);
    // `customer_id` is the only integer in a request body.
    if (this.#world.fault === 'customer-id-fraction-dropped') return Math.trunc(number);
    if (!Number.isInteger(number)) this.addProblem(field, 'integer');
    return number;
  }

  optionalObject(field: string): JsonObject | undefined {
    const value = this.#optional(field);
    if (value === undefined) return undefined;
    return isObject(value) ? value : this.#rejectValue(field, 'object');
  }

  /** Reads a field that must be a non-empty array of objects. Returns a reader for the fields of each object. */
  list(field: string): BodyFields[] {
    const elements = this.#required<Json[]>(field, [], (value) =>
      Array.isArray(value) && (value.length > 0 || this.#isMadeOptionalByFault(field))
        ? value
        : this.#rejectValue(field, 'nonEmptyList'),
    );
    const items = elements.flatMap((element, index) => {
      const path = this.#world.choices.fieldErrors === 'brackets' ? `${field}[${index}]` : `${field}.${index}`;
      if (isObject(element)) return [new BodyFields(this.#world, this.#operation, element, path, this.#messages)];
      this.addProblem(path, 'object');
      return [];
    });
    this.#nested.push(...items);
    return items;
  }

  /** Adds an error message for a field. */
  addProblem(field: string, problem: Problem): void {
    const path = this.#path === '' ? field : `${this.#path}.${field}`;
    const message = problemText(this.#world.choices, path, problem);
    this.#messages.set(path, [...(this.#messages.get(path) ?? []), message]);
  }

  /**
   * Throws a validation error if a problem was added, or if the body has unknown fields and the variant refuses them.
   */
  throwIfInvalid(): void {
    this.#rejectUnknownFields();
    if (this.#messages.size > 0) throw validationError(this.#world.choices, Object.fromEntries(this.#messages));
  }

  #rejectUnknownFields(): void {
    if (this.#world.choices.unknownFields === 'ignored') return;
    for (const field of Object.keys(this.#body)) if (!this.#knownFields.has(field)) this.addProblem(field, 'unknown');
    for (const fields of this.#nested) fields.#rejectUnknownFields();
  }

  /** Returns the value of a field, and marks the field as known. A null counts as absent. */
  #value(field: string): Json | undefined {
    this.#knownFields.add(field);
    return this.#body[field] ?? undefined;
  }

  /** Returns the value of an optional field, which a fault may make required. */
  #optional(field: string): Json | undefined {
    const value = this.#value(field);
    if (value === undefined && this.#world.faultDefinition?.makesRequired === `${this.#operation} ${field}`) {
      this.addProblem(field, 'required');
    }
    return value;
  }

  /**
   * Reads a required field, which a fault may make optional. Returns the placeholder if it is absent or `read` rejects
   * it.
   */
  #required<T>(field: string, placeholder: T, read: (value: Json) => T | undefined): T {
    const value = this.#value(field);
    if (value !== undefined) return read(value) ?? placeholder;
    if (!this.#isMadeOptionalByFault(field)) this.addProblem(field, 'required');
    return placeholder;
  }

  #isMadeOptionalByFault(field: string): boolean {
    // Only the objects in `items` have nested fields.
    const name = this.#path === '' ? field : `items.${field}`;
    return this.#world.faultDefinition?.makesOptional === `${this.#operation} ${name}`;
  }

  /** Adds an error message for a field, and returns undefined in place of its value. */
  #rejectValue(field: string, problem: Problem): undefined {
    this.addProblem(field, problem);
    return undefined;
  }
}

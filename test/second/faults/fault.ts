import { isObject, type Json, type JsonObject } from '../json.js';
import type { Answer, EventName, Operation } from '../world.js';

/** One broken promise. What is not said here as data, a handler looks up by the fault's id. */
export interface Fault {
  /** The sentence that it breaks, and its section. */
  readonly breaks: string;
  /** Set where the sentence has to be read with some good will to promise this. */
  readonly inferred?: true;
  /** Changes an honest answer just before it is sent. */
  readonly change?: (answer: Answer) => void;
  /** The operations whose answers are changed; all of them, and errors of no operation, when absent. */
  readonly on?: readonly Operation[];
  /** A required field that is not demanded. */
  readonly waives?: `${Operation} ${string}`;
  /** An optional field that is demanded. */
  readonly demands?: `${Operation} ${string}`;
  /** An operation that answers without a token. */
  readonly opens?: Operation;
  /** An operation that does not look at scopes. */
  readonly unscoped?: Operation;
  readonly silences?: EventName;
}

function recordsIn(answer: Answer): JsonObject[] {
  const { data } = answer.body;
  if (Array.isArray(data)) return data.filter(isObject);
  if (!isObject(data)) return [];
  const { data: page } = data;
  return Array.isArray(page) ? page.filter(isObject) : [data];
}

export const inEach =
  (change: (record: JsonObject) => void) =>
  (answer: Answer): void =>
    recordsIn(answer).forEach(change);

/** Changes the object in `data`: a page of a list, or one record. */
export const inData =
  (change: (data: JsonObject) => void) =>
  (answer: Answer): void => {
    if (isObject(answer.body['data'])) change(answer.body['data']);
  };

export const without = (...fields: string[]): ((record: JsonObject) => void) => {
  return (record) => {
    for (const field of fields) delete record[field];
  };
};

export const numberAsString = (field: string): ((record: JsonObject) => void) => {
  return (record) => {
    record[field] = String(record[field]);
  };
};

/** Changes an object that lies in a record. */
export const within = (field: string, change: (nested: JsonObject) => void): ((record: JsonObject) => void) => {
  return (record) => {
    if (isObject(record[field])) change(record[field]);
  };
};

/** Changes each object of an array that lies in a record. */
export const withinEach = (field: string, change: (nested: JsonObject) => void): ((record: JsonObject) => void) => {
  return (record) => {
    const list = record[field];
    if (Array.isArray(list)) list.filter(isObject).forEach(change);
  };
};

export const put = (field: string, value: (record: JsonObject) => Json): ((record: JsonObject) => void) => {
  return (record) => {
    record[field] = value(record);
  };
};

/** Writes a text in characters of two bytes at most. */
export const narrowed = (field: string): ((record: JsonObject) => void) =>
  put(field, (record) => String(record[field]).replace(/[\u{10000}-\u{10FFFF}]/gu, '?'));

/** Writes a text in ASCII. */
export const inAscii = (text: string): string => text.replace(/[^ -~]/gu, '?');

export const onSuccess = (on: Operation, breaks: string, change: (answer: Answer) => void): Fault => ({
  breaks,
  on: [on],
  change: (answer) => {
    if (answer.body['success'] === true) change(answer);
  },
});

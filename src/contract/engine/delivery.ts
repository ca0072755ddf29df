import { isObject, isRecord } from '../../lib/json.js';
import { formatExactJson, type JsonObject, parseExactJson } from './json.js';

/** A webhook that the suite received, with secrets redacted. */
export interface Delivery {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Names are in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text. */
  readonly text: string;
  /** Time of arrival, in milliseconds since 1970. */
  readonly receivedAt: number;
  /**
   * HMAC-SHA256 of the raw body, in hex, computed with the secret that the receiver has for this path; undefined if it
   * has none. A correct signature contains this digest in some encoding.
   */
  readonly digest: string | undefined;
}

/** A string, number, boolean or null in the body of a webhook, at any depth. */
export interface Leaf {
  /** Name of the innermost field that contains the value; empty if there is none. */
  readonly name: string;
  /** Name of the field that contains the object with this field: `deposit` for the `id` in `{"deposit": {"id": 7}}`. */
  readonly parentName: string;
  /** The value as text: a string unchanged, any other value as JSON. */
  readonly text: string;
}

/** Returns the event that a delivery names in its `X-Service-Event` header; undefined if it has none. */
export function eventOf({ headers }: Delivery): string | undefined {
  return headers['x-service-event'];
}

/** Path of a delivery without its query: the tested service may add parameters to the webhook URL. */
export function pathWithoutQuery({ path }: Pick<Delivery, 'path'>): string {
  return path.replace(/\?.*$/s, '');
}

/** Results of `leavesOf`, since clauses search all deliveries again whenever one arrives. */
const knownLeaves = new WeakMap<Delivery, readonly Leaf[]>();

/**
 * Lists all values in the body of a delivery. The specification does not define the format: it may be JSON, or a
 * form whose fields may contain JSON.
 */
export function leavesOf(delivery: Delivery): readonly Leaf[] {
  const leaves = knownLeaves.get(delivery) ?? readLeaves(delivery);
  knownLeaves.set(delivery, leaves);
  return leaves;
}

function readLeaves({ text }: Delivery): Leaf[] {
  const json = parseExactJson(text);
  if (json !== undefined) return [...leavesIn('', '', json)];
  return [...new URLSearchParams(text)].flatMap(([name, value]) => {
    const inner = parseExactJson(value);
    return isObject(inner) ? [...leavesIn('', name, inner)] : { name, parentName: '', text: value };
  });
}

function* leavesIn(parentName: string, name: string, value: unknown): Generator<Leaf> {
  if (Array.isArray(value)) {
    for (const inner of value) yield* leavesIn(parentName, name, inner);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* leavesIn(name, key, inner);
  } else {
    yield { name, parentName, text: typeof value === 'string' ? value : (formatExactJson(value) ?? '') };
  }
}

/** Lists the JSON objects in the body of a delivery, at any depth; none if the body is not JSON. */
export function objectsOf({ text }: Pick<Delivery, 'text'>): JsonObject[] {
  return [...objectsIn(parseExactJson(text))];
}

function* objectsIn(value: unknown): Generator<JsonObject> {
  if (isRecord(value)) yield value;
  if (isObject(value)) for (const inner of Object.values(value)) yield* objectsIn(inner);
}

import { jsonOf, jsonText } from './json.js';

/** A webhook as the suite has received it, with nothing secret in it. */
export interface Delivery {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case; of several of one name, joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly text: string;
  /** When it was there, in milliseconds since 1970. */
  readonly at: number;
  /** The HMAC-SHA256 of the raw body under the secret of the path, in hex; undefined where the secret is not known. */
  readonly digest: string | undefined;
}

/** A value in a body, whatever it lies in. */
export interface Leaf {
  readonly name: string;
  /** Texts as they are, all else as JSON writes it. */
  readonly text: string;
}

/** The name of the event that a delivery is of. */
export function eventOf({ headers }: Delivery): string | undefined {
  return headers['x-service-event'];
}

/** The path that a delivery came to, without a query: a sender may add one. */
export function placeOf({ path }: Pick<Delivery, 'path'>): string {
  return path.replace(/\?.*$/s, '');
}

/** The values in a delivery's body: how they are arranged is open, and even that the body is JSON. */
export function leavesOf({ text }: Delivery): Leaf[] {
  const json = jsonOf(text);
  if (json !== undefined) return [...leavesIn('', json)];
  return [...new URLSearchParams(text)].map(([name, value]) => ({ name, text: value }));
}

function* leavesIn(name: string, value: unknown): Generator<Leaf> {
  if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) yield* leavesIn(isList ? name : key, inner);
  } else {
    yield { name, text: typeof value === 'string' ? value : (jsonText(value) ?? '') };
  }
}

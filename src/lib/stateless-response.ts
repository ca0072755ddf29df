import type { OpenAPIV3_1 } from 'openapi-types';

/** Preferences of a client in the `Prefer` header, as sent; a preference without a value is an empty string. */
export interface Preferences {
  /** Status of the response. */
  readonly code?: string;
  /** Name of an example in the document. */
  readonly example?: string;
  /** `true` or empty to generate the response from its schema, `false` to respond with an example. */
  readonly dynamic?: string;
  /** Random seed: the same seed generates the same response. */
  readonly seed?: string;
}

/** A request for a response that is made from an OpenAPI document alone, without any state. */
export interface StatelessRequest {
  readonly document: OpenAPIV3_1.Document;
  /** operationId of the operation. */
  readonly operation: string;
  readonly preferences: Preferences;
  /** Returns the random seed to use if the client sends none. */
  readonly defaultSeed: () => string;
}

/** A response made from the document alone, or the reason why there is none, in one line. */
export type StatelessResponse =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** JSON text. */
      readonly body: string;
      /** Applied preferences, for the `Preference-Applied` header. */
      readonly applied: Preferences;
    }
  | { readonly problem: string };

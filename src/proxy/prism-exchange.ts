/** The parts of an exchange that are passed to prism-http, a validator of OpenAPI, to be checked. */
export interface PrismExchange {
  readonly operationId: string;
  readonly request: PrismMessage & {
    /** The decoded path parameters. */
    readonly pathParameters: ReadonlyMap<string, string>;
    readonly query: Readonly<Record<string, string | string[]>>;
  };
  readonly response: PrismMessage & { readonly status: number };
}

/** Common parts of requests and responses. */
interface PrismMessage {
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON body; undefined if the message has none, or one that could not be read. */
  readonly body: unknown;
}

/** All that prism-http is given of an exchange. */
export interface PrismExchange {
  readonly operationId: string;
  readonly request: PrismMessage & {
    /** The decoded path parameters. */
    readonly values: ReadonlyMap<string, string>;
    readonly query: Readonly<Record<string, string | string[]>>;
  };
  readonly response: PrismMessage & { readonly status: number };
}

/** The parts that requests and responses have in common. */
interface PrismMessage {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON body; undefined if the message has none. */
  readonly body: unknown;
}

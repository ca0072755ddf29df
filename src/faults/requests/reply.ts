import { type DefinedEffect, defineEffect, type EffectDescription } from '../effect.js';

/** Statuses whose responses have no body (RFC 9110). */
export const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** A response, and how to send it. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  /** Null for no content type. */
  readonly contentType: string | null;
  /** All other headers except Content-Length. */
  readonly headers: Readonly<Record<string, string | number>>;
  /** Hint for the client, sent in X-Sim-Hint. */
  readonly hint: string | null;
  /** Delay before anything is sent, in real milliseconds. */
  readonly delayMs: number;
  /** `respond`: send the response; `reset`: reset the connection instead; `hang`: never respond. */
  readonly end: 'respond' | 'reset' | 'hang';
  /**
   * Number of bytes of the body to send before closing the connection, limited to one less than the whole body; `half`:
   * half of the body; null: the whole body.
   */
  readonly bytesToSend: number | 'half' | null;
  /** Size of the chunks of the body in bytes, and the pause before each in real milliseconds; null for no chunks. */
  readonly chunking: { readonly bytes: number; readonly pauseMs: number } | null;
}

/** Data of the fault, and functions that build responses of the service, for an effect on a request. */
export interface ServiceContext {
  /** Milliseconds since 1970 on the account's clock. */
  readonly now: number;
  /** End of the fault, in milliseconds since 1970; null for none. */
  readonly until: number | null;
  /** Returns a number from 0 to 1, excluding 1, derived from the random seed, the fault and how often it has fired. */
  readonly random: () => number;
  /** Returns the body of the service's response with a status, as JSON text. */
  readonly bodyForStatus: (status: number) => string;
  /**
   * Returns the response to a request that exceeds the rate limit, with its headers.
   * @param retryAfterMs time until the client may retry, in milliseconds; null: until the current rate window ends
   */
  readonly rateExceeded: (retryAfterMs: number | null) => Pick<Reply, 'status' | 'body' | 'headers'>;
}

export type RequestEffect = DefinedEffect<Reply, ServiceContext>;

export function defineRequestEffect<Options>(
  description: EffectDescription,
  apply: (reply: Reply, options: Options, context: ServiceContext) => Reply,
): RequestEffect {
  return defineEffect(description, apply);
}

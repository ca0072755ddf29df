import { type DefinedEffect, defineEffect, type EffectDescription } from '../effect.js';

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
  /** `reset`: reset the connection instead of responding; `hang`: never respond. */
  readonly end: 'answer' | 'reset' | 'hang';
  /** Number of bytes to send before closing the connection, always less than the body; null for all. */
  readonly bytesToSend: number | 'half' | null;
  /** Bytes to send at a time, and the pause before each chunk in real milliseconds; null for all at once. */
  readonly chunking: { readonly bytes: number; readonly pauseMs: number } | null;
}

/** Context of an effect: the service, and the fault that it belongs to. */
export interface ServiceContext {
  /** Milliseconds since 1970 on the account's clock. */
  readonly now: number;
  /** End of the fault, in milliseconds since 1970; null for none. */
  readonly until: number | null;
  /** From 0 to 1, excluding 1; the same for the same random seed, fault and hit. */
  readonly chance: () => number;
  /** Error envelope of the service for a status, as JSON text. */
  readonly envelopeOf: (status: number) => string;
  /** Response to a request that exceeds the rate limit, with its headers. */
  readonly rateExceeded: (retryAfter: number | null) => Pick<Reply, 'status' | 'body' | 'headers'>;
}

export type RequestEffect = DefinedEffect<Reply, ServiceContext>;

export function defineRequestEffect<Options>(
  description: EffectDescription,
  apply: (reply: Reply, options: Options, context: ServiceContext) => Reply,
): RequestEffect {
  return defineEffect(description, apply);
}

import { type DefinedEffect, defineEffect, type EffectText } from '../effect.js';

/** An answer on its way out, and how it leaves. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  /** Null for none. */
  readonly contentType: string | null;
  /** All others but Content-Length. */
  readonly headers: Readonly<Record<string, string | number>>;
  /** Hint for the client, sent in X-Sim-Hint. */
  readonly hint: string | null;
  /** Real milliseconds before anything leaves. */
  readonly delay: number;
  /** `reset`: the connection is reset in place of an answer; `hang`: nothing ever comes. */
  readonly end: 'answer' | 'reset' | 'hang';
  /** How many bytes of the body, never all, leave before the connection is closed; null for all. */
  readonly cut: number | 'half' | null;
  /** So many bytes of the body at a time, with a pause in real milliseconds before each; null for all at once. */
  readonly pace: { readonly bytes: number; readonly pause: number } | null;
}

/** Context of an effect: the service, and the fault that it belongs to. */
export interface ServiceContext {
  /** On the account's clock, in milliseconds since 1970. */
  readonly now: number;
  /** Until when the fault holds, likewise; null for ever. */
  readonly until: number | null;
  /** From 0 to 1, 1 excluded; the same for the same random seed, fault and hit. */
  readonly chance: () => number;
  /** The error envelope that the service has for a status, as JSON text. */
  readonly envelopeOf: (status: number) => string;
  /** Response to a request beyond the rate limit, with its headers. */
  readonly rateExceeded: (retryAfter: number | null) => Pick<Reply, 'status' | 'body' | 'headers'>;
}

export type RequestEffect = DefinedEffect<Reply, ServiceContext>;

export function defineRequestEffect<Options>(
  text: EffectText,
  apply: (reply: Reply, options: Options, context: ServiceContext) => Reply,
): RequestEffect {
  return defineEffect(text, apply);
}

import type { TargetRecord } from '../drivers/driver.js';
import type { TokenKind } from '../engine/exchange.js';

export type Json = Record<string, unknown>;

/** A request on its way to the target. */
export interface InterceptedRequest {
  readonly method: string;
  /** Path below the base URL, without the query. */
  path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  /** Kind of the token that the request carries. */
  readonly token: TokenKind;
  /** Body as JSON; an empty object if there is none, or it is not an object. */
  readonly body: Json;
}

/** A response on its way back to the suite. */
export interface InterceptedResponse {
  status: number;
  body: Json;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  /** Sent instead of the body. */
  text?: string;
}

/** A webhook on its way to the suite. */
export interface InterceptedWebhook {
  method: string;
  url: string;
  readonly headers: Record<string, string>;
  text: string;
  /** The last configured secret, which signs it. */
  readonly secret: string;
}

/** Changes requests, responses and webhooks on their way. If it throws, the request gets no response. */
export interface Interceptor {
  /** Returns the base URL that the suite uses in place of the real one. */
  readonly changeBaseUrl?: (baseUrl: string) => string;
  readonly request?: (request: InterceptedRequest) => void;
  readonly response?: (response: InterceptedResponse, request: InterceptedRequest) => void;
  /** Called when a guest authorizes a deposit, which happens without a request. */
  readonly onAuthorize?: (deposit: TargetRecord) => void;
  /** Returns what to send instead: the webhook, changed or not; nothing; or several. */
  readonly webhook?: (sent: InterceptedWebhook) => readonly InterceptedWebhook[];
}

import type { TargetRecord } from '../drivers/driver.js';
import type { TokenKind } from '../engine/exchange.js';

export type Json = Record<string, unknown>;

/** A request on its way to the target. */
export interface InterceptedRequest {
  readonly method: string;
  /** Below the base URL, without the query. */
  path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  /** Whose token it carries. */
  readonly token: TokenKind;
  /** Empty where there is none. */
  readonly body: Json;
}

/** An answer on its way back. */
export interface InterceptedResponse {
  status: number;
  body: Json;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  /** Sent in place of the body. */
  text?: string;
}

/** A webhook on its way to the suite. */
export interface InterceptedWebhook {
  method: string;
  url: string;
  readonly headers: Record<string, string>;
  text: string;
  /** The secret that was last configured, which signs it. */
  readonly secret: string;
}

/** Changes requests, responses and webhooks on their way. If it throws, the request gets no response. */
export interface Interceptor {
  /** Gives the base URL that the suite uses in place of the true one. */
  readonly address?: (baseUrl: string) => string;
  readonly request?: (asked: InterceptedRequest) => void;
  readonly answer?: (answered: InterceptedResponse, asked: InterceptedRequest) => void;
  /** Called when a guest authorizes a deposit, which no request does. */
  readonly authorized?: (deposit: TargetRecord) => void;
  /** Gives what is sent in its place: it, changed or not; nothing; or more than one. */
  readonly webhook?: (sent: InterceptedWebhook) => readonly InterceptedWebhook[];
}

import type { TargetRecord } from '../drivers/driver.js';
import type { TokenKind } from '../engine/exchange.js';
import type { JsonObject } from '../engine/json.js';

/** A request on its way to the target. An interceptor changes it in place. */
export interface InterceptedRequest {
  readonly method: string;
  /** Path below the base URL, without the query. */
  path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  /** Kind of the token in the `Authorization` header. */
  readonly token: TokenKind;
  /** Body as a JSON object; empty if the body is not a JSON object. */
  readonly body: JsonObject;
}

/** A response on its way back to the suite. An interceptor changes it in place. */
export interface InterceptedResponse {
  status: number;
  body: JsonObject;
  /** Values by lower-case name. */
  readonly headers: Record<string, string>;
  /** Text that is sent instead of `body`, for example invalid JSON. */
  text?: string;
}

/** A webhook on its way to the suite. */
export interface InterceptedWebhook {
  method: string;
  url: string;
  readonly headers: Record<string, string>;
  text: string;
  /** Secret with which the target currently signs its webhooks. */
  readonly secret: string;
}

/**
 * Changes requests, responses and webhooks on their way between the suite and the target. If `request` or `response`
 * throws, the suite gets no response.
 */
export interface Interceptor {
  /** Returns the base URL that the suite uses in place of the real one. */
  readonly changeBaseUrl?: (baseUrl: string) => string;
  readonly request?: (request: InterceptedRequest) => void;
  readonly response?: (response: InterceptedResponse, request: InterceptedRequest) => void;
  /** Called before the driver authorizes a deposit as its guest, which the driver does without the proxy. */
  readonly onAuthorize?: (deposit: TargetRecord) => void;
  /** Returns the webhooks to send in place of the original: one or several, changed or not, or none to drop it. */
  readonly webhook?: (original: InterceptedWebhook) => readonly InterceptedWebhook[];
}

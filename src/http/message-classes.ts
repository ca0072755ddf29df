import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

/** Classes of requests and responses, for `http.createServer`. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Creates classes whose instances are Express's requests and responses from the beginning. Express otherwise sets the
 * prototype of each one, after which V8 no longer optimizes what touches them: a response then takes twice as long
 * (expressjs/express#5998).
 */
export function createMessageClasses(): MessageClasses {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Received extends IncomingMessage = IncomingMessage> extends ServerResponse<Received> {}
  Object.setPrototypeOf(ServiceRequest.prototype, express.request);
  Object.setPrototypeOf(ServiceResponse.prototype, express.response);
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}

/** Makes an app keep the prototypes of these classes, so that nothing is left to set for each message. */
export function useMessageClasses(app: Express, { IncomingMessage, ServerResponse }: MessageClasses): void {
  const owner = { value: app, configurable: true, enumerable: true, writable: true };
  Object.assign(app, {
    request: Object.defineProperty(IncomingMessage.prototype, 'app', owner),
    response: Object.defineProperty(ServerResponse.prototype, 'app', owner),
  });
}

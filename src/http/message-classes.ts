import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

/** Classes of requests and responses, for `http.createServer`. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Creates classes whose instances are Express's requests and responses from the beginning. Express otherwise sets the
 * prototype of each object, after which V8 no longer optimizes the code that uses it, and a response takes twice as
 * long (expressjs/express#5998).
 */
export function createMessageClasses(): MessageClasses {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Received extends IncomingMessage = IncomingMessage> extends ServerResponse<Received> {}
  Object.setPrototypeOf(ServiceRequest.prototype, express.request);
  Object.setPrototypeOf(ServiceResponse.prototype, express.response);
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}

/**
 * Makes an app use the prototypes of these classes: when Express sets the prototype of an object, it is already the
 * right one, so nothing changes. The prototypes refer to the app, so each app needs its own classes.
 */
export function useMessageClasses(app: Express, classes: MessageClasses): void {
  const appProperty = { value: app, configurable: true, enumerable: true, writable: true };
  Object.assign(app, {
    request: Object.defineProperty(classes.IncomingMessage.prototype, 'app', appProperty),
    response: Object.defineProperty(classes.ServerResponse.prototype, 'app', appProperty),
  });
}

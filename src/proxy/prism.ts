import type { IPrismDiagnostic } from '@stoplight/prism-core';
import type { getHttpOperationsFromSpec, IHttpConfig, IHttpRequest, IHttpResponse } from '@stoplight/prism-http';
import type { OpenAPIV3_1 } from 'openapi-types';

/** Operation type of prism-http. */
type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** prism-http for one OpenAPI document: generates responses, and validates requests and responses. */
export interface Prism {
  readonly operations: readonly PrismOperation[];
  /**
   * Runs prism-http on an operation.
   * @param config a new object for each call, since prism-http changes it
   * @param response response of a service to validate; undefined if `config` makes prism-http generate one
   * @throws Error if prism-http cannot respond
   */
  run(
    operation: PrismOperation,
    request: IHttpRequest,
    config: IHttpConfig,
    response?: IHttpResponse,
  ): Promise<RunResult>;
}

interface RunResult {
  /** The generated response, or the one that was passed. */
  readonly output: IHttpResponse;
  /** Violations in the request (`input`) and in the response (`output`). */
  readonly validations: {
    readonly input: readonly IPrismDiagnostic[];
    readonly output: readonly IPrismDiagnostic[];
  };
}

/** Version of JSON Schema that OpenAPI 3.1 uses. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Discards logs, which contain tokens and bodies. */
const silentLogger = {
  child: () => silentLogger,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  success: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Loads prism-http with a document. This is slow, so a server should start without waiting for it. */
export async function loadPrism(document: OpenAPIV3_1.Document): Promise<Prism> {
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  // prism-http changes the document, so it gets a copy. Without a dialect it treats OpenAPI 3.1 schemas as draft 7.
  const operations = await getHttpOperationsFromSpec({ jsonSchemaDialect: dialect, ...structuredClone(document) });
  return {
    operations,
    async run(operation, request, config, response) {
      const instance = createInstance(config, {
        logger: silentLogger,
        // The operation is already known; prism-http would match `/invoices/` to the operation of a single invoice.
        // prism-http expects results as an Either of fp-ts: `Right` for a success, `Left` for an error.
        route: () => ({ _tag: 'Right', right: operation }),
        // Not called if prism-http generates the response.
        forward: () => () => async () =>
          response ? { _tag: 'Right', right: response } : { _tag: 'Left', left: new Error('no response') },
      });
      const result = await instance.request(request, [operation], config)();
      if (result._tag === 'Left') throw result.left;
      return result.right;
    },
  };
}

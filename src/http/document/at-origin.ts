import type { Request } from 'express';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { PublicUrl } from '../middleware/origins.js';

/** The origin of the servers in our documents: where a simulator listens by default. */
const defaultOrigin = 'http://127.0.0.1:4010';

/**
 * Returns the document with the public URL, or the address of the request, as its server, so that generated clients
 * work.
 */
export function documentAtOrigin(
  document: OpenAPIV3_1.Document,
  request: Request,
  publicUrl: PublicUrl | undefined,
): OpenAPIV3_1.Document {
  const { host } = request.headers;
  const origin = publicUrl?.origin ?? (host === undefined ? defaultOrigin : `http://${host}`);
  const withOrigin = (text: string): string => text.replace(defaultOrigin, () => origin);
  const servers = (document.servers ?? []).map(({ url, variables, ...server }) => ({
    ...server,
    url: withOrigin(url),
    ...(variables && {
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, variable]) => [
          name,
          { ...variable, default: withOrigin(variable.default) },
        ]),
      ),
    }),
  }));
  return { ...document, servers };
}

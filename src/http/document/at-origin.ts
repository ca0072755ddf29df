import type { Request } from 'express';
import type { OpenAPIV3_1 } from 'openapi-types';
import { defaultUrl } from '../../domain/defaults.js';

/**
 * Returns the document with the public URL, or the address of the request, as its server, so that generated clients
 * work.
 */
export function documentAtOrigin(
  document: OpenAPIV3_1.Document,
  request: Request,
  publicUrl: URL | undefined,
): OpenAPIV3_1.Document {
  const { host } = request.headers;
  const origin = publicUrl?.origin ?? (host === undefined ? defaultUrl : `http://${host}`);
  const withOrigin = (text: string): string => text.replace(defaultUrl, () => origin);
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

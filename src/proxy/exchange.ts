/** Names and values of headers, alternating, as received. */
export type RawHeaders = readonly string[];

/**
 * Bytes of a body, or the reason why they are missing. `cut-off`: the connection was closed before the end of the body.
 */
export type Body = Buffer | 'too-large' | 'cut-off';

/** A forwarded request to the service. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path below the base path of the service, without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: RawHeaders;
  readonly body: Body;
}

/** Response to a forwarded request. */
export interface ProxiedResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Body;
}

/** Returns the value of a header; the values of a repeated header are joined by commas. */
export function headerOf(headers: RawHeaders, name: string): string | undefined {
  const lowerCaseName = name.toLowerCase();
  let found: string | undefined;
  for (let index = 0; index < headers.length; index += 2) {
    const headerName = headers[index];
    if (headerName?.length !== lowerCaseName.length || headerName.toLowerCase() !== lowerCaseName) continue;
    const value = headers[index + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** Returns the media type of a body, without parameters, in lower case. */
export function mediaTypeOf(headers: RawHeaders): string | undefined {
  return headerOf(headers, 'Content-Type')?.split(';')[0]?.trim().toLowerCase();
}

/** Returns the bearer token of a request. The name of the scheme, `Bearer`, is case-insensitive. */
export function tokenOf(headers: RawHeaders): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headerOf(headers, 'Authorization') ?? '')?.[1];
}

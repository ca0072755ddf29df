/** Names and values in turn, as they came over the wire. */
export type RawHeaders = readonly string[];

/** The bytes of a body, or why there are not all of them. */
export type Body = Buffer | 'too-large' | 'cut-off';

/** A request to the service, as it went through. */
export interface ProxiedRequest {
  readonly method: string;
  /** Below the service's address, without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: RawHeaders;
  readonly body: Body;
}

/** Its answer. */
export interface ProxiedResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Body;
}

/** The values of a header; a header that is there twice has both, separated by a comma. */
export function headerOf(headers: RawHeaders, name: string): string | undefined {
  const wanted = name.toLowerCase();
  let found: string | undefined;
  for (let index = 0; index < headers.length; index += 2) {
    const given = headers[index];
    if (given?.length !== wanted.length || given.toLowerCase() !== wanted) continue;
    const value = headers[index + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** The media type of a body, without parameters, in lower case. */
export function mediaTypeOf(headers: RawHeaders): string | undefined {
  return headerOf(headers, 'Content-Type')?.split(';')[0]?.trim().toLowerCase();
}

/** The bearer token of a request. The name of the scheme is in any case. */
export function tokenOf(headers: RawHeaders): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headerOf(headers, 'Authorization') ?? '')?.[1];
}

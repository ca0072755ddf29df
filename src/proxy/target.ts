/** Destination of a request. */
export interface Destination {
  /** Path and query at the upstream. */
  readonly path: string;
  /** Path below the service; undefined for requests outside it, such as a hosted page. */
  readonly service: { readonly path: string; readonly query: string } | undefined;
}

/**
 * Maps requests to the upstream. The path of the upstream URL is the base path of the service if it ends with `/api/v1`;
 * otherwise it is a prefix of all paths.
 */
export class Target {
  /** Base path of the service at the upstream, such as `/billing/api/v1`. */
  readonly address: string;
  readonly #base: string;
  readonly #prefix: string;

  /** @param base base path of the service in the document: `/api/v1` */
  constructor(upstream: URL, base: string) {
    const path = upstream.pathname.replace(/\/+$/, '');
    const isAddress = path.endsWith(base);
    this.#base = base;
    this.#prefix = isAddress ? '' : path;
    this.address = isAddress ? path : `${path}${base}`;
  }

  /** @param url as received: a path, or a whole URL as sent to proxies */
  destination(url: string): Destination {
    const pathAndQuery = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '') || '/';
    const path = this.#pathOf(pathAndQuery);
    const [pathname = '', query = ''] = splitOnce(path);
    const isService = isUnder(path, `${this.address}/`);
    return { path, service: isService ? { path: pathname.slice(this.address.length), query } : undefined };
  }

  #pathOf(requestTarget: string): string {
    if (!requestTarget.startsWith('/') || isUnder(requestTarget, this.address)) return requestTarget;
    if (isUnder(requestTarget, this.#base)) return this.address + requestTarget.slice(this.#base.length);
    return isUnder(requestTarget, this.#prefix || '/') ? requestTarget : this.#prefix + requestTarget;
  }
}

function isUnder(path: string, folder: string): boolean {
  const rest = path.startsWith(folder) ? path.slice(folder.length) : undefined;
  return rest !== undefined && (folder.endsWith('/') || rest === '' || /^[/?]/.test(rest));
}

function splitOnce(path: string): [string, string] {
  const mark = path.indexOf('?');
  return mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
}

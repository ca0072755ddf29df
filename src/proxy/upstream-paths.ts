import { withoutTrailingSlashes } from '../lib/path-template.js';

/** Destination of a request on the upstream, the implementation behind the proxy. */
export interface Destination {
  /** Path and query on the upstream. */
  readonly path: string;
  /** Path and query within the service; undefined for requests outside it, such as for a payment page. */
  readonly serviceRequest: { readonly path: string; readonly query: string } | undefined;
}

/**
 * Maps requests to the upstream. The path of the upstream URL is the base path of the service if it ends with
 * `/api/v1`; otherwise all paths are put below it.
 */
export class UpstreamPaths {
  /** Base path of the service on the upstream, such as `/billing/api/v1`. */
  readonly basePath: string;
  readonly #documentedBasePath: string;
  /** Path of the upstream URL if it is not the base path of the service; otherwise empty. */
  readonly #prefix: string;

  /** @param documentedBasePath base path of the service in the document: `/api/v1` */
  constructor(upstream: URL, documentedBasePath: string) {
    const path = withoutTrailingSlashes(upstream.pathname);
    const isBasePath = path.endsWith(documentedBasePath);
    this.#documentedBasePath = documentedBasePath;
    this.#prefix = isBasePath ? '' : path;
    this.basePath = isBasePath ? path : `${path}${documentedBasePath}`;
  }

  /**
   * Finds the destination of a request.
   * @param url URL as received: a path, or an absolute URL, as clients send to proxies
   */
  destination(url: string): Destination {
    const requestTarget = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, '/');
    const path = this.#upstreamPathOf(requestTarget);
    const [pathname = '', query = ''] = splitAtQuestionMark(path);
    const isService = isUnder(path, `${this.basePath}/`);
    return { path, serviceRequest: isService ? { path: pathname.slice(this.basePath.length), query } : undefined };
  }

  /**
   * Returns the path and query on the upstream. Replaces the documented base path with the upstream's. Adds the
   * prefix, if there is one, to other paths that do not begin with it.
   */
  #upstreamPathOf(requestTarget: string): string {
    // A target such as `*`, of a request for the whole server, is not a path.
    if (!requestTarget.startsWith('/') || isUnder(requestTarget, this.basePath)) return requestTarget;
    if (isUnder(requestTarget, this.#documentedBasePath))
      return this.basePath + requestTarget.slice(this.#documentedBasePath.length);
    if (this.#prefix === '' || isUnder(requestTarget, this.#prefix)) return requestTarget;
    return this.#prefix + requestTarget;
  }
}

function isUnder(path: string, basePath: string): boolean {
  const rest = path.startsWith(basePath) ? path.slice(basePath.length) : undefined;
  return rest !== undefined && (basePath.endsWith('/') || rest === '' || /^[/?]/.test(rest));
}

function splitAtQuestionMark(path: string): [string, string] {
  const mark = path.indexOf('?');
  return mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
}

import type { OpenAPIV3_1 } from 'openapi-types';
import { lazy } from '../lib/lazy.js';
import { withoutTrailingSlashes } from '../lib/path-template.js';
import { type BodyParseResult, parsedBody, parseRequestBody, parseResponseBody } from './body.js';
import { checkRequest, type Scopes } from './check-request.js';
import { checkResponse, isNotModified } from './check-response.js';
import { checkStatements } from './check-statements.js';
import { type Deviation, type Finding, findingOn, severityOf, withoutFindingsOfRefusedRequest } from './deviation.js';
import { type Route, ServiceDocument } from './document.js';
import { headerOf, type ProxiedRequest, type ProxiedResponse } from './exchange.js';
import { gapsPermitting } from './gap-tolerance.js';
import { KnownShapes } from './known-shapes.js';
import {
  type BodyParseResults,
  createPrismValidator,
  type PrismFinding,
  type PrismValidator,
  toPrismExchange,
} from './prism-validator.js';

export interface CheckerOptions {
  readonly document: OpenAPIV3_1.Document;
  /**
   * Gaps (questions that the specification leaves open) for which the choice of the service is known. `document` has
   * been adapted to these choices, as far as a document can express them. Behavior that only another choice of these
   * gaps permits is a deviation.
   */
  readonly knownGaps: readonly string[];
  readonly scopes: Scopes;
  /**
   * Creates the validator that gives a second opinion on exchanges of a new shape. All checkers of a document share it.
   * By default, it runs prism-http.
   */
  readonly createValidator?: typeof createPrismValidator;
}

/**
 * Creates a checker that compares exchanges with an OpenAPI document.
 * @throws Error if a schema of the document does not compile in strict mode
 */
export function createExchangeChecker(options: CheckerOptions): ExchangeChecker {
  const loaded = loadedDocuments.get(options.document) ?? loadDocument(options);
  loadedDocuments.set(options.document, loaded);
  return new ExchangeChecker(loaded, options);
}

interface LoadedDocument {
  readonly document: ServiceDocument;
  /** Loads the validator on the first call, since that takes longer than the rest of the startup. */
  readonly validator: () => Promise<PrismValidator>;
}

/** Loaded documents, shared by checkers of the same document. */
const loadedDocuments = new WeakMap<OpenAPIV3_1.Document, LoadedDocument>();

function loadDocument({ document, createValidator = createPrismValidator }: CheckerOptions): LoadedDocument {
  const serviceDocument = new ServiceDocument(document);
  serviceDocument.compile();
  return { document: serviceDocument, validator: lazy(() => createValidator(document)) };
}

/**
 * Compares exchanges with an OpenAPI document. Checks every exchange with the validators of this project. As a second
 * opinion, also runs prism-http, a widely used but slow validator, on each exchange of a new shape (see `KnownShapes`).
 */
export class ExchangeChecker {
  readonly #document: ServiceDocument;
  readonly #options: CheckerOptions;
  readonly #validator: LoadedDocument['validator'];
  readonly #knownShapes = new KnownShapes();

  constructor({ document, validator }: LoadedDocument, options: CheckerOptions) {
    this.#document = document;
    this.#options = options;
    this.#validator = validator;
  }

  /**
   * Loads prism-http, which takes longer than the rest of the startup. Without this call, the first exchange waits for
   * it.
   */
  async prepare(): Promise<void> {
    await this.#validator();
  }

  /** Base path of the service: `/api/v1`. */
  get basePath(): string {
    return this.#document.basePath;
  }

  /**
   * Returns the name of a request in reports: its method, and the path of its operation. If the document has no such
   * operation, the name contains the path of the request, without segments that may be secrets.
   */
  nameOf({ method, path }: Pick<ProxiedRequest, 'method' | 'path'>): string {
    const route = this.#document.route(method, path);
    return `${method} ${route ? route.operation.path : shownPath(path)}`;
  }

  /** Finds the deviations of an exchange, without duplicates. */
  async check(request: ProxiedRequest, response: ProxiedResponse): Promise<Deviation[]> {
    const route = this.#document.route(request.method, request.path);
    const findings = route ? await this.#findingsOf(route, request, response) : this.#unknownRouteFindings(request);
    if (findings.length === 0) return [];
    const { status } = response;
    const operation = this.nameOf(request);
    return this.#mergeFindings(withoutFindingsOfRefusedRequest(findings, status)).map((finding) => ({
      severity: severityOf(finding),
      operation,
      status,
      ...finding,
    }));
  }

  async #findingsOf(route: Route, request: ProxiedRequest, response: ProxiedResponse): Promise<Finding[]> {
    const { operation } = route;
    const isResponseChecked = !isNotModified(request, response);
    const bodies = {
      request: parseRequestBody(request.body, request.headers),
      response: parseResponseBody(response.body, response.headers),
    };
    const schemaFindings = [
      ...checkRequest(route, request, bodies.request, this.#options.scopes),
      ...(isResponseChecked ? checkResponse(operation, request, response, bodies.response) : []),
    ];
    const deviations = [
      ...schemaFindings,
      // Checks what the specification states in words, beyond the schemas.
      ...checkStatements(operation, request, response, bodies.response, schemaFindings),
    ];
    const ownFindings = [
      ...deviations,
      ...truncationNotes('request', bodies.request),
      ...truncationNotes('response', bodies.response),
    ];
    // Prism has nothing to check in a 304.
    if (!isResponseChecked) return ownFindings;
    const deviatingParts = new Set(deviations.map(sideAndPart));
    const exchange = toPrismExchange(route, request, response, bodies);
    if (this.#knownShapes.has(exchange, deviatingParts)) return ownFindings;
    const validator = await this.#validator();
    const prismFindings = (await validator(route, exchange)).filter((prismFinding) =>
      isReported(prismFinding, deviatingParts, bodies),
    );
    if (prismFindings.length === 0) this.#knownShapes.add(exchange, deviatingParts);
    return [...ownFindings, ...prismFindings.map(findingOf)];
  }

  /** Findings about a request that matches no operation of the document: one, or none for a CORS preflight request. */
  #unknownRouteFindings({ method, path, headers }: ProxiedRequest): Finding[] {
    const isPreflight = method === 'OPTIONS' && headerOf(headers, 'Access-Control-Request-Method') !== undefined;
    if (isPreflight) return [];
    const isKnownWithoutSlash = this.#document.route(method, withoutTrailingSlashes(path)) !== undefined;
    const gaps = isKnownWithoutSlash ? ['request.trailing-slash'] : [];
    return [findingOn('request')({ part: 'route', rule: 'route', message: 'is not in the document', gaps })];
  }

  /**
   * Merges findings at the same place with the same rule, which may come from different records of a list. Gaps permit
   * the merged finding only if each of the findings is permitted. Otherwise it is the first one that is not.
   */
  #mergeFindings(findings: readonly Finding[]): Finding[] {
    const merged = new Map<string, Finding>();
    for (const finding of findings) {
      const at = finding.part === 'body' ? this.#shownField(finding.at) : finding.at;
      const gaps = gapsPermitting(finding.gaps, finding.rule, this.#options.knownGaps);
      const key = [finding.side, finding.part, at, finding.rule].join('\n');
      const earlier = merged.get(key);
      if (earlier?.gaps.length === 0) continue;
      const allGaps = gaps.length === 0 ? [] : [...new Set([...(earlier?.gaps ?? []), ...gaps])];
      merged.set(key, { ...finding, at, gaps: allGaps });
    }
    return [...merged.values()];
  }

  /**
   * Returns the path of a field for reports: with `*` in place of indexes and undocumented names, which may be secrets.
   */
  #shownField(at: string): string {
    if (at === '') return at;
    return at
      .split('.')
      .map((part) => (this.#document.isFieldName(part) ? part : '*'))
      .join('.');
  }
}

/** Notes about long lists that were only checked in part. */
function truncationNotes(side: Finding['side'], parseResult: BodyParseResult): Finding[] {
  const message = 'was checked only in part: the first 1,000 items of each list';
  return parsedBody(parseResult)?.isTruncated ? [findingOn(side)({ part: 'body', rule: 'unread', message })] : [];
}

/**
 * Returns true if a finding of prism-http is reported: it is about a part that our own validators accepted, and that
 * prism-http is able to judge.
 */
function isReported(
  prismFinding: PrismFinding,
  deviatingParts: ReadonlySet<string>,
  bodies: BodyParseResults,
): boolean {
  const { side, part } = prismFinding;
  const parseResult = side === 'request' ? bodies.request : bodies.response;
  if ((part === 'body' || part === 'media-type') && !parsedBody(parseResult)) return false;
  // If the document does not list the status of a success, prism-http compares it with the `default` response, which
  // describes errors, so its findings mean nothing.
  if (side === 'response' && deviatingParts.has(sideAndPart({ side, part: 'status' }))) return false;
  return !deviatingParts.has(sideAndPart(prismFinding));
}

/** Returns a key for a side and a part: `request body`. */
function sideAndPart({ side, part }: Pick<Finding, 'side' | 'part'>): string {
  return `${side} ${part}`;
}

function findingOf({ side, part, at, rule }: PrismFinding): Finding {
  return findingOn(side)({ part, at, rule, message: `violates the rule ${rule}, according to prism-http` });
}

/** Replaces the segments of a path that may be ids or secrets with `*`. */
function shownPath(path: string): string {
  return path
    .split('/')
    .map((part) => (part === '' || /^[a-z][a-z_-]{0,23}$/i.test(part) ? part : '*'))
    .join('/');
}

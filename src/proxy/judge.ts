import type { OpenAPIV3_1 } from 'openapi-types';
import { type Reading, readBody } from './body.js';
import { checkAnswer, isNotModified } from './check-answer.js';
import { checkRequest, type Scopes } from './check-request.js';
import { checkStatements } from './check-statements.js';
import { type Deviation, type Finding, findingOn, severityOf, withoutExpectedRefusals } from './deviation.js';
import { type Route, ServiceDocument } from './document.js';
import { headerOf, type ProxiedRequest, type ProxiedResponse } from './exchange.js';
import { gapsPermitting } from './gap-tolerance.js';
import { KnownShapes } from './known-shapes.js';
import {
  createPrismValidator,
  type Objection,
  type PrismValidator,
  prismExchange,
  type Readings,
} from './prism-validator.js';

export interface JudgeOptions {
  readonly document: OpenAPIV3_1.Document;
  /** Gaps with a known choice: they permit nothing that the document can express. */
  readonly knownGaps: readonly string[];
  readonly scopes: Scopes;
}

/** Creates a judge, which compares exchanges with a document. @throws Error if a schema of the document does not compile strictly */
export function createJudge(options: JudgeOptions): Judge {
  const known = read.get(options.document) ?? readDocument(options.document);
  read.set(options.document, known);
  return new Judge(known, options);
}

interface Read {
  readonly document: ServiceDocument;
  /** Loaded with the first exchange: it takes longer than the rest of the start. */
  readonly validator: () => Promise<PrismValidator>;
}

/** Shared by judges of the same document. */
const read = new WeakMap<OpenAPIV3_1.Document, Read>();

function readDocument(document: OpenAPIV3_1.Document): Read {
  let loaded: Promise<PrismValidator> | undefined;
  return {
    document: new ServiceDocument(document),
    validator() {
      loaded ??= createPrismValidator(document);
      return loaded;
    },
  };
}

export class Judge {
  readonly #document: ServiceDocument;
  readonly #options: JudgeOptions;
  readonly #validator: Read['validator'];
  readonly #knownShapes = new KnownShapes();

  constructor({ document, validator }: Read, options: JudgeOptions) {
    this.#document = document;
    this.#options = options;
    this.#validator = validator;
  }

  /** Base path of the service: `/api/v1`. */
  get address(): string {
    return this.#document.address;
  }

  /** Name of a request in reports: its operation, or the part of its path that is safe to show. */
  nameOf({ method, path }: Pick<ProxiedRequest, 'method' | 'path'>): string {
    const route = this.#document.route(method, path);
    return `${method} ${route ? route.operation.path : shownPath(path)}`;
  }

  /** Deviations of an exchange, without duplicates. */
  async judge(asked: ProxiedRequest, answered: ProxiedResponse): Promise<Deviation[]> {
    const route = this.#document.route(asked.method, asked.path);
    const findings = route ? await this.#findingsOf(route, asked, answered) : this.#undocumented(asked);
    if (findings.length === 0) return [];
    const { status } = answered;
    const operation = this.nameOf(asked);
    return this.#joined(withoutExpectedRefusals(findings, status)).map((finding) => ({
      severity: severityOf(finding),
      operation,
      status,
      ...finding,
    }));
  }

  async #findingsOf(route: Route, asked: ProxiedRequest, answered: ProxiedResponse): Promise<Finding[]> {
    const { operation } = route;
    const isChecked = !isNotModified(asked, answered);
    const readings = {
      asked: readBody(asked.body, asked.headers),
      answered: readBody(answered.body, answered.headers),
    };
    const request = checkRequest(route, asked, readings.asked, this.#options.scopes);
    const answer = isChecked ? checkAnswer(operation, asked, answered, readings.answered) : [];
    const own = [
      ...request,
      ...answer,
      ...checkStatements(operation, asked, answered, readings.answered, [...request, ...answer]),
      ...truncationNotes('request', readings.asked),
      ...truncationNotes('answer', readings.answered),
    ];
    if (!isChecked) return own;
    const found = new Set(own.map(placeOf));
    const exchange = prismExchange(route, asked, answered, readings);
    if (this.#knownShapes.has(exchange, found)) return own;
    const validator = await this.#validator();
    const objections = (await validator(route, exchange)).filter((objection) => isNew(objection, found, readings));
    if (objections.length === 0) this.#knownShapes.add(exchange, found);
    return [...own, ...objections.map(findingOf)];
  }

  /** Findings about a request without an operation in the document. CORS preflight requests have none. */
  #undocumented({ method, path, headers }: ProxiedRequest): Finding[] {
    const isPreflight = method === 'OPTIONS' && headerOf(headers, 'Access-Control-Request-Method') !== undefined;
    const hasTrailingSlash = this.#document.route(method, path.replace(/\/+$/, '')) !== undefined;
    const gaps = hasTrailingSlash ? ['request.trailing-slash'] : [];
    return isPreflight ? [] : [findingOn('request')('route', '', 'route', 'is not in the document', gaps)];
  }

  /**
   * Merges findings at the same place with the same rule. Gaps permit the result only if they permit each violated
   * statement.
   */
  #joined(findings: readonly Finding[]): Finding[] {
    const joined = new Map<string, Finding>();
    for (const finding of findings) {
      const at = finding.part === 'body' ? this.#shownField(finding.at) : finding.at;
      const gaps = gapsPermitting(finding.gaps, finding.rule, this.#options.knownGaps);
      const key = [finding.side, finding.part, at, finding.rule].join('\n');
      const before = joined.get(key)?.gaps ?? gaps;
      const isOpen = before.length > 0 && gaps.length > 0;
      joined.set(key, { ...finding, at, gaps: isOpen ? [...new Set([...before, ...gaps])] : [] });
    }
    return [...joined.values()];
  }

  /** Path of a field. Indexes and undocumented names are replaced by `*`. */
  #shownField(at: string): string {
    if (at === '') return at;
    return at
      .split('.')
      .map((part) => (this.#document.isFieldName(part) ? part : '*'))
      .join('.');
  }
}

/** Notes about long lists that were only checked in part. */
function truncationNotes(side: Finding['side'], reading: Reading): Finding[] {
  const isShortened = reading !== undefined && 'value' in reading && reading.isShortened;
  return isShortened ? [findingOn(side)('body', '', 'unread', 'was only checked up to item 1,000 of a list')] : [];
}

/** Whether prism-http objects to something that our own validators accepted. */
function isNew(objection: Objection, found: ReadonlySet<string>, readings: Readings): boolean {
  const { side, part, rule } = objection;
  const reading = side === 'request' ? readings.asked : readings.answered;
  const hasNothingToRead = !reading || !('value' in reading);
  if ((part === 'body' || part === 'media-type') && hasNothingToRead) return false;
  // For an unlisted status, it compares a success with the default response, which is an error.
  if (side === 'answer' && found.has(placeOf({ side, part: 'status' }))) return false;
  // It cannot know which headers are missing in a response to an unauthenticated client.
  if (side === 'answer' && part === 'header' && rule === 'required') return false;
  return !found.has(placeOf(objection));
}

function placeOf({ side, part }: Pick<Finding, 'side' | 'part'>): string {
  return `${side} ${part}`;
}

function findingOf({ side, part, at, rule }: Objection): Finding {
  return findingOn(side)(part, at, rule, `violates the rule ${rule}, according to prism-http`);
}

/** Path without segments that may be ids or secrets. */
function shownPath(path: string): string {
  return path
    .split('/')
    .map((part) => (part === '' || /^[a-z][a-z_-]{0,23}$/i.test(part) ? part : '*'))
    .join('/');
}

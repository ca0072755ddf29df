import { billingDocument } from '../../generated/billing-document.js';
import { isRecord } from '../../lib/json.js';
import { followReference } from '../../lib/references.js';
import type { Operation } from '../engine/operations.js';

/** An object in the OpenAPI document. */
type Node = Readonly<Record<string, unknown>>;

/**
 * Facts that the OpenAPI document states about a part of a response, such as a field: the ids of the gaps that it marks
 * (with `x-gap`) on the part and on what contains it, and the values that it allows. A gap is a question that the
 * specification leaves open.
 */
export interface Marks {
  /** Gaps marked on the part itself. */
  readonly own: readonly string[];
  /** Gaps marked on what contains the part, from the innermost object to the whole response. */
  readonly enclosing: readonly (readonly string[])[];
  /** Gaps marked on the operation. */
  readonly operation: readonly string[];
  /** Gaps marked on the request. */
  readonly request: readonly string[];
  /** JSON types that the document gives for a field; empty for a status or header, or if it gives none. */
  readonly types: readonly string[];
  /**
   * True if the document lists no values and no pattern for the part, so that a text in it is free text; false for a
   * status or header.
   */
  readonly isUnrestricted: boolean;
  /** True if the document names the part; always true for a status or header. */
  readonly isDocumented: boolean;
}

/**
 * Finds the gaps at the status of a response.
 * @param status if the document does not list it, the first listed status of its class is used, or the default
 */
export function marksOfStatus(operation: Operation, status: number): Marks {
  const definition = definitionOf(operation);
  return {
    own: marksOn(responsesOf(definition, status)),
    enclosing: [],
    ...requestMarksOf(definition),
    types: [],
    isUnrestricted: false,
    isDocumented: true,
  };
}

/** Finds the gaps at a header of a response. @param name lower-case name of the header */
export function marksOfHeader(operation: Operation, status: number, name: string): Marks {
  const definition = definitionOf(operation);
  const response = responsesOf(definition, status);
  const headers = response.flatMap((node) => nodesAt(node, 'headers'));
  const found = headers.flatMap((definitions) =>
    Object.keys(definitions)
      .filter((key) => key.toLowerCase() === name)
      .flatMap((key) => nodesAt(definitions, key)),
  );
  return {
    own: marksOn(found),
    enclosing: [marksOn(response)],
    ...requestMarksOf(definition),
    types: [],
    isUnrestricted: false,
    isDocumented: true,
  };
}

/** Finds the gaps at a field of a response. @param path path of the field in the body, with `*` for array items */
export function marksOfField(operation: Operation, status: number, path: readonly string[]): Marks {
  const definition = definitionOf(operation);
  const response = responsesOf(definition, status);
  const enclosing = [marksOn(response)];
  let nodes = response.flatMap((node) => nodesAt(node, 'content').flatMap((content) => schemasOf(content)));
  for (const name of path) {
    enclosing.unshift(marksOn(nodes));
    nodes = nodes.flatMap((node) => childrenOf(node, name));
  }
  const isUnrestricted =
    nodes.length > 0 && !nodes.some((node) => 'enum' in node || 'const' in node || 'pattern' in node);
  return {
    own: marksOn(nodes),
    enclosing,
    ...requestMarksOf(definition),
    types: typesOf(nodes),
    isUnrestricted,
    isDocumented: nodes.length > 0,
  };
}

/** Finds the gaps at a field of the error for a request that matches no operation. @param path path in the body */
export function marksOfUnknownOperation(path: readonly string[]): Marks {
  const [envelope] = nodesAt(billingDocument, 'components', 'schemas', 'Error');
  const nodes = path.reduce<Node[]>(
    (parents, name) => parents.flatMap((node) => childrenOf(node, name)),
    envelope ? [envelope] : [],
  );
  // The schema of errors has no enumerations and patterns, but `success` is constant.
  const isUnrestricted = nodes.length > 0 && !nodes.some((node) => 'const' in node);
  return {
    own: marksOn(nodes),
    enclosing: [],
    operation: [],
    request: [],
    types: typesOf(nodes),
    isUnrestricted,
    isDocumented: nodes.length > 0,
  };
}

function schemasOf(content: Node): Node[] {
  return nodesAt(content, 'application/json', 'schema');
}

function definitionOf({ method, path }: Operation): Node {
  const item = billingDocument.paths?.[path];
  const definition = method === 'GET' ? item?.get : item?.post;
  return { ...definition, parameters: [...(item?.parameters ?? []), ...(definition?.parameters ?? [])] };
}

/** Finds the definition of the response with a status, or with the first listed status of its class, or the default. */
function responsesOf(definition: Node, status: number): Node[] {
  const responses = definition['responses'];
  const listed = Object.keys(isRecord(responses) ? responses : {});
  const listedStatus =
    listed.find((key) => key === String(status)) ?? listed.find((key) => key[0] === String(status)[0]);
  return nodesAt(responses, listedStatus ?? 'default');
}

function requestMarksOf(definition: Node): Pick<Marks, 'operation' | 'request'> {
  const { requestBody, parameters } = definition;
  return { operation: marksOn([definition]), request: marksWithin([requestBody, parameters].flat().flatMap(expand)) };
}

/** Finds the schemas of a field, or of array items. */
function childrenOf(schema: Node, name: string): Node[] {
  if (name === '*' && 'items' in schema) return nodesAt(schema, 'items');
  const named = nodesAt(schema, 'properties', name);
  return named.length > 0 ? named : nodesAt(schema, 'additionalProperties');
}

/**
 * Finds the nodes at a path in the OpenAPI document. Follows references, and goes into `allOf`, `anyOf` and `oneOf`.
 */
function nodesAt(value: unknown, ...path: readonly string[]): Node[] {
  const [name, ...rest] = path;
  if (name === undefined) return expand(value);
  return expand(value).flatMap((node) => nodesAt(node[name], ...rest));
}

/** Returns a node, with all nodes that it references, or that its `allOf`, `anyOf` or `oneOf` contains. */
function expand(value: unknown): Node[] {
  if (!isRecord(value)) return [];
  const { $ref: reference } = value;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => value[name]).filter(isRecord);
  const referenced = typeof reference === 'string' ? followReference(billingDocument, reference) : undefined;
  return [value, ...expand(referenced), ...parts.flatMap(expand)];
}

/** Lists the JSON types that schemas give for a value. */
function typesOf(schemas: readonly Node[]): string[] {
  return schemas.flatMap(({ type }) => type).filter((type) => typeof type === 'string');
}

/** Lists the ids of the gaps that are marked on the nodes themselves. */
function marksOn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => node['x-gap']).filter((id) => typeof id === 'string');
}

/** Lists the ids of the gaps that are marked on nodes or anywhere below them. */
function marksWithin(nodes: readonly Node[]): string[] {
  const inner = nodes.flatMap((node) => Object.values(node)).flat();
  return nodes.length === 0 ? [] : [...marksOn(nodes), ...marksWithin(inner.flatMap(expand))];
}

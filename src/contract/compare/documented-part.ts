import { billingDocument } from '../../generated/billing-document.js';
import { isRecord } from '../../lib/json.js';
import { followReference } from '../../lib/references.js';
import type { Operation } from '../engine/operations.js';

/** An object in the OpenAPI document. */
type Node = Readonly<Record<string, unknown>>;

/**
 * Statements of the OpenAPI document about a part of a response: its status, a header or a field. `x-gap` lists the ids
 * of gaps: questions about the part that the specification leaves open, so that two targets may differ.
 */
export interface DocumentedPart {
  readonly ownGaps: readonly string[];
  /** Gaps of the objects that contain the part, from the innermost one to the whole response. */
  readonly enclosingGaps: readonly (readonly string[])[];
  readonly operationGaps: readonly string[];
  /** Gaps of the parameters and the body of the request; for a status, only of the fields that errors name, if any. */
  readonly requestGaps: readonly string[];
  /** JSON types that the document gives for a field; empty for a status or header, or if it gives none. */
  readonly types: readonly string[];
  /** True for a documented field without a list of values and without a pattern; false for a status or header. */
  readonly isFreeText: boolean;
  /** True if the document names the part; always true for a status or header. */
  readonly isDocumented: boolean;
}

/**
 * Looks up the status of a response.
 * @param status if the document does not list it, the first listed status of its class is used, or else the default
 * @param fields names of the parameters and body fields that errors name, such as `items.0.quantity`
 */
export function documentedStatus(operation: Operation, status: number, fields: readonly string[]): DocumentedPart {
  const definition = definitionOf(operation);
  const named = fields.flatMap((field) => requestNodes(definition, field.split(/[.[\]]+/).filter(Boolean)));
  const { operationGaps, requestGaps } = requestGapsOf(definition);
  return {
    ownGaps: gapsOn(responseNodes(definition, status)),
    enclosingGaps: [],
    operationGaps,
    requestGaps: named.length > 0 ? gapsWithin(named) : requestGaps,
    types: [],
    isFreeText: false,
    isDocumented: true,
  };
}

/** Looks up a header of a response. @param name lower-case name of the header */
export function documentedHeader(operation: Operation, status: number, name: string): DocumentedPart {
  const definition = definitionOf(operation);
  const response = responseNodes(definition, status);
  const headers = response.flatMap((node) => nodesAt(node, 'headers'));
  const found = headers.flatMap((definitions) =>
    Object.keys(definitions)
      .filter((key) => key.toLowerCase() === name)
      .flatMap((key) => nodesAt(definitions, key)),
  );
  return {
    ownGaps: gapsOn(found),
    enclosingGaps: [gapsOn(response)],
    ...requestGapsOf(definition),
    types: [],
    isFreeText: false,
    isDocumented: true,
  };
}

/** Looks up a field of a response. @param path path of the field in the body, with `*` for array items */
export function documentedField(operation: Operation, status: number, path: readonly string[]): DocumentedPart {
  const definition = definitionOf(operation);
  const response = responseNodes(definition, status);
  const schemas = response.flatMap((node) => nodesAt(node, 'content', 'application/json', 'schema'));
  const { field, enclosingGaps } = fieldIn(schemas, path);
  return { ...field, enclosingGaps: [...enclosingGaps, gapsOn(response)], ...requestGapsOf(definition) };
}

/** Looks up a field of the error in response to a request that matches no operation. @param path path in the body */
export function documentedErrorField(path: readonly string[]): DocumentedPart {
  const { field } = fieldIn(nodesAt(billingDocument, 'components', 'schemas', 'Error'), path);
  return { ...field, enclosingGaps: [], operationGaps: [], requestGaps: [] };
}

/** Looks up a field in schemas. Also returns the gaps of the objects that contain it, the innermost first. */
function fieldIn(schemas: readonly Node[], path: readonly string[]) {
  const enclosingGaps: string[][] = [];
  let nodes = schemas;
  for (const name of path) {
    enclosingGaps.unshift(gapsOn(nodes));
    nodes = nodes.flatMap((node) => childrenOf(node, name));
  }
  const isDocumented = nodes.length > 0;
  const isRestricted = nodes.some((node) => 'enum' in node || 'const' in node || 'pattern' in node);
  const field = {
    ownGaps: gapsOn(nodes),
    types: typesOf(nodes),
    isFreeText: isDocumented && !isRestricted,
    isDocumented,
  };
  return { field, enclosingGaps };
}

function definitionOf({ method, path }: Operation): Node {
  const item = billingDocument.paths?.[path];
  const definition = method === 'GET' ? item?.get : item?.post;
  return { ...definition, parameters: [...(item?.parameters ?? []), ...(definition?.parameters ?? [])] };
}

/** Finds the nodes of a response in the definition of an operation. @param status as for `documentedStatus` */
function responseNodes(definition: Node, status: number): Node[] {
  const responses = definition['responses'];
  const listed = Object.keys(isRecord(responses) ? responses : {});
  const listedStatus =
    listed.find((key) => key === String(status)) ?? listed.find((key) => key[0] === String(status)[0]);
  return nodesAt(responses, listedStatus ?? 'default');
}

/** Finds the parameter or the body field at a path: `['items', '0', 'quantity']`. */
function requestNodes({ requestBody, parameters }: Node, path: readonly string[]): Node[] {
  const body = nodesAt(requestBody, 'content', 'application/json', 'schema');
  const inBody = path.reduce<readonly Node[]>(
    (nodes, part) => nodes.flatMap((node) => childrenOf(node, /^\d+$/.test(part) ? '*' : part)),
    body,
  );
  return [
    ...inBody,
    ...[parameters]
      .flat()
      .flatMap(expand)
      .filter(({ name }) => name === path.join('.')),
  ];
}

function requestGapsOf(definition: Node): Pick<DocumentedPart, 'operationGaps' | 'requestGaps'> {
  const { requestBody, parameters } = definition;
  return {
    operationGaps: gapsOn([definition]),
    requestGaps: gapsWithin([requestBody, parameters].flat().flatMap(expand)),
  };
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

/** Lists the types that schemas give for a value, with the names of `typeOf`, which has no `integer`. */
function typesOf(schemas: readonly Node[]): string[] {
  const types = schemas.flatMap(({ type }) => type).filter((type) => typeof type === 'string');
  return types.map((type) => (type === 'integer' ? 'number' : type));
}

/** Lists the ids of the gaps that `x-gap` gives the nodes themselves. */
function gapsOn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => node['x-gap']).filter((id) => typeof id === 'string');
}

/** Lists the ids of the gaps that `x-gap` gives nodes or anything below them. */
function gapsWithin(nodes: readonly Node[]): string[] {
  const inner = nodes.flatMap((node) => Object.values(node)).flat();
  return nodes.length === 0 ? [] : [...gapsOn(nodes), ...gapsWithin(inner.flatMap(expand))];
}

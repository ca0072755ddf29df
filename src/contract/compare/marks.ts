import { billingDocument } from '../../generated/billing-document.js';
import { isRecord } from '../../lib/is-record.js';
import { referredTo } from '../../lib/references.js';
import type { Operation } from '../engine/operations.js';

type Node = Readonly<Record<string, unknown>>;

/** Ids of the gaps that the document marks at a place of a response. */
export interface Marks {
  /** Marked at the place itself. */
  readonly own: readonly string[];
  /** Marked at what contains the place, innermost first: the record, finally the response. */
  readonly enclosing: readonly (readonly string[])[];
  /** Marked at the operation. */
  readonly operation: readonly string[];
  /** Marked at the request. */
  readonly sent: readonly string[];
  /** Whether the place contains free text. */
  readonly isFree: boolean;
  /** Whether the document names the place. */
  readonly isNamed: boolean;
}

/** @param status of the response; if the document does not list it, a similar one is used */
export function marksOfStatus(operation: Operation, status: number): Marks {
  const definition = definitionOf(operation);
  return {
    own: marksOn(responseOf(definition, status)),
    enclosing: [],
    ...requestMarksOf(definition),
    isFree: false,
    isNamed: true,
  };
}

/** @param name of a header */
export function marksOfHeader(operation: Operation, status: number, name: string): Marks {
  const definition = definitionOf(operation);
  const response = responseOf(definition, status);
  const headers = response.flatMap((node) => nodesAt(node, 'headers'));
  const found = headers.flatMap((all) =>
    Object.keys(all)
      .filter((one) => one.toLowerCase() === name)
      .flatMap((one) => nodesAt(all, one)),
  );
  return {
    own: marksOn(found),
    enclosing: [marksOn(response)],
    ...requestMarksOf(definition),
    isFree: false,
    isNamed: true,
  };
}

/** @param way path to a field of the body, with `*` for array items */
export function marksOfField(operation: Operation, status: number, path: readonly string[]): Marks {
  const definition = definitionOf(operation);
  const response = responseOf(definition, status);
  const enclosing = [marksOn(response)];
  let nodes = response.flatMap((node) => nodesAt(node, 'content').flatMap((content) => schemaOf(content)));
  for (const name of path) {
    enclosing.unshift(marksOn(nodes));
    nodes = nodes.flatMap((node) => childrenOf(node, name));
  }
  const isFree = nodes.length > 0 && !nodes.some((node) => 'enum' in node || 'const' in node || 'pattern' in node);
  return { own: marksOn(nodes), enclosing, ...requestMarksOf(definition), isFree, isNamed: nodes.length > 0 };
}

/** @param way path to a field of the response to an unknown operation */
export function marksOfUnknown(path: readonly string[]): Marks {
  const [envelope] = nodesAt(billingDocument, 'components', 'schemas', 'Error');
  const nodes = path.reduce<Node[]>(
    (some, name) => some.flatMap((node) => childrenOf(node, name)),
    envelope ? [envelope] : [],
  );
  const isFree = nodes.length > 0 && !nodes.some((node) => 'const' in node);
  return { own: marksOn(nodes), enclosing: [], operation: [], sent: [], isFree, isNamed: nodes.length > 0 };
}

function schemaOf(content: Node): Node[] {
  return nodesAt(content, 'application/json', 'schema');
}

function definitionOf({ method, path }: Operation): Node {
  const item = billingDocument.paths?.[path];
  const definition = method === 'GET' ? item?.get : item?.post;
  return { ...definition, parameters: [...(item?.parameters ?? []), ...(definition?.parameters ?? [])] };
}

/** The marks of a response itself, without those of its content. */
function responseOf(definition: Node, status: number): Node[] {
  const responses = definition['responses'];
  const listed = Object.keys(isRecord(responses) ? responses : {});
  const sameChoice = listed.find((one) => one === String(status)) ?? listed.find((one) => one[0] === String(status)[0]);
  return nodesAt(responses, sameChoice ?? 'default');
}

function requestMarksOf(definition: Node): Pick<Marks, 'operation' | 'sent'> {
  const { requestBody, parameters } = definition;
  return { operation: marksOn([definition]), sent: marksIn([requestBody, parameters].flat().flatMap(expand)) };
}

/** Schemas of a field, or of array items. */
function childrenOf(schema: Node, name: string): Node[] {
  if (name === '*' && 'items' in schema) return nodesAt(schema, 'items');
  const named = nodesAt(schema, 'properties', name);
  return named.length > 0 ? named : nodesAt(schema, 'additionalProperties');
}

/** Schemas at a path, with all alternatives. */
function nodesAt(value: unknown, ...path: readonly string[]): Node[] {
  const [name, ...rest] = path;
  if (name === undefined) return expand(value);
  return expand(value).flatMap((node) => nodesAt(node[name], ...rest));
}

/** A node with everything that it refers to or is composed of. */
function expand(value: unknown): Node[] {
  if (!isRecord(value)) return [];
  const { $ref: reference } = value;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => value[name]).filter(isRecord);
  const referred = typeof reference === 'string' ? referredTo(billingDocument, reference) : undefined;
  return [value, ...expand(referred), ...parts.flatMap(expand)];
}

function marksOn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => node['x-gap']).filter((id) => typeof id === 'string');
}

/** All marks of a request. */
function marksIn(nodes: readonly Node[]): string[] {
  const inner = nodes.flatMap((node) => Object.values(node)).flat();
  return nodes.length === 0 ? [] : [...marksOn(nodes), ...marksIn(inner.flatMap(expand))];
}

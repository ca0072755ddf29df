import type { PrismExchange } from './prism-validator.js';
import { type Node, nodeOf } from './tree.js';

/** Maximum nesting depth of bodies. The shapes of exchanges with deeper bodies are not remembered. */
const maxDepth = 32;

/** Approximate memory that a `TrieNode` takes, in bytes. */
const nodeBytes = 200;

/**
 * Remembers, in a trie, the shapes of exchanges in which prism-http, a slow OpenAPI validator, found nothing.
 * Exchanges of the same shape differ only in values about which all JSON Schema validators agree, so prism-http need
 * not check them again: our own validators, which check every exchange, are enough. Values about which validators are
 * known to disagree (leap days; parameters that need decoding) are part of the shape. List items are remembered one
 * by one: a list is known if each of its items is known, even from different lists.
 */
export class KnownShapes {
  readonly #root = new TrieNode();
  readonly #memory: Memory;

  /** @param maxSize approximate memory limit, in bytes */
  constructor(maxSize = 20_000_000) {
    this.#memory = { size: 0, maxSize };
  }

  /**
   * Returns true if the shape of an exchange is known.
   * @param deviatingParts parts of the exchange in which our own validators found something; they belong to the shape
   */
  has(exchange: PrismExchange, deviatingParts: ReadonlySet<string>): boolean {
    return walkExchange(this.#root, exchange, deviatingParts) !== undefined;
  }

  /** Remembers the shape of an exchange. @param deviatingParts as for `has` */
  add(exchange: PrismExchange, deviatingParts: ReadonlySet<string>): void {
    const memory = this.#memory;
    // Starts over: if the memory fills up, most exchanges have new shapes, and remembering them is of little use.
    if (memory.size > memory.maxSize) {
      this.#root.children.clear();
      memory.size = 0;
    }
    walkExchange(this.#root, exchange, deviatingParts, memory);
  }
}

/** Approximate size of the trie, and its limit, in bytes. */
interface Memory {
  size: number;
  readonly maxSize: number;
}

/**
 * Codes of the kinds of values, which are keys of `TrieNode.children`. `infinite` also stands for NaN, and `none`
 * for a missing body.
 */
const codes = {
  text: 0,
  empty: 1,
  date: 2,
  integer: 3,
  fraction: 4,
  infinite: 5,
  true: 6,
  false: 7,
  null: 8,
  none: 9,
  record: 10,
  endOfRecord: 11,
  list: 12,
  endOfList: 13,
  emptyList: 14,
} as const;

type Code = (typeof codes)[keyof typeof codes];

/** Node of the trie: a position in a shape. Its children are the possible next positions. */
class TrieNode {
  /**
   * Children by the code of a kind of value, or by text: the name of a field, or a value that is part of the shape.
   */
  readonly children = new Map<Code | string, TrieNode>();
}

/** Returns a child of a node. If there is none, creates it if `memory` is given; otherwise returns undefined. */
function childOf(node: TrieNode, key: Code | string, memory: Memory | undefined): TrieNode | undefined {
  const existing = node.children.get(key);
  if (existing || !memory) return existing;
  const created = new TrieNode();
  node.children.set(key, created);
  memory.size += nodeBytes + (typeof key === 'string' ? 2 * key.length : 0);
  return created;
}

/**
 * Follows the shape of an exchange from the root of the trie to its end. Adds missing nodes if `memory` is given.
 * @returns the last node; undefined if the shape is unknown, or nested too deeply
 */
function walkExchange(
  root: TrieNode,
  exchange: PrismExchange,
  deviatingParts: ReadonlySet<string>,
  memory?: Memory,
): TrieNode | undefined {
  const head = childOf(root, headOf(exchange, deviatingParts), memory);
  const afterRequest = head && walkValue(head, exchange.request.body, maxDepth, memory);
  return afterRequest && walkValue(afterRequest, exchange.response.body, maxDepth, memory);
}

/** Describes the shape of an exchange except for its bodies, as text. */
function headOf({ operationId, request, response }: PrismExchange, deviatingParts: ReadonlySet<string>): string {
  return [
    operationId,
    response.status,
    [...deviatingParts].sort().join(),
    describeFields(request.pathParameters),
    describeFields(Object.entries(request.query)),
    describeFields(Object.entries(request.headers)),
    describeFields(Object.entries(response.headers)),
  ].join('\n');
}

/** Follows the shape of a value, like `walkExchange`. @param depth levels of nesting that are still allowed */
function walkValue(node: TrieNode, value: unknown, depth: number, memory: Memory | undefined): TrieNode | undefined {
  switch (typeof value) {
    case 'string':
      return walkText(node, value, memory);
    case 'number':
      if (Number.isInteger(value)) return childOf(node, codes.integer, memory);
      return childOf(node, Number.isFinite(value) ? codes.fraction : codes.infinite, memory);
    case 'object':
      if (value === null) return childOf(node, codes.null, memory);
      if (depth === 0) return undefined;
      return Array.isArray(value)
        ? walkList(node, value, depth - 1, memory)
        : walkRecord(node, nodeOf(value), depth - 1, memory);
    case 'boolean':
      return childOf(node, value ? codes.true : codes.false, memory);
    default:
      return childOf(node, codes.none, memory);
  }
}

function walkRecord(node: TrieNode, record: Node, depth: number, memory: Memory | undefined): TrieNode | undefined {
  let current = childOf(node, codes.record, memory);
  for (const name of Object.keys(record)) {
    const field = current && childOf(current, name, memory);
    current = field && walkValue(field, record[name], depth, memory);
    if (!current) return undefined;
  }
  return current && childOf(current, codes.endOfRecord, memory);
}

function walkList(
  node: TrieNode,
  list: readonly unknown[],
  depth: number,
  memory: Memory | undefined,
): TrieNode | undefined {
  if (list.length === 0) return childOf(node, codes.emptyList, memory);
  const items = childOf(node, codes.list, memory);
  if (!items) return undefined;
  for (const item of list) if (!walkValue(items, item, depth, memory)) return undefined;
  return childOf(items, codes.endOfList, memory);
}

const datePattern = /^\d{4}-\d\d-\d\d$/;
/** Matches dates, with or without a time, that every validator accepts; February 29, for example, does not match. */
const plainDateOrTime = new RegExp(
  [
    '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)',
    '(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9]))?$',
  ].join(''),
);

/**
 * Follows the shape of a string. Dates that every validator accepts share a code. Other dates, such as leap days, are
 * part of the shape.
 */
function walkText(node: TrieNode, text: string, memory: Memory | undefined): TrieNode | undefined {
  if (text === '') return childOf(node, codes.empty, memory);
  if (!datePattern.test(text)) return childOf(node, codes.text, memory);
  return plainDateOrTime.test(text) ? childOf(node, codes.date, memory) : childOf(node, text, memory);
}

/** Describes the shape of parameters or headers as text. Values that need no decoding are described by their kind. */
function describeFields(entries: Iterable<readonly [string, string | readonly string[]]>): string {
  return [...entries].map(([name, value]) => `${JSON.stringify(name)}:${shapeOfField(value)}`).join();
}

function shapeOfField(value: string | readonly string[]): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/^\d{1,15}$/.test(value)) return 'digits';
  if (/^[a-z][\w-]*$/i.test(value)) return 'word';
  if (plainDateOrTime.test(value)) return value.length === 10 ? 'date' : 'time';
  return JSON.stringify(value);
}

import type { PrismExchange } from './prism-exchange.js';
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
      this.#root.byText.clear();
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
 * Codes of the kinds of values, which are the indexes of `TrieNode.byCode`. `infinite` also stands for NaN, and `none`
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

/** Node of the trie: a position in a shape, with the possible next positions as children. */
class TrieNode {
  /** Children for the kinds of values, by code. */
  readonly byCode: (TrieNode | undefined)[] = [];
  /** Children for names of fields, and for values that are part of the shape, by name or value. */
  readonly byText = new Map<string, TrieNode>();
}

/** Returns a child of a node. If there is none, creates it if `memory` is given; otherwise returns undefined. */
function childByCode(node: TrieNode, kindCode: Code, memory: Memory | undefined): TrieNode | undefined {
  const existing = node.byCode[kindCode];
  if (existing || !memory) return existing;
  const created = new TrieNode();
  node.byCode[kindCode] = created;
  memory.size += nodeBytes;
  return created;
}

/** Returns a child like `childByCode`, but for a string. */
function childByText(node: TrieNode, text: string, memory: Memory | undefined): TrieNode | undefined {
  const existing = node.byText.get(text);
  if (existing || !memory) return existing;
  const created = new TrieNode();
  node.byText.set(text, created);
  memory.size += nodeBytes + 2 * text.length;
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
  const head = childByText(root, headOf(exchange, deviatingParts), memory);
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
      if (Number.isInteger(value)) return childByCode(node, codes.integer, memory);
      return childByCode(node, Number.isFinite(value) ? codes.fraction : codes.infinite, memory);
    case 'object':
      if (value === null) return childByCode(node, codes.null, memory);
      if (depth === 0) return undefined;
      return Array.isArray(value)
        ? walkList(node, value, depth - 1, memory)
        : walkRecord(node, nodeOf(value), depth - 1, memory);
    case 'boolean':
      return childByCode(node, value ? codes.true : codes.false, memory);
    default:
      return childByCode(node, codes.none, memory);
  }
}

function walkRecord(node: TrieNode, record: Node, depth: number, memory: Memory | undefined): TrieNode | undefined {
  let current = childByCode(node, codes.record, memory);
  for (const name of Object.keys(record)) {
    const field = current && childByText(current, name, memory);
    current = field && walkValue(field, record[name], depth, memory);
    if (!current) return undefined;
  }
  return current && childByCode(current, codes.endOfRecord, memory);
}

function walkList(
  node: TrieNode,
  list: readonly unknown[],
  depth: number,
  memory: Memory | undefined,
): TrieNode | undefined {
  if (list.length === 0) return childByCode(node, codes.emptyList, memory);
  const items = childByCode(node, codes.list, memory);
  if (!items) return undefined;
  for (const item of list) if (!walkValue(items, item, depth, memory)) return undefined;
  return childByCode(items, codes.endOfList, memory);
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
  if (text === '') return childByCode(node, codes.empty, memory);
  // Fast path without a regular expression: 0x39 is the character code of `9`, and most strings begin with a letter.
  if (text.charCodeAt(0) > 0x39 || !datePattern.test(text)) return childByCode(node, codes.text, memory);
  return plainDateOrTime.test(text) ? childByCode(node, codes.date, memory) : childByText(node, text, memory);
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

import type { PrismExchange } from './prism-exchange.js';
import { type Node, nodeOf } from './tree.js';

/** Maximum nesting depth of bodies: exchanges with deeper ones are never known. */
const maxDepth = 32;

/** Approximate memory that a `Step` takes, in bytes. */
const stepBytes = 200;

/**
 * Remembers the shapes of exchanges in which prism-http found nothing. Exchanges of the same shape differ only in
 * values that every JSON Schema validator treats alike, so for them our own validators, which check every exchange,
 * replace prism-http. Values that validators are known to treat differently (leap seconds; parameters that need
 * decoding) are part of the shape. List items are remembered one by one: a list is known if each of its items is known,
 * even from different lists.
 */
export class KnownShapes {
  readonly #first = new Step();
  readonly #memory: Memory;

  /** @param maxSize approximate memory limit, in bytes */
  constructor(maxSize = 20_000_000) {
    this.#memory = { size: 0, maxSize };
  }

  /** @param deviating parts of the exchange in which our own validators found something */
  has(exchange: PrismExchange, deviating: ReadonlySet<string>): boolean {
    return walkExchange(this.#first, exchange, deviating) !== undefined;
  }

  /** @param deviating as for `has` */
  add(exchange: PrismExchange, deviating: ReadonlySet<string>): void {
    const memory = this.#memory;
    // Starts over: if the memory fills up, most exchanges have new shapes, and remembering them is of little use.
    if (memory.size > memory.maxSize) {
      this.#first.byText.clear();
      memory.size = 0;
    }
    walkExchange(this.#first, exchange, deviating, memory);
  }
}

interface Memory {
  size: number;
  readonly maxSize: number;
}

/** Codes of the kinds of values: indexes of `Step.byCode`. */
const codes = {
  text: 0,
  empty: 1,
  date: 2,
  time: 3,
  integer: 4,
  fraction: 5,
  infinite: 6,
  true: 7,
  false: 8,
  null: 9,
  none: 10,
  record: 11,
  endOfRecord: 12,
  list: 13,
  endOfList: 14,
  emptyList: 15,
} as const;

type Code = (typeof codes)[keyof typeof codes];

/** A position in a shape, with the next positions. */
class Step {
  /** Next positions by kind of value. */
  readonly byCode: (Step | undefined)[] = [];
  /** Next positions by name of a field, or by value. */
  readonly byText = new Map<string, Step>();
}

/** Next position; an unknown one is created only if a memory is given. */
function stepByCode(step: Step, kindCode: Code, memory: Memory | undefined): Step | undefined {
  const known = step.byCode[kindCode];
  if (known || !memory) return known;
  const created = new Step();
  step.byCode[kindCode] = created;
  memory.size += stepBytes;
  return created;
}

function stepByText(step: Step, text: string, memory: Memory | undefined): Step | undefined {
  const known = step.byText.get(text);
  if (known || !memory) return known;
  const created = new Step();
  step.byText.set(text, created);
  memory.size += stepBytes + 2 * text.length;
  return created;
}

function walkExchange(
  first: Step,
  exchange: PrismExchange,
  deviating: ReadonlySet<string>,
  memory?: Memory,
): Step | undefined {
  const head = stepByText(first, headOf(exchange, deviating), memory);
  const afterRequest = head && walkValue(head, exchange.request.body, maxDepth, memory);
  return afterRequest && walkValue(afterRequest, exchange.response.body, maxDepth, memory);
}

/** Describes an exchange except for its bodies, as text. */
function headOf({ operationId, request, response }: PrismExchange, deviating: ReadonlySet<string>): string {
  return [
    operationId,
    response.status,
    [...deviating].sort().join(),
    codesOf(request.values),
    codesOf(Object.entries(request.query)),
    codesOf(Object.entries(request.headers)),
    codesOf(Object.entries(response.headers)),
  ].join('\n');
}

function walkValue(step: Step, value: unknown, depth: number, memory: Memory | undefined): Step | undefined {
  switch (typeof value) {
    case 'string':
      return walkText(step, value, memory);
    case 'number':
      if (Number.isInteger(value)) return stepByCode(step, codes.integer, memory);
      return stepByCode(step, Number.isFinite(value) ? codes.fraction : codes.infinite, memory);
    case 'object':
      if (value === null) return stepByCode(step, codes.null, memory);
      if (depth === 0) return undefined;
      return Array.isArray(value)
        ? walkList(step, value, depth - 1, memory)
        : walkRecord(step, nodeOf(value), depth - 1, memory);
    case 'boolean':
      return stepByCode(step, value ? codes.true : codes.false, memory);
    default:
      return stepByCode(step, codes.none, memory);
  }
}

function walkRecord(step: Step, record: Node, depth: number, memory: Memory | undefined): Step | undefined {
  let current = stepByCode(step, codes.record, memory);
  for (const name of Object.keys(record)) {
    const field = current && stepByText(current, name, memory);
    current = field && walkValue(field, record[name], depth, memory);
    if (!current) return undefined;
  }
  return current && stepByCode(current, codes.endOfRecord, memory);
}

function walkList(step: Step, list: readonly unknown[], depth: number, memory: Memory | undefined): Step | undefined {
  if (list.length === 0) return stepByCode(step, codes.emptyList, memory);
  const items = stepByCode(step, codes.list, memory);
  if (!items) return undefined;
  for (const item of list) if (!walkValue(items, item, depth, memory)) return undefined;
  return stepByCode(items, codes.endOfList, memory);
}

const dateStart = /^\d{4}-\d\d-\d\d/;
/** All dates except 29 February, with or without a time. */
const plainDateOrTime = new RegExp(
  [
    '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)',
    '(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9]))?$',
  ].join(''),
);

/**
 * Dates and times that every validator accepts share a code; leap days, leap seconds and the like are compared by
 * value.
 */
function walkText(step: Step, text: string, memory: Memory | undefined): Step | undefined {
  if (text === '') return stepByCode(step, codes.empty, memory);
  // Fast path: 0x39 is the code of `9`, and most strings do not start with a digit.
  if (text.charCodeAt(0) > 0x39 || !dateStart.test(text)) return stepByCode(step, codes.text, memory);
  if (!plainDateOrTime.test(text)) return stepByText(step, text, memory);
  return stepByCode(step, text.length === 10 ? codes.date : codes.time, memory);
}

/** Parameters and headers: values that need no decoding share a code. */
function codesOf(entries: Iterable<readonly [string, string | readonly string[]]>): string {
  return [...entries].map(([name, value]) => `${JSON.stringify(name)}:${codeOfParameter(value)}`).join();
}

function codeOfParameter(value: string | readonly string[]): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/^\d{1,15}$/.test(value)) return 'digits';
  if (/^[a-z][\w-]*$/i.test(value)) return 'word';
  if (plainDateOrTime.test(value)) return value.length === 10 ? 'date' : 'time';
  return JSON.stringify(value);
}

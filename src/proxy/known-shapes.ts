import type { PrismExchange } from './prism-exchange.js';
import { type Node, nodeOf } from './tree.js';

/** How deep bodies may be nested: exchanges with deeper ones are never known. */
const maxDepth = 32;
/** In bytes, about. */
const stepSize = 200;

/**
 * Remembers the shapes of exchanges in which prism-http has found nothing. Exchanges of one shape differ only in values that
 * any validator of JSON Schema reads in the same way, so that our own validators, which see all of them, speak for prism-http.
 * Values that validators are known to read in different ways (leap seconds; parameters that need decoding) are part of
 * the shape. The items of a list count one by one: a list is known if each item is, be it from different lists.
 */
export class KnownShapes {
  readonly #first = new Step();
  readonly #memory: Memory;

  /** @param maxSize how much is remembered, in bytes, about */
  constructor(maxSize = 20_000_000) {
    this.#memory = { size: 0, maxSize };
  }

  /** @param deviating the parts of the exchange in which our own validators have found something */
  has(exchange: PrismExchange, deviating: ReadonlySet<string>): boolean {
    return walkExchange(this.#first, exchange, deviating) !== undefined;
  }

  /** @param deviating as for `has` */
  add(exchange: PrismExchange, deviating: ReadonlySet<string>): void {
    const memory = this.#memory;
    // Traffic in which everything is new has no use for a memory.
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

const code = {
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

type Code = (typeof code)[keyof typeof code];

/** A place in a shape, and the places that come next. */
class Step {
  /** Behind a value of a kind. */
  readonly byCode: (Step | undefined)[] = [];
  /** Behind the name of a field, or a value that stands for itself. */
  readonly byText = new Map<string, Step>();
}

/** The next place. Where none is known, there is one only with a memory to keep it in. */
function stepByCode(step: Step, sign: Code, memory: Memory | undefined): Step | undefined {
  const known = step.byCode[sign];
  if (known || !memory) return known;
  const made = new Step();
  step.byCode[sign] = made;
  memory.size += stepSize;
  return made;
}

function stepByText(step: Step, text: string, memory: Memory | undefined): Step | undefined {
  const known = step.byText.get(text);
  if (known || !memory) return known;
  const made = new Step();
  step.byText.set(text, made);
  memory.size += stepSize + 2 * text.length;
  return made;
}

function walkExchange(
  first: Step,
  exchange: PrismExchange,
  deviating: ReadonlySet<string>,
  memory?: Memory,
): Step | undefined {
  const head = stepByText(first, headOf(exchange, deviating), memory);
  const behind = head && walkValue(head, exchange.request.body, maxDepth, memory);
  return behind && walkValue(behind, exchange.response.body, maxDepth, memory);
}

/** Everything but the bodies. */
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
      if (Number.isInteger(value)) return stepByCode(step, code.integer, memory);
      return stepByCode(step, Number.isFinite(value) ? code.fraction : code.infinite, memory);
    case 'object':
      if (value === null) return stepByCode(step, code.null, memory);
      if (depth === 0) return undefined;
      return Array.isArray(value)
        ? walkList(step, value, depth - 1, memory)
        : walkRecord(step, nodeOf(value), depth - 1, memory);
    case 'boolean':
      return stepByCode(step, value ? code.true : code.false, memory);
    default:
      return stepByCode(step, code.none, memory);
  }
}

function walkRecord(step: Step, record: Node, depth: number, memory: Memory | undefined): Step | undefined {
  let at = stepByCode(step, code.record, memory);
  for (const name of Object.keys(record)) {
    const field = at && stepByText(at, name, memory);
    at = field && walkValue(field, record[name], depth, memory);
    if (!at) return undefined;
  }
  return at && stepByCode(at, code.endOfRecord, memory);
}

function walkList(step: Step, list: readonly unknown[], depth: number, memory: Memory | undefined): Step | undefined {
  if (list.length === 0) return stepByCode(step, code.emptyList, memory);
  const items = stepByCode(step, code.list, memory);
  if (!items) return undefined;
  for (const item of list) if (!walkValue(items, item, depth, memory)) return undefined;
  return stepByCode(items, code.endOfList, memory);
}

const dateStart = /^\d{4}-\d\d-\d\d/;
/** Each date but 29 February, alone or with a time of day. */
const plainTime = new RegExp(
  [
    '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)',
    '(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9]))?$',
  ].join(''),
);

/** Dates and times that every validator accepts have a code; leap days, leap seconds and the like stand for themselves. */
function walkText(step: Step, text: string, memory: Memory | undefined): Step | undefined {
  if (text === '') return stepByCode(step, code.empty, memory);
  // Most texts do not begin with a digit, and are spared the pattern.
  if (text.charCodeAt(0) > 0x39 || !dateStart.test(text)) return stepByCode(step, code.text, memory);
  if (!plainTime.test(text)) return stepByText(step, text, memory);
  return stepByCode(step, text.length === 10 ? code.date : code.time, memory);
}

/** Parameters and headers: texts that need no decoding have a code. */
function codesOf(texts: Iterable<readonly [string, string | readonly string[]]>): string {
  return [...texts].map(([name, text]) => `${JSON.stringify(name)}:${codeOfParameter(text)}`).join();
}

function codeOfParameter(text: string | readonly string[]): string {
  if (typeof text !== 'string') return JSON.stringify(text);
  if (/^\d{1,15}$/.test(text)) return 'digits';
  if (/^[a-z][\w-]*$/i.test(text)) return 'word';
  if (plainTime.test(text)) return text.length === 10 ? 'date' : 'time';
  return JSON.stringify(text);
}

import type { PrismExchange } from './prism-exchange.js';
import { nodeOf } from './tree.js';

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
  readonly #maxSize: number;
  #size = 0;

  /** @param maxSize how much is remembered, in bytes, about */
  constructor(maxSize = 20_000_000) {
    this.#maxSize = maxSize;
  }

  /** @param deviating the parts of the exchange in which our own validators have found something */
  has(exchange: PrismExchange, deviating: ReadonlySet<string>): boolean {
    return walkExchange(this.#first, exchange, deviating, (step, sign) => step.next.get(sign)) !== undefined;
  }

  /** @param deviating as for `has` */
  add(exchange: PrismExchange, deviating: ReadonlySet<string>): void {
    // Traffic in which everything is new has no use for a memory.
    if (this.#size > this.#maxSize) {
      this.#first.next.clear();
      this.#size = 0;
    }
    walkExchange(this.#first, exchange, deviating, (step, sign) => this.#make(step, sign));
  }

  #make(step: Step, sign: Sign): Step {
    const known = step.next.get(sign);
    if (known) return known;
    const made = new Step();
    step.next.set(sign, made);
    this.#size += stepSize + (typeof sign === 'string' ? 2 * sign.length : 0);
    return made;
  }
}

/** What a step goes by: the name of a field, a value that stands for itself, or a code. Codes are numbers, which maps find faster. */
type Sign = string | number;

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

/** A place in a shape; what comes next is a step further. */
class Step {
  readonly next = new Map<Sign, Step>();
}

/** Takes a step. Undefined where it leads to nothing known. */
type Walk = (step: Step, sign: Sign) => Step | undefined;

function walkExchange(
  first: Step,
  exchange: PrismExchange,
  deviating: ReadonlySet<string>,
  walk: Walk,
): Step | undefined {
  const head = walk(first, headOf(exchange, deviating));
  const behind = head && walkValue(head, exchange.request.body, walk, maxDepth);
  return behind && walkValue(behind, exchange.response.body, walk, maxDepth);
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

function walkValue(step: Step, value: unknown, walk: Walk, depth: number): Step | undefined {
  switch (typeof value) {
    case 'string':
      return walk(step, signOfText(value));
    case 'number':
      if (Number.isInteger(value)) return walk(step, code.integer);
      return walk(step, Number.isFinite(value) ? code.fraction : code.infinite);
    case 'object':
      if (value === null) return walk(step, code.null);
      if (depth === 0) return undefined;
      return Array.isArray(value)
        ? walkList(step, value, walk, depth - 1)
        : walkRecord(step, nodeOf(value), walk, depth - 1);
    case 'boolean':
      return walk(step, value ? code.true : code.false);
    default:
      return walk(step, code.none);
  }
}

function walkRecord(
  step: Step,
  record: Readonly<Record<string, unknown>>,
  walk: Walk,
  depth: number,
): Step | undefined {
  let at = walk(step, code.record);
  for (const name of Object.keys(record)) {
    const field = at && walk(at, name);
    at = field && walkValue(field, record[name], walk, depth);
    if (!at) return undefined;
  }
  return at && walk(at, code.endOfRecord);
}

function walkList(step: Step, list: readonly unknown[], walk: Walk, depth: number): Step | undefined {
  if (list.length === 0) return walk(step, code.emptyList);
  const items = walk(step, code.list);
  if (!items) return undefined;
  for (const item of list) if (!walkValue(items, item, walk, depth)) return undefined;
  return walk(items, code.endOfList);
}

const dateStart = /^\d{4}-\d\d-\d\d/;
/** Each date but 29 February, alone or with a time of day. */
const plainTime = new RegExp(
  [
    '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)',
    '(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9]))?$',
  ].join(''),
);

function signOfText(text: string): Sign {
  if (text === '') return code.empty;
  // Most texts do not begin with a digit, and are spared the pattern.
  return text.charCodeAt(0) <= 0x39 && dateStart.test(text) ? signOfDate(text) : code.text;
}

/** Dates and times that every validator accepts have a code; leap days, leap seconds and the like stay as they are. */
function signOfDate(text: string): Sign {
  if (!plainTime.test(text)) return text;
  return text.length === 10 ? code.date : code.time;
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

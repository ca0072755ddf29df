import { parseJson } from '../lib/json.js';

/**
 * An effect of a fault, parsed from its short form, such as `latency=200ms;max=2s`. The `X-Sim-Fault` header and the
 * command line use the short form.
 */
export interface ShortEffect {
  readonly name: string;
  /** The value of `name=value`. */
  readonly value: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Thrown for text that is not in the short form. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError';
}

/**
 * Parses `status=503`, `latency=200ms;max=2s, truncate` and the like: effects separated by commas, each followed by
 * options after semicolons. A value is a JSON string, array or object, or any text up to the next semicolon or comma: a
 * number, true, false, or a plain string. A `body` that is an array or object stays text, so that it is sent as written:
 * parsing would change large ids, and decimals such as 1.10.
 * @throws GrammarError
 */
export function parseShortForm(text: string): ShortEffect[] {
  const scanner = new Scanner(text);
  const effects: ShortEffect[] = [];
  do {
    const { name, value } = scanner.readAssignment();
    const options = new Map<string, unknown>();
    while (scanner.skipIfNext(';')) {
      const option = scanner.readAssignment();
      if (options.has(option.name)) throw new GrammarError(`${option.name} is given twice`);
      options.set(option.name, option.value ?? true);
    }
    effects.push({ name, value, options: Object.fromEntries(options) });
  } while (scanner.skipIfNext(','));
  return effects;
}

/** Scans text once, from start to end. */
class Scanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Skips a separator if it comes next. @returns true if it did */
  skipIfNext(separator: ';' | ','): boolean {
    if (this.#text[this.#position] !== separator) return false;
    this.#position += 1;
    return true;
  }

  /** Reads `name=value`, or a name alone. */
  readAssignment(): { readonly name: string; readonly value: unknown } {
    const name = this.#readUntil(/[=;,]/g).trim();
    if (name === '') throw new GrammarError('an effect or option has no name; write an effect like status=503');
    if (this.#text[this.#position] !== '=') return { name, value: undefined };
    this.#position += 1;
    // Skips white space.
    this.#readUntil(/\S/g);
    const from = this.#position;
    const first = this.#text.charAt(from);
    if (!/["[{]/.test(first)) return { name, value: parseWord(this.#readUntil(/[;,]/g).trim()) };
    const { value, end } = this.#readJson(name);
    return { name, value: name === 'body' && first !== '"' ? this.#text.slice(from, end) : value };
  }

  /** Reads up to a delimiter, or to the end. @param delimiter with the `g` flag, which `lastIndex` requires */
  #readUntil(delimiter: RegExp): string {
    const from = this.#position;
    delimiter.lastIndex = from;
    this.#position = delimiter.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.slice(from, this.#position);
  }

  /** Reads a JSON string, array or object. @returns its value, and the position after the closing quote or bracket */
  #readJson(name: string): { readonly value: unknown; readonly end: number } {
    const from = this.#position;
    let [depth, isQuoted] = [0, false];
    do {
      const character = this.#text[this.#position];
      if (character === undefined) throw new GrammarError(`the JSON of ${name} is not closed`);
      if (isQuoted && character === '\\') this.#position += 1;
      else if (character === '"') isQuoted = !isQuoted;
      else if (!isQuoted && '[{'.includes(character)) depth += 1;
      else if (!isQuoted && ']}'.includes(character)) depth -= 1;
      this.#position += 1;
    } while (depth > 0 || isQuoted);
    const end = this.#position;
    if (this.#readUntil(/[;,]/g).trim() !== '') {
      throw new GrammarError(`unexpected characters after the JSON of ${name}; expected a semicolon or comma`);
    }
    try {
      return { value: parseJson(this.#text.slice(from, end)), end };
    } catch {
      throw new GrammarError(`${name} is not valid JSON`);
    }
  }
}

/**
 * Parses true, false or a number; anything else stays a string. A number that JavaScript would write differently, such
 * as `1.0`, also stays a string, so that `formatShortForm` writes back the same text.
 */
function parseWord(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  // The digit at the end excludes `NaN` and `Infinity`, which JSON does not have.
  return /\d$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/**
 * Writes a stored effect in the short form. Reading that text gives the same effect again.
 * @param valueOption option whose value is written directly after the name of the effect, such as `min`, which
 *   `latency=200ms` sets; null if the effect has no such option
 */
export function formatShortForm(
  { name, ...options }: { readonly name: string; readonly [option: string]: unknown },
  valueOption: string | null,
): string {
  const entries = Object.entries(options);
  const valueEntry = entries.find(([option]) => option === valueOption);
  const otherEntries = entries.filter((entry) => entry !== valueEntry);
  return [
    valueEntry ? `${name}=${formatValue(valueEntry[1])}` : name,
    ...otherEntries.map(([option, optionValue]) =>
      optionValue === true ? option : `${option}=${formatValue(optionValue)}`,
    ),
  ].join(';');
}

function formatValue(value: unknown): string {
  return typeof value === 'string' && canBeUnquoted(value) ? value : JSON.stringify(value);
}

/**
 * True if a string can be written without quotes: it does not look like JSON, contains no separators or control
 * characters, and is not read back as a number or boolean.
 */
function canBeUnquoted(text: string): boolean {
  return text.trim() === text && !/^["[{]|[;,\p{C}]/u.test(text) && parseWord(text) === text;
}

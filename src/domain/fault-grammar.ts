import { parseJson } from '../lib/parse-json.js';

/** An effect in the short form, as in X-Sim-Fault and on the command line. */
export interface ShortEffect {
  readonly name: string;
  /** The value of `name=value`. */
  readonly value: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Thrown for a text that is not in the short form. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError';
}

/**
 * Parses `status=503`, `latency=200ms;max=2s, truncate` and the like: effects separated by commas, each followed by
 * options after semicolons. A value is a JSON string, array or object, or any text up to the next semicolon or comma: a
 * number, true, false, or a plain string.
 * @throws GrammarError
 */
export function parseShort(text: string): ShortEffect[] {
  const scanner = new Scanner(text);
  const effects: ShortEffect[] = [];
  do {
    const { name, value } = scanner.assignment();
    const options: Record<string, unknown> = Object.create(null);
    while (scanner.passes(';')) {
      const option = scanner.assignment();
      if (option.name in options) throw new GrammarError(`${option.name} is given twice`);
      options[option.name] = option.value ?? true;
    }
    effects.push({ name, value, options: { ...options } });
  } while (scanner.passes(','));
  return effects;
}

/** Scans a text once, from start to end. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Consumes a separator, if it comes next. */
  passes(separator: ';' | ','): boolean {
    if (this.#text[this.#at] !== separator) return false;
    this.#at += 1;
    return true;
  }

  /** Reads `name=value`, or a name alone. */
  assignment(): { readonly name: string; readonly value: unknown } {
    const name = this.#until(/[=;,]/g).trim();
    if (name === '') throw new GrammarError('an effect or option has no name; write an effect like status=503');
    if (this.#text[this.#at] !== '=') return { name, value: undefined };
    this.#at += 1;
    this.#until(/\S/g);
    const isJson = /["[{]/.test(this.#text[this.#at] ?? '');
    return { name, value: isJson ? this.#json(name) : wordOf(this.#until(/[;,]/g).trim()) };
  }

  /** Reads up to a delimiter, or to the end. */
  #until(sign: RegExp): string {
    const from = this.#at;
    sign.lastIndex = from;
    this.#at = sign.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.slice(from, this.#at);
  }

  #json(name: string): unknown {
    const from = this.#at;
    let [depth, isQuoted] = [0, false];
    do {
      const character = this.#text[this.#at];
      if (character === undefined) throw new GrammarError(`the JSON of ${name} is not closed`);
      if (isQuoted && character === '\\') this.#at += 1;
      else if (character === '"') isQuoted = !isQuoted;
      else if (!isQuoted && '[{'.includes(character)) depth += 1;
      else if (!isQuoted && ']}'.includes(character)) depth -= 1;
      this.#at += 1;
    } while (depth > 0 || isQuoted);
    const json = this.#text.slice(from, this.#at);
    if (this.#until(/[;,]/g).trim() !== '') {
      throw new GrammarError(`unexpected characters after the JSON of ${name}; expected a semicolon or comma`);
    }
    try {
      return parseJson(json);
    } catch {
      throw new GrammarError(`${name} is not valid JSON`);
    }
  }
}

/** Parses a number only in the notation of JSON, so that it can be written back as the same text. */
function wordOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /\d$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/**
 * Writes an effect in the short form, so that `parseShort` reads it back.
 * @param value option that `name=value` sets
 */
export function writeShort(
  { name, ...options }: { readonly name: string; readonly [option: string]: unknown },
  value: string | null,
): string {
  const entries = Object.entries(options);
  const head = entries.find(([option]) => option === value);
  const others = entries.filter((entry) => entry !== head);
  return [
    head ? `${name}=${writtenValue(head[1])}` : name,
    ...others.map(([option, given]) => (given === true ? option : `${option}=${writtenValue(given)}`)),
  ].join(';');
}

function writtenValue(value: unknown): string {
  const isPlain = typeof value === 'string' && isWord(value);
  return isPlain ? value : JSON.stringify(value);
}

/** Whether a string can be written without quotes. */
function isWord(text: string): boolean {
  return text.trim() === text && !/^["[{]|[;,\p{C}]/u.test(text) && wordOf(text) === text;
}

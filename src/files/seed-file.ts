import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isTimeZone } from '../domain/dates.js';
import { decimalPlacesOf } from '../domain/money.js';
import { relativeTimeMs, type Seed } from '../domain/seed.js';
import { snapshotFileFormat } from '../domain/snapshot-file-format.js';
import { demo } from '../generated/seed-demo.js';
import { empty } from '../generated/seed-empty.js';
import { isCurrencyCode } from '../lib/decimals.js';
import { invalidDurationHint } from '../lib/durations.js';
import { isDeeperThan, isRecord, memberOf } from '../lib/json.js';
import { lazy } from '../lib/lazy.js';
import { shellWord } from '../lib/messages.js';
import { readSchema } from '../lib/read-schema.js';
import { firstSchemaError, locatedReason } from '../lib/schema-errors.js';
import { stringKeyword } from '../lib/schema-keywords.js';
import { strictAjv } from '../lib/strict-ajv.js';
import { InputError } from '../lib/user-error.js';
import { type Choices, type Profile, patchedDocument, resolveProfile } from '../openapi/profile.js';
import { FileError, readDataFile } from './data-file.js';
import { Inconsistency, requireConsistency } from './seed-consistency.js';

/** Thrown for a value that is not a valid seed. The message says where and why, in one line. */
class SeedError extends InputError {
  override readonly name = 'SeedError';
}

/**
 * Maximum nesting depth; a seed needs five, and more only for metadata (gap metadata.values). Copying a much deeper value
 * could overflow the stack.
 */
const maxDepth = 20;

/**
 * Reads a built-in seed (`demo`, `empty`) or a JSON or YAML file.
 * @param choices the choices of the account that gets the seed
 * @throws FileError, ProfileError
 */
export async function readSeed(nameOrPath: string, choices: Choices = {}): Promise<Seed> {
  if (nameOrPath === 'demo') return demo;
  if (nameOrPath === 'empty') return empty;
  // The path of a file has a dot or a slash; any other word is probably a misspelled built-in seed.
  if (!/[./\\]/.test(nameOrPath)) {
    throw new FileError(
      `unknown seed ${nameOrPath}; use demo, empty or the path of a file, for example ./${nameOrPath}.json`,
    );
  }
  const { value, errorAt } = await readDataFile(nameOrPath);
  if (value === null) throw await errorAt([], 'the file is empty');
  if (memberOf(value, 'format') === snapshotFileFormat) {
    throw new FileError(
      `${nameOrPath} is a snapshot, not a seed; start the simulator, then run billing-sim snapshot import ${shellWord(nameOrPath)}`,
    );
  }
  try {
    return parseSeed(value, choices);
  } catch (error) {
    throw error instanceof SeedError ? await errorAt(error.path, error.message) : error;
  }
}

/**
 * Validates a seed, and fills in what it omits. Rejects records that the API could not have created in an account with
 * this profile, such as amounts with more decimal places than their currency has, or texts that are too long.
 * @param name name of the seed in messages: with `seed`, they begin with a place such as `seed.currency`
 * @throws SeedError, ProfileError
 */
export function parseSeed(value: unknown, choices: Choices, name?: string): Seed {
  if (isDeeperThan(maxDepth, value))
    throw new SeedError([], locatedReason([], `must not be nested more than ${maxDepth} levels deep`, name));
  const seed: unknown = structuredClone(value);
  const profile = resolveProfile(choices);
  const isSeed = validatorFor(profile, memberOf(seed, 'currency'));
  if (!isSeed(seed)) {
    const { path, shownPath, reason } = firstSchemaError(isSeed.errors ?? [], {}, timeHint);
    throw new SeedError(path, locatedReason(shownPath, reason, name));
  }
  try {
    requireConsistency(seed, profile);
  } catch (error) {
    throw error instanceof Inconsistency
      ? new SeedError(error.path, locatedReason(error.path, error.message, name))
      : error;
  }
  return seed;
}

function timeHint(keyword: string, value: unknown): string {
  // In YAML, 0 without quotes is a number.
  if (value === 0) return '; write it in quotes';
  return keyword === 'x-relative-time' ? invalidDurationHint(value) : '';
}

const seedSchema = lazy(() => readSchema('fixtures/accounts/seed.schema.json'));

/** The last compiled validator. It is kept because most accounts have the same profile and currency. */
let lastCompiled: { readonly key: string; readonly isSeed: ValidateFunction<Seed> } | undefined;

/** Compiles the schema of seeds, with the limits of the service's API document under a profile. */
function validatorFor(profile: Profile, currency: unknown): ValidateFunction<Seed> {
  const limits = limitsOf(profile, currency);
  const key = JSON.stringify(limits);
  if (lastCompiled?.key === key) return lastCompiled.isSeed;
  const ajv = strictAjv({ useDefaults: true });
  ajv.addKeyword(stringKeyword('x-relative-time', (text) => relativeTimeMs(text) !== undefined));
  ajv.addKeyword(stringKeyword('x-time-zone', isTimeZone));
  const { $defs: definitions, ...schema } = seedSchema();
  // Adds each limit to the schema's definition of that name. The schema itself has no limits, because stored seeds are
  // validated without them.
  const limited = Object.entries(limits).map(([name, limit]) => [
    name,
    { allOf: [limit, memberOf(definitions, name)] },
  ]);
  const isSeed = ajv.compile<Seed>({
    ...schema,
    $defs: { ...(isRecord(definitions) ? definitions : {}), ...Object.fromEntries(limited) },
  });
  lastCompiled = { key, isSeed };
  return isSeed;
}

/**
 * Definitions of the seed's schema that depend on the profile. Amounts are in the currency of the seed, except those of
 * payments, whose invoice may have another one: `requireConsistency` checks their decimal places.
 */
function limitsOf(profile: Profile, currency: unknown): Readonly<Record<string, object>> {
  const { schemas = {} } = patchedDocument(profile).components ?? {};
  const places = isCurrencyCode(currency) ? { 'x-decimal-places': decimalPlacesOf(currency, profile) } : {};
  // Replaced with the decimal places of the seed's currency, because the amounts of a seed have no currency beside
  // them.
  const { 'x-minor-units': _replaced, ...amount }: Readonly<Record<string, unknown>> = { ...schemas['Amount'] };
  const text = textLimit(schemas['Text']);
  const textOrNull = textLimit(schemas['Text'], ['string', 'null']);
  const requiredText = { allOf: [text, { type: 'string', minLength: 1 }] };
  const email = { type: 'string', format: 'email', 'x-expected': 'valid email address (for example ada@inn.example)' };
  const guestEmail = profile['deposit.customer-email'] === 'refused' ? { anyOf: [email, { type: 'null' }] } : {};
  return {
    text,
    requiredText,
    textOrNull,
    longTextOrNull: textLimit(schemas['LongText'], ['string', 'null']),
    metadata: metadataLimit(schemas),
    amount: { ...amount, ...places },
    payment_amount: amount,
    email: { allOf: [text, email] },
    guest_email: { allOf: [textOrNull, guestEmail] },
    currency: { ...schemas['CurrencyCode'], 'x-expected': 'code of a currency in use (for example EUR)' },
    quantity: { ...schemas['Quantity'] },
    tax_rate: { ...schemas['TaxRate'] },
    unit_price: { ...schemas['UnitPrice'] },
  };
}

/**
 * The maximum length and the allowed characters of a schema of the API. They are two schemas, so that only the error
 * about the characters has the description of the form.
 * @param type types of the values, which may include others than strings
 */
function textLimit(schema: object | undefined, type: string | readonly string[] = 'string'): object {
  const maxLength = memberOf(schema, 'maxLength');
  const pattern = memberOf(schema, 'pattern');
  return {
    allOf: [
      maxLength === undefined ? {} : { type, maxLength },
      pattern === undefined ? {} : { type, pattern, 'x-expected': 'text without NUL and unpaired surrogates' },
    ],
  };
}

function metadataLimit(schemas: Readonly<Record<string, object>>): object {
  const maxProperties = memberOf(schemas['Metadata'], 'maxProperties');
  const types = [memberOf(schemas['MetadataValue'], 'type')].flat().map(String);
  return {
    type: 'object',
    ...(maxProperties === undefined ? {} : { maxProperties }),
    propertyNames: textLimit(schemas['MetadataKey']),
    additionalProperties: { type: types, allOf: [textLimit(schemas['MetadataValue'], types)] },
  };
}

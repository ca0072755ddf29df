import { activeProbe, NoMatchingChoice, type Probe } from '../../calibrate/probe.js';
import { Skip } from '../../engine/check-errors.js';
import { decimalOf } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { findLargestAccepted, isAccepted, tryCreateDeposit, tryCreateInvoice, tryCreateLink } from '../attempts.js';
import { requireRecord } from '../created-records.js';

/**
 * Sends a request with a value of a given size (a length, a number of keys or an amount). Returns true if the target
 * accepts it.
 */
type AcceptsSize = (context: ClauseContext, size: number) => Promise<boolean>;

/** @throws Skip if the target accepts the description, but changes it */
const acceptsDescriptionLength: AcceptsSize = async (context, size) => {
  const description = 'x'.repeat(size);
  const exchange = await tryCreateLink(context, { description });
  if (!isAccepted(exchange)) return false;
  if (requireRecord(exchange)['description'] !== description)
    throw new Skip({
      missing: 'a long text that is stored unchanged',
      reason: `one of ${size} characters is accepted, but changed`,
    });
  return true;
};
const acceptsNotesLength: AcceptsSize = async (context, size) =>
  isAccepted(await tryCreateInvoice(context, { notes: 'x'.repeat(size) }));
const acceptsMetadata = async (context: ClauseContext, metadata: object): Promise<boolean> =>
  isAccepted(await tryCreateDeposit(context, { metadata }));
const acceptsMetadataKeyCount: AcceptsSize = (context, size) =>
  acceptsMetadata(
    context,
    Object.fromEntries(Array.from({ length: size }, (_item, index) => [index.toString(36), 'v'])),
  );
const acceptsMetadataKeyLength: AcceptsSize = (context, size) => acceptsMetadata(context, { ['k'.repeat(size)]: 'v' });
const acceptsMetadataValueLength: AcceptsSize = (context, size) => acceptsMetadata(context, { k: 'v'.repeat(size) });
/**
 * Takes the amount in hundredths, since sizes are integers.
 * @throws Skip if the target accepts the amount, but changes it
 */
const acceptsAmount: AcceptsSize = async (context, size) => {
  const amount = size / 100;
  const exchange = await tryCreateLink(context, { amount });
  if (!isAccepted(exchange)) return false;
  const shown = requireRecord(exchange)['amount'];
  if (decimalOf(shown) !== amount)
    throw new Skip({
      missing: 'a large amount that is stored unchanged',
      reason: `${amount} is accepted, but becomes ${shown}`,
    });
  return true;
};

/**
 * Finds the largest accepted size; undefined if even a size above the search limit is accepted.
 * @param options.defaultMaximum maximum of the gap's default choice; it is tried first, which saves requests
 * @param options.searchLimit largest maximum to search for. If `searchLimit + 1` is accepted, the target is taken to
 *   have no maximum
 */
async function findMaximumSize(
  context: ClauseContext,
  accepts: AcceptsSize,
  { defaultMaximum, searchLimit }: { readonly defaultMaximum: number; readonly searchLimit: number },
): Promise<number | undefined> {
  if (!(await accepts(context, defaultMaximum)))
    return findLargestAccepted(0, defaultMaximum, (size) => accepts(context, size));
  if (!(await accepts(context, defaultMaximum + 1))) return defaultMaximum;
  if (await accepts(context, searchLimit + 1)) return undefined;
  return findLargestAccepted(defaultMaximum + 1, searchLimit + 1, (size) => accepts(context, size));
}

/** Longest text that the probes try: well below the 100 kB to which many services limit bodies. */
const maxTextCharacters = 50_000;

/** An example of a metadata value of each kind. */
const metadataValues = { text: 'text', number: 1, boolean: true, null: null, object: { a: 'text' }, list: ['text'] };

/** Finds out whether the target refuses a text, stores it unchanged, or stores it with changes. */
async function findTextHandling(context: ClauseContext, text: string): Promise<'refused' | 'kept' | 'changed'> {
  const description = context.withRunPrefix(text);
  const exchange = await tryCreateLink(context, { description });
  if (!isAccepted(exchange)) return 'refused';
  return requireRecord(exchange)['description'] === description ? 'kept' : 'changed';
}

/** The maximum size, or a note that there seems to be none. */
function sizeOrNote(size: number | undefined): number | string {
  return size ?? 'no limit was found';
}

/** Probes for the gaps about maximum sizes. */
export const sizeProbes: readonly Probe[] = [
  activeProbe({
    gap: 'metadata.size',
    findChoice: async (context) => {
      const keys = await findMaximumSize(context, acceptsMetadataKeyCount, { defaultMaximum: 50, searchLimit: 1_000 });
      const key_length = await findMaximumSize(context, acceptsMetadataKeyLength, {
        defaultMaximum: 40,
        searchLimit: 1_000,
      });
      const value_length = await findMaximumSize(context, acceptsMetadataValueLength, {
        defaultMaximum: 500,
        searchLimit: maxTextCharacters,
      });
      if (keys === undefined && key_length === undefined && value_length === undefined) return 'unbounded';
      if (!keys || !key_length || !value_length) {
        return new NoMatchingChoice({
          keys: sizeOrNote(keys),
          key_length: sizeOrNote(key_length),
          value_length: sizeOrNote(value_length),
        });
      }
      const isDefault = keys === 50 && key_length === 40 && value_length === 500;
      return isDefault ? '50-keys' : { bounds: { keys, key_length, value_length } };
    },
  }),
  activeProbe({
    gap: 'metadata.values',
    evidenceFields: ['metadata'],
    findChoice: async (context) => {
      const accepted: string[] = [];
      for (const [kind, value] of Object.entries(metadataValues)) {
        if (await acceptsMetadata(context, { k: value })) accepted.push(kind);
      }
      if (accepted.join() === 'text,number,boolean,null') return 'scalars';
      if (accepted.length === Object.keys(metadataValues).length) return 'any';
      return accepted.join() === 'text' ? 'texts' : new NoMatchingChoice(accepted);
    },
  }),
  activeProbe({
    gap: 'text.lengths',
    findChoice: async (context) => {
      const textLength = await findMaximumSize(context, acceptsDescriptionLength, {
        defaultMaximum: 255,
        searchLimit: 10_000,
      });
      const notesLength = await findMaximumSize(context, acceptsNotesLength, {
        defaultMaximum: 5_000,
        searchLimit: maxTextCharacters,
      });
      if (textLength === undefined && notesLength === undefined) return 'unbounded';
      if (!textLength || !notesLength)
        return new NoMatchingChoice({ text: sizeOrNote(textLength), notes: sizeOrNote(notesLength) });
      return textLength === 255 && notesLength === 5_000
        ? '255-and-5000'
        : { bounds: { text: textLength, notes: notesLength } };
    },
  }),
  activeProbe({
    gap: 'amount.maximum',
    evidenceFields: ['amount'],
    findChoice: async (context) => {
      const largestAmount = await findMaximumSize(context, acceptsAmount, {
        defaultMaximum: 99_999_999,
        searchLimit: 999_999_999_999,
      });
      if (largestAmount === undefined) return 'unbounded';
      return largestAmount === 99_999_999 ? '999999.99' : { maximum: largestAmount / 100 };
    },
  }),
];

/** Probe for the gap about the characters of texts. It runs late, as its characters can break lists of records. */
export const characterProbes: readonly Probe[] = [
  activeProbe({
    gap: 'text.characters',
    evidenceFields: ['description'],
    findChoice: async (context) => {
      // A NUL character and a lone surrogate (half of a UTF-16 pair): many databases cannot store them.
      const outcomes = [
        await findTextHandling(context, 'NUL \u0000'),
        await findTextHandling(context, 'lone surrogate \uD83D'),
      ];
      if (outcomes.every((outcome) => outcome === 'kept')) return 'accepted';
      return outcomes.every((outcome) => outcome === 'refused') ? 'refused' : new NoMatchingChoice(outcomes);
    },
  }),
];

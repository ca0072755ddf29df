import { activeProbe, type Probe, Unlisted } from '../../calibrate/probe.js';
import type { ClauseContext } from '../../engine/session.js';
import { recordOf } from '../invoice-creation/setups.js';
import { isAccepted, largest, tryDeposit, tryInvoice, tryLink } from '../webhooks/attempts.js';

/** How long a text is, or how many of something there are, and whether that is accepted. */
type Size = (context: ClauseContext, size: number) => Promise<boolean>;

const withText: Size = async (context, size) => isAccepted(await tryLink(context, { description: 'x'.repeat(size) }));
const withNotes: Size = async (context, size) => isAccepted(await tryInvoice(context, { notes: 'x'.repeat(size) }));
const withMetadata = async (context: ClauseContext, metadata: object): Promise<boolean> =>
  isAccepted(await tryDeposit(context, { metadata }));
const withKeys: Size = (context, size) =>
  withMetadata(context, Object.fromEntries(Array.from({ length: size }, (_item, index) => [index.toString(36), 'v'])));
const withKey: Size = (context, size) => withMetadata(context, { ['k'.repeat(size)]: 'v' });
const withValue: Size = (context, size) => withMetadata(context, { k: 'v'.repeat(size) });
/** In hundredths, which is how fine amounts are. */
const withAmount: Size = async (context, size) => isAccepted(await tryLink(context, { amount: size / 100 }));

/**
 * The largest size that is accepted: the usual one, or one that is looked for.
 * @param most beyond it, nothing is looked for: undefined where that is accepted, too
 */
async function bound(context: ClauseContext, takes: Size, usual: number, most: number): Promise<number | undefined> {
  if (!(await takes(context, usual))) return largest(0, usual, (size) => takes(context, size));
  if (!(await takes(context, usual + 1))) return usual;
  if (await takes(context, most + 1)) return undefined;
  return largest(usual + 1, most + 1, (size) => takes(context, size));
}

/** Characters of the longest text that is tried: many services take no body of more than 100 kB. */
const mostInBody = 50_000;

/** A metadata value of each kind. */
const values = { text: 'text', number: 1, boolean: true, null: null, object: { in: 'it' }, list: ['in it'] };

/** What becomes of a text. */
async function fateOf(context: ClauseContext, text: string): Promise<'refused' | 'kept' | 'changed'> {
  const description = context.text(text);
  const exchange = await tryLink(context, { description });
  if (!isAccepted(exchange)) return 'refused';
  return recordOf(exchange)['description'] === description ? 'kept' : 'changed';
}

/** A bound that was met, or that none was. */
function told(size: number | undefined): number | string {
  return size ?? 'no bound was met';
}

/** How large things may be, and what texts may hold. */
export const limitProbes: readonly Probe[] = [
  activeProbe('metadata.size', async (context) => {
    const keys = await bound(context, withKeys, 50, 1_000);
    const key_length = await bound(context, withKey, 40, 1_000);
    const value_length = await bound(context, withValue, 500, mostInBody);
    if (keys === undefined && key_length === undefined && value_length === undefined) return 'unbounded';
    if (!keys || !key_length || !value_length) {
      return new Unlisted({ keys: told(keys), key_length: told(key_length), value_length: told(value_length) });
    }
    const isUsual = keys === 50 && key_length === 40 && value_length === 500;
    return isUsual ? '50-keys' : { bounds: { keys, key_length, value_length } };
  }),
  activeProbe(
    'metadata.values',
    async (context) => {
      const accepted: string[] = [];
      for (const [kind, value] of Object.entries(values)) {
        if (await withMetadata(context, { k: value })) accepted.push(kind);
      }
      if (accepted.join() === 'text,number,boolean,null') return 'scalars';
      if (accepted.length === Object.keys(values).length) return 'any';
      return accepted.join() === 'text' ? 'texts' : new Unlisted(accepted);
    },
    'metadata',
  ),
  activeProbe('text.lengths', async (context) => {
    const text = await bound(context, withText, 255, 10_000);
    const notes = await bound(context, withNotes, 5_000, mostInBody);
    if (text === undefined && notes === undefined) return 'unbounded';
    if (!text || !notes) return new Unlisted({ text: told(text), notes: told(notes) });
    return text === 255 && notes === 5_000 ? '255-and-5000' : { bounds: { text, notes } };
  }),
  activeProbe(
    'text.characters',
    async (context) => {
      const fates = [await fateOf(context, 'NUL \u0000'), await fateOf(context, 'half \uD83D')];
      if (fates.every((fate) => fate === 'kept')) return 'accepted';
      return fates.every((fate) => fate === 'refused') ? 'refused' : new Unlisted(fates);
    },
    'description',
  ),
  activeProbe(
    'amount.maximum',
    async (context) => {
      const most = await bound(context, withAmount, 99_999_999, 999_999_999_999);
      if (most === undefined) return 'unbounded';
      return most === 99_999_999 ? '999999.99' : { maximum: most / 100 };
    },
    'amount',
  ),
];

import { ask, type Probe, Unlisted } from '../../calibrate/probe.js';
import type { Scene } from '../../engine/session.js';
import { recordOf } from '../invoice-creation/setups.js';
import { isAccepted, largest, tryDeposit, tryInvoice, tryLink } from '../webhooks/attempts.js';

/** How long a text is, or how many of something there are, and whether that is accepted. */
type Size = (scene: Scene, size: number) => Promise<boolean>;

const withText: Size = async (scene, size) => isAccepted(await tryLink(scene, { description: 'x'.repeat(size) }));
const withNotes: Size = async (scene, size) => isAccepted(await tryInvoice(scene, { notes: 'x'.repeat(size) }));
const withMetadata = async (scene: Scene, metadata: object): Promise<boolean> =>
  isAccepted(await tryDeposit(scene, { metadata }));
const withKeys: Size = (scene, size) =>
  withMetadata(scene, Object.fromEntries(Array.from({ length: size }, (_item, index) => [index.toString(36), 'v'])));
const withKey: Size = (scene, size) => withMetadata(scene, { ['k'.repeat(size)]: 'v' });
const withValue: Size = (scene, size) => withMetadata(scene, { k: 'v'.repeat(size) });
/** In hundredths, which is how fine amounts are. */
const withAmount: Size = async (scene, size) => isAccepted(await tryLink(scene, { amount: size / 100 }));

/**
 * The largest size that is accepted: the usual one, or one that is looked for.
 * @param most beyond it, nothing is looked for: undefined where that is accepted, too
 */
async function bound(scene: Scene, takes: Size, usual: number, most: number): Promise<number | undefined> {
  if (!(await takes(scene, usual))) return largest(0, usual, (size) => takes(scene, size));
  if (!(await takes(scene, usual + 1))) return usual;
  if (await takes(scene, most + 1)) return undefined;
  return largest(usual + 1, most + 1, (size) => takes(scene, size));
}

/** Characters of the longest text that is tried: many services take no body of more than 100 kB. */
const mostInBody = 50_000;

/** A metadata value of each kind. */
const values = { text: 'text', number: 1, boolean: true, null: null, object: { in: 'it' }, list: ['in it'] };

/** What becomes of a text. */
async function fateOf(scene: Scene, text: string): Promise<'refused' | 'kept' | 'changed'> {
  const description = scene.text(text);
  const exchange = await tryLink(scene, { description });
  if (!isAccepted(exchange)) return 'refused';
  return recordOf(exchange)['description'] === description ? 'kept' : 'changed';
}

/** A bound that was met, or that none was. */
function told(size: number | undefined): number | string {
  return size ?? 'no bound was met';
}

/** How large things may be, and what texts may hold. */
export const limitProbes: readonly Probe[] = [
  ask('metadata.size', async (scene) => {
    const keys = await bound(scene, withKeys, 50, 1_000);
    const key_length = await bound(scene, withKey, 40, 1_000);
    const value_length = await bound(scene, withValue, 500, mostInBody);
    if (keys === undefined && key_length === undefined && value_length === undefined) return 'unbounded';
    if (!keys || !key_length || !value_length) {
      return new Unlisted({ keys: told(keys), key_length: told(key_length), value_length: told(value_length) });
    }
    const isUsual = keys === 50 && key_length === 40 && value_length === 500;
    return isUsual ? '50-keys' : { bounds: { keys, key_length, value_length } };
  }),
  ask(
    'metadata.values',
    async (scene) => {
      const accepted: string[] = [];
      for (const [kind, value] of Object.entries(values)) {
        if (await withMetadata(scene, { k: value })) accepted.push(kind);
      }
      if (accepted.join() === 'text,number,boolean,null') return 'scalars';
      if (accepted.length === Object.keys(values).length) return 'any';
      return accepted.join() === 'text' ? 'texts' : new Unlisted(accepted);
    },
    'metadata',
  ),
  ask('text.lengths', async (scene) => {
    const text = await bound(scene, withText, 255, 10_000);
    const notes = await bound(scene, withNotes, 5_000, mostInBody);
    if (text === undefined && notes === undefined) return 'unbounded';
    if (!text || !notes) return new Unlisted({ text: told(text), notes: told(notes) });
    return text === 255 && notes === 5_000 ? '255-and-5000' : { bounds: { text, notes } };
  }),
  ask(
    'text.characters',
    async (scene) => {
      const fates = [await fateOf(scene, 'NUL \u0000'), await fateOf(scene, 'half \uD83D')];
      if (fates.every((fate) => fate === 'kept')) return 'accepted';
      return fates.every((fate) => fate === 'refused') ? 'refused' : new Unlisted(fates);
    },
    'description',
  ),
  ask(
    'amount.maximum',
    async (scene) => {
      const most = await bound(scene, withAmount, 99_999_999, 999_999_999_999);
      if (most === undefined) return 'unbounded';
      return most === 99_999_999 ? '999999.99' : { maximum: most / 100 };
    },
    'amount',
  ),
];

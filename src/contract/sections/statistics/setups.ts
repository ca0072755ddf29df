import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess, recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { fact, type Scene } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import {
  type Created,
  type Creation,
  createInvoice,
  lateInvoice,
  leastQuantityInvoice,
  type Row,
  readInvoice,
  recordOf,
} from '../invoice-creation/setups.js';
import { invoicesPage, overduePage } from '../invoice-list/setups.js';

/** The statistics before and after something was done to an invoice. */
export interface Change {
  readonly before: Exchange;
  readonly after: Exchange;
  /** Whether the number of invoices moved by what was done and no more: nobody else was seen at work. */
  readonly isAtRest: boolean;
}

/** The statistics, as they are now. */
const readStatistics = (scene: Scene): Promise<Exchange> => scene.get('/invoices/stats');

/** Those that were read last around the creation of an invoice, where one can be made. */
export const statistics = fact('the statistics', async (scene) => {
  const change = await ifPossible(scene.at(aroundCreation));
  return change?.after ?? readStatistics(scene);
});

/** The creation of the invoice that was sent with a number. */
export const numberedCreation = fact('a new invoice with a number of its own', async (scene) => {
  const { first } = await scene.at(aroundCreation);
  return first;
});

/** How often something is done for the statistics to be seen while nobody else is at work. */
const tries = 3;

/** Creates an invoice that is not due soon, and another while others are seen at work. */
export async function measureCreation(
  scene: Scene,
  own: (attempt: number) => Row = () => ({}),
): Promise<Change & Creation & { readonly first: Creation }> {
  let first: Creation | undefined;
  let before = await readStatistics(scene);
  for (let attempt = 1; ; attempt++) {
    const creation = await createInvoice(scene, own(attempt));
    first ??= creation;
    const after = isSuccess(creation.exchange)
      ? await once(scene, before, 'total_invoices')
      : await readStatistics(scene);
    const more = moved({ before, after }, 'total_invoices');
    // Where it has moved by more than one, others are at work.
    if (!(more > 1) || attempt === tries) return { ...creation, first, before, after, isAtRest: more === 1 };
    before = after;
  }
}

/** The number that the suite gives to an invoice. */
export const ownNumber = (scene: Scene): string => `${scene.session.prefix}-1`;

/** The first invoice that is created here has a number of its own. */
export const aroundCreation = fact('the statistics around the creation of an invoice', (scene) =>
  measureCreation(scene, (attempt) =>
    attempt === 1 ? { invoice_number: ownNumber(scene), reference: scene.text('own number') } : {},
  ),
);

/**
 * Has an invoice paid, and another while others are seen at work.
 * @param make gives the invoice of each attempt
 */
export async function measurePayment(
  scene: Scene,
  make: (attempt: number) => Promise<Created> = () => newInvoice(scene),
): Promise<Change & Created> {
  // A driver that can do nothing about it is told by its name before anything is made.
  if (!scene.session.driver.markInvoicePaid) await scene.drive('markInvoicePaid', {});
  // It cannot have paid what was not stored.
  succeeded(await scene.at(readInvoice));
  for (let attempt = 1; ; attempt++) {
    const paid = await make(attempt);
    const before = await readStatistics(scene);
    await scene.drive('markInvoicePaid', paid.record);
    const after = await once(scene, before, 'paid_invoices');
    const more = moved({ before, after }, 'total_invoices');
    if (more === 0 || Number.isNaN(more) || attempt === tries) return { ...paid, before, after, isAtRest: more === 0 };
  }
}

async function newInvoice(scene: Scene, own: Row = {}): Promise<Created> {
  const creation = await createInvoice(scene, { reference: scene.text('to be paid'), ...own });
  return { ...creation, record: recordOf(creation.exchange) };
}

/** The first payment that the driver has brought about. */
export const aroundPayment = fact('the statistics around the payment of an invoice', async (scene) => {
  // It is overdue until then, for other clauses to see.
  await ifPossible(scene.at(overduePage));
  return measurePayment(scene, (attempt) => (attempt === 1 ? scene.at(lateInvoice) : newInvoice(scene, longDue)));
});

const longDue = { date: '2020-01-01', due_date: '2020-01-31' };

/** The payment of an invoice that the overdue list has. @throws Skip where the list does not have it */
export async function measureOverduePayment(scene: Scene, isFirst: boolean): Promise<Change & Created> {
  const isListed = ({ json }: Exchange, { record }: Created): boolean =>
    recordsAt(json, 'data').some(({ id }) => id === record['id']);
  let listed: Exchange | undefined;
  const change = isFirst
    ? await scene.at(aroundPayment)
    : await measurePayment(scene, async () => {
        const made = await newInvoice(scene, longDue);
        listed = await scene.get('/invoices/overdue');
        return made;
      });
  if (!isListed(listed ?? (await scene.at(overduePage)), change)) {
    throw new Skip('an overdue invoice', 'that of the suite is not listed; when it becomes overdue is open');
  }
  return change;
}

/** The payment of an invoice that is not due yet, and its detail before and after that. */
export const plainPayment = fact('the payment of an invoice that is not due yet', async (scene) => {
  if (!scene.session.driver.markInvoicePaid) await scene.drive('markInvoicePaid', {});
  const { record } = await scene.at(leastQuantityInvoice);
  // What is shown of it now must not be shown for good.
  await scene.after(invoicesPage);
  const path = `/invoices/${record['id']}`;
  const detailBefore = recordOf(await scene.get(path));
  const change = await measurePayment(scene, (attempt) =>
    attempt === 1 ? scene.at(leastQuantityInvoice) : newInvoice(scene),
  );
  const detail = await eventually(
    scene,
    () => scene.get(path),
    (read) => valueAt(read.json, 'data.status') === 'paid',
  );
  return { ...change, first: record, detailBefore, detail };
});

/** The statistics once a figure has grown, which may take its time; as they are if it never does, or is none. */
function once(scene: Scene, before: Exchange, figure: string): Promise<Exchange> {
  return eventually(
    scene,
    () => readStatistics(scene),
    (after) => !(moved({ before, after }, figure) <= 0),
  );
}

/** By how much a figure has moved; NaN where it is none, which other clauses tell. */
export function moved({ before, after }: Pick<Change, 'before' | 'after'>, figure: string): number {
  const [was, is] = [before, after].map(({ json }) => decimalOf(valueAt(json, `data.${figure}`)));
  return Number(is) - Number(was);
}

/** The invoice that was paid, once its detail says so; as it is if that never does. */
export const paidInvoice = fact('a paid invoice', async (scene) => {
  const { record, isAtRest } = await scene.at(aroundPayment);
  const page = await eventually(
    scene,
    () => scene.get(`/invoices/${record['id']}`),
    (read) => valueAt(read.json, 'data.status') === 'paid',
  );
  return { record, isAtRest, page, detail: recordOf(page) };
});

/** The overdue invoices once one of them was paid. */
export const afterPayment = fact('the overdue invoices after a payment', async (scene) => {
  const { record, detail, isAtRest } = await scene.at(paidInvoice);
  if (detail['status'] !== 'paid') throw new Blocked('the invoice that the driver has had paid is not `paid`');
  const page = await eventually(
    scene,
    async () => succeeded(await scene.get('/invoices/overdue')),
    ({ json }) => !recordsAt(json, 'data').some(({ id }) => id === record['id']),
  );
  return { record, isAtRest, page };
});

/** The statistics, the list and the overdue list of one moment. */
interface Standing {
  readonly list: Exchange;
  readonly overdue: Exchange;
  readonly stats: Exchange;
}

const firstStanding = fact('the statistics beside the lists', readStanding);

/** What the lists and the statistics say while nobody is seen at work. @throws Skip where somebody always is */
export const standing = (scene: Scene, isFirst: boolean): Promise<Standing> =>
  isFirst ? scene.at(firstStanding) : readStanding(scene);

async function readStanding(scene: Scene): Promise<Standing> {
  await ifPossible(scene.at(lateInvoice));
  let before = succeeded(await readStatistics(scene));
  for (let attempt = 1; attempt <= tries; attempt++) {
    const list = succeeded(await scene.get('/invoices?per_page=1'));
    const overdue = succeeded(await scene.get('/invoices/overdue'));
    const stats = succeeded(await readStatistics(scene));
    if (isStill({ before, after: stats })) return { list, overdue, stats };
    before = stats;
  }
  throw new Skip('an account at rest', 'the statistics change all the time');
}

/** Whether nobody was seen at work: a figure that is none, which other clauses tell, is not seen to move. */
function isStill(change: Pick<Change, 'before' | 'after'>): boolean {
  return ['total_invoices', 'overdue_invoices', 'total_outstanding'].every((figure) => !moved(change, figure));
}

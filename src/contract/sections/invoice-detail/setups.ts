import { eventually } from '../../engine/eventually.js';
import { recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { fact, type Scene } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import type { Place } from '../fields.js';
import { customerId, dayIn, laterInvoice, type Row, recordOf } from '../invoice-creation/setups.js';
import { invoicesPage, overduePage } from '../invoice-list/setups.js';
import { growthOf, laterRows } from '../overdue/setups.js';
import { findRow } from '../paging/setups.js';
import { afterPayment, measureCreation, plainPayment } from '../statistics/setups.js';

/** An item that is sent twice. */
export const twice = (scene: Scene): Row => ({ description: scene.text('night'), quantity: 1, unit_price: 89.9 });

/** An item all of whose figures have decimals. */
export const fractional = (scene: Scene): Row => ({
  description: scene.text('Größe 漢字 🏨'),
  quantity: 2.25,
  unit_price: 19.95,
  tax_rate: 8.1,
});

/** What an invoice may be, if rarely: due some weeks ago, with equal items, in letters of any script. */
const oddInvoice = (scene: Scene): Row => ({
  reference: scene.text('Été Жук 漢字 🏨'),
  notes: scene.text('Grüße <b>&amp;</b> 50 %\\nЖук 🏨'),
  date: dayIn(-70),
  due_date: dayIn(-40),
  items: [twice(scene), twice(scene), fractional(scene)],
});

/** Creates such an invoice while the statistics are looked at. */
export const measureRecent = (scene: Scene) => measureCreation(scene, () => oddInvoice(scene));

/** A customer that is newer than the one of the suite's invoices. */
const newerCustomer = fact('a newer customer', async (scene) => {
  await scene.at(customerId);
  return scene.drive('createCustomer');
});

export const recentCreation = fact('a new invoice that was due weeks ago', async (scene) => {
  await scene.after(invoicesPage);
  // What a payment changes of the overdue ones is looked at while they are the same otherwise.
  await scene.after(overduePage);
  await scene.after(afterPayment);
  await ifPossible(scene.at(newerCustomer));
  return measureRecent(scene);
});

/** As it was returned. */
export const recentInvoice = fact('a new invoice that was due weeks ago, as returned', async (scene) => {
  const creation = await scene.at(recentCreation);
  return { ...creation, record: recordOf(creation.exchange) };
});

/** The same where its customer is not the newest. @throws Skip where no other can be made */
export const namedCustomer = fact('an invoice for an older customer', async (scene): Promise<Place> => {
  if (!scene.session.driver.createCustomer) await scene.drive('createCustomer');
  const { exchange } = await scene.at(recentInvoice);
  return { page: exchange, at: 'data' };
});

export const recentDetail = fact('an invoice that was due weeks ago, read', async (scene): Promise<Place> => {
  const { record } = await scene.at(recentInvoice);
  return { page: succeeded(await scene.get(`/invoices/${record['id']}`)), at: 'data' };
});

/** The invoices before and after more of them were made, and one was paid. */
export const invoiceGrowth = fact('the invoices, later', async (scene) => {
  const before = await scene.at(invoicesPage);
  await scene.at(recentCreation);
  await scene.after(plainPayment);
  return growthOf(scene, before);
});

const findLater = laterRows(invoiceGrowth);

export const recentRow = fact('an invoice that was due weeks ago in the list', async (scene): Promise<Place> => {
  const { record } = await scene.at(recentInvoice);
  return findLater(scene, ({ id }) => id === record['id']);
});

/** The invoice that was paid in the list, once it says so there; as it is if it never does. */
export const paidRow = fact('a paid invoice in the list', async (scene): Promise<Place> => {
  const { first, detail } = await scene.at(plainPayment);
  if (valueAt(detail.json, 'data.status') !== 'paid') throw new Blocked('the invoice is not `paid`', detail);
  const isIt = ({ id }: Row): boolean => id === first['id'];
  const isPaid = ({ page, at }: Place): boolean => valueAt(page.json, `${at}.status`) === 'paid';
  const place = await findLater(scene, isIt);
  if (isPaid(place)) return place;
  const later = await eventually(
    scene,
    () => findRow(scene, '/invoices', isIt),
    (found) => typeof found === 'object' && isPaid(found),
  );
  return typeof later === 'object' ? later : place;
});

/** The overdue invoices since there is one that was due weeks ago, beside the one that was due years ago. */
export const overdueGrowth = fact('the overdue invoices, later', async (scene) => {
  const [recent, old] = [await scene.at(recentInvoice), await scene.at(laterInvoice)];
  const has = (json: unknown, { record }: typeof old): boolean =>
    recordsAt(json, 'data').some(({ id }) => id === record['id']);
  const page = succeeded(
    await eventually(
      scene,
      () => scene.get('/invoices/overdue'),
      // Where not even the old one is listed, nothing is to be waited for: when an invoice becomes overdue is open.
      ({ json }) => has(json, recent) === has(json, old),
    ),
  );
  const [hasRecent, hasOld] = [has(page.json, recent), has(page.json, old)];
  if (!hasRecent && !hasOld) {
    throw new Skip('an overdue invoice', 'none of the suite is listed; when it becomes overdue is open');
  }
  return { page, recent, old, hasRecent, hasOld };
});

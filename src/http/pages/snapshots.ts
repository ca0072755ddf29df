import { snapshotsPage } from '../../pages/snapshots.js';
import { type Page, placeOf, reading, type Show } from './show.js';

const snapshots: Show = async (asked) => {
  const listed = await asked.routes.listSnapshots(reading(asked));
  return snapshotsPage(placeOf(asked, 'snapshots'), listed.data);
};

export const snapshotPages: readonly Page[] = [['/snapshots', snapshots]];

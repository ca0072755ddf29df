import { type Page, placeOf, reading, type Show } from '../routing/show.js';
import { snapshotsPage } from './view.js';

const snapshots: Show = async (asked) => {
  const listed = await asked.routes.listSnapshots(reading(asked));
  return snapshotsPage(placeOf(asked, 'snapshots'), listed.data);
};

export const snapshotPages: readonly Page[] = [['/snapshots', snapshots]];

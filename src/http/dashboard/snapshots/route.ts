import { type Page, placeOf, readOnlyRequest, type Show } from '../routing/show.js';
import { snapshotsPage } from './view.js';

const snapshots: Show = async (context) => {
  const listed = await context.routes.listSnapshots(readOnlyRequest(context));
  return snapshotsPage(placeOf(context, 'snapshots'), listed.data);
};

export const snapshotPages: readonly Page[] = [['/snapshots', snapshots]];

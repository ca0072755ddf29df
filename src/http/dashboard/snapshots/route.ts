import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { download } from '../routing/responses.js';
import { snapshotsPage } from './view.js';

const showSnapshots: PageHandler = async (context) => {
  const snapshotList = await context.controlApi.listSnapshots(operationInput(context));
  return snapshotsPage(context.location, snapshotList.data);
};

/** The download of a snapshot as a file. */
const downloadSnapshot: PageHandler = async (context) => {
  const file = await context.controlApi.exportSnapshot(operationInput(context));
  return download(JSON.stringify(file), `${file.name}.snapshot.json`, 'application/json; charset=utf-8');
};

export const snapshotPages: readonly PageRoute[] = [
  ['/snapshots', showSnapshots],
  ['/snapshots/:idOrName/export', downloadSnapshot],
];

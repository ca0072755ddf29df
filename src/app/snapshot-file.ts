// For the library, which does not depend on the store.
export { readSnapshotFile } from '../store/snapshot-file.js';

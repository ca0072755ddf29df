// For src/library, which must not import from src/store itself.
export { readSnapshotFile } from '../store/snapshot-file.js';

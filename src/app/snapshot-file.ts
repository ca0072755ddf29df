// For src/library, which must not import from src/store directly.
export { readSnapshotFile } from '../store/snapshot-file.js';

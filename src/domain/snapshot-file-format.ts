/** Value of `format` in a snapshot file. */
export const snapshotFileFormat = 'billing-sim-snapshot';

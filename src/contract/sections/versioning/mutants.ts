import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

/** Mutants of the version prefix, each with the id of the clause that must detect it. */
export const versionMutants: readonly Mutant[] = mutantsOf([
  [
    'VERSION-PATH-01',
    'The base URL has no version prefix.',
    { changeBaseUrl: (baseUrl) => baseUrl.replace('/api/v1', '') },
  ],
]);

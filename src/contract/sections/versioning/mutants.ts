import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

/** Mutants for the clauses about the version prefix (VERSION). */
export const versionMutants: readonly Mutant[] = mutantsOf([
  [
    'VERSION-PATH-01',
    'The base URL has no version prefix.',
    { changeBaseUrl: (baseUrl) => baseUrl.replace('/api/v1', '') },
  ],
]);

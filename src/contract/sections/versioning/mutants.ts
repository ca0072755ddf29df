import type { MutantRow } from '../../mutation/mutant.js';

/** Mutants for the clauses about the version prefix (VERSION). */
export const versionMutants: readonly MutantRow[] = [
  [
    'VERSION-PATH-01',
    'The base URL has no version prefix.',
    { changeBaseUrl: (baseUrl) => baseUrl.replace('/api/v1', '') },
  ],
];

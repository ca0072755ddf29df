import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { isSuccess } from '../../engine/expect.js';
import { someResponsesSoFar } from '../responses.js';

const common = { level: 'documented', operation: null, spec: 'Versioning' } as const;

/** Clauses about the version in the base URL. */
export const versionClauses: readonly Clause[] = [
  {
    ...common,
    id: 'VERSION-PATH-01',
    quote: '1. Versioning is carried in the URL path. The current version is `v1`; {base_url} ends with `/api/v1`.',
    title: 'The base URL ends with the version, `/api/v1`.',
    readsEarlierResponses: true,
    check: async (context) => {
      const { baseUrl } = context.session.target.options;
      const response = (await someResponsesSoFar(context)).find(isSuccess);
      if (!response) throw new Blocked('no request succeeded');
      context.recordEvidence(response);
      if (!baseUrl.endsWith('/api/v1')) throw new Violation('a base URL that ends with /api/v1', baseUrl, response);
    },
  },
  {
    ...common,
    id: 'VERSION-PATH-02',
    quote: '2. Clients are advised to always include the version in requests.',
    title: 'Clients are advised to include the version in every request.',
    check: { untestable: 'it is advice for clients' },
  },
];

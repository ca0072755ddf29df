import { fieldValues, type GapCases, openAccount } from '../test-account.js';

const lists = ['/invoices', '/payment-links', '/payments', '/deposits'];

/** Tests of gaps (questions that the specification leaves open) about lists and their pages. */
export const page: GapCases = {
  'query.empty': {
    async probe(choices) {
      const client = await openAccount(choices);
      const paths = [
        '/invoices?per_page=&page=',
        '/payment-links?per_page=&page=',
        '/payments?status=',
        '/payments?from=&to=',
        '/payments?description=',
        '/deposits?booking_reference=',
        '/deposits?booking_reference=&status=released',
        '/deposits?per_page=',
      ];
      const totalsOrErrors: unknown[] = [];
      for (const path of paths) {
        const response = await client.get(path);
        totalsOrErrors.push(response.error ?? response.valueAt('data.total'));
      }
      return totalsOrErrors;
    },
    expected: {
      omitted: [9, 3, 8, 8, 8, 7, 1, 7],
      refused: [
        'The per page field is required. (and 1 more error)',
        'The per page field is required. (and 1 more error)',
        'The status field is required.',
        'The from field is required. (and 1 more error)',
        'The description field is required.',
        'The booking reference field is required.',
        'The booking reference field is required.',
        'The per page field is required.',
      ],
      literal: [
        'The per page field must be an integer. (and 1 more error)',
        'The per page field must be an integer. (and 1 more error)',
        'The selected status is invalid.',
        'The from field must match the format Y-m-d. (and 1 more error)',
        8,
        0,
        0,
        'The per page field must be an integer.',
      ],
    },
  },

  'page.over-maximum': {
    async probe(choices) {
      const client = await openAccount(choices);
      return Promise.all(
        lists.map(async (list) => {
          const response = await client.get(`${list}?per_page=101`);
          return [response.status, response.valueAt('data.per_page')];
        }),
      );
    },
    expected: {
      clamped: [
        [200, 100],
        [200, 100],
        [200, 100],
        [200, 100],
      ],
      refused: [
        [422, undefined],
        [422, undefined],
        [422, undefined],
        [422, undefined],
      ],
    },
  },

  'page.invalid': {
    async probe(choices) {
      const client = await openAccount(choices);
      const queries = ['per_page=0', 'per_page=-5', 'per_page=ten', 'page=0', 'page=-1', 'page=abc'];
      return Promise.all(
        queries.map(async (query) => {
          const response = await client.get(`/invoices?${query}`);
          return [query, response.status, response.valueAt('data.per_page'), response.valueAt('data.current_page')];
        }),
      );
    },
    expected: {
      refused: [
        ['per_page=0', 422, undefined, undefined],
        ['per_page=-5', 422, undefined, undefined],
        ['per_page=ten', 422, undefined, undefined],
        ['page=0', 422, undefined, undefined],
        ['page=-1', 422, undefined, undefined],
        ['page=abc', 422, undefined, undefined],
      ],
      default: [
        ['per_page=0', 200, 25, 1],
        ['per_page=-5', 200, 25, 1],
        ['per_page=ten', 200, 25, 1],
        ['page=0', 200, 25, 1],
        ['page=-1', 200, 25, 1],
        ['page=abc', 200, 25, 1],
      ],
    },
  },

  'page.beyond-end': {
    async probe(choices) {
      const client = await openAccount(choices);
      const beyondEnd = await client.get('/invoices?page=1000000');
      const last = await client.get('/invoices?per_page=5&page=2');
      const page = { number: beyondEnd.valueAt('data.current_page'), rows: beyondEnd.valueAt('data.data.length') };
      return [beyondEnd.status, beyondEnd.error, page, beyondEnd.valueAt('data.total'), last.status];
    },
    expected: {
      empty: [200, undefined, { number: 1_000_000, rows: 0 }, 9, 200],
      '404': [404, 'Page not found', { number: undefined, rows: undefined }, undefined, 200],
      'last-page': [200, undefined, { number: 1, rows: 9 }, 9, 200],
    },
  },

  'page.last-page-everywhere': {
    async probe(choices) {
      const client = await openAccount(choices);
      return Promise.all(lists.map(async (list) => (await client.get(`${list}?per_page=2`)).valueAt('data.last_page')));
    },
    expected: { present: [5, 2, 4, 4], absent: [5, undefined, undefined, undefined] },
  },

  'page.page-everywhere': {
    async probe(choices) {
      const client = await openAccount(choices);
      return Promise.all(
        lists.map(async (list) => {
          const response = await client.get(`${list}?per_page=1&page=2`);
          const invalid = await client.get(`${list}?page=abc`);
          return [response.valueAt('data.current_page'), response.valueAt('data.data.0.id'), invalid.status];
        }),
      );
    },
    expected: {
      honoured: [
        [2, 2, 422],
        [2, 1, 422],
        [2, 8, 422],
        [2, 2, 422],
      ],
      ignored: [
        [2, 2, 422],
        [1, 2, 200],
        [1, 4, 200],
        [1, 1, 200],
      ],
    },
  },

  'list.order': {
    async probe(choices) {
      const client = await openAccount(choices);
      const overdue = await client.get('/invoices/overdue');
      const otherLists = await Promise.all(lists.map((list) => client.get(list)));
      return [overdue.valueAt('data'), ...otherLists.map((response) => response.valueAt('data.data'))].map((rows) =>
        fieldValues(rows, 'id'),
      );
    },
    // Lists are in order of creation time, which in the demo seed is not the order of the ids.
    expected: {
      'newest-first': [
        [8, 7],
        [1, 2, 3, 4, 6, 9, 5, 8, 7],
        [2, 1, 3],
        [4, 8, 3, 6, 7, 5, 2, 1],
        [1, 2, 3, 7, 4, 6, 5],
      ],
      'oldest-first': [
        [7, 8],
        [7, 8, 5, 9, 6, 4, 3, 2, 1],
        [3, 1, 2],
        [1, 2, 5, 7, 6, 3, 8, 4],
        [5, 6, 4, 7, 3, 2, 1],
      ],
    },
  },
};

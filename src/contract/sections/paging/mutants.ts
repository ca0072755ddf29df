import type { InterceptedRequest, Interceptor, JsonObject } from '../../mutation/interceptor.js';
import { onData, onList, onRequest, onSuccess, setFields } from '../../mutation/interceptors.js';
import { type Mutant, type MutantRow, mutantsOf, numberedId } from '../../mutation/mutant.js';

/** A list with the pagination envelope. */
interface List {
  readonly prefix: string;
  readonly path: string;
  /** Plural name of its records: `invoices`. */
  readonly plural: string;
  /** True if the specification states a default and a maximum of `per_page`. */
  readonly hasPageSizes?: boolean;
  /** True if the specification documents `page` and `last_page` for this list. */
  readonly hasPageParameter?: boolean;
}

const lists: readonly List[] = [
  { prefix: 'INV-LIST', path: '/invoices', plural: 'invoices', hasPageSizes: true, hasPageParameter: true },
  { prefix: 'LINK-LIST', path: '/payment-links', plural: 'payment links', hasPageSizes: true },
  { prefix: 'PAY-LIST', path: '/payments', plural: 'payments', hasPageSizes: true },
  { prefix: 'DEP-LIST', path: '/deposits', plural: 'deposits' },
];

const hasNoParameters = ({ query }: InterceptedRequest): boolean => query.size === 0;
const hasPageSize =
  (size: number) =>
  ({ query }: InterceptedRequest): boolean =>
    query.get('per_page') === String(size) && !query.has('page');
const isForPage2 = ({ query }: InterceptedRequest): boolean => query.get('page') === '2';

const rowsOf = (page: JsonObject): unknown[] => (Array.isArray(page['data']) ? page['data'] : []);

/** Mutants of a list with the pagination envelope. Each violates only its own clause. */
function listMutants({ prefix, path, plural, hasPageSizes = false, hasPageParameter = false }: List): Mutant[] {
  const changePage = (
    isSelected: (request: InterceptedRequest) => boolean,
    change: (page: JsonObject) => void,
  ): Interceptor => onData('GET', path, (data, request) => isSelected(request) && change(data));
  const changeDefaultPage = (change: (page: JsonObject) => void) => () => changePage(hasNoParameters, change);
  const changeQuery =
    (isSelected: (request: InterceptedRequest) => boolean, change: (query: URLSearchParams) => void) => () =>
      onRequest('GET', path, (request) => isSelected(request) && change(request.query));
  const commonRows: MutantRow[] = [
    [
      '01',
      `The list of ${plural} fails with 500 if it is requested without parameters.`,
      () =>
        onSuccess(
          'GET',
          path,
          (response, request) => hasNoParameters(request) && Object.assign(response, { status: 500 }),
        ),
    ],
    [
      '02',
      `The list of ${plural} is an empty array instead of a page.`,
      () =>
        onSuccess(
          'GET',
          path,
          (response, request) => hasNoParameters(request) && Object.assign(response.body, { data: [] }),
        ),
    ],
    [
      '03',
      `\`data.data\` of the list of ${plural} is an object instead of an array.`,
      changeDefaultPage((data) => setFields(data, { data: { ...rowsOf(data) } })),
    ],
    [
      '04',
      `\`current_page\` of ${plural} is a string.`,
      changeDefaultPage((data) => setFields(data, { current_page: '1' })),
    ],
    [
      '05',
      `\`per_page\` of ${plural} is a string.`,
      changeDefaultPage((data) => setFields(data, { per_page: String(data['per_page']) })),
    ],
    ['06', `The list of ${plural} has no \`total\`.`, changeDefaultPage((data) => void delete data['total'])],
    [
      '07',
      `A record is missing from the page of ${plural}.`,
      changeDefaultPage((data) => setFields(data, { data: rowsOf(data).slice(1) })),
    ],
    [
      '08',
      `Without parameters, the list of ${plural} has \`current_page\` 2.`,
      changeDefaultPage((data) => setFields(data, { current_page: 2 })),
    ],
    [
      '09',
      `\`per_page=2\` has the effect of \`per_page=3\` in the list of ${plural}.`,
      changeQuery(hasPageSize(2), (query) => query.set('per_page', '3')),
    ],
    [
      '10',
      `With \`per_page=2\`, a page of ${plural} has only one record.`,
      () => changePage(hasPageSize(2), (data) => setFields(data, { data: rowsOf(data).slice(0, 1) })),
    ],
    [
      '11',
      `\`total\` of ${plural} counts only the records of the page.`,
      () =>
        changePage(hasPageSize(2), (data) =>
          setFields(data, { total: rowsOf(data).length, ...('last_page' in data && { last_page: 1 }) }),
        ),
    ],
  ];
  const pageSizeRows: MutantRow[] = [
    [
      '12',
      `A page of ${plural} has 20 records by default.`,
      changeQuery(hasNoParameters, (query) => query.set('per_page', '20')),
    ],
    [
      '13',
      `A page of ${plural} has at most 50 records.`,
      changeQuery(hasPageSize(100), (query) => query.set('per_page', '50')),
    ],
    [
      '14',
      `With \`per_page=101\`, the list of ${plural} has \`per_page\` 101.`,
      () => changePage(hasPageSize(101), (data) => setFields(data, { per_page: 101 })),
    ],
  ];
  const pageParameterRows: MutantRow[] = [
    [
      '15',
      `Page 2 of ${plural} has \`current_page\` 1.`,
      () => changePage(isForPage2, (data) => setFields(data, { current_page: 1 })),
    ],
    [
      '16',
      `A record is missing between page 1 and page 2 of ${plural}.`,
      () => onList(path, (rows, request) => (isForPage2(request) ? rows.slice(1) : rows)),
    ],
    ['17', `The list of ${plural} has no \`last_page\`.`, changeDefaultPage((data) => void delete data['last_page'])],
    [
      '18',
      `\`last_page\` of ${plural} is too high by one.`,
      () => changePage(hasPageSize(2), (data) => setFields(data, { last_page: Number(data['last_page']) + 1 })),
    ],
  ];
  return mutantsOf([
    ...commonRows,
    ...(hasPageSizes ? pageSizeRows : []),
    ...(hasPageParameter ? pageParameterRows : []),
  ]).map((mutant) => ({
    ...mutant,
    clause: numberedId(prefix, Number(mutant.clause)),
  }));
}

/** Mutants of pagination. */
export const pageMutants: readonly Mutant[] = lists.flatMap(listMutants);

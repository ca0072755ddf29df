import { numberedId } from '../../engine/clause.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldIncrementer,
  fieldRemover,
  fieldSetter,
  onData,
  onList,
  onRequest,
  onSuccess,
  recordsOf,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';

/** A list with the pagination envelope, whose responses the mutants change. */
interface MutatedList {
  /** Prefix of the ids of its clauses: `INV-LIST`. */
  readonly prefix: string;
  readonly path: string;
  /** Plural name of its records: `invoices`. */
  readonly plural: string;
  /** True if the specification states a default and a maximum of `per_page` for this list. */
  readonly hasPageSizeLimits?: boolean;
  /** True if the specification documents `page` and `last_page` for this list. */
  readonly hasPageParameter?: boolean;
}

const hasNoParameters = ({ query }: InterceptedRequest): boolean => query.size === 0;
const isForFirstPageOfSize =
  (size: number) =>
  ({ query }: InterceptedRequest): boolean =>
    query.get('per_page') === String(size) && !query.has('page');
const isForPage2 = ({ query }: InterceptedRequest): boolean => query.get('page') === '2';

/** Creates the mutants for the clauses about a list (`listClauses` in clauses.ts). */
export function listMutants({
  prefix,
  path,
  plural,
  hasPageSizeLimits = false,
  hasPageParameter = false,
}: MutatedList): MutantRow[] {
  const id = (number: number): string => numberedId(prefix, number);
  const changePage = (
    isSelected: (request: InterceptedRequest) => boolean,
    change: (page: JsonObject) => void,
  ): Interceptor => onData('GET', path, (page, request) => isSelected(request) && change(page));
  const changeDefaultPage = (change: (page: JsonObject) => void): Interceptor => changePage(hasNoParameters, change);
  const changeQuery = (
    isSelected: (request: InterceptedRequest) => boolean,
    change: (query: URLSearchParams) => void,
  ): Interceptor => onRequest('GET', path, (request) => isSelected(request) && change(request.query));
  const commonRows: MutantRow[] = [
    [
      id(1),
      `The list of ${plural} fails with 500 if it is requested without parameters.`,
      onSuccess(
        'GET',
        path,
        (response, request) => hasNoParameters(request) && Object.assign(response, { status: 500 }),
      ),
    ],
    [
      id(2),
      `The list of ${plural} is an empty array instead of a page.`,
      onSuccess(
        'GET',
        path,
        (response, request) => hasNoParameters(request) && Object.assign(response.body, { data: [] }),
      ),
    ],
    [
      id(3),
      `\`data.data\` of the list of ${plural} is an object instead of an array.`,
      changeDefaultPage((page) => Object.assign(page, { data: { ...recordsOf(page) } })),
    ],
    [id(4), `\`current_page\` of ${plural} is a string.`, changeDefaultPage(fieldSetter({ current_page: '1' }))],
    [id(5), `\`per_page\` of ${plural} is a string.`, changeDefaultPage(fieldConverter('per_page', String))],
    [id(6), `The list of ${plural} has no \`total\`.`, changeDefaultPage(fieldRemover('total'))],
    [
      id(7),
      `A record is missing from the page of ${plural}.`,
      changeDefaultPage((page) => Object.assign(page, { data: recordsOf(page).slice(1) })),
    ],
    [
      id(8),
      `Without parameters, the list of ${plural} has \`current_page\` 2.`,
      changeDefaultPage(fieldSetter({ current_page: 2 })),
    ],
    [
      id(9),
      `\`per_page=2\` has the effect of \`per_page=3\` in the list of ${plural}.`,
      changeQuery(isForFirstPageOfSize(2), (query) => query.set('per_page', '3')),
    ],
    [
      id(10),
      `With \`per_page=2\`, a page of ${plural} has only one record.`,
      changePage(isForFirstPageOfSize(2), (page) => Object.assign(page, { data: recordsOf(page).slice(0, 1) })),
    ],
    [
      id(11),
      `\`total\` of ${plural} counts only the records of the page.`,
      changePage(isForFirstPageOfSize(2), (page) =>
        Object.assign(page, { total: recordsOf(page).length, ...('last_page' in page && { last_page: 1 }) }),
      ),
    ],
    [
      id(52),
      `The last of several ${plural} on a page is replaced with a copy of the first.`,
      changeDefaultPage((page) => {
        const [first, ...others] = recordsOf(page);
        if (others.length > 0) page['data'] = [first, ...others.slice(0, -1), first];
      }),
    ],
  ];
  const pageSizeRows: MutantRow[] = [
    [
      id(12),
      `A page of ${plural} has 20 records by default.`,
      changeQuery(hasNoParameters, (query) => query.set('per_page', '20')),
    ],
    [
      id(13),
      `A page of ${plural} has at most 50 records.`,
      changeQuery(isForFirstPageOfSize(100), (query) => query.set('per_page', '50')),
    ],
    [
      id(14),
      `With \`per_page=101\`, the list of ${plural} has \`per_page\` 101.`,
      changePage(isForFirstPageOfSize(101), fieldSetter({ per_page: 101 })),
    ],
    [
      id(19),
      `With \`per_page=100\`, the last record is missing from a page of ${plural}.`,
      changePage(isForFirstPageOfSize(100), (page) => Object.assign(page, { data: recordsOf(page).slice(0, -1) })),
    ],
  ];
  const pageParameterRows: MutantRow[] = [
    [id(15), `Page 2 of ${plural} has \`current_page\` 1.`, changePage(isForPage2, fieldSetter({ current_page: 1 }))],
    [
      id(16),
      `A record is missing between page 1 and page 2 of ${plural}.`,
      onList(path, (records, request) => (isForPage2(request) ? records.slice(1) : records)),
    ],
    [id(17), `The list of ${plural} has no \`last_page\`.`, changeDefaultPage(fieldRemover('last_page'))],
    [
      id(18),
      `\`last_page\` of ${plural} is too high by one.`,
      changePage(isForFirstPageOfSize(2), fieldIncrementer('last_page')),
    ],
    [
      id(20),
      `The last record is missing from the last page of ${plural}.`,
      changePage(
        ({ query }) => query.has('page'),
        (page) =>
          page['current_page'] === page['last_page'] && Object.assign(page, { data: recordsOf(page).slice(0, -1) }),
      ),
    ],
    [
      id(49),
      `From page 3 on, all records on a page of ${plural} are copies of the first.`,
      changePage(
        ({ query }) => Number(query.get('page')) > 2,
        (page) => Object.assign(page, { data: recordsOf(page).map((_record, _index, [first]) => first) }),
      ),
    ],
  ];
  return [...commonRows, ...(hasPageSizeLimits ? pageSizeRows : []), ...(hasPageParameter ? pageParameterRows : [])];
}

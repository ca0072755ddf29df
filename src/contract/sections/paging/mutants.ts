import type { InterceptedRequest, Interceptor, Json } from '../../mutation/interceptor.js';
import { onAnswer, onList, onRecord, onRequest, setFields } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf, numbered, type Row } from '../../mutation/mutant.js';

/** A list, and what the specification says about its pages. */
interface List {
  readonly prefix: string;
  readonly path: string;
  /** Plural name of its records: `invoices`. */
  readonly of: string;
  readonly hasSizes?: boolean;
  readonly hasPages?: boolean;
}

const lists: readonly List[] = [
  { prefix: 'INV-LIST', path: '/invoices', of: 'invoices', hasSizes: true, hasPages: true },
  { prefix: 'LINK-LIST', path: '/payment-links', of: 'payment links', hasSizes: true },
  { prefix: 'PAY-LIST', path: '/payments', of: 'payments', hasSizes: true },
  { prefix: 'DEP-LIST', path: '/deposits', of: 'deposits' },
];

const isPlain = ({ query }: InterceptedRequest): boolean => query.size === 0;
const ofSize =
  (size: number) =>
  ({ query }: InterceptedRequest): boolean =>
    query.get('per_page') === String(size) && !query.has('page');
const isSecond = ({ query }: InterceptedRequest): boolean => query.get('page') === '2';

const rowsOf = (page: Json): unknown[] => (Array.isArray(page['data']) ? page['data'] : []);

/** Mutants of a list with the pagination envelope. Each is only visible to its own clause. */
function listMutants({ prefix, path, of, hasSizes = false, hasPages = false }: List): Mutant[] {
  const page = (isSelected: (request: InterceptedRequest) => boolean, change: (page: Json) => void): Interceptor =>
    onRecord('GET', path, (data, request) => isSelected(request) && change(data));
  const plain = (change: (page: Json) => void) => () => page(isPlain, change);
  const asking =
    (isSelected: (request: InterceptedRequest) => boolean, change: (query: URLSearchParams) => void) => () =>
      onRequest('GET', path, (request) => isSelected(request) && change(request.query));
  const all: Row[] = [
    [
      '01',
      `The list of ${of} fails with 500 if it is requested without parameters.`,
      () => onAnswer('GET', path, (response, request) => isPlain(request) && Object.assign(response, { status: 500 })),
    ],
    [
      '02',
      `The list of ${of} is an empty array instead of a page.`,
      () =>
        onAnswer('GET', path, (response, request) => isPlain(request) && Object.assign(response.body, { data: [] })),
    ],
    ['03', `The ${of} of a page are an object.`, plain((data) => setFields(data, { data: { ...rowsOf(data) } }))],
    ['04', `\`current_page\` of ${of} is a text.`, plain((data) => setFields(data, { current_page: '1' }))],
    [
      '05',
      `\`per_page\` of ${of} is a text.`,
      plain((data) => setFields(data, { per_page: String(data['per_page']) })),
    ],
    ['06', `The list of ${of} has no \`total\`.`, plain((data) => void delete data['total'])],
    [
      '07',
      `A record is missing from the page of ${of}.`,
      plain((data) => setFields(data, { data: rowsOf(data).slice(1) })),
    ],
    ['08', `The list of ${of} begins with page 2.`, plain((data) => setFields(data, { current_page: 2 }))],
    ['09', `A page of 2 ${of} holds 3.`, asking(ofSize(2), (query) => query.set('per_page', '3'))],
    [
      '10',
      `The list of ${of} has one record if two are requested.`,
      () => page(ofSize(2), (data) => setFields(data, { data: rowsOf(data).slice(0, 1) })),
    ],
    [
      '11',
      `\`total\` of ${of} counts only the page.`,
      () =>
        page(ofSize(2), (data) =>
          setFields(data, { total: rowsOf(data).length, ...('last_page' in data && { last_page: 1 }) }),
        ),
    ],
  ];
  const sizes: Row[] = [
    ['12', `A page of ${of} holds 20 by default.`, asking(isPlain, (query) => query.set('per_page', '20'))],
    ['13', `A page of ${of} holds 50 at most.`, asking(ofSize(100), (query) => query.set('per_page', '50'))],
    [
      '14',
      `A page of ${of} may be larger than 100.`,
      () => page(ofSize(101), (data) => setFields(data, { per_page: 101 })),
    ],
  ];
  const pages: Row[] = [
    [
      '15',
      `Page 2 of ${of} has \`current_page\` 1.`,
      () => page(isSecond, (data) => setFields(data, { current_page: 1 })),
    ],
    [
      '16',
      `A record is lost between page 1 and page 2 of ${of}.`,
      () => onList(path, (rows, request) => (isSecond(request) ? rows.slice(1) : rows)),
    ],
    ['17', `The list of ${of} has no \`last_page\`.`, plain((data) => void delete data['last_page'])],
    [
      '18',
      `\`last_page\` of ${of} is one too many.`,
      () => page(ofSize(2), (data) => setFields(data, { last_page: Number(data['last_page']) + 1 })),
    ],
  ];
  return mutantsOf([...all, ...(hasSizes ? sizes : []), ...(hasPages ? pages : [])]).map((mutant) => ({
    ...mutant,
    clause: numbered(prefix, Number(mutant.clause)),
  }));
}

/** Mutants of pagination. */
export const pageMutants: readonly Mutant[] = lists.flatMap(listMutants);

import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  fieldSetter,
  firstValueRepeater,
  onData,
  onRecords,
  onRequest,
  onResponse,
  refuseFullToken,
  removeField,
  replaceWithSuccess,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { depositDetailPath } from '../deposit-lifecycle/mutants.js';
import { listMutants } from '../paging/mutants.js';

const depositsPath = '/deposits';

/** Changes the deposit in the response to a read. */
const onRead = (change: (deposit: JsonObject) => void): Interceptor => onData('GET', depositDetailPath, change);

/** Removes the page size from the selected requests for the list. */
const ignorePageSize = (isSelected: (query: URLSearchParams) => boolean): Interceptor =>
  onRequest('GET', depositsPath, ({ query }) => isSelected(query) && query.delete('per_page'));

/**
 * Mutants for the clauses about reads and the list of deposits (DEP-READ, DEP-LIST). That of DEP-READ-06 is in
 * `deposit-lifecycle`.
 */
export const depositListMutants: readonly MutantRow[] = [
  ...listMutants({ prefix: 'DEP-LIST', path: depositsPath, plural: 'deposits' }),
  [
    'DEP-READ-01',
    'Reading a deposit with a token that has both scopes is refused with 404.',
    refuseFullToken('GET', depositDetailPath, 404),
  ],
  [
    'DEP-READ-02',
    'A read returns a different deposit.',
    onRead(fieldSetter({ id: 999, booking_reference: 'BK-0', authorization_url: 'https://pay.example/999' })),
  ],
  [
    'DEP-READ-03',
    'An authorized deposit has an undocumented status.',
    onRead((deposit) => deposit['status'] === 'authorized' && Object.assign(deposit, { status: 'requires_capture' })),
  ],
  [
    'DEP-READ-04',
    'A read returns a captured deposit without its `status`.',
    onRead((deposit) => deposit['status'] === 'captured' && removeField(deposit, 'status')),
    { runsAfter: 'DEP-CAPTURE-07' },
  ],
  [
    'DEP-READ-05',
    'A read of a nonexistent deposit succeeds.',
    onResponse(
      ({ method, path }, { status }) => method === 'GET' && depositDetailPath.test(path) && status === 404,
      replaceWithSuccess,
    ),
  ],
  ['DEP-LIST-21', 'A page size of one is ignored.', ignorePageSize((query) => query.get('per_page') === '1')],
  [
    'DEP-LIST-24',
    'Without a filter by `status`, all deposits are listed as `pending`.',
    onRecords(depositsPath, (record, { query }) => query.has('status') || Object.assign(record, { status: 'pending' })),
  ],
  [
    'DEP-LIST-23',
    'The page size is ignored in combination with filters.',
    ignorePageSize((query) => query.has('booking_reference') || query.has('status')),
  ],
  [
    'DEP-LIST-22',
    'The `total` of deposits never changes.',
    // A function, since each run needs an interceptor that has seen no response.
    () => onData('GET', depositsPath, firstValueRepeater('total')),
  ],
];

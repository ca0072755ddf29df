/** What is stored contradicts itself. The message says where. */
export class StoredDataError extends Error {
  override readonly name = 'StoredDataError';
}

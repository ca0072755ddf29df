/** Wraps a function so that it runs on the first call only; later calls return the same value. */
export function lazy<Value>(compute: () => Value): () => Value {
  let result: { readonly value: Value } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

/** Wraps a function so that it runs only once, on the first call; later calls return the same value. */
export function lazy<Value>(compute: () => Value): () => Value {
  let result: { readonly value: Value } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

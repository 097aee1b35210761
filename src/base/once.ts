/** Calls `look` on first use and remembers the result. */
export function once<T>(look: () => T): () => T {
  let seen: { value: T } | null = null;
  return () => {
    seen ??= { value: look() };
    return seen.value;
  };
}

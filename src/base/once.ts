/** Looks when it is first asked, and remembers. */
export function once<T>(look: () => T): () => T {
  let seen: { value: T } | null = null;
  return () => {
    seen ??= { value: look() };
    return seen.value;
  };
}

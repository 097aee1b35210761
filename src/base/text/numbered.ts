/**
 * The result of `attempt` for the first free name of `name`, `name-2`, `name-3` and so on. Null means that a name is
 * taken.
 */
export function numbered<T>(name: string, ending: string, attempt: (name: string) => T | null): T {
  for (let count = 1; ; count++) {
    const made = attempt(`${name}${count === 1 ? "" : `-${count}`}${ending}`);
    if (made !== null) return made;
  }
}

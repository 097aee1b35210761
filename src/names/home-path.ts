// `~` in a path that no shell has read: of a team file, or behind the `=` of an option.

/** `~` and `~/…` are the home folder and what lies in it; every other path, and all without a home, stays as it is. */
export function fromHome(path: string, home: string | null | undefined): string {
  const isAtHome = path === "~" || path.startsWith("~/");
  return isAtHome && home ? `${home}${path.slice(1)}` : path;
}

// `~` in a path that no shell has expanded: in a team file, or after the `=` of an option.

/** Expands `~` and `~/…` to the home folder. Any other path, and every path without a home, stays unchanged. */
export function fromHome(path: string, home: string | null | undefined): string {
  const isAtHome = path === "~" || path.startsWith("~/");
  return isAtHome && home ? `${home}${path.slice(1)}` : path;
}

// Quotes text for tmux, so that it arrives unchanged.
//
// A name, title or folder is never expanded: neither `#{…}` nor `#(…)`, which tmux would run. An argument that ends
// in `;` does not end its command.

/** For names, titles and folders: everything that tmux expands as a format. */
export function literal(text: string): string {
  // `##` is tmux's way to write `#`, but any number of `#` before `[` stays unchanged: doubled, all would arrive.
  return text.replace(/#+(?![#[])/g, (run) => run + run);
}

/** For every single argument. */
export function argument(text: string): string {
  return text.endsWith(";") ? `${text.slice(0, -1)}\\;` : text;
}

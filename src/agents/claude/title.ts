// The client's pane title: `✳ name`, a spinner while busy, and on some hosts `@host` after it.
//
// Leading marks and the blanks after them are not part of the name, nor is anything from `@` on. A default title
// names no session.

const marks = /^[✳✻✽✶✢·∗*⏵⏸⠀-⣿\s]+/u;
const generic = new Set([
  "",
  "claude",
  "claude code",
  "unknown",
  "bash",
  "zsh",
  "sh",
  "fish",
  "node",
  "tmux",
]);

/** The title without the mark, which changes all the time. */
export function unmarkedTitle(title: string): string {
  return title.replace(marks, "").trimEnd();
}

/** The session's name in the title, or null if it has none. */
export function cleanTitle(title: string): string | null {
  const name = unmarkedTitle(title).replace(/@.*$/su, "").trim();
  return generic.has(name.toLowerCase()) ? null : name;
}

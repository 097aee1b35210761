// The client's pane title: `✳ name`, a spinner while busy, and on some hosts `@host` behind it.
//
// [CT1] One leading run of marks and the blanks after it is not part of the name, nor is anything from `@` on.
// [CT2] A title that every client has by default names no session.

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

/** The title as a person would write it down: what the client draws before it changes every moment. */
export function unmarkedTitle(title: string): string {
  return title.replace(marks, "").trimEnd();
}

/** The session's name as the title has it, or null when it has none. */
export function cleanTitle(title: string): string | null {
  const name = unmarkedTitle(title).replace(/@.*$/su, "").trim();
  return generic.has(name.toLowerCase()) ? null : name;
}

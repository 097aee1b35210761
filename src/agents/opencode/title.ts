// The client's pane title: `OC | title`, or `OpenCode` while it shows no conversation with a title of its own.
//
// - The client cuts a title after 40 characters, with `…` in place of the rest.
// - A conversation without a title has one that the client made of the time.

/** What the pane's title would be for a conversation of this title. */
export function paneTitle(title: string | null): string {
  if (title === null || isTimeTitle(title)) return nobody;
  return `OC | ${title.length > 40 ? `${title.slice(0, 37)}…` : title}`;
}

/** Whether the client set this title. Before it draws, the title is the host's. */
export function isOwnTitle(title: string): boolean {
  return title === nobody || title.startsWith("OC | ");
}

/** The session's name in the title, or null if it has none. */
export function nameInTitle(title: string): string | null {
  return /^OC \| (.+)$/.exec(title)?.[1] ?? null;
}

export function isTimeTitle(title: string): boolean {
  return /^(?:New|Child) session - \d{4}-\d\d-\d\dT/.test(title);
}

const nobody = "OpenCode";

// The client's pane title: `⠸ name | 01a1ed6e-0553-7f82-bb3b-0e587... | folder`.
//
// - The title has the parts that its settings choose. The default is activity, name and folder; a session without a
//   name has only the folder. hivemind starts the client with the session's id between them.
// - The client cuts every part after 29 characters: of an id the beginning is left, which still tells two ids apart.
// - While it works a spinner comes first. While it waits for a person, `[ ! ] Action Required` does.

import type { ReportedActivity } from "../agent.js";

/** As a value of `-c`: the title that `readTitle` reads fully. */
export const titleSetting = 'tui.terminal_title=["activity","thread-name","thread-id","project-name"]';

export interface ReadTitle {
  /** Null if the title does not say. */
  activity: ReportedActivity | null;
  name: string | null;
  /** The beginning of the session's id, or all of it. */
  idStart: string | null;
}

export function readTitle(title: string): ReadTitle {
  const spinner = /^[\u2800-\u28ff] /u.exec(title)?.[0] ?? "";
  const parts = title.slice(spinner.length).split(" | ");
  const isAsking = /^\[ [!.] \] Action Required$/.test(parts[0]!);
  if (isAsking) parts.shift();
  const at = parts.findIndex((part) => idForm.test(part));
  // Without an id the last part is the folder.
  const name = parts.slice(0, at < 0 ? -1 : at).join(" | ");
  return {
    activity: isAsking ? "waiting" : spinner === "" ? null : "busy",
    name: name === "" ? null : name,
    idStart: at < 0 ? null : parts[at]!.replace(/\.\.\.$/, ""),
  };
}

/** The session's name in the title, or null if it has none. */
export function nameInTitle(title: string): string | null {
  return readTitle(title).name;
}

/** The id between the name and the folder is for hivemind. */
export function withoutId(title: string): string {
  return title
    .split(" | ")
    .filter((part) => !idForm.test(part))
    .join(" | ");
}

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-(?:[0-9a-f]{5}\.\.\.|[0-9a-f]{12})$/;

// A shell that `layout restore` made for a saved pane carries that pane's place: one pane option, `<pane id>|<place>`.
//
// [MSH1] An option with another pane's id is ignored: formats inherit options from window, session and server.

import type { PaneId } from "../names/gates.js";
import type { TmuxPane } from "../tmux/listing.js";
import { setPaneOption } from "../tmux/pane.js";
import type { Tmux } from "../tmux/tmux.js";
import type { Place } from "./match.js";

export async function noteMadeShell(tmux: Tmux, pane: PaneId, place: Place): Promise<void> {
  await setPaneOption(tmux, pane, "@hivemind_shell", `${pane}|${place}`);
}

/** The saved pane that this shell was made for; null of any other pane, also once a program was started in it. */
export function madeFor({ id, shell, startCommand }: TmuxPane): Place | null {
  const [pane, place = ""] = shell.split("|");
  const isMade = pane === id && startCommand === "" && /^\d{1,5}\.\d{1,5}$/.test(place);
  return isMade ? (place as Place) : null;
}

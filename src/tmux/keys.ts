// Sends keys and pastes text into a pane.
//
// - A key must be one that tmux knows: it would type any other word letter by letter.
// - A paste arrives byte for byte, at any size, bracketed if the program asked for it. Its buffer is always removed.
// - No control character is pasted: it could end the brackets of a paste and act as keys.
// - Nothing is pasted into a pane whose program has ended: tmux 3.3a itself would end, with all its panes.

import { HiveError } from "../base/errors.js";
import { randomHex } from "../base/random.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { PaneId } from "../names/gates.js";
import { newMark } from "./answer.js";
import { TmuxError } from "./error.js";
import type { Tmux } from "./tmux.js";

export async function sendKeys(tmux: Tmux, pane: PaneId, keys: readonly string[]): Promise<void> {
  const unknown = keys.find((key) => !isKey(key));
  if (unknown !== undefined)
    throw new HiveError(`refused "${harmless(unknown)}": not a key (Enter, C-u, Up, y …)`);
  await tmux.run(["send-keys", "-t", pane, "--", ...keys]);
}

export async function pasteText(tmux: Tmux, pane: PaneId, text: string): Promise<void> {
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))
    throw new HiveError("refused: the text has control characters");
  const buffer = `hivemind-${randomHex(16)}`;
  // The server checks and pastes in one step: no check from here could be as close.
  const paste = `paste-buffer -p -r -d -b ${buffer} -t ${pane}`;
  const { stdout, failure: fault } = await tmux.attempt(
    [
      ["load-buffer", "-b", buffer, "-"],
      ["if-shell", "-F", "-t", pane, "#{pane_dead}", `display-message -p ${buffer}`, paste],
    ],
    text,
  );
  if (fault === null && !stdout.includes(buffer)) return;
  // The buffer is missing if loading it failed or the server is gone; then the first failure is the one to report.
  await tmux.attempt([["delete-buffer", "-b", buffer]]);
  throw fault ?? new TmuxError("no-target", `tmux paste-buffer: the program of ${pane} has ended`);
}

const keyForm =
  /^(?:[CMS]-)*(?:[!-~]|Enter|Escape|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|IC|DC|F(?:[1-9]|1[0-2]))$/;

export function isKey(name: string): boolean {
  return keyForm.test(name);
}

/** Types bytes as a terminal would send them. Unlike a paste they act: only for a person who types. */
export async function typeBytes(tmux: Tmux, pane: PaneId, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return;
  const words = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const ended = newMark();
  const printed = await tmux.run([
    ...["if-shell", "-F", "-t", pane, "#{pane_dead}"],
    ...[`display-message -p ${ended}`, `send-keys -t ${pane} -H ${words}`],
  ]);
  if (printed.includes(ended))
    throw new TmuxError("no-target", `tmux send-keys: the program of ${pane} has ended`);
}

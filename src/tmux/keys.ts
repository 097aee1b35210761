// What goes into a pane as if typed.
//
// [TK1] A key is one that tmux knows: it would type any other word letter by letter.
// [TK2] Typed text is one line, taken literally. What is longer, or has lines, is pasted.
// [TK3] A paste arrives byte for byte, of any size, bracketed if the program asked for it, and its buffer is
//       gone afterwards, whatever happened.
// [TK4] No control character is typed or pasted: one could end the brackets of a paste and act as keys.
// [TK5] Nothing is pasted into a pane whose program has ended: tmux 3.3a itself would end, with every pane it has.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { randomHex } from "../base/random.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { TmuxError } from "./error.js";
import type { Tmux } from "./tmux.js";

export async function sendKeys(tmux: Tmux, pane: PaneId, keys: readonly string[]): Promise<void> {
  const unknown = keys.find((key) => !isKey(key));
  if (unknown !== undefined)
    throw new HiveError(`refused "${harmless(unknown)}": not a key (Enter, C-u, Up, y …)`);
  await tmux.run(["send-keys", "-t", pane, "--", ...keys]);
}

export async function sendText(tmux: Tmux, pane: PaneId, text: string): Promise<void> {
  refuseControls(text, /[\u0000-\u001f\u007f-\u009f]/);
  if (Buffer.byteLength(text) > limits.sendKeysBytes) {
    throw new HiveError(`refused ${text.length} characters: too long to be typed, paste them`);
  }
  await tmux.run(["send-keys", "-l", "-t", pane, "--", text]);
}

export async function pasteText(tmux: Tmux, pane: PaneId, text: string): Promise<void> {
  refuseControls(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  const buffer = `hivemind-${randomHex(16)}`;
  // The server asks and pastes in one step: no look from here could be so close.
  const paste = `paste-buffer -p -r -d -b ${buffer} -t ${pane}`;
  const { stdout, failure: fault } = await tmux.attempt(
    [
      ["load-buffer", "-b", buffer, "-"],
      ["if-shell", "-F", "-t", pane, "#{pane_dead}", `display-message -p ${buffer}`, paste],
    ],
    text,
  );
  const failure = fault ?? (stdout.includes(buffer) ? hasEnded(pane) : null);
  if (failure === null) return;
  // It is not there if loading it was what failed, or the server is gone: the first failure is the one to tell.
  await tmux.attempt([["delete-buffer", "-b", buffer]]);
  throw failure;
}

function hasEnded(pane: PaneId): TmuxError {
  return new TmuxError("no-target", `tmux paste-buffer: the program of ${pane} has ended`);
}

const keyForm =
  /^(?:[CMS]-)*(?:[!-~]|Enter|Escape|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|IC|DC|F(?:[1-9]|1[0-2]))$/;

export function isKey(name: string): boolean {
  return keyForm.test(name);
}

function refuseControls(text: string, controls: RegExp): void {
  if (controls.test(text)) throw new HiveError("refused: the text has control characters");
}

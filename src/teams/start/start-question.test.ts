import { expect, test } from "vitest";
import type { Dialog } from "../../agents/box.js";
import { questionSays } from "./start-question.js";

function dialog(labels: readonly string[], more: Partial<Dialog> = {}): Dialog {
  const options = labels.map((label, at) => ({ number: at + 1, label, isAtCursor: at === 0 }));
  return { kind: "dialog", question: "What now?", options, ...more };
}

const trust = { known: { asks: "whether you trust /srv/x", isClosedByEscape: false } };

test.each([
  [
    "a known one",
    dialog(["No, exit", "Yes, I trust this folder"], trust),
    "asks whether you trust /srv/x: hivemind approve dev",
  ],
  ["a known one without a yes", dialog(["Exit"], trust), "asks whether you trust /srv/x: hivemind go dev"],
  ["another", dialog([]), "shows a dialog (What now?): hivemind go dev"],
  ["one without words", dialog([], { question: null }), "shows a dialog: hivemind go dev"],
])("%s is reported with the command that answers it", (_, shown, says) => {
  expect(questionSays(shown, "dev")).toBe(says);
});

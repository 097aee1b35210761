import { expect, test } from "vitest";
import type { PaneAddress, Role } from "../names/gates.js";
import { withSender } from "./sender.js";

const po = { role: "po" as Role, pane: "web:0.1" as PaneAddress };
const unnamed = { role: null, pane: "web:0.1" as PaneAddress };

test.each([
  ["hello", po, "[@po web:0.1] hello"],
  ["hello", unnamed, "[@unnamed web:0.1] hello"],
  ["hello", null, "hello"],
  ["[@dev web:0.2] hello", po, "[@dev web:0.2] hello"],
  ["/compact", po, "/compact"],
  ["!ls", po, "!ls"],
  ["/etc/passwd is odd", po, "[@po web:0.1] /etc/passwd is odd"],
  ["one\ntwo", po, "[@po web:0.1] one\ntwo"],
])("[MW1] %j of %j is said as %j (incident 36)", (text, sender, said) => {
  expect(withSender(text, sender)).toBe(said);
});

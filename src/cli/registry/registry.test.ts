import { expect, test } from "vitest";
import type { UnnamedAgent } from "../../fleet/roster/refresh.js";
import { unnamedLines } from "./registry.js";

test("an agent without a role is shown with the command that gives it one", () => {
  const unnamed = [{ pane: "web:0.0", title: null, why: "its title\u001b names none" }] as UnnamedAgent[];
  expect(unnamedLines("hivemind", unnamed)).toEqual([
    "unnamed: web:0.0 (its title␛ names none)",
    "  hivemind agent adopt web:0.0 --role ROLE",
  ]);
});

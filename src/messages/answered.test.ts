import { expect, test } from "vitest";
import type { PaneAddress } from "../names/gates.js";
import type { MessageId } from "../stores/queue-rows.js";
import { receipt } from "../stores/receipts.js";
import { lastTaken } from "./answered.js";

const server = { pid: 77, startedAtMs: 5_000 };
const seen = { server };
const pane = { id: "%5", address: "web:0.1" as PaneAddress } as const;
const taken = (id: string, owner: string) => [
  receipt(id as MessageId, "queued", owner),
  receipt(id as MessageId, "accepted"),
];
const [own, others, unknown] = ["%5 77@5", "%6 77@5", ""];

test.each([
  ["where it stands", taken("web:0.1@100", own), "web:0.1@100"],
  ["where it stood before", [...taken("web:0.2@100", own), ...taken("web:0.1@99", others)], "web:0.2@100"],
  ["last", [...taken("web:0.2@100", own), ...taken("web:0.1@101", own)], "web:0.1@101"],
  ["at its address, where nobody noted whose it was", taken("web:0.1@100", unknown), "web:0.1@100"],
  ["at its address, before tmux was started anew", taken("web:0.1@100", "%9 76@4"), "web:0.1@100"],
  ["never, though another took one at its address", taken("web:0.1@100", others), null],
  ["never, though one waits", [receipt("web:0.1@100" as MessageId, "queued", own)], null],
])("[AW4] of the messages that were taken a pane has the one it took %s", (_, rows, expected) => {
  expect(lastTaken(rows, seen, pane)).toBe(expected);
});

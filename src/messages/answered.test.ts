import { expect, test } from "vitest";
import type { AgentId } from "../names/agent-id.js";
import type { MessageId } from "../stores/queue/queue-rows.js";
import { receipt } from "../stores/receipts.js";
import { lastTaken } from "./answered.js";

const agent = "aaaaaaaaaa" as AgentId;
const taken = (id: string) => receipt(id as MessageId, "web:0.1", "accepted");
const waits = (id: string) => receipt(id as MessageId, "web:0.1", "queued");

test.each([
  ["the last one that it took", [taken(`${agent}@100`), taken(`${agent}@101`)], `${agent}@101`],
  ["none that is still queued", [taken(`${agent}@100`), waits(`${agent}@101`)], `${agent}@100`],
  ["none of another agent at the same place", [taken("bbbbbbbbbb@100")], null],
  ["none of an earlier version, which names an address", [taken("web:0.1@100")], null],
])("the last message an agent took is %s", (_, rows, expected) => {
  expect(lastTaken(rows, agent)).toBe(expected);
});
